//! Combinatorial values, families and conjectures.

use papamu::{
    CalcReport, ConjectureReport, Explained, ExplainedFate, FamilyPeriod, FamilyReport, FindReport,
    PartialValue, ValueFacts, ValueReport, WholeValue,
};

use super::Text;
use crate::output::grouped;

fn facts(facts: &ValueFacts) -> Vec<String> {
    let meaning = match facts.outcome {
        'L' => "Left wins, whoever begins",
        'R' => "Right wins, whoever begins",
        'N' => "whoever begins wins",
        _ => "whoever begins loses",
    };
    let mut lines = vec![
        format!("value        {}", facts.value),
        format!("outcome      {}: {meaning}", facts.outcome),
        format!("stops        {} and {}", facts.left_stop, facts.right_stop),
        format!("mean         {}", facts.mean),
        format!("temperature  {}", facts.temperature),
        format!("birthday     {}", facts.birthday),
    ];
    lines.extend(facts.atomic_weight.as_ref().map(|weight| format!("weight       {weight}")));
    if !facts.incentives.is_empty() {
        lines.push(format!("incentives   {}", facts.incentives.join(", ")));
    }
    lines
}

fn explanation(explained: &Explained) -> Vec<String> {
    let mut lines = Vec::new();
    for step in &explained.steps {
        let name = step.name.as_ref().map_or(String::new(), |name| format!("{name} to "));
        let fate = match &step.fate {
            ExplainedFate::Kept => "kept".to_owned(),
            ExplainedFate::Dominated { by } => format!("dominated by {by}"),
            ExplainedFate::Reversible { through, replaced_by } if replaced_by.is_empty() => {
                format!("reversible through {through}, replaced by nothing")
            }
            ExplainedFate::Reversible { through, replaced_by } => {
                format!("reversible through {through}, replaced by {}", replaced_by.join(", "))
            }
        };
        lines.push(format!("explain      {} {name}{}: {fate}", step.player, step.value));
    }
    lines.push(format!("explain      what is kept makes {}", explained.value));
    lines
}

/// The explanation of a calculation, if one was wanted.
pub(crate) fn calc_explanation(report: &CalcReport) -> Vec<String> {
    match &report.explanation {
        Some(explained) => explanation(explained),
        None if report.is_explained => {
            vec!["explain      nothing: it is not written as {...|...}".to_owned()]
        }
        None => Vec::new(),
    }
}

impl Text for CalcReport {
    fn lines(&self) -> Vec<String> {
        let mut lines = facts(&self.facts);
        lines.extend(calc_explanation(self));
        lines
    }
}

impl Text for ValueReport {
    fn lines(&self) -> Vec<String> {
        match self {
            ValueReport::Whole(whole) => whole_value(whole),
            ValueReport::Partial(partial) => partial_value(partial),
        }
    }
}

fn whole_value(whole: &WholeValue) -> Vec<String> {
    let mut lines = facts(&whole.facts);
    for component in &whole.components {
        let place = match component.at.as_str() {
            "" => component.text.clone(),
            at => format!("{at} {}", component.text),
        };
        lines.push(format!("region       {place} = {}", component.value));
    }
    for (player, moves) in [("Left", &whole.left_moves), ("Right", &whole.right_moves)] {
        for mv in moves.iter().filter(|mv| mv.best) {
            let wins = if mv.wins { ", wins" } else { "" };
            lines.push(format!("{player:12} {} to {}{wins}", mv.text, mv.value));
        }
    }
    lines.extend(whole.explanation.iter().flat_map(explanation));
    lines
}

