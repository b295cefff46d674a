//! Every operator notices the deadline and the stop.

use std::time::{Duration, Instant};

use papamu_base::{Progress, Stop};
use papamu_game::tiny::Kayles;
use papamu_game::{Capabilities, Game};
use papamu_games::Konane;
use papamu_values::conjecture::{self, EndedBy, InvariantTable, OPERATORS, properties};
use papamu_values::konane::{Evaluator, Partial, Regions, Setup};
use papamu_values::{FUNCTIONS, Forms, Halt, Limits, NoValue, Positions, ReadError, Thermographs};

fn expired() -> Forms {
    Forms::new(Limits { deadline: Some(Instant::now()), ..Limits::default() }).expect("memory")
}

fn stoppable() -> (Forms, Stop) {
    let limits = Limits::default();
    let stop = limits.stop.clone();
    (Forms::new(limits).expect("memory"), stop)
}

/// Operands that some functions accept. Others refuse them, but not before checking the limits.
const OPERANDS: [&str; 6] = ["*3", "{2|-1}", "1/2", "3", "^^*", "{1||0|-4}"];

#[test]
fn functions_see_an_expired_deadline() {
    let forms = expired();
    for function in FUNCTIONS {
        let arguments = vec!["1"; function.parameters.len()].join(",");
        let read = forms.read(&format!("{}({arguments})", function.name));
        assert_eq!(read, Err(ReadError::Halt(Halt::Time)), "{}", function.name);
    }
    for text in ["1", "*2+^", "{1|0}", "-3", "{1,2|{0|-1}}", "1:2", "+-1"] {
        assert_eq!(forms.read(text), Err(ReadError::Halt(Halt::Time)), "{text}");
        let options = forms.read_options(text);
        assert!(matches!(options, Ok(None) | Err(ReadError::Halt(Halt::Time))), "{text}");
    }
}

/// The same without the reader, which checks the limits itself.
#[test]
fn operators_see_an_expired_deadline() {
    let forms = expired();
    let [star, one, up] = [forms.nimber(2), forms.integer(1), forms.ups(1)]
        .map(|value| value.expect("a closed form"));
    assert_eq!(forms.cool(star, one), Err(Halt::Time));
    assert_eq!(forms.heat(star, one), Err(Halt::Time));
    assert_eq!(forms.overheat(star, one, one), Err(Halt::Time));
    assert_eq!(forms.norton(star, one), Err(Halt::Time));
    assert_eq!(forms.ordinal_sum(star, up), Err(Halt::Time));
    assert_eq!(forms.times(3, star), Err(Halt::Time));
    assert_eq!(forms.reduced(star), Err(Halt::Time));
    assert_eq!(forms.atomic_weight(star), Err(Halt::Time));
    assert_eq!(forms.far_star(star), Err(Halt::Time));
    assert_eq!(forms.birthday(star), Err(Halt::Time));
    assert_eq!(forms.is_all_small(star), Err(Halt::Time));
    assert_eq!(forms.incentives(star), Err(Halt::Time));
    assert_eq!(forms.sum([star, one]), Err(Halt::Time));
    assert_eq!(forms.period(&[star; 6]), Err(Halt::Time));
    assert_eq!(forms.explain([&[star], &[one]]).err(), Some(Halt::Time));
    assert_eq!(forms.write(star, 100), Err(Halt::Time));
    assert_eq!(Thermographs::new(&forms).of(star).err(), Some(Halt::Time));
}

/// A stop is noticed at the next step, also by operations on values that exist already.
#[test]
fn operators_see_a_stop() {
    let (forms, stop) = stoppable();
    let values = OPERANDS.map(|text| forms.read(text).expect("a value"));
    let [star, hot, half, three, up, threat] = values;
    let other = forms.read("{3||1|-2}").expect("a value");
    stop.set();
    assert_eq!(forms.add(hot, threat), Err(Halt::Stopped));
    assert_eq!(forms.subtract(threat, hot), Err(Halt::Stopped));
    assert_eq!(forms.negative(other), Err(Halt::Stopped));
    assert_eq!(forms.is_at_most(threat, other), Err(Halt::Stopped));
    assert_eq!(forms.compare(threat, other), Err(Halt::Stopped));
    let sides = [[threat, hot].into_iter().collect(), [star, other].into_iter().collect()];
    assert_eq!(forms.from_options(sides), Err(Halt::Stopped));
    assert_eq!(forms.cool(hot, half), Err(Halt::Stopped));
    assert_eq!(forms.heat(hot, half), Err(Halt::Stopped));
    assert_eq!(forms.overheat(hot, half, half), Err(Halt::Stopped));
    assert_eq!(forms.norton(hot, three), Err(Halt::Stopped));
    assert_eq!(forms.ordinal_sum(hot, up), Err(Halt::Stopped));
    assert_eq!(forms.times(5, hot), Err(Halt::Stopped));
    assert_eq!(forms.reduced(threat), Err(Halt::Stopped));
    assert_eq!(forms.atomic_weight(up), Err(Halt::Stopped));
    assert_eq!(forms.far_star(threat), Err(Halt::Stopped));
    assert_eq!(forms.birthday(threat), Err(Halt::Stopped));
    assert_eq!(forms.incentives(threat), Err(Halt::Stopped));
    assert_eq!(forms.period(&values), Err(Halt::Stopped));
    assert_eq!(forms.explain([&[hot], &[threat]]).err(), Some(Halt::Stopped));
    assert_eq!(forms.write(threat, 100), Err(Halt::Stopped));
    assert_eq!(Thermographs::new(&forms).of(threat).err(), Some(Halt::Stopped));
    assert_eq!(forms.read("1"), Err(ReadError::Halt(Halt::Stopped)));
    for halt in [Halt::Stopped, Halt::Time, Halt::Memory] {
        assert!(halt.is_unfinished() && !halt.to_string().contains("--"), "{halt}");
    }
}

