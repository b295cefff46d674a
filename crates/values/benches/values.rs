//! How long values take: positions after removing two adjacent stones in the centre of a full
//! board, random positions, and how fast conjectures are tested.

use std::hint::black_box;
use std::time::{Duration, Instant};

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use papamu_base::Progress;
use papamu_values::conjecture::{InvariantTable, Settings, Side, conjecture};
use papamu_values::konane::{Evaluator, Regions, Setup, Square};
use papamu_values::{Forms, Limits, Value};

fn regions() -> Regions {
    Regions::new(Forms::new(Limits::default()).expect("memory")).expect("memory")
}

/// Nothing is known at first.
fn value(setups: &[Setup]) -> Value {
    let regions = regions();
    let mut evaluator = Evaluator::new(&regions);
    let values = setups.iter().map(|setup| evaluator.value(setup).expect("small"));
    values.last().expect("a position")
}

fn opened(rows: usize, columns: usize) -> Setup {
    let mut setup = Setup::full(rows, columns).expect("small");
    let (row, column) = (rows / 2, columns / 2);
    setup.set(row, column, Square::Empty);
    setup.set(row, column - 1, Square::Empty);
    setup
}

/// Each square of 5x5 is taken with a probability of one half, in the colours of a real game.
fn random_grids(seed: u64) -> Vec<Setup> {
    let mut random = fastrand::Rng::with_seed(seed);
    let mut setup = || {
        let mut setup = Setup::full(5, 5).expect("small");
        for row in 0..5 {
            for column in 0..5 {
                if random.bool() {
                    setup.set(row, column, Square::Empty);
                }
            }
        }
        setup
    };
    (0..1000).map(|_| setup()).collect()
}

fn positions(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("value of an opened board");
    group.sample_size(10);
    for (rows, columns) in [(4, 4), (5, 4), (6, 4), (5, 5)] {
        let setup = opened(rows, columns);
        group.bench_function(format!("{rows}x{columns}"), |bencher| {
            bencher.iter(|| value(std::slice::from_ref(black_box(&setup))));
        });
    }
    group.finish();
    let mut group = criterion.benchmark_group("1000 random positions of 5x5");
    group.sample_size(10);
    for seed in 1..=3 {
        let setups = random_grids(seed);
        group.bench_function(format!("seed {seed}"), |bencher| {
            bencher.iter(|| value(black_box(&setups)));
        });
    }
    group.finish();
}

/// 50 objects, 7 invariants, 11 operators.
fn conjectures(criterion: &mut Criterion) {
    let mut random = fastrand::Rng::with_seed(1);
    let table = InvariantTable {
        invariants: (0..7).map(|i| format!("i{i}")).collect(),
        objects: (0..50).map(|i| i.to_string()).collect(),
        columns: (0..7).map(|_| (0..50).map(|_| f64::from(random.u32(0..30))).collect()).collect(),
    };
    let names = ["+1", "-1", "*2", "/2", "sqrt", "square", "+", "*", "max", "min", "-"];
    let settings = Settings {
        target: 0,
        invariants: 7,
        side: Side::Upper,
        operators: names.iter().map(|name| name.parse().expect("an operator")).collect(),
        with_target: false,
        every: false,
        theory: Vec::new(),
        complexity: 7,
        time: Duration::from_secs(1000),
        memory_bytes: 1 << 30,
        undefined: 0.2,
    };
    let run = |table: &InvariantTable| {
        let found = conjecture(table, &settings, Instant::now(), &Progress::new());
        found.map_or(0, |found| found.tested)
    };
    let tested = run(&table);
    let mut group = criterion.benchmark_group("conjectures");
    group.sample_size(10).throughput(Throughput::Elements(tested));
    group.bench_function("50 objects, 7 invariants, 11 operators", |bencher| {
        bencher.iter(|| run(black_box(&table)));
    });
    group.finish();
}

criterion_group!(benches, positions, conjectures);
criterion_main!(benches);
