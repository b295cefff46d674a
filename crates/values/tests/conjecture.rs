//! Conjectures compared with the definition, by evaluating them.

use std::time::{Duration, Instant};

use papamu_base::Progress;
use papamu_values::conjecture::{
    self as engine, Binary, Conjecture, EndedBy, Expression, Found, InvariantTable, Operator,
    Settings, Side, Unary, Wrong,
};

fn conjecture(table: &InvariantTable, settings: &Settings) -> Found {
    let progress = Progress::new();
    let found = engine::conjecture(table, settings, Instant::now(), &progress).expect("no theory");
    assert!(progress.done() <= found.tested);
    found
}

fn operators(names: &str) -> Vec<Operator> {
    names.split(' ').map(|name| name.parse().expect(name)).collect()
}

fn settings(target: usize, side: Side, names: &str, complexity: usize) -> Settings {
    Settings {
        target,
        invariants: 64,
        side,
        operators: operators(names),
        with_target: false,
        every: false,
        theory: Vec::new(),
        complexity,
        time: Duration::from_secs(60),
        memory_bytes: 1 << 28,
        undefined: 0.2,
    }
}

/// InvariantTable 1 of "Auto Conjecturing and Konane": stones of both colours and moves of three
/// positions.
fn table_1() -> InvariantTable {
    InvariantTable {
        invariants: ["black", "white", "moves"].map(str::to_owned).to_vec(),
        objects: ["xox/...", "xo./.xo", ".ox/xo."].map(str::to_owned).to_vec(),
        columns: vec![vec![2.0, 2.0, 2.0], vec![1.0, 2.0, 2.0], vec![0.0, 1.0, 2.0]],
    }
}

/// The inequalities of figure 6, which are true but were not selected.
#[test]
fn figure_6_is_found() {
    let settings = Settings {
        with_target: true,
        every: true,
        ..settings(1, Side::Upper, "+ * +1 sqrt max", 4)
    };
    let found = conjecture(&table_1(), &settings);
    let names = &table_1().invariants;
    let all: Vec<String> = found.conjectures.iter().map(|c| c.expression.write(names)).collect();
    for expected in
        ["max(black, white)", "(black + white)", "(black + 1)", "((black*white + 1) + 1)"]
    {
        assert!(all.iter().any(|found| found == expected), "{expected} is not among {all:?}");
    }
    assert_eq!((found.complete, found.ended_by), (Some(4), None));
}

/// Random tables: conjectures are true and tight where they say so, each of them is needed, and
/// together they are as good as all true inequalities.
#[test]
fn conjectures_are_true_and_none_is_redundant() {
    let mut random = fastrand::Rng::with_seed(31);
    for round in 0..60 {
        let objects = random.usize(1..20);
        let mut column =
            || -> Vec<f64> { (0..objects).map(|_| f64::from(random.i32(-3..10))).collect() };
        let columns = vec![column(), column(), column(), column()];
        let table = InvariantTable {
            invariants: ["a", "b", "c", "d"].map(str::to_owned).to_vec(),
            objects: (0..objects).map(|i| i.to_string()).collect(),
            columns,
        };
        let side = if round % 2 == 0 { Side::Upper } else { Side::Lower };
        let sign = if side == Side::Upper { 1.0 } else { -1.0 };
        let plain = settings(0, side, "+1 -1 /2 sqrt neg + * max - /", 4);
        let found = conjecture(&table, &plain);
        let every = Settings { every: true, ..plain.clone() };
        let every = conjecture(&table, &every);
        let target = &table.columns[0];
        let best = |conjectures: &[Conjecture]| -> Vec<f64> {
            (0..objects)
                .map(|i| {
                    let values = conjectures.iter().map(|c| sign * c.values[i]);
                    values.fold(f64::INFINITY, f64::min)
                })
                .collect()
        };
        let close =
            |a: &[f64], b: &[f64]| a.iter().zip(b).all(|(a, b)| a == b || (a - b).abs() < 1e-6);
        for conjecture in &every.conjectures {
            for (i, value) in conjecture.values.iter().enumerate() {
                let again = conjecture.expression.value(&|index| table.columns[index][i]);
                assert!(again == *value || (again.is_nan() && value.is_nan()));
                assert!(value.is_nan() || sign * value >= sign * target[i] - 1e-6);
                assert_eq!(conjecture.tight.contains(&i), (value - target[i]).abs() < 1e-6);
            }
        }
        assert!(found.conjectures.iter().all(|c| c.fails_for(&table, &plain).is_empty()));
        let larger = InvariantTable {
            columns: table
                .columns
                .iter()
                .enumerate()
                .map(|(i, column)| {
                    column
                        .iter()
                        .map(|value| if i == 0 { value + sign * 1e6 } else { *value })
                        .collect()
                })
                .collect(),
            ..table.clone()
        };
        let defined = |c: &Conjecture| c.values.iter().filter(|v| !v.is_nan()).count();
        assert!(found.conjectures.iter().all(|c| c.fails_for(&larger, &plain).len() == defined(c)));
        assert!(close(&best(&found.conjectures), &best(&every.conjectures)));
        for i in 0..found.conjectures.len() {
            let mut others = found.conjectures.clone();
            others.remove(i);
            assert!(!close(&best(&others), &best(&found.conjectures)));
        }
    }
}

