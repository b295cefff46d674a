//! What is known of a position whose value takes too long or too much memory: bounds, and who wins.

use std::time::Duration;

use papamu_game::Game;
use papamu_games::Konane;
use papamu_values::konane::{Evaluator, Grid, Outcomes, Regions, Square};
use papamu_values::{Halt, Outcome};
use serde::Serialize;

use crate::failure::Failure;
use crate::output::Output;
use crate::progress::watch;
use crate::theory::{Style, TheoryOptions};

/// The search for the winner ends after so long if nothing else was asked for.
const SEARCH: Duration = Duration::from_secs(60);

#[derive(Serialize)]
pub(crate) struct Partial {
    game: &'static str,
    position: String,
    /// Known if only the rest took too long.
    pub(crate) value: Option<String>,
    lower_bound: Option<String>,
    upper_bound: Option<String>,
    left_wins_if_beginning: Option<bool>,
    right_wins_if_beginning: Option<bool>,
    outcome: Option<char>,
}

impl Partial {
    /// Half of the time is left for this.
    pub(crate) fn new(
        grid: &Grid,
        theory: &TheoryOptions,
        style: Style,
        output: &Output,
    ) -> Result<Partial, Failure> {
        let time = theory.half_of_the_time().unwrap_or(SEARCH);
        let regions = Regions::new(theory.forms_within(Some(time))?)?;
        watch(output, "regions, to find out who wins", &regions, || {
            Partial::within(grid, &regions, style)
        })
    }

    fn within(grid: &Grid, regions: &Regions, style: Style) -> Result<Partial, Failure> {
        let mut evaluator = Evaluator::new(regions);
        let mut outcomes = Outcomes::new(&mut evaluator);
        let write = |value| style.write(regions.forms(), value);
        let bounds = known(outcomes.bounds(grid))?;
        let [lower_bound, upper_bound] = match bounds {
            Some(bounds) => bounds.map(|bound| known(write(bound))),
            None => [Ok(None), Ok(None)],
        };
        let left = known(outcomes.wins(grid, Square::Black))?;
        let right = known(outcomes.wins(grid, Square::White))?;
        let outcome = left.zip(right).map(|(left, right)| match (left, right) {
            (true, false) => Outcome::Left,
            (false, true) => Outcome::Right,
            (true, true) => Outcome::Next,
            (false, false) => Outcome::Previous,
        });
        Ok(Partial {
            game: Konane::NAME,
            position: grid.to_string(),
            value: None,
            lower_bound: lower_bound?,
            upper_bound: upper_bound?,
            left_wins_if_beginning: left,
            right_wins_if_beginning: right,
            outcome: outcome.map(Outcome::letter),
        })
    }

    pub(crate) fn print(&self, output: &mut Output) -> Result<(), Failure> {
        output.json(self)?;
        let unknown = "not known";
        let text = |known: &Option<String>| known.clone().unwrap_or(unknown.to_owned());
        output.line(format!("value        {}", text(&self.value)))?;
        output.line(format!("at least     {}", text(&self.lower_bound)))?;
        output.line(format!("at most      {}", text(&self.upper_bound)))?;
        let outcome = self.outcome.map(|outcome| outcome.to_string());
        output.line(format!("outcome      {}", text(&outcome)))?;
        for (player, wins) in
            [("Left", self.left_wins_if_beginning), ("Right", self.right_wins_if_beginning)]
        {
            let wins = match wins {
                Some(true) => "wins if beginning",
                Some(false) => "loses if beginning",
                None => "may win or lose if beginning",
            };
            output.line(format!("{player:12} {wins}"))?;
        }
        Ok(())
    }
}

/// What was found out in time.
fn known<T>(result: Result<T, Halt>) -> Result<Option<T>, Halt> {
    match result {
        Ok(found) => Ok(Some(found)),
        Err(Halt::Time | Halt::Memory) => Ok(None),
        Err(halt) => Err(halt),
    }
}
