//! Speed of Konane's move generator: `cargo bench -p papamu-games`.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use papamu_base::Progress;
use papamu_game::perft::perft;
use papamu_game::{Game, Guided};
use papamu_games::Konane;

fn perft_8x8(criterion: &mut Criterion) {
    let game = Konane::new(8, 8).expect("a board");
    let start = game.start();
    let mut group = criterion.benchmark_group("perft 8x8");
    group.sample_size(10);
    // Table B.1 of B. Siefke's thesis.
    for (depth, leaves) in [(10, 51_883_544), (11, 552_955_020)] {
        for threads in [1, 2] {
            group.throughput(Throughput::Elements(leaves));
            group.bench_function(format!("depth {depth}, threads {threads}"), |bencher| {
                bencher.iter(|| {
                    let counts = perft(&game, &start, depth, threads, &Progress::new());
                    assert_eq!(counts.expect("not stopped").last(), Some(&leaves));
                });
            });
        }
    }
    group.finish();
}

fn one_position(criterion: &mut Criterion) {
    let text = "xoxoxoxo/ox.xoxox/xoxoxoxo/oxoxox.x/xoxoxoxo/ox.x.xox/xoxoxoxo/oxo.oxox b";
    let (game, position) = Konane::read(text).expect("a position");
    let mut moves = Vec::new();
    criterion.bench_function("moves", |bencher| {
        bencher.iter(|| {
            moves.clear();
            game.moves(black_box(&position), &mut moves);
            moves.len()
        });
    });
    criterion.bench_function("count_moves", |bencher| {
        bencher.iter(|| game.count_moves(black_box(&position)));
    });
    criterion
        .bench_function("survey", |bencher| bencher.iter(|| game.survey(black_box(&position))));
    criterion.bench_function("key", |bencher| bencher.iter(|| game.key(black_box(&position))));
}

criterion_group!(benches, perft_8x8, one_position);
criterion_main!(benches);
