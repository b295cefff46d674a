//! `papamu cert`: what is in a certificate, and smaller or fuller ones; answers from certificates.

use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};

use bytesize::ByteSize;
use clap::{Args, Subcommand};
use papamu_base::Progress;
use papamu_game::Game;
use papamu_games::Visitor;
use papamu_proof::file::{MOST_BUDGET, read_header};
use papamu_proof::strategy::{Strategy, after, moves_in_order};
use papamu_search::nimber;
use serde::Serialize;
use serde_json::json;

use crate::failure::Failure;
use crate::output::{Output, Target, grouped};
use crate::progress::watch;
use crate::signals::exit_on_signals;

/// Look at a certificate, or change how much of the strategy it spells out
///
/// A certificate is checked by `papamu-check`, which shares no code with this program.
#[derive(Args)]
#[command(after_help = "Examples:
  papamu cert info 6x6.cert
  papamu cert sparsify 6x6.cert 6x6-sparse.cert --budget 200
  papamu cert densify 6x6-sparse.cert 6x6-dense.cert
  papamu cert merge 8x7.cert --root 8x7 centre.cert corner.cert")]
pub(crate) struct Cert {
    #[command(subcommand)]
    verb: CertVerb,
}

#[derive(Subcommand)]
enum CertVerb {
    /// What it claims, and how large it is; whether it is right is for papamu-check to say
    Info {
        /// The certificate
        file: PathBuf,
    },
    /// Drop positions that the root does not need
    Trim(Change),
    /// Leave out positions that a checker proves by itself within a budget
    Sparsify {
        #[command(flatten)]
        change: Change,

        /// Positions that a checker may enter to prove one that is left out
        #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u64).range(1..=MOST_BUDGET))]
        budget: u64,
    },
    /// Fill in what was left out
    Densify(Change),
    /// Put certificates of one winner together to one of a position that leads to all of theirs
    Merge {
        /// Where to write the new one
        new: PathBuf,

        /// The position that it is of, such as 8x7
        #[arg(long, value_name = "POSITION")]
        root: String,

        /// The certificates, such as one for each opening
        #[arg(required = true)]
        files: Vec<PathBuf>,
    },
}

#[derive(Args, Clone)]
struct Change {
    /// The certificate
    file: PathBuf,

    /// Where to write the new one; may be the same file
    new: PathBuf,
}

#[derive(Serialize)]
struct Info {
    game: String,
    root: String,
    winner: String,
    records: u64,
    budget: u64,
    bytes: u64,
}

#[derive(Serialize)]
struct Changed {
    file: String,
    records_before: u64,
    records: u64,
    budget: u64,
}

impl Cert {
    pub(crate) fn run(&self, answer: Option<&Path>, output: &mut Output) -> Result<(), Failure> {
        exit_on_signals("interrupted; the certificate is as it was");
        if let (Some(answer), Some(new)) = (answer, self.new_file())
            && Target::new(answer)?.is_same_as(&Target::new(new)?)
        {
            let problem = "--output and the new certificate are the same file";
            return Err(Failure::Arguments(problem.to_owned()));
        }
        match &self.verb {
            CertVerb::Info { file } => info(file, output),
            verb @ (CertVerb::Trim(change)
            | CertVerb::Sparsify { change, .. }
            | CertVerb::Densify(change)) => visit(&change.file, Edit { change, verb, output }),
            CertVerb::Merge { new, root, files } => {
                let Some((first, others)) = files.split_first() else { return Ok(()) };
                visit(first, Merge { new, root, others, output })
            }
        }
    }

    fn new_file(&self) -> Option<&Path> {
        match &self.verb {
            CertVerb::Info { .. } => None,
            CertVerb::Trim(change)
            | CertVerb::Sparsify { change, .. }
            | CertVerb::Densify(change) => Some(&change.new),
            CertVerb::Merge { new, .. } => Some(new),
        }
    }
}

/// The same of a certificate of nimbers.
fn nimber_info(path: &Path, output: &mut Output) -> Result<(), Failure> {
    let fail = |error| Failure::NimberFile { path: path.to_owned(), error };
    let file = File::open(path).map_err(|error| Failure::file("read", path, error))?;
    let header = nimber::file::read_header(BufReader::new(file)).map_err(fail)?;
    output.json(&json!({
        "game": header.game, "claim": header.claim.to_string(), "nimbers": header.lemmas,
    }))?;
    output.line(format!("claim      {} {}", header.game, header.claim))?;
    output.line(format!("nimbers    {}", grouped(header.lemmas)))
}

fn info(file: &Path, output: &mut Output) -> Result<(), Failure> {
    if nimber::file::is_one(file) {
        return nimber_info(file, output);
    }
    let header = read_header(file)?;
    let data = file.metadata().map_err(|error| Failure::file("read", file, error))?;
    let info = Info {
        game: header.game,
        root: header.root,
        winner: header.winner,
        records: header.records,
        budget: header.budget,
        bytes: data.len(),
    };
    output.json(&info)?;
    output.line(format!("claim      {} wins {} {}", info.winner, info.game, info.root))?;
    output.line(format!("positions  {} with the winner's move", grouped(info.records)))?;
    if info.budget > 0 {
        output.line(format!("left out   what a search of {} positions proves", info.budget))?;
    }
    output.line(format!("size       {}", ByteSize::b(info.bytes)))?;
    output.line("this is what it claims; papamu-check tells whether it is right")
}

/// Does something with a certificate, whatever game it is of.
pub(crate) fn visit<V>(file: &Path, visitor: V) -> Result<(), Failure>
where
    V: StrategyVisitor,
{
    let header = read_header(file)?;
    papamu_games::visit(&header.game, Load { file, visitor })?
}