fn partial_value(partial: &PartialValue) -> Vec<String> {
    let text = |known: &Option<String>| known.clone().unwrap_or("not known".to_owned());
    let outcome = partial.outcome.map(|outcome| outcome.to_string());
    let mut lines = vec![
        format!("value        {}", text(&partial.value)),
        format!("at least     {}", text(&partial.lower_bound)),
        format!("at most      {}", text(&partial.upper_bound)),
        format!("outcome      {}", text(&outcome)),
    ];
    for (player, wins) in
        [("Left", partial.left_wins_if_beginning), ("Right", partial.right_wins_if_beginning)]
    {
        let wins = match wins {
            Some(true) => "wins if beginning",
            Some(false) => "loses if beginning",
            None => "may win or lose if beginning",
        };
        lines.push(format!("{player:12} {wins}"));
    }
    lines
}

impl Text for FamilyReport {
    fn lines(&self) -> Vec<String> {
        let width = |lengths: &mut dyn Iterator<Item = usize>| lengths.max().unwrap_or(0).min(40);
        let n_width = width(&mut self.members.iter().map(|member| member.n.len()));
        let value_width = width(&mut self.members.iter().map(|member| member.value.len()));
        let mut lines = Vec::new();
        for member in &self.members {
            let published = match (&member.published, member.source, member.agrees) {
                (Some(_), Some(source), Some(true)) => format!("  as in {source}"),
                (Some(published), Some(source), _) => {
                    format!("  {source} says {published}: wrong")
                }
                _ => String::new(),
            };
            let (n, value, outcome) = (&member.n, &member.value, member.outcome);
            lines.push(format!("{n:>n_width$}  {outcome}  {value:value_width$}{published}"));
        }
        if let Some(FamilyPeriod { from, period, saltus }) = &self.period {
            let plus = if saltus == "0" { String::new() } else { format!(" plus {saltus}") };
            lines.push(format!(
                "from {from} on, every value is that of {period} before{plus}, as far as this goes"
            ));
        }
        lines
    }
}

impl Text for FindReport {
    fn lines(&self) -> Vec<String> {
        vec![match (&self.position, &self.size, self.stones) {
            (Some(position), Some(size), Some(stones)) => {
                format!("{position} = {}: {size}, {stones} stones", self.value)
            }
            _ => format!("no position within {} has the value {}", self.within, self.value),
        }]
    }
}

impl Text for ConjectureReport {
    fn lines(&self) -> Vec<String> {
        let such_as = |what: &str, objects: Option<&Vec<String>>| match objects.map(Vec::as_slice) {
            Some([first, ..]) => {
                format!("    {what} {}, such as {first}", objects.map_or(0, Vec::len))
            }
            _ => String::new(),
        };
        let verb = if self.relation == "implies" { "excludes" } else { "covers" };
        let subject = self.target.as_ref().or(self.property.as_ref());
        let subject = subject.map_or("", String::as_str);
        let mut lines = Vec::new();
        for conjecture in &self.conjectures {
            let tight = such_as("tight for", conjecture.tight.as_ref());
            let covers = such_as(verb, conjecture.covers.as_ref());
            let inexact = if conjecture.exact == Some(false) { "    up to rounding" } else { "" };
            let (relation, expression) = (self.relation, &conjecture.expression);
            lines.push(format!("{subject} {relation} {expression}{tight}{covers}{inexact}"));
            let wrong = such_as("wrong for", conjecture.counterexamples.as_ref());
            if !wrong.is_empty() {
                lines.push(wrong);
            }
        }
        if let Some(uncovered) = self.uncovered.filter(|&uncovered| uncovered > 0) {
            lines.push(format!("{uncovered} objects are left over"));
        }
        for (round, number) in self.rounds.iter().zip(1..).filter(|_| self.most_rounds > 1) {
            lines.push(format!(
                "round {number}: {} objects, {} conjectures, {} counterexamples, {} added",
                round.objects, round.conjectures, round.counterexamples, round.added
            ));
        }
        let rate = self.tested as f64 / self.seconds.max(1e-9) / 1e6;
        lines.push(format!(
            "{} expressions in {:.2} s, {rate:.1} million per second",
            grouped(self.tested),
            self.seconds
        ));
        lines.extend(self.ended_by.as_ref().map(|reason| format!("ended early: {reason}")));
        lines
    }
}
