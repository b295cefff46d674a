//! Speed of the searches on small boards: `cargo bench -p papamu-search`.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use papamu_game::{Game, Value};
use papamu_games::Konane;
use papamu_search::options::{Algorithm, Options};
use papamu_search::run::Monitor;
use papamu_search::solver::{Helpers, solve};

fn searches(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("solve");
    group.sample_size(20);
    for (algorithm, threads, board) in [
        (Algorithm::DfPn, 1, "6x6"),
        (Algorithm::DfPn, 2, "6x6"),
        (Algorithm::Pn2, 1, "6x6"),
        (Algorithm::Pn2, 2, "6x6"),
        (Algorithm::Pns, 1, "6x5"),
        (Algorithm::AlphaBeta, 1, "5x5"),
    ] {
        let (game, position) = Konane::read(board).expect("a board");
        let options = Options { threads, ..Options::default() };
        let run = || {
            let helpers = Helpers::default();
            solve(&game, &position, algorithm, &options, &helpers, &Monitor::new()).expect("solved")
        };
        let solution = run();
        if board != "5x5" {
            assert_eq!(solution.value, Value::Loss, "White wins {board}");
        }
        // With two threads the number of nodes varies from run to run.
        group.throughput(Throughput::Elements(solution.nodes));
        let name = format!("konane {board}, {algorithm}, threads {threads}");
        group.bench_function(name, |bencher| bencher.iter(run));
    }
    group.finish();
}

criterion_group!(benches, searches);
criterion_main!(benches);