/// These take hours, mostly without making new values: the deadline must end them.
#[test]
fn long_calculations_end_at_the_deadline() {
    for text in [
        "norton(*1000,1/2)",
        "heat(*1000,{1|*})",
        "overheat(*1000,1/2,{1|*})",
        "cool(heat(*1000,{1|*}),1/2)",
        "ordinal({1|*1000},*1000)",
    ] {
        let deadline = Some(Instant::now() + Duration::from_millis(50));
        let forms = Forms::new(Limits { deadline, ..Limits::default() }).expect("memory");
        let ended = std::thread::scope(|scope| {
            let work = || forms.read(text);
            let thread = std::thread::Builder::new().stack_size(1 << 28);
            thread.spawn_scoped(scope, work).expect("a thread").join().expect("no panic")
        });
        assert_eq!(ended, Err(ReadError::Halt(Halt::Time)), "{text}");
    }
}

/// Texts of a few megabytes are read in steps as well.
#[test]
fn reading_huge_texts_sees_a_stop() {
    let (forms, stop) = stoppable();
    stop.set();
    for text in ["1+".repeat(1 << 20) + "1", "{".to_owned() + &"1,".repeat(1 << 20) + "1|0}"] {
        assert_eq!(forms.read(&text), Err(ReadError::Halt(Halt::Stopped)));
    }
}

#[test]
fn positions_see_the_limits() {
    let progress = Progress::new();
    let (game, position) = Kayles::read("12").expect("a position");
    let forms = expired();
    let value = Positions::new(&game, &Capabilities::NONE, &forms, &progress).value(&position);
    assert_eq!(value, Err(NoValue::Halt(Halt::Time)));
    let (game, position) = Konane::read("x.x./.x.x b").expect("a position");
    let (forms, _) = stoppable();
    let stop = Stop::new();
    stop.set();
    let progress = Progress::with_stop(&stop);
    let mut positions = Positions::new(&game, &Konane::CAPABILITIES, &forms, &progress);
    assert_eq!(positions.value(&position), Err(NoValue::Halt(Halt::Stopped)));
}

#[test]
fn konane_sees_the_limits() {
    let setup = Setup::read("xoxox/ox.xo/x..ox/oxoxo").expect("a setup");
    let regions = Regions::new(expired()).expect("memory");
    assert_eq!(Evaluator::new(&regions).value(&setup), Err(Halt::Time));
    // No time for bounds, so there are none.
    assert_eq!(Partial::new(&setup, &regions), Ok(Partial::default()));
    let (forms, stop) = stoppable();
    let regions = Regions::new(forms).expect("memory");
    let mut evaluator = Evaluator::new(&regions);
    assert!(evaluator.value(&setup).is_ok());
    stop.set();
    assert_eq!(evaluator.value(&setup), Err(Halt::Stopped));
    assert_eq!(Partial::new(&setup, &regions), Err(Halt::Stopped));
}

fn table() -> InvariantTable {
    let column = |k: usize| (0..50).map(|i| ((i * k) % 17) as f64).collect();
    InvariantTable {
        invariants: (0..4).map(|i| format!("i{i}")).collect(),
        objects: (0..50).map(|i| i.to_string()).collect(),
        columns: [3, 5, 7, 11].map(column).to_vec(),
    }
}

/// Conjectures with operators of one argument only, and with all of them.
#[test]
fn conjectures_see_the_limits() {
    let stop = Stop::new();
    stop.set();
    let stopped = Progress::with_stop(&stop);
    let all: Vec<_> = OPERATORS.iter().map(|known| known.1).collect();
    for operators in [all.clone(), all[..3].to_vec()] {
        let settings = conjecture::Settings {
            target: 0,
            invariants: 4,
            side: conjecture::Side::Upper,
            operators,
            with_target: false,
            every: true,
            theory: Vec::new(),
            complexity: 50,
            time: Duration::ZERO,
            memory_bytes: 1 << 30,
            undefined: 0.2,
        };
        let find = |settings: &conjecture::Settings, progress: &Progress| {
            let started = Instant::now();
            conjecture::conjecture(&table(), settings, started, progress).expect("no theory")
        };
        assert_eq!(find(&settings, &Progress::new()).ended_by, Some(EndedBy::Time));
        let settings = conjecture::Settings { time: Duration::MAX, ..settings };
        assert_eq!(find(&settings, &stopped).ended_by, Some(EndedBy::Stopped));
    }
    let settings = properties::Settings {
        property: 0,
        direction: properties::Direction::Sufficient,
        connectives: properties::CONNECTIVES.iter().map(|known| known.1).collect(),
        complexity: 50,
        time: Duration::ZERO,
        memory_bytes: 1 << 30,
    };
    // No property says anything about the others.
    let mut table = table();
    for (bit, column) in table.columns.iter_mut().enumerate() {
        column.iter_mut().enumerate().for_each(|(i, value)| *value = (i >> bit & 1) as f64);
    }
    let find = |settings: &properties::Settings, progress: &Progress| {
        properties::conjecture(&table, settings, Instant::now(), progress).ended_by
    };
    assert_eq!(find(&settings, &Progress::new()), Some(EndedBy::Time));
    let settings = properties::Settings { time: Duration::MAX, ..settings };
    assert_eq!(find(&settings, &stopped), Some(EndedBy::Stopped));
}
