//! What games are like.

use papamu::{Complexity, ProfileReport, ProfileSize};

use super::Text;
use crate::output::grouped;

/// Plies that fewer games reach are not printed; the JSON report has all of them.
const LEAST_SHARE: f64 = 0.25;

/// Larger numbers are powers of ten.
const MOST_DIGITS: f64 = 1e15;

impl Text for ProfileReport {
    fn lines(&self) -> Vec<String> {
        let mut lines = vec![self.players_are(), self.ends(), String::new()];
        lines.extend(self.summary());
        if let Some(unit) = self.unit {
            lines.push(String::new());
            lines.extend(self.by_size(unit));
        }
        lines.push(String::new());
        lines.extend(self.by_ply());
        lines
    }
}

trait Parts {
    fn players_are(&self) -> String;
    fn ends(&self) -> String;
    fn summary(&self) -> Vec<String>;
    fn by_size(&self, unit: &str) -> Vec<String>;
    fn by_ply(&self) -> Vec<String>;
}

impl Parts for ProfileReport {
    fn players_are(&self) -> String {
        let how = match self.depth {
            0 => "random moves".to_owned(),
            1 => "random moves, immediate wins taken".to_owned(),
            depth => format!("wins and captures {depth} plies ahead, else random moves"),
        };
        let (games, seconds) = (grouped(self.games), self.seconds);
        format!(
            "{games} games of {} {}, seed {}: {how} ({seconds:.1} s)",
            self.game, self.position, self.seed
        )
    }

    fn ends(&self) -> String {
        let [first, second] = match self.players {
            // Of impartial games both have one name.
            [first, second] if first == second => ["first", "second"],
            players => players,
        };
        let ends = [
            (self.ends.first_wins, format!("won by {first}")),
            (self.ends.second_wins, format!("won by {second}")),
            (self.ends.draws, "drawn".to_owned()),
            (self.ends.repetitions, "drawn by repetition".to_owned()),
            (self.ends.unfinished, format!("broken off after {} plies", self.most_plies)),
        ];
        let ends = ends.iter().filter(|(count, _)| *count > 0);
        let ends: Vec<String> =
            ends.map(|(count, how)| format!("{} {how}", grouped(*count))).collect();
        ends.join(", ")
    }

    fn summary(&self) -> Vec<String> {
        let published = self.published.as_ref();
        let row = |name: &str, ours: String, theirs: Option<String>, what: &str| {
            let theirs = match published {
                Some(_) => format!(" {:>10}", theirs.unwrap_or_default()),
                None => String::new(),
            };
            format!("{name:<10} {ours:>14}{theirs}  {what}").trim_end().to_owned()
        };
        let power = |log10: f64| format!("10^{log10:.2}");
        let of = &self.complexity;
        let mut lines = Vec::new();
        if published.is_some() {
            lines.push(row("", "here".to_owned(), Some("published".to_owned()), ""));
        }
        lines.push(row(
            "branching",
            format!("{:.2}", of.branching),
            published.map(|of| format!("{:.2}", of.branching)),
            "moves, mean of all turns",
        ));
        lines.push(row(
            "length",
            format!("{:.2}", of.length),
            published.map(|of| format!("{:.2}", of.length)),
            "plies, mean of all games",
        ));
        lines.push(row(
            "game tree",
            power(of.log10_tree),
            published.map(|of| power(of.log10_tree)),
            "branching to the power of length",
        ));
        if let Some(log10) = self.log10_states {
            let theirs = published.map(|of| format!("10^{:.0}", of.log10_states));
            lines.push(row("states", power(log10), theirs, "positions at most"));
        }
        if let Some(entries) = self.index_entries {
            lines.push(row("index", grouped(entries), None, "positions up to symmetry"));
        }
        if let (Some(size), Some(unit)) = (self.endgame_below, self.unit) {
            let what = format!("{unit}: fewer captures than other moves below");
            let theirs = published.map(|of| of.endgame_below.to_string());
            lines.push(row("endgame", size.to_string(), theirs, &what));
        }
        if let Some(published) = published {
            lines.push(format!("published: {}", published.source));
        }
        lines
    }

    fn by_size(&self, unit: &str) -> Vec<String> {
        let has_positions = self.sizes.iter().any(|size| size.positions.is_some());
        let columns = format!("{:>7} {:>9} {:>6}", "length", "branching", "tree");
        let published = match self.published {
            Some(_) => format!("   published: {columns}"),
            None => String::new(),
        };
        let positions = |text: &str| match has_positions {
            true => format!(" {text:>19}"),
            false => String::new(),
        };
        let width = unit.len().max(6);
        let mut lines = vec![format!(
            "{unit:>width$}{} {:>10} {:>10} {:>9}   a database ends games: {columns}{published}",
            positions("positions"),
            "moves made",
            "captures %",
            "branching"
        )];
        let row = |of: &ProfileSize| {
            let published = of.published.map_or(String::new(), |of| {
                format!("{:>21.2} {:>9.2} {:>6.2}", of.length, of.branching, of.log10_tree)
            });
            let count = of.positions.map_or(String::new(), |count| match count < MOST_DIGITS {
                true => grouped(count as u64),
                false => format!("10^{:.2}", count.log10()),
            });
            let (captures, branching) = match of.turns {
                0 => ("-".to_owned(), "-".to_owned()),
                _ => (format!("{:.1}", of.captures * 100.0), format!("{:.2}", of.branching)),
            };
            let made = format!("{:>10} {captures:>10} {branching:>9}", grouped(of.turns));
            let Complexity { length, branching, log10_tree } = of.database;
            let database = format!("{length:>33.2} {branching:>9.2} {log10_tree:>6.2}");
            format!("{:>width$}{} {made} {database}{published}", of.size, positions(&count))
        };
        lines.extend(self.sizes.iter().map(row));
        lines
    }

    fn by_ply(&self) -> Vec<String> {
        let size = |text: String| match self.unit {
            Some(unit) => format!(" {text:>width$}", width = unit.len().max(6)),
            None => String::new(),
        };
        let unit = size(self.unit.unwrap_or_default().to_owned());
        let mut lines = vec![format!("{:>6} {:>10}{unit} {:>9}", "ply", "games", "branching")];
        let least = self.games as f64 * LEAST_SHARE;
        let shown: Vec<_> = self.plies.iter().take_while(|ply| ply.games as f64 >= least).collect();
        for ply in &shown {
            let mean = size(ply.size.map_or(String::new(), |mean| format!("{mean:.2}")));
            let games = grouped(ply.games);
            lines.push(format!("{:>6} {games:>10}{mean} {:>9.2}", ply.ply, ply.branching));
        }
        let hidden = self.plies.len() - shown.len();
        if hidden > 0 {
            lines.push(format!("{:>6} {hidden} more plies in few games, see --json", "..."));
        }
        lines
    }
}
