//! Fanorona on small boards: every search against complete retrograde analysis and table 4.4 of
//! M. Schadd, "Selective Search in Games of Different Complexity" (2011).

use papamu_base::Progress;
use papamu_game::{Capabilities, Game, Value};
use papamu_games::Fanorona;
use papamu_search::{Algorithm, Monitor, Options, reference, solver};

#[test]
fn white_wins_small_boards() {
    for text in ["3x3", "3x5", "5x3"] {
        let (game, start) = Fanorona::read(text).expect("a board");
        let none = Capabilities::NONE;
        let solved = reference::solve(&game, &start, &none, 1 << 32, &Progress::new());
        let solved = solved.expect("a small board");
        println!("{text}: {} positions", solved.nodes);
        assert_eq!(solved.value, Value::Win, "{text}");
        for algorithm in Algorithm::SEARCHES {
            let options = Options::with_cycles().memory(1 << 28);
            let helpers = solver::Helpers::default();
            let found =
                solver::solve(&game, &start, algorithm, &options, &helpers, &Monitor::new());
            let found = found.expect("a small board");
            println!("{text}: {} positions by {algorithm}", found.nodes);
            assert_eq!(found.value, Value::Win, "{text} by {algorithm}");
        }
    }
}
