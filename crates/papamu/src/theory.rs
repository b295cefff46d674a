//! What the verbs of combinatorial game theory share: limits, deep recursion, and facts about a
//! value.

use std::time::{Duration, Instant};

use papamu_base::Stop;
use papamu_values::{Dyadic, Forms, Halt, Limits, Notation, Thermograph, Thermographs, Value};
use serde::Serialize;

use crate::Error;
use crate::request::{Bytes, Readable};

/// How values are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ValueNotation {
    /// As `calc` reads them.
    #[default]
    Plain,
    /// For LaTeX with amsmath, to be put between dollars.
    Latex,
    /// As CGSuite 2 reads them.
    Cgsuite,
}

impl Readable for ValueNotation {
    fn read(text: &str) -> Result<ValueNotation, String> {
        match text {
            "plain" => Ok(ValueNotation::Plain),
            "latex" => Ok(ValueNotation::Latex),
            "cgsuite" => Ok(ValueNotation::Cgsuite),
            _ => Err("it is plain, latex or cgsuite".to_owned()),
        }
    }
}

impl std::fmt::Display for ValueNotation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            ValueNotation::Plain => "plain",
            ValueNotation::Latex => "latex",
            ValueNotation::Cgsuite => "cgsuite",
        })
    }
}

/// A request with the options of calculations below its own.
macro_rules! theory_request {
    ($($own:tt)*) => {
        $crate::request::request! {
            $($own)*
            /// How values are written: plain, as `calc` reads them; latex, to be put between
            /// dollars; cgsuite, as CGSuite 2 reads them
            notation: Option<$crate::theory::ValueNotation>, "NOTATION", Always,
                default $crate::theory::ValueNotation::Plain;
            /// Characters of a value that are written; the rest becomes `...`
            width: Option<usize>, "N", Always, default 2000;
            /// Give up after this many seconds
            timeout: Option<u64>, "SECONDS", Always, range 1..=u64::MAX;
            /// Memory for values
            memory: Option<$crate::request::Bytes>, "SIZE", Always,
                default $crate::request::Bytes::gib(4);
        }
    };
}
pub(crate) use theory_request;

/// How values are written.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Style {
    pub(crate) notation: ValueNotation,
    pub(crate) width: usize,
}

impl Style {
    fn notation(self) -> Notation {
        match self.notation {
            ValueNotation::Plain => Notation::Plain,
            ValueNotation::Latex => Notation::Latex,
            ValueNotation::Cgsuite => Notation::Cgsuite,
        }
    }

    pub(crate) fn write(self, forms: &Forms, value: Value) -> Result<String, Halt> {
        forms.write_in(self.notation(), value, self.width)
    }

    fn number(self, number: Dyadic) -> String {
        self.notation().number(number)
    }
}

/// The limits of calculations.
#[derive(Clone, Debug)]
pub(crate) struct TheoryLimits {
    pub(crate) timeout: Option<u64>,
    pub(crate) memory: Bytes,
    pub(crate) stop: Stop,
}

/// The style and the limits of a request.
macro_rules! style_and_limits {
    ($request:expr, $watch:expr) => {
        (
            $crate::theory::Style { notation: $request.notation(), width: $request.width() },
            $crate::theory::TheoryLimits {
                timeout: $request.timeout,
                memory: $request.memory(),
                stop: $watch.stop(),
            },
        )
    };
}
pub(crate) use style_and_limits;

impl TheoryLimits {
    /// Half of the time, if it is limited.
    pub(crate) fn half_of_the_time(&self) -> Option<Duration> {
        self.timeout.map(|seconds| Duration::from_secs(seconds) / 2)
    }

    /// An empty store within these limits.
    pub(crate) fn forms(&self) -> Result<Forms, Error> {
        self.forms_within(self.timeout.map(Duration::from_secs))
    }

    /// An empty store within another limit of time.
    pub(crate) fn forms_within(&self, time: Option<Duration>) -> Result<Forms, Error> {
        let deadline = time.and_then(|time| Instant::now().checked_add(time));
        let limits = Limits { deadline, memory_bytes: self.memory.0, stop: self.stop.clone() };
        Ok(Forms::new(limits)?)
    }
}

/// Values can be as deep as they are large: 512 MiB of stack, of which only the used part takes
/// memory.
const STACK_BYTES: usize = 1 << 29;

/// Does work with deep recursion on a large stack.
pub(crate) fn deep<R: Send>(work: impl FnOnce() -> Result<R, Error> + Send) -> Result<R, Error> {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, work);
        let thread = thread.map_err(|_| Error::NoThreads)?;
        thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

/// Facts about a value.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct ValueFacts {
    /// The canonical form.
    pub value: String,
    /// L, R, N or P.
    pub outcome: char,
    /// The left stop.
    pub left_stop: String,
    /// The right stop.
    pub right_stop: String,
    /// The mean value.
    pub mean: String,
    /// The temperature.
    pub temperature: String,
    /// The day on which it is born.
    pub birthday: u64,
    /// The atomic weight, of values that have one.
    pub atomic_weight: Option<String>,
    /// The gains of moves.
    pub incentives: Vec<String>,
    /// The thermograph.
    #[serde(skip)]
    pub(crate) thermograph: Thermograph,
}

impl ValueFacts {
    pub(crate) fn new(forms: &Forms, value: Value, style: Style) -> Result<ValueFacts, Halt> {
        let thermograph = Thermographs::new(forms).of(value)?;
        let write = |value: Value| style.write(forms, value);
        // The weight is optional: one that is too large is left out.
        let weight = match forms.atomic_weight(value) {
            Ok(weight) => weight,
            Err(Halt::TooLarge) => None,
            Err(halt) => return Err(halt),
        };
        let incentives = forms.incentives(value)?;
        Ok(ValueFacts {
            value: write(value)?,
            outcome: forms.outcome(value)?.letter(),
            left_stop: style.number(forms.left_stop(value)),
            right_stop: style.number(forms.right_stop(value)),
            mean: style.number(thermograph.mean),
            temperature: style.number(thermograph.temperature),
            birthday: forms.birthday(value)?,
            atomic_weight: weight.map(write).transpose()?,
            incentives: incentives.into_iter().map(write).collect::<Result<_, _>>()?,
            thermograph: (*thermograph).clone(),
        })
    }
}
