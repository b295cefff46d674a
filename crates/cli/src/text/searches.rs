//! Searches: solved positions, and searches side by side.

use papamu::{
    BenchReport, BenchRun, CompareReport, CompareRun, CompareTablesReport, CompareTablesRun,
    NimberReport, SolveReport, WinnersReport,
};

use super::Text;
use crate::output::grouped;

impl Text for SolveReport {
    fn lines(&self) -> Vec<String> {
        let SolveReport { game, position, to_move, .. } = self;
        let mut lines = vec![match self.winner {
            Some(winner) => format!("{winner} wins {game} {position} with {to_move} to move"),
            None => format!("{game} {position} with {to_move} to move is a draw"),
        }];
        lines.extend(self.nimber.map(|nimber| format!("nimber     {nimber}")));
        lines.push(match &self.best_move {
            Some(mv) if self.value == "loss" => format!("any move   {mv} and all others lose"),
            Some(mv) => format!("best move  {mv}"),
            None if self.value == "win" => {
                "best move  forgotten for lack of memory; give more with --memory".to_owned()
            }
            None => "the game is over".to_owned(),
        });
        lines.extend(self.line());
        lines.push(self.effort());
        if let (Some(file), Some(records)) = (&self.certificate, self.certificate_records) {
            let what = match self.is_impartial {
                true => "nimbers that prove it",
                false => "positions with their moves",
            };
            lines.push(format!("proof      {file}, {} {what}", grouped(records)));
        }
        if let (Some(file), Some(records)) =
            (&self.second_certificate, self.second_certificate_records)
        {
            let records = grouped(records);
            lines.push(format!("proof      {file}, {records} positions of the other player"));
        }
        lines.push(match (self.certified, &self.certificate) {
            (true, _) => "certified  yes, by the independent checker".to_owned(),
            (false, Some(file)) => format!("certified  not yet; papamu-check {file} does it"),
            (false, None) => "certified  no; --cert FILE writes what others can check".to_owned(),
        });
        lines.extend(rests_on(&self.rests_on));
        lines
    }
}

/// Plies of a line that are printed, about as many as fit; the JSON report has all of them.
const MOST_PLIES: usize = 12;

trait Effort {
    /// The line of play.
    fn line(&self) -> Option<String>;

    fn effort(&self) -> String;
}

impl Effort for SolveReport {
    fn line(&self) -> Option<String> {
        let plies = self.line.len();
        let shown = self.line.iter().take(MOST_PLIES).map(String::as_str);
        let moves: Vec<&str> = shown.chain((plies > MOST_PLIES).then_some("...")).collect();
        let end = match self.line_ends.as_deref()? {
            "repeats" => "then a position repeats",
            "forgotten" => "the rest is forgotten",
            _ => "to the end",
        };
        (plies > 0).then(|| format!("line       {} ({plies} plies, {end})", moves.join(" ")))
    }

    fn effort(&self) -> String {
        let (nodes, seconds, algorithm) = (grouped(self.nodes), self.seconds, &self.algorithm);
        let hits = match (self.table_hits, self.region_hits) {
            (Some(hits), _) => format!(", {} values from the table", grouped(hits)),
            (_, Some(hits)) => format!(", {} values from regions", grouped(hits)),
            _ => String::new(),
        };
        match (self.nimbers_known, self.expansions) {
            (None, Some(expansions)) if self.is_impartial => {
                format!(
                    "effort     {} expansions, {seconds:.3} s, {algorithm}",
                    grouped(expansions)
                )
            }
            (Some(nimbers), Some(expansions)) => format!(
                "effort     {} expansions, {} nimbers known, {seconds:.3} s, {algorithm} with nimbers",
                grouped(expansions),
                grouped(nimbers)
            ),
            _ => format!("effort     {nodes} positions, {seconds:.3} s, {algorithm}{hits}"),
        }
    }
}

fn rests_on(files: &[String]) -> Option<String> {
    (!files.is_empty()).then(|| format!("rests on   {}", files.join(", ")))
}

impl Text for NimberReport {
    fn lines(&self) -> Vec<String> {
        let mut lines = vec![format!("nimber     {}", self.nimber)];
        let seconds = self.seconds;
        lines.push(match (self.expansions, self.nimbers_known) {
            (Some(expansions), Some(nimbers)) => format!(
                "effort     {} expansions, {} nimbers known, {seconds:.3} s, {}",
                grouped(expansions),
                grouped(nimbers),
                self.algorithm
            ),
            _ => format!(
                "effort     {} positions, {seconds:.3} s, {}",
                grouped(self.nodes),
                self.algorithm
            ),
        });
        if let (Some(file), Some(lemmas)) = (&self.certificate, self.certificate_lemmas) {
            lines.push(format!("proof      {file}, {} nimbers", grouped(lemmas)));
        }
        lines.extend(rests_on(&self.rests_on));
        lines
    }
}

