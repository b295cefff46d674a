//! Databases.

use bytesize::ByteSize;
use papamu::{
    BuildReport, ProbeReport, StatsClass, StatsCounts, StatsReport, TrainReport, VerifyReport,
};

use super::Text;
use crate::output::grouped;

impl Text for BuildReport {
    fn lines(&self) -> Vec<String> {
        let title = match self.stones {
            None => format!("{} {}", self.game, self.board),
            Some(stones) => format!("{} {} with up to {stones} stones", self.game, self.board),
        };
        let mut lines = vec![format!(
            "{} positions of {title} solved in {:.1} s",
            grouped(self.positions),
            self.seconds
        )];
        if let Some(wins) = self.wins {
            for (player, wins) in self.players.iter().zip([wins.first, wins.second]) {
                let share = wins as f64 / (self.positions / 2) as f64 * 100.0;
                lines.push(format!("{player} to move wins  {} ({share:.2} %)", grouped(wins)));
            }
        }
        if let Some(values) = self.values {
            let named = [("wins", values.wins), ("draws", values.draws), ("losses", values.losses)];
            for (name, count) in named {
                let share = count as f64 / self.positions.max(1) as f64 * 100.0;
                let name = format!("{name} of the mover");
                lines.push(format!("{name:19} {} ({share:.2} %)", grouped(count)));
            }
        }
        match (self.resumed_layers, self.values) {
            (0, _) => (),
            (layers, None) => lines.push(format!(
                "the first {layers} layers were there already; wins are counted in one go only"
            )),
            (classes, Some(_)) => {
                lines.push(format!("the first {classes} classes were there already"));
            }
        }
        if let (Some(directory), Some(bytes)) = (&self.directory, self.directory_bytes) {
            lines.push(format!("table             {directory}, {}", ByteSize::b(bytes)));
        }
        lines
    }
}

impl Text for ProbeReport {
    fn lines(&self) -> Vec<String> {
        let plies = |plies: Option<u32>| {
            plies.map_or(String::new(), |n| {
                let plies = if n == 1 { "ply" } else { "plies" };
                format!(", {n} {plies} to the end")
            })
        };
        let mut lines = vec![self.drawing.clone(), String::new()];
        lines.push(match self.holder {
            Some(holder) => format!("{holder} wins or draws"),
            None => {
                let winner = self.winner.unwrap_or("nobody");
                format!("{winner} wins{}", plies(self.plies_to_end))
            }
        });
        for mv in &self.moves {
            let ends = plies(mv.plies_to_end);
            let reply = mv.answer.as_ref().map_or(String::new(), |reply| format!(", then {reply}"));
            lines.push(format!("{:8} {}{ends}{reply}", mv.text, mv.value));
        }
        lines
    }
}

impl Text for VerifyReport {
    fn lines(&self) -> Vec<String> {
        // Errors are reported as a failure.
        let right = || {
            let entries = grouped(self.entries_checked);
            format!("{}: all checksums and {entries} entries are right", self.table)
        };
        self.ok.then(right).into_iter().collect()
    }
}

/// The classes of a table.
fn class_lines(classes: &[StatsClass]) -> Vec<String> {
    let row = |[class, side, wins, draws, losses]: [&str; 5]| {
        format!("{class:>8} {side:>8} {wins:>14} {draws:>14} {losses:>14}")
    };
    let mut lines = vec![row(["class", "to move", "wins", "draws", "losses"])];
    for of in classes {
        for side in of.sides.iter().filter(|side| side.wins + side.draws + side.losses > 0) {
            let [wins, draws, losses] = [side.wins, side.draws, side.losses].map(grouped);
            lines.push(row([&of.class, &side.to_move, &wins, &draws, &losses]));
        }
    }
    let longest = classes.iter().filter_map(|of| of.longest_win.as_ref());
    // The first of several.
    if let Some(longest) = longest.rev().max_by_key(|longest| longest.plies) {
        lines.push(format!("longest win  {} plies from {}", longest.plies, longest.position));
    }
    lines
}

impl Text for StatsReport {
    fn lines(&self) -> Vec<String> {
        let Some(total) = &self.total else { return class_lines(&self.classes) };
        let [first, second] = self.players.map(|player| format!("{player} wins"));
        let mut lines = vec![format!(
            "{:>5} {:>14} {first:>14} {second:>14} {:>12} {:>16}",
            "ply", "unique", "terminals", "without symmetry"
        )];
        let row = |name: &str, counts: &StatsCounts| {
            format!(
                "{name:>5} {:>14} {:>14} {:>14} {:>12} {:>16}",
                grouped(counts.unique),
                grouped(counts.first_wins),
                grouped(counts.second_wins),
                grouped(counts.terminals),
                counts.unique_raw.map_or(String::new(), grouped),
            )
        };
        for ply in &self.plies {
            lines.push(row(&ply.ply.to_string(), &ply.counts));
            let differing = ply.published.filter(|&published| !ply.counts.agrees(published));
            lines.extend(differing.map(|published| row("publ.", &published)));
        }
        lines.push(row("total", total));
        let share = |part: u64| format!("{:.2} %", part as f64 / total.unique as f64 * 100.0);
        lines.push(format!(
            "{:>5} {:>14} {:>14} {:>14} {:>12}",
            "",
            "",
            share(total.first_wins),
            share(total.second_wins),
            share(total.terminals)
        ));
        lines.extend(self.differing_plies.as_ref().map(|plies| match plies.len() {
            0 => format!("every figure is the published one ({})", self.source),
            n => format!("{n} plies differ from the published ones"),
        }));
        lines
    }
}

impl Text for TrainReport {
    fn lines(&self) -> Vec<String> {
        let [games, searches, trained, tested, classes, seen] = [
            self.from_games,
            self.from_searches,
            self.trained,
            self.tested,
            self.classes,
            self.classes_seen,
        ]
        .map(grouped);
        vec![
            format!("positions  {games} from games, {searches} from searches"),
            format!("learned    from {trained}, {seen} of {classes} classes of windows"),
            format!(
                "accuracy   {:.2} % of {tested} positions held back, log loss {:.4}",
                self.accuracy * 100.0,
                self.log_loss
            ),
            format!("weights    {}, {} bytes", self.weights, grouped(self.bytes)),
            format!("seed {}, {:.1} s", self.seed, self.seconds),
        ]
    }
}
