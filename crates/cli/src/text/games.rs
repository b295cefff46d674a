//! Games and their positions.

use papamu::{
    CheckGameFound, CheckGameReport, GamesReport, PerftCheck, PerftCounts, PerftReport, ShowReport,
    StatesReport,
};

use super::Text;
use crate::output::grouped;

impl Text for GamesReport {
    fn lines(&self) -> Vec<String> {
        let mut lines = Vec::new();
        for game in &self.games {
            let examples: Vec<String> = game.examples.iter().map(|e| format!("\"{e}\"")).collect();
            lines.push(game.name.to_owned());
            lines.push(format!("  {}", game.summary));
            lines.push(format!("  players    {}, {}", game.players[0], game.players[1]));
            lines.push(format!("  positions  {}", game.notation));
            lines.push(format!("  examples   {}", examples.join(" ")));
        }
        lines
    }
}

impl Text for ShowReport {
    fn lines(&self) -> Vec<String> {
        let mut lines = vec![self.drawing.clone(), String::new()];
        lines.push(format!("position    {}", self.notation));
        lines.push(format!("to move     {}", self.to_move));
        lines.push(match self.final_value.as_deref() {
            None => format!("moves       {}: {}", self.moves.len(), self.moves.join(" ")),
            Some("win") => {
                "moves       none: the game is over and won by the player to move".into()
            }
            Some("draw") => "moves       none: the game is over, a draw".into(),
            Some(_) => "moves       none: the game is over and lost by the player to move".into(),
        });
        if self.symmetries.len() > 1 {
            lines.push(format!("symmetries  {}", self.symmetries.join(" ")));
            lines.push(format!("kept by     {}", self.stabiliser.join(" ")));
            lines.push(format!("images      {}", self.images));
            lines.push(format!("canonical   {}", self.canonical));
        }
        if self.components.len() > 1 {
            lines.push(format!("components  {}", self.components.join(", ")));
        }
        if let Some(evaluation) = self.evaluation {
            lines.push(format!("evaluation  {evaluation:+.3} (for the player to move)"));
        }
        lines
    }
}

impl Text for PerftReport {
    fn lines(&self) -> Vec<String> {
        match self {
            PerftReport::Counted(counts) => perft_counts(counts),
            PerftReport::Checked(check) => perft_check(check),
        }
    }
}

fn perft_counts(report: &PerftCounts) -> Vec<String> {
    let divided = report.divide.iter();
    let mut lines: Vec<String> =
        divided.map(|first| format!("{:>8} {:>20}", first.mv, grouped(first.count))).collect();
    lines.push(format!("{:>8} {:>20}", "depth", "sequences"));
    for (depth, &count) in (1..).zip(&report.counts) {
        lines.push(format!("{depth:>8} {:>20}", grouped(count)));
    }
    let rate = report.leaves_per_second / 1e6;
    lines.push(format!("{:.3} s, {rate:.1} million leaves per second", report.seconds));
    lines
}

fn perft_check(report: &PerftCheck) -> Vec<String> {
    if !report.mismatches.is_empty() {
        return report.mismatches.clone();
    }
    vec![format!("all {} counts of {} positions agree", report.counts, report.positions)]
}

impl Text for StatesReport {
    fn lines(&self) -> Vec<String> {
        let row = |name: String, unique, raw| {
            format!("{name:>5} {:>20} {:>20}", grouped(unique), grouped(raw))
        };
        let mut lines = vec![format!("{:>5} {:>20} {:>20}", "ply", "unique", "without symmetry")];
        for ply in &self.plies {
            lines.push(row(ply.ply.to_string(), ply.unique, ply.unique_raw));
        }
        lines.push(row("total".to_owned(), self.total.unique, self.total.unique_raw));
        lines
    }
}

impl Text for CheckGameReport {
    fn lines(&self) -> Vec<String> {
        let CheckGameFound::Holds { games, positions, moves, images, .. } = self.found else {
            // The failure says it all.
            return Vec::new();
        };
        let [games, positions, moves, images] = [games, positions, moves, images].map(grouped);
        vec![format!(
            "{} {}: all laws hold in {positions} positions of {games} random games ({moves} moves, {images} images, {:.1} s)",
            self.game, self.position, self.seconds
        )]
    }
}
