//! Speed of strong solving and of probes: `cargo bench -p papamu-tables`.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use papamu_base::Progress;
use papamu_game::Player;
use papamu_games::konane::Position;
use papamu_tables::konane::{Table, TableBuild, read_board};

fn build(criterion: &mut Criterion) {
    let build = TableBuild::complete(&read_board("6x5").expect("a board")).expect("small");
    let mut group = criterion.benchmark_group("build");
    group.sample_size(10).throughput(Throughput::Elements(build.shape().positions()));
    group.bench_function("konane 6x5", |bencher| {
        bencher.iter(|| build.run(None, &Progress::new()).expect("built"));
    });
    group.finish();
}

fn probe(criterion: &mut Criterion) {
    let game = read_board("6x5").expect("a board");
    let place = tempfile::tempdir().expect("a directory");
    let path = place.path().join("6x5");
    let build = TableBuild::complete(&game).expect("small");
    build.run(Some(&path), &Progress::new()).expect("built");
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
    let game = read_board("7x7").expect("a board");
    let place = tempfile::tempdir().expect("a directory");
    let path = place.path().join("7x7");
    TableBuild::capped(&game, 7).run(Some(&path), &Progress::new()).expect("built");
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
