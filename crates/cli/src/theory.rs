//! What the verbs of combinatorial game theory share: limits, deep recursion, and what there is to say about a value.

use std::time::{Duration, Instant};

use clap::Args;
use papamu_values::{Dyadic, Forms, Halt, Limits, Thermograph, Thermographs, Value, Wall};
use serde::Serialize;

use crate::failure::Failure;
use crate::memory::MemorySize;
use crate::output::Output;
use crate::plot::{self, Scale, Series};

/// How far calculations may go, on the command line.
#[derive(Args, Clone, Copy)]
pub(crate) struct TheoryOptions {
    /// Give up after so many seconds
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) timeout: Option<u64>,

    /// Memory for values
    #[arg(long, default_value = "4GiB", value_name = "SIZE")]
    memory: MemorySize,

    /// Characters of a value that are written; the rest becomes `...`
    #[arg(long, default_value_t = 2000, value_name = "N")]
    pub(crate) width: usize,
}

impl TheoryOptions {
    pub(crate) fn memory_bytes(&self) -> usize {
        self.memory.bytes()
    }

    /// An empty store within these limits.
    pub(crate) fn forms(&self) -> Result<Forms, Failure> {
        let deadline = self
            .timeout
            .and_then(|seconds| Instant::now().checked_add(Duration::from_secs(seconds)));
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
    pub(crate) fn new(forms: &Forms, value: Value, width: usize) -> Result<Report, Halt> {
        let thermograph = Thermographs::new(forms).of(value)?;
        let write = |value: Value| forms.write(value, width);
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
            left_stop: forms.left_stop(value).to_string(),
            right_stop: forms.right_stop(value).to_string(),
            mean: thermograph.mean.to_string(),
            temperature: thermograph.temperature.to_string(),
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

    /// The thermograph as SVG: Left's side is on the left, as usual.
    pub(crate) fn plot(&self, title: &str) -> String {
        let Thermograph { left, right, mean, temperature } = &self.thermograph;
        // The mast stands out a little.
        let top = temperature.to_f64().max(0.0) * 1.25 + 0.5;
        let points = |wall: &Wall| {
            let point = |&(tax, value): &(Dyadic, Dyadic)| (-value.to_f64(), tax.to_f64());
            let corners = wall.corners.iter().map(point);
            corners.chain([(-mean.to_f64(), top)]).collect()
        };
        let series = vec![
            Series { label: "Left begins", points: points(left) },
            Series { label: "Right begins", points: points(right) },
        ];
        plot::lines(
            title,
            "minus the value, so that Left is on the left",
            "tax on every move",
            Scale::Linear,
            series,
        )
    }
}
