//! What the verbs of combinatorial game theory share: limits, deep recursion, and what there is to say about a value.

use std::time::{Duration, Instant};

use clap::{Args, ValueEnum};
use papamu_values::{Dyadic, Forms, Halt, Limits, Notation, Thermograph, Thermographs, Value};
use serde::Serialize;

use crate::failure::Failure;
use crate::memory::MemorySize;
use crate::output::Output;

/// How far calculations may go, on the command line.
#[derive(Args, Clone, Copy)]
pub(crate) struct TheoryOptions {
    /// Give up after so many seconds
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) timeout: Option<u64>,

    /// Memory for values
    #[arg(long, default_value = "4GiB", value_name = "SIZE")]
    memory: MemorySize,
}

/// How values are written, on the command line.
#[derive(Args, Clone, Copy)]
pub(crate) struct Style {
    /// How values are written
    #[arg(long, value_enum, default_value_t = Written::Plain)]
    notation: Written,

    /// Characters of a value that are written; the rest becomes `...`
    #[arg(long, default_value_t = 2000, value_name = "N")]
    width: usize,
}

/// The notations by name.
#[derive(Clone, Copy, ValueEnum)]
enum Written {
    /// As `papamu calc` reads them
    Plain,
    /// For LaTeX with amsmath, to be put between dollars
    Latex,
    /// As CGSuite 2 reads them
    Cgsuite,
}

impl Style {
    fn notation(self) -> Notation {
        match self.notation {
            Written::Plain => Notation::Plain,
            Written::Latex => Notation::Latex,
            Written::Cgsuite => Notation::Cgsuite,
        }
    }

    pub(crate) fn write(self, forms: &Forms, value: Value) -> Result<String, Halt> {
        forms.write_in(self.notation(), value, self.width)
    }

    fn number(self, number: Dyadic) -> String {
        self.notation().number(number)
    }
}

impl TheoryOptions {
    pub(crate) fn memory_bytes(&self) -> usize {
        self.memory.bytes()
    }

    /// Half of the time, if it is limited.
    pub(crate) fn half_of_the_time(&self) -> Option<Duration> {
        self.timeout.map(|seconds| Duration::from_secs(seconds) / 2)
    }

    /// An empty store within these limits.
    pub(crate) fn forms(&self) -> Result<Forms, Failure> {
        self.forms_within(self.timeout.map(Duration::from_secs))
    }

    /// An empty store within another limit of time.
    pub(crate) fn forms_within(&self, time: Option<Duration>) -> Result<Forms, Failure> {
        let deadline = time.and_then(|time| Instant::now().checked_add(time));
        let memory_bytes = self.memory_bytes() as u64;
        Ok(Forms::new(Limits { deadline, memory_bytes })?)
    }
}

/// Values can be as deep as they are large: 512 MiB of stack, of which only what is used is taken.
const STACK_BYTES: usize = 1 << 29;

/// Does the work where recursion may go deep.
pub(crate) fn deep<R: Send>(
    work: impl FnOnce() -> Result<R, Failure> + Send,
) -> Result<R, Failure> {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, work);
        let thread = thread.map_err(|_| Failure::from(Halt::Memory))?;
        thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

/// What there is to say about a value.
#[derive(Serialize)]
pub(crate) struct Report {
    pub(crate) value: String,
    /// L, R, N or P.
    pub(crate) outcome: char,
    pub(crate) left_stop: String,
    pub(crate) right_stop: String,
    pub(crate) mean: String,
    pub(crate) temperature: String,
    pub(crate) birthday: u64,
    pub(crate) atomic_weight: Option<String>,
    pub(crate) incentives: Vec<String>,
    #[serde(skip)]
    pub(crate) thermograph: Thermograph,
}

impl Report {
    pub(crate) fn new(forms: &Forms, value: Value, style: Style) -> Result<Report, Halt> {
        let thermograph = Thermographs::new(forms).of(value)?;
        let write = |value: Value| style.write(forms, value);
        // Nice to know, and not worth giving up for.
        let weight = match forms.atomic_weight(value) {
            Ok(weight) => weight,
            Err(Halt::TooLarge) => None,
            Err(halt) => return Err(halt),
        };
        let incentives = forms.incentives(value)?;
        Ok(Report {
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

    pub(crate) fn print(&self, output: &mut Output) -> Result<(), Failure> {
        let meaning = match self.outcome {
            'L' => "Left wins, whoever begins",
            'R' => "Right wins, whoever begins",
            'N' => "whoever begins wins",
            _ => "whoever begins loses",
        };
        output.line(format!("value        {}", self.value))?;
        output.line(format!("outcome      {}: {meaning}", self.outcome))?;
        output.line(format!("stops        {} and {}", self.left_stop, self.right_stop))?;
        output.line(format!("mean         {}", self.mean))?;
        output.line(format!("temperature  {}", self.temperature))?;
        output.line(format!("birthday     {}", self.birthday))?;
        if let Some(weight) = &self.atomic_weight {
            output.line(format!("weight       {weight}"))?;
        }
        if !self.incentives.is_empty() {
            output.line(format!("incentives   {}", self.incentives.join(", ")))?;
        }
        Ok(())
    }
}
