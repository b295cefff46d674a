//! Speed of strong solving and of probes: `cargo bench -p papamu-tables`.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use papamu_base::Progress;
use papamu_game::{Game, Player};
use papamu_games::Konane;
use papamu_games::konane::Position;
use papamu_tables::konane::plan::Plan;
use papamu_tables::konane::shape::Shape;
use papamu_tables::konane::squares::Squares;
use papamu_tables::konane::table::Table;
use papamu_tables::konane::{capped, complete};

fn build(criterion: &mut Criterion) {
    let (game, _) = Konane::read("6x5").expect("a board");
    let squares = Squares::new(&game).expect("small");
    let plan = Plan::new(&squares).expect("small");
    let shape = Shape::complete(&squares).expect("small");
    let mut group = criterion.benchmark_group("build");
    group.sample_size(10).throughput(Throughput::Elements(plan.positions()));
    group.bench_function("konane 6x5", |bencher| {
        bencher.iter(|| complete::build(&shape, &plan, None, &Progress::new()).expect("built"));
    });
    group.finish();
}

fn probe(criterion: &mut Criterion) {
    let (game, _) = Konane::read("6x5").expect("a board");
    let squares = Squares::new(&game).expect("small");
    let plan = Plan::new(&squares).expect("small");
    let shape = Shape::complete(&squares).expect("small");
    let place = tempfile::tempdir().expect("a directory");
    let path = place.path().join("6x5");
    complete::build(&shape, &plan, Some(&path), &Progress::new()).expect("built");
    let table = Table::open(&path).expect("a table");
    let mut random = fastrand::Rng::with_seed(1);
    criterion.bench_function("probe konane 6x5 at random", |bencher| {
        bencher.iter(|| {
            let occupied = random.u64(..) & game.board().squares;
            let side = if random.bool() { Player::First } else { Player::Second };
            table.value(black_box(&Position { occupied, side }))
        });
    });
}

fn probe_few_stones(criterion: &mut Criterion) {
    let (game, _) = Konane::read("7x7").expect("a board");
    let shape = Shape::capped(&Squares::new(&game).expect("small"), 7);
    let place = tempfile::tempdir().expect("a directory");
    let path = place.path().join("7x7");
    capped::build(&shape, &path, &Progress::new()).expect("built");
    let table = Table::open(&path).expect("a table");
    let mut random = fastrand::Rng::with_seed(1);
    criterion.bench_function("probe konane 7x7 with 7 stones at random", |bencher| {
        bencher.iter(|| {
            let mut occupied = 0_u64;
            while occupied.count_ones() < 7 {
                let [row, col] = [(); 2].map(|()| random.usize(..7));
                occupied |= 1 << game.board().square(row, col);
            }
            let side = if random.bool() { Player::First } else { Player::Second };
            table.value(black_box(&Position { occupied, side }))
        });
    });
}

criterion_group!(benches, build, probe, probe_few_stones);
criterion_main!(benches);
