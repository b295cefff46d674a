//! The databases that the checker builds, compared with other solvers.

mod tiny;

use papamu_checker::database::Database;
use papamu_checker::games::known;
use tiny::{DODGEM, FANORONA, MU_TORERE, Solved, TIC_TAC_TOE};

/// The values of the checker's own databases are those of another solver, of every position.
#[test]
fn databases_are_right() {
    for (tiny, root) in [
        (&TIC_TAC_TOE, ".../.../... x"),
        (&DODGEM, "r../r../.uu r"),
        (&MU_TORERE, "xxoo/. x"),
        (&MU_TORERE, "xxxxoooo/. x"),
        (&FANORONA, "xxx/o.x/ooo w"),
    ] {
        let (game, _) = (known(tiny.name).expect("a game").read)(root).expect("a root");
        let all = tiny.all(root);
        let solved = Solved::new(tiny, all.clone());
        for largest in [1, 2, 4, 8, 9] {
            let layout = Database::plan(&*game, largest).expect("few");
            let database = Database::build(&*game, layout, &|| true).expect("not stopped");
            for text in &all {
                let (number, least) = tiny.least(text);
                let position = game.position(number, tiny.side(text)).expect("a position");
                assert_eq!(game.show(number, tiny.side(text)), least);
                let expected = solved.winner(text);
                let expected = Some(expected).filter(|_| tiny.size(text) <= largest);
                assert_eq!(database.winner(&position), expected, "{text} of {largest}");
            }
        }
    }
}

/// The values of Konane in a database are those of plain minimax.
#[test]
fn databases_of_konane() {
    let (game, _) = (known("konane").expect("a game").read)("xoxo/oxox/xoxo b").expect("a root");
    let plan = Database::plan(&*game, 12).expect("few");
    let database = Database::build(&*game, plan, &|| true).expect("not stopped");
    assert_eq!(database.positions(), 2 << 12);
    let plan = Database::plan(&*game, 12).expect("few");
    assert!(Database::build(&*game, plan, &|| false).is_none());
    for (number, side) in (0..1 << 12).flat_map(|number| [(number, 0), (number, 1)]) {
        let position = game.position(number, side).expect("a position");
        let wins = |after| database.winner(after) == Some(Some(side));
        let winner = if game.after(&position).iter().any(wins) { side } else { 1 - side };
        assert_eq!(database.winner(&position), Some(Some(winner)));
    }
}