/// With little memory fewer complexities are reached, and up to there the result is as good as with
/// much memory. The target does not bound itself.
#[test]
fn little_memory_finds_the_same() {
    let mut random = fastrand::Rng::with_seed(33);
    let mut column = || -> Vec<f64> { (0..30).map(|_| f64::from(random.i32(0..20))).collect() };
    let table = InvariantTable {
        invariants: ["a", "b", "c", "d"].map(str::to_owned).to_vec(),
        objects: (0..30).map(|i| i.to_string()).collect(),
        columns: vec![column(), column(), column(), column()],
    };
    let plain = settings(0, Side::Upper, "+1 -1 *2 square + * max -", 6);
    let little = Settings { memory_bytes: 300_000, ..plain.clone() };
    let found = conjecture(&table, &little);
    let complete = found.complete.expect("some");
    assert!(complete < 6 && found.ended_by == Some(EndedBy::Memory));
    let much = Settings { complexity: complete, ..plain.clone() };
    let expected = conjecture(&table, &much);
    let best = |conjectures: &[Conjecture]| -> Vec<f64> {
        let value =
            |i: usize| conjectures.iter().map(|c| c.values[i]).fold(f64::INFINITY, f64::min);
        (0..30).map(value).collect()
    };
    assert_eq!(best(&found.conjectures), best(&expected.conjectures));
    let with_target = Settings { with_target: true, complexity: 3, ..plain };
    let found = conjecture(&table, &with_target);
    assert!(
        found
            .conjectures
            .iter()
            .all(|c| c.expression.write(&table.invariants).contains(['b', 'c', 'd']))
    );
}

/// An undefined expression says nothing, and it may be undefined only for few objects.
#[test]
fn undefined_values_are_skipped() {
    let table = InvariantTable {
        invariants: ["y", "x"].map(str::to_owned).to_vec(),
        objects: (0..10).map(|i| i.to_string()).collect(),
        columns: vec![
            (0..10).map(|i| f64::from(i).sqrt() - f64::from(u8::from(i == 0))).collect(),
            (0..10).map(|i| f64::from(i - i32::from(i == 0))).collect(),
        ],
    };
    let found = conjecture(&table, &settings(0, Side::Upper, "sqrt", 1));
    assert!(
        found
            .conjectures
            .iter()
            .any(|c| c.expression.write(&table.invariants) == "sqrt(x)" && c.tight.len() == 9)
    );
    let strict = Settings { undefined: 0.0, ..settings(0, Side::Upper, "sqrt", 1) };
    let found = conjecture(&table, &strict);
    assert!(found.conjectures.iter().all(|c| c.expression.write(&table.invariants) != "sqrt(x)"));
}