impl Text for WinnersReport {
    /// One letter per board, upper case where the published winner is the same.
    fn lines(&self) -> Vec<String> {
        let (rows, cols) = (self.max.rows, self.max.cols);
        let header: String = (1..=cols).map(|col| format!("{col:>3}")).collect();
        let mut lines = vec![format!("   {header}")];
        for row in 1..=rows {
            let cell = |col: usize| {
                let board = self.boards.iter().find(|b| (b.rows, b.cols) == (row, col))?;
                let letter = board.winner.and_then(|name| name.chars().next()).unwrap_or('=');
                let agrees = board.published == board.winner;
                Some(if agrees { letter.to_ascii_uppercase() } else { letter })
            };
            let line: String =
                (1..=cols).map(|col| format!("{:>3}", cell(col).unwrap_or(' '))).collect();
            lines.push(format!("{row:>3}{line}"));
        }
        let published = self.boards.iter().filter(|board| board.published.is_some()).count();
        let seconds: f64 = self.boards.iter().map(|board| board.seconds).sum();
        lines.push(format!(
            "{} boards in {seconds:.1} s; {published} have a published winner (capital letters), {} differ",
            self.boards.len(),
            self.disagreements
        ));
        lines
    }
}

pub(super) fn bench_header() -> String {
    format!("{:>14} {:>10}  run", "nodes", "seconds")
}

pub(super) fn bench_row(run: &BenchRun) -> String {
    let BenchRun { game, position, algorithm, damping, nodes, seconds, .. } = run;
    let (nodes, init) = (grouped(*nodes), run.init.as_deref().unwrap_or("nimbers"));
    format!("{nodes:>14} {seconds:>10.3}  {algorithm} {game} {position} {init} damping {damping}")
}

impl Text for BenchReport {
    /// The runs are printed as they end.
    fn lines(&self) -> Vec<String> {
        let rate = self.nodes as f64 / self.seconds / 1e6;
        vec![
            format!(
                "{:>14} {:>10.3}  in all, {rate:.2} million per second",
                grouped(self.nodes),
                self.seconds
            ),
            format!("signature {}", self.signature),
        ]
    }
}

pub(super) fn compare_header() -> String {
    format!(
        "{:>5} {:>7} {:>10} {:>12} {:>8} {:>6} {:>6}   published: {:>9} {:>9} {:>8} {:>6} {:>6}",
        "algo",
        "threads",
        "seconds",
        "nodes (M)",
        "speedup",
        "eff.",
        "over.",
        "seconds",
        "nodes (M)",
        "speedup",
        "eff.",
        "over."
    )
}

pub(super) fn compare_row(run: &CompareRun) -> String {
    let published = run.published.as_ref().map_or(String::new(), |p| {
        let nodes = p.nodes_millions.map_or(String::new(), |nodes| format!("{nodes:.2}"));
        format!(
            "{:>9.2} {nodes:>9} {:>8.2} {:>6.2} {:>6.2}",
            p.seconds, p.speedup, p.efficiency, p.overhead
        )
    });
    if run.value.is_none() {
        let (algorithm, threads, seconds) = (&run.algorithm, run.threads, run.seconds);
        return format!("{algorithm:>5} {threads:>7} {seconds:>10.2}     given up");
    }
    format!(
        "{:>5} {:>7} {:>10.2} {:>12.3} {:>8.2} {:>6.2} {:>6.2}              {published}",
        run.algorithm,
        run.threads,
        run.seconds,
        run.nodes as f64 / 1e6,
        run.speedup,
        run.efficiency,
        run.overhead
    )
    .trim_end()
    .to_owned()
}

impl Text for CompareReport {
    /// The runs are printed as they end.
    fn lines(&self) -> Vec<String> {
        Vec::new()
    }
}

pub(super) fn compare_tables_header() -> String {
    format!(
        "{:>5} {:>6} {:>15} {:>10} {:>8} {:>8}",
        "algo", "stones", "nodes", "seconds", "nodes %", "time %"
    )
}

pub(super) fn compare_tables_row(run: &CompareTablesRun) -> String {
    format!(
        "{:>5} {:>6} {:>15} {:>10.3} {:>8.2} {:>8.2}",
        run.algorithm,
        run.stones,
        grouped(run.nodes),
        run.seconds,
        run.nodes_share * 100.0,
        run.seconds_share * 100.0
    )
}

impl Text for CompareTablesReport {
    /// The runs are printed as they end.
    fn lines(&self) -> Vec<String> {
        Vec::new()
    }
}
