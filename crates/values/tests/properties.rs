//! Conditions compared with the definition, by trying all of them.

use std::time::{Duration, Instant};

use papamu_base::Progress;
use papamu_values::conjecture::properties::{
    CONNECTIVES, Condition, Conjecture, Direction, Found, Settings, conjecture,
};
use papamu_values::conjecture::{EndedBy, InvariantTable};

fn run(table: &InvariantTable, settings: &Settings) -> Found {
    conjecture(table, settings, Instant::now(), &Progress::new())
}

fn settings(direction: Direction, complexity: usize) -> Settings {
    Settings {
        property: 0,
        direction,
        connectives: CONNECTIVES.iter().map(|known| known.1).collect(),
        complexity,
        time: Duration::from_secs(60),
        memory_bytes: 1 << 28,
    }
}

/// Every condition of a complexity in which each property occurs at most once.
fn all(complexity: usize, free: &[usize]) -> Vec<Condition> {
    if complexity == 0 {
        return free.iter().map(|&property| Condition::Property(property)).collect();
    }
    let mut conditions: Vec<Condition> =
        all(complexity - 1, free).into_iter().map(|x| Condition::Not(Box::new(x))).collect();
    for first in 0..(complexity - 1) {
        // The properties are distributed over both sides in every way.
        for deal in 0..1_u32 << free.len() {
            let side = |one: bool| -> Vec<usize> {
                let is_there = |&(place, _): &(usize, &usize)| (deal >> place & 1 == 1) == one;
                free.iter().enumerate().filter(is_there).map(|(_, &property)| property).collect()
            };
            for x in all(first, &side(true)) {
                for y in all(complexity - 2 - first, &side(false)) {
                    for connective in CONNECTIVES.iter().filter_map(|known| known.1) {
                        let (x, y) = (Box::new(x.clone()), Box::new(y.clone()));
                        conditions.push(Condition::Join(connective, x, y));
                    }
                }
            }
        }
    }
    conditions
}

/// Random tables, also of more objects than a word has bits.
#[test]
fn conditions_are_true_and_none_is_redundant() {
    let mut random = fastrand::Rng::with_seed(41);
    for round in 0..40 {
        let objects = if round % 4 == 0 { random.usize(60..140) } else { random.usize(1..12) };
        let mut column =
            || -> Vec<f64> { (0..objects).map(|_| f64::from(random.u8(0..2))).collect() };
        let table = InvariantTable {
            invariants: ["p", "q", "r", "s"].map(str::to_owned).to_vec(),
            objects: (0..objects).map(|i| i.to_string()).collect(),
            columns: vec![column(), column(), column(), column()],
        };
        let mut table = table;
        if round % 4 == 0 {
            // Among many objects nothing is implied by chance, so the property is made of others.
            for i in 0..objects {
                let [q, r, s] = [1, 2, 3].map(|column| table.columns[column][i] == 1.0);
                table.columns[0][i] = f64::from(u8::from(if q { s || !r } else { s && r }));
            }
        }
        let direction = if round % 2 == 0 { Direction::Sufficient } else { Direction::Necessary };
        let settings = settings(direction, 4);
        let found = run(&table, &settings);
        let truth = |condition: &Condition, i: usize| {
            condition.is_true(&|property| table.columns[property][i] == 1.0)
        };
        let has = |i: usize| table.columns[0][i] == 1.0;
        let is_conjecture = |condition: &Condition| {
            (0..objects).all(|i| match direction {
                Direction::Sufficient => !truth(condition, i) || has(i),
                Direction::Necessary => !has(i) || truth(condition, i),
            })
        };
        let covers = |condition: &Condition| -> Vec<usize> {
            let wanted = direction == Direction::Sufficient;
            (0..objects).filter(|&i| truth(condition, i) == wanted).collect()
        };
        let union = |parts: Vec<Vec<usize>>| -> std::collections::BTreeSet<usize> {
            parts.into_iter().flatten().collect()
        };
        let everything = (0..=4).flat_map(|complexity| all(complexity, &[1, 2, 3]));
        let expected = union(everything.filter(&is_conjecture).map(|c| covers(&c)).collect());
        for conjecture in &found.conjectures {
            assert!(is_conjecture(&conjecture.condition));
            assert_eq!(covers(&conjecture.condition), conjecture.covers);
            assert!(conjecture.fails_for(&table, &settings).is_empty());
        }
        let by = |conjectures: &[Conjecture]| {
            union(conjectures.iter().map(|c| c.covers.clone()).collect())
        };
        assert_eq!(by(&found.conjectures), expected);
        assert_eq!(found.objects - found.uncovered, expected.len());
        for i in 0..found.conjectures.len() {
            let mut others = found.conjectures.clone();
            others.remove(i);
            assert_ne!(by(&others), expected);
        }
        let complexities = found.conjectures.iter().map(|c| c.condition.complexity());
        assert!(complexities.is_sorted());
        // With the property negated, exactly the covered objects are counterexamples.
        let mut turned = table.clone();
        turned.columns[0].iter_mut().for_each(|value| *value = 1.0 - *value);
        for conjecture in &found.conjectures {
            assert_eq!(conjecture.fails_for(&turned, &settings), conjecture.covers);
        }
    }
}

/// A number is divisible by six exactly if it is divisible by two and by three.
#[test]
fn divisibility() {
    let column = |n: u32| -> Vec<f64> {
        (1..=100).map(|i: u32| f64::from(u8::from(i.is_multiple_of(n)))).collect()
    };
    let table = InvariantTable {
        invariants: ["six", "two", "three", "four"].map(str::to_owned).to_vec(),
        objects: (1..=100).map(|i| i.to_string()).collect(),
        columns: vec![column(6), column(2), column(3), column(4)],
    };
    let texts = |found: &Found| -> Vec<String> {
        found.conjectures.iter().map(|c| c.condition.write(&table.invariants)).collect()
    };
    let sufficient = run(&table, &settings(Direction::Sufficient, 4));
    assert_eq!(texts(&sufficient), ["two and three"]);
    assert_eq!(sufficient.ended_by, Some(EndedBy::Covered));
    let necessary = run(&table, &settings(Direction::Necessary, 4));
    assert_eq!(texts(&necessary), ["two", "three"]);
}

#[test]
fn limits_are_kept() {
    let mut random = fastrand::Rng::with_seed(42);
    let table = InvariantTable {
        invariants: (0..12).map(|i| i.to_string()).collect(),
        objects: (0..500).map(|i| i.to_string()).collect(),
        columns: (0..12).map(|_| (0..500).map(|_| f64::from(random.u8(0..2))).collect()).collect(),
    };
    let settings = Settings { memory_bytes: 1 << 20, ..settings(Direction::Sufficient, 50) };
    assert_eq!(run(&table, &settings).ended_by, Some(EndedBy::Memory));
    let settings = Settings { time: Duration::from_millis(20), memory_bytes: 1 << 34, ..settings };
    assert_eq!(run(&table, &settings).ended_by, Some(EndedBy::Time));
    let empty = InvariantTable {
        invariants: vec!["p".to_owned()],
        columns: vec![Vec::new()],
        ..InvariantTable::default()
    };
    assert!(run(&empty, &settings).conjectures.is_empty());
}