/// A theory: every conjecture improves on it somewhere, and together they are as good as all true
/// inequalities.
#[test]
fn what_a_theory_says_is_no_news() {
    let mut random = fastrand::Rng::with_seed(35);
    for round in 0..60 {
        let objects = random.usize(1..20);
        let mut column =
            || -> Vec<f64> { (0..objects).map(|_| f64::from(random.i32(-3..10))).collect() };
        let mut table = InvariantTable {
            invariants: ["a", "b", "c", "d"].map(str::to_owned).to_vec(),
            objects: (0..objects).map(|i| i.to_string()).collect(),
            columns: vec![column(), column(), column(), column()],
        };
        let side = if round % 2 == 0 { Side::Upper } else { Side::Lower };
        let sign = if side == Side::Upper { 1.0 } else { -1.0 };
        // A bound that is true: the last column is moved beyond the target.
        let gap = (0..objects)
            .map(|i| sign * (table.columns[0][i] - table.columns[3][i]))
            .fold(f64::NEG_INFINITY, f64::max);
        table.columns[3].iter_mut().for_each(|value| *value += sign * gap);
        let known = Expression::read("d", &table.invariants).expect("an expression");
        // In half of the cases it is not used in expressions.
        let invariants = if round % 4 < 2 { 4 } else { 3 };
        let settings = Settings {
            invariants,
            theory: vec![known],
            ..settings(0, side, "+1 -1 /2 neg + * max - /", 4)
        };
        let found = conjecture(&table, &settings);
        let every = conjecture(&table, &Settings { every: true, ..settings.clone() });
        let best = |conjectures: &[&Conjecture]| -> Vec<f64> {
            let value = |i: usize| {
                let values = conjectures.iter().map(|c| sign * c.values[i]);
                values.fold(sign * table.columns[3][i], f64::min)
            };
            (0..objects).map(value).collect()
        };
        let all: Vec<&Conjecture> = found.conjectures.iter().collect();
        let close = |a: &[f64], b: &[f64]| a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-6);
        assert!(close(&best(&all), &best(&every.conjectures.iter().collect::<Vec<_>>())));
        for i in 0..all.len() {
            let mut others = all.clone();
            others.remove(i);
            assert!(!close(&best(&others), &best(&all)));
        }
        for conjecture in &every.conjectures {
            assert!(invariants == 4 || !conjecture.expression.invariants().contains(&3));
            assert!(!close(&best(&[conjecture]), &best(&[])), "the theory says as much");
        }
        // One step further it is wrong.
        table.columns[3].iter_mut().for_each(|value| *value -= sign);
        let wrong = engine::conjecture(&table, &settings, Instant::now(), &Progress::new());
        let object = (0..objects)
            .find(|&i| sign * table.columns[3][i] < sign * table.columns[0][i])
            .expect("one");
        assert_eq!(wrong, Err(Wrong { bound: 0, object }));
    }
}

/// The value of an expression of integers, by a second and exact implementation.
fn integer(expression: &Expression, table: &InvariantTable, object: usize) -> i128 {
    let value = |x: &Expression| integer(x, table, object);
    match expression {
        Expression::Invariant(index) => table.columns[*index][object] as i128,
        Expression::Unary(Unary::Increment, x) => value(x) + 1,
        Expression::Unary(Unary::Decrement, x) => value(x) - 1,
        Expression::Binary(Binary::Sum, x, y) => value(x) + value(y),
        Expression::Binary(Binary::Product, x, y) => value(x) * value(y),
        Expression::Binary(Binary::Difference, x, y) => value(x) - value(y),
        Expression::Binary(Binary::Maximum, x, y) => value(x).max(value(y)),
        other => panic!("{other:?} is not among the operators"),
    }
}

/// Integers so large that rounding hides a difference of one: exact conjectures are true, and tight
/// to the last digit.
#[test]
fn exact_data_gives_exact_conjectures() {
    let mut random = fastrand::Rng::with_seed(36);
    let mut seen = 0;
    for round in 0..40 {
        let mut column = |near: f64| -> Vec<f64> {
            (0..6).map(|_| near + f64::from(random.i32(-2..3))).collect()
        };
        let large = 2.0_f64.powi(34);
        let table = InvariantTable {
            invariants: ["a", "b", "c"].map(str::to_owned).to_vec(),
            objects: (0..6).map(|i| i.to_string()).collect(),
            columns: vec![column(large), column(large), column(3.0)],
        };
        let side = if round % 2 == 0 { Side::Upper } else { Side::Lower };
        let settings = Settings { every: round % 4 < 2, ..settings(0, side, "+1 -1 + * - max", 4) };
        for conjecture in conjecture(&table, &settings).conjectures {
            assert!(conjecture.is_exact);
            for object in 0..6 {
                let excess = integer(&conjecture.expression, &table, object)
                    - table.columns[0][object] as i128;
                assert!(if side == Side::Upper { excess >= 0 } else { excess <= 0 });
                assert_eq!(conjecture.tight.contains(&object), excess == 0);
                seen += 1;
            }
        }
    }
    assert!(seen > 1000);
    // Roots, and thirds in the table, are not exact.
    let table = InvariantTable {
        invariants: ["a", "b"].map(str::to_owned).to_vec(),
        objects: vec!["0".to_owned()],
        columns: vec![vec![1.0], vec![4.0]],
    };
    let roots = conjecture(&table, &settings(0, Side::Upper, "sqrt", 2));
    assert_eq!(roots.conjectures.last().map(|c| c.is_exact), Some(false));
    let thirds = InvariantTable { columns: vec![vec![1.0], vec![4.0 / 3.0]], ..table };
    let thirds = conjecture(&thirds, &settings(0, Side::Upper, "+1", 1));
    assert_eq!(thirds.conjectures.last().map(|c| c.is_exact), Some(false));
}