/// Something to be done with a strategy.
pub(crate) trait StrategyVisitor {
    fn visit<G: Game>(self, strategy: Strategy<G>) -> Result<(), Failure>;
}

struct Load<'a, V> {
    file: &'a Path,
    visitor: V,
}

impl<V: StrategyVisitor> Visitor for Load<'_, V> {
    type Output = Result<(), Failure>;

    fn visit<G: Game>(self) -> Result<(), Failure> {
        self.visitor.visit(Strategy::<G>::load(self.file)?)
    }
}

struct Edit<'a> {
    change: &'a Change,
    verb: &'a CertVerb,
    output: &'a mut Output,
}

impl StrategyVisitor for Edit<'_> {
    fn visit<G: Game>(self, mut strategy: Strategy<G>) -> Result<(), Failure> {
        let Edit { change, verb, output } = self;
        let target = Target::new(&change.new)?;
        let before = strategy.records.len() as u64;
        let progress = Progress::new();
        watch(output, "positions", &progress, || match verb {
            CertVerb::Sparsify { budget, .. } => strategy.sparsify(*budget, &progress),
            CertVerb::Densify(_) => strategy.densify(&progress),
            _ => strategy.trim(&progress),
        })?;
        target.write_by(|file| strategy.write_to(file))?;
        report(&change.new, before, &strategy, output)
    }
}

fn report<G: Game>(
    new: &Path,
    records_before: u64,
    strategy: &Strategy<G>,
    output: &mut Output,
) -> Result<(), Failure> {
    let changed = Changed {
        file: new.display().to_string(),
        records_before,
        records: strategy.records.len() as u64,
        budget: strategy.budget,
    };
    output.json(&changed)?;
    let [before, now] = [changed.records_before, changed.records].map(grouped);
    output.line(format!("{}: {now} positions, there were {before}", changed.file))
}

struct Merge<'a> {
    new: &'a Path,
    root: &'a str,
    others: &'a [PathBuf],
    output: &'a mut Output,
}

impl StrategyVisitor for Merge<'_> {
    fn visit<G: Game>(self, first: Strategy<G>) -> Result<(), Failure> {
        let Merge { new, root, others, output } = self;
        let target = Target::new(new)?;
        let (game, root) = G::read(root)?;
        let others = others.iter().map(|file| Ok(Strategy::<G>::load(file)?));
        let others = others.collect::<Result<Vec<_>, Failure>>()?;
        for strategy in others.iter().chain([&first]) {
            require_same_board(&game, strategy)?;
        }
        let before = others.iter().chain([&first]).map(|strategy| strategy.records.len() as u64);
        let before = before.sum();
        let strategy = Strategy::merge(root, first, others)?;
        target.write_by(|file| strategy.write_to(file))?;
        report(new, before, &strategy, output)
    }
}

/// Two games are the same if everything about them is.
fn require_same_board<G: Game>(game: &G, strategy: &Strategy<G>) -> Result<(), Failure> {
    if format!("{game:?}") == format!("{:?}", strategy.game) {
        return Ok(());
    }
    let root = strategy.game.write(&strategy.root);
    Err(Failure::Arguments(format!("the certificate is of another board: {root}")))
}

/// A question about a position to a certificate.
pub(crate) struct Ask<'a> {
    pub(crate) text: &'a str,
    pub(crate) output: &'a mut Output,
}

#[derive(Serialize)]
struct Answer {
    position: String,
    value: &'static str,
    winner: &'static str,
    moves: Vec<Move>,
}

#[derive(Serialize)]
struct Move {
    #[serde(rename = "move")]
    text: String,
    value: &'static str,
    /// What the winner answers.
    #[serde(skip_serializing_if = "Option::is_none")]
    answer: Option<String>,
}

impl StrategyVisitor for Ask<'_> {
    fn visit<G: Game>(self, strategy: Strategy<G>) -> Result<(), Failure> {
        let Ask { text, output } = self;
        let (game, position) = G::read(text)?;
        let root = strategy.game.write(&strategy.root);
        require_same_board(&game, &strategy)?;
        let unknown = || {
            let position = game.write(&position);
            Failure::Arguments(format!(
                "the certificate does not cover `{position}`: it holds what the winner needs from {root}"
            ))
        };
        let winner = G::PLAYERS[strategy.winner.index()];
        let write = |position: &G::Position, mv: &G::Move| game.write_move(position, mv);
        let mut moves = Vec::new();
        let winners_turn = game.to_move(&position) == strategy.winner;
        if winners_turn {
            let mv = strategy.advice(&position)?.ok_or_else(unknown)?;
            moves.push(Move { text: write(&position, &mv), value: "win", answer: None });
        } else {
            for mv in moves_in_order(&game, &position) {
                let child = after(&game, &position, &mv);
                let answer = strategy.advice(&child)?.ok_or_else(unknown)?;
                let answer = Some(write(&child, &answer));
                moves.push(Move { text: write(&position, &mv), value: "loss", answer });
            }
        }
        let value = if winners_turn { "win" } else { "loss" };
        let answer = Answer { position: game.write(&position), value, winner, moves };
        output.json(&answer)?;
        output.line(game.draw(&position))?;
        output.line("")?;
        output.line(format!("{winner} wins"))?;
        for mv in &answer.moves {
            let reply = mv.answer.as_ref().map_or(String::new(), |reply| format!(", then {reply}"));
            output.line(format!("{:8} {}{reply}", mv.text, mv.value))?;
        }
        Ok(())
    }
}
