//! The verbs: for each its arguments, its function in the library, and examples.

use std::path::Path;

use clap::{ArgMatches, Command};
use papamu::request::Request;
use papamu::{Error, Registry, Report, Watch};

use crate::args;
use crate::failure::Failure;
use crate::interactive;
use crate::terminal::Terminal;
use crate::text::Text;

/// A verb of the program.
pub(crate) trait Verb: Sync {
    fn name(&self) -> &'static str;
    fn command(&self) -> Command;
    /// Refuses to write the answer over a file that the verb reads or writes.
    fn check_files(&self, matches: &ArgMatches, output: Option<&Path>) -> Result<(), Failure>;
    fn run(
        &self,
        registry: &Registry,
        matches: &ArgMatches,
        terminal: &mut Terminal<'_>,
    ) -> Result<(), Failure>;
}

/// A verb that is one function of the library.
pub(crate) struct Answered<R, P> {
    pub(crate) function: fn(&Registry, &R, &dyn Watch) -> Result<P, Error>,
    pub(crate) examples: &'static str,
}

impl<R: Request, P: Report + Text> Verb for Answered<R, P> {
    fn name(&self) -> &'static str {
        R::VERB
    }

    fn command(&self) -> Command {
        args::command::<R>(self.examples)
    }

    fn check_files(&self, matches: &ArgMatches, output: Option<&Path>) -> Result<(), Failure> {
        args::check_files::<R>(matches, output)
    }

    fn run(
        &self,
        registry: &Registry,
        matches: &ArgMatches,
        terminal: &mut Terminal<'_>,
    ) -> Result<(), Failure> {
        let request = args::read::<R>(matches)?;
        let report = (self.function)(registry, &request, terminal);
        let report = report.map_err(|error| Failure::of::<R>(&error))?;
        print::<R, _>(&report, terminal)
    }
}

/// A verb that prints by itself.
pub(crate) struct Interactive<R> {
    pub(crate) function: fn(&Registry, &R, &mut Terminal<'_>) -> Result<(), Failure>,
    /// The help text before the examples.
    pub(crate) help: fn() -> String,
    pub(crate) examples: &'static str,
}

impl<R: Request> Verb for Interactive<R> {
    fn name(&self) -> &'static str {
        R::VERB
    }

    fn command(&self) -> Command {
        args::command::<R>(&((self.help)() + self.examples))
    }

    fn check_files(&self, matches: &ArgMatches, output: Option<&Path>) -> Result<(), Failure> {
        args::check_files::<R>(matches, output)
    }

    fn run(
        &self,
        registry: &Registry,
        matches: &ArgMatches,
        terminal: &mut Terminal<'_>,
    ) -> Result<(), Failure> {
        (self.function)(registry, &args::read::<R>(matches)?, terminal)
    }
}

/// Prints a report, then returns its failure if it has one.
pub(crate) fn print<R: Request, P: Report + Text>(
    report: &P,
    terminal: &mut Terminal<'_>,
) -> Result<(), Failure> {
    terminal.take_failure()?;
    let output = terminal.output();
    if output.is_json() {
        let json = serde_json::to_string(report);
        output.line(&json.map_err(|error| Failure::Write(error.into()))?)?;
    } else {
        for line in report.lines() {
            output.line(&line)?;
        }
    }
    report.failure().map_or(Ok(()), |error| Err(Failure::found::<R>(error)))
}

/// A verb with verbs of its own.
struct Group {
    name: &'static str,
    about: &'static str,
    details: &'static str,
    examples: &'static str,
    verbs: &'static [&'static dyn Verb],
}

impl Group {
    fn chosen<'a>(&self, matches: &'a ArgMatches) -> Option<(&'static dyn Verb, &'a ArgMatches)> {
        let (name, matches) = matches.subcommand()?;
        let verb = self.verbs.iter().find(|verb| verb.name() == name)?;
        Some((*verb, matches))
    }
}

impl Verb for Group {
    fn name(&self) -> &'static str {
        self.name
    }

    fn command(&self) -> Command {
        Command::new(self.name)
            .about(self.about)
            .long_about(format!("{}\n\n{}", self.about, self.details))
            .after_help(self.examples)
            .subcommand_required(true)
            .arg_required_else_help(true)
            .subcommands(self.verbs.iter().map(|verb| verb.command()))
    }

    fn check_files(&self, matches: &ArgMatches, output: Option<&Path>) -> Result<(), Failure> {
        self.chosen(matches).map_or(Ok(()), |(verb, matches)| verb.check_files(matches, output))
    }

    fn run(
        &self,
        registry: &Registry,
        matches: &ArgMatches,
        terminal: &mut Terminal<'_>,
    ) -> Result<(), Failure> {
        let chosen = self.chosen(matches);
        chosen.map_or(Ok(()), |(verb, matches)| verb.run(registry, matches, terminal))
    }
}

/// All verbs, in the order of the help.
pub(crate) static VERBS: &[&dyn Verb] = &[
    &Answered { function: papamu::solve, examples: SOLVE },
    &Answered { function: papamu::nimber, examples: NIMBER },
    &Answered { function: papamu::build, examples: BUILD },
    &Answered { function: papamu::probe, examples: PROBE },
    &Answered { function: papamu::verify, examples: VERIFY },
    &Group {
        name: "cert",
        about: "Look at a certificate, or change how much of the strategy it spells out",
        details: "A certificate is checked by `papamu-check`, which shares no code with this program.",
        examples: CERT,
        verbs: &[
            &Answered { function: papamu::cert_info, examples: CERT_INFO },
            &Answered { function: papamu::cert_trim, examples: CERT_TRIM },
            &Answered { function: papamu::cert_sparsify, examples: CERT_SPARSIFY },
            &Answered { function: papamu::cert_densify, examples: CERT_DENSIFY },
            &Answered { function: papamu::cert_merge, examples: CERT_MERGE },
        ],
    },
    &Interactive { function: interactive::play, help: String::new, examples: PLAY },
    &Answered { function: papamu::stats, examples: STATS },
    &Answered { function: papamu::value, examples: VALUE },
    &Interactive { function: interactive::calc, help: interactive::calc_help, examples: CALC },
    &Answered { function: papamu::family, examples: FAMILY },
    &Answered { function: papamu::find, examples: FIND },
    &Interactive { function: interactive::invariants, help: String::new, examples: INVARIANTS },
    &Answered { function: papamu::conjecture, examples: CONJECTURE },
    &Answered { function: papamu::show, examples: SHOW },
    &Answered { function: papamu::perft, examples: PERFT },
    &Answered { function: papamu::states, examples: STATES },
    &Answered { function: papamu::profile, examples: PROFILE },
    &Answered { function: papamu::check_game, examples: CHECK_GAME },
    &Answered { function: papamu::compare, examples: COMPARE },
    &Answered { function: papamu::compare_tables, examples: COMPARE_TABLES },
    &Answered { function: papamu::tradeoff, examples: TRADEOFF },
    &Answered { function: papamu::winners, examples: WINNERS },
    &Answered { function: papamu::bench, examples: BENCH },
    &Answered { function: papamu::train, examples: TRAIN },
    &Answered { function: papamu::games, examples: GAMES },
    &interactive::Completions,
];

const SOLVE: &str = "Examples:
  papamu solve konane 6x6
  papamu solve konane 7x6 --threads 2 --memory 4GiB --trace 7x6.csv
  papamu solve konane 6x6 --algo pn2 --trace-plot 6x6.svg
  papamu solve konane 7x7 --threads 2 --checkpoint 7x7.papamu
  papamu solve konane 7x7 --threads 2 --resume 7x7.papamu
  papamu solve konane 7x6 --tables tables/7x6-10
  papamu solve konane 6x6 --cert 6x6.cert        and then: papamu-check 6x6.cert
  papamu solve konane 6x6 --algo pn2 --budget equal --init mobility --damping 1
  papamu solve konane \"xo.o/.x../xox. b\" --json
  papamu solve sprouts \"0*17\" --cert 17.nim     and then: papamu-check 17.nim
  papamu solve sprouts \"0*29\" --threads 2 --nimbers sprouts.nim
  papamu solve sprouts \"misere 0*6\"
  papamu solve kayles 40";
const NIMBER: &str = "Examples:
  papamu nimber sprouts \"0*8\"
  papamu nimber sprouts \"0.AB|1.AB\" --json
  papamu nimber sprouts \"0*10\" --nimbers sprouts.nim --threads 2
  papamu nimber sprouts \"0*6\" --cert 6.nim        and then: papamu-check 6.nim
  papamu nimber kayles 40";
const BUILD: &str = "Examples:
  papamu build konane 5x5 --out tables/5x5
  papamu build konane 6x6 --out tables/6x6 --memory 6GiB --threads 2
  papamu build konane 7x7 --stones 8 --out tables/7x7-8
  papamu build konane 6x5                        only the counts, no table";
const PROBE: &str = "Examples:
  papamu probe tables/5x5 5x5
  papamu probe 6x6.cert 6x6
  papamu probe tables/4x4 \"xo.o/.x../xox./oxox b\" --json";
const VERIFY: &str = "Examples:
  papamu verify tables/5x5
  papamu verify tables/6x6 --sample 10000000";
const CERT: &str = "Examples:
  papamu cert info 6x6.cert
  papamu cert trim 6x6.cert 6x6-small.cert
  papamu cert sparsify 6x6.cert 6x6-sparse.cert --budget 200
  papamu cert densify 6x6-sparse.cert 6x6-dense.cert
  papamu cert merge 8x7.cert --root 8x7 centre.cert corner.cert";
const CERT_INFO: &str = "Example:
  papamu cert info 6x6.cert --json";
const CERT_TRIM: &str = "Example:
  papamu cert trim 6x6.cert 6x6.cert";
const CERT_SPARSIFY: &str = "Example:
  papamu cert sparsify 6x6.cert 6x6-sparse.cert --budget 200";
const CERT_DENSIFY: &str = "Example:
  papamu cert densify 6x6-sparse.cert 6x6-dense.cert";
const CERT_MERGE: &str = "Example:
  papamu cert merge 8x7.cert --root 8x7 centre.cert corner.cert";
const PLAY: &str = "Examples:
  papamu play --cert 6x6.cert
  papamu play kayles 9
  printf 'a6\\nmoves\\nquit\\n' | papamu play --cert 6x6.cert";
const STATS: &str = "Examples:
  papamu stats konane 5x5
  papamu stats konane 6x5 --json
  papamu stats konane 6x6 --memory 18GiB --plot plots";
const VALUE: &str = "Examples:
  papamu value konane \".ox./o..x/....\"
  papamu value konane \"..../.xo./x.../....\" --json
  papamu value konane \".ox./o..x/....\" --plot thermograph.svg --svg board.svg
  papamu value konane \".ox./o..x/....\" --plot thermograph.tex --tikz board.tex --notation latex
  papamu value konane \"xoxo./o.x.o/....x\" --explain
  papamu value konane \"xoxox/oxoxo/x..ox/oxoxo/xoxox\" --timeout 60
  papamu value kayles 12

In a game with regions, half of a limited time is for the value. If that is not enough, or memory
runs out, the other half, or a minute without a limit, is for bounds of the value and the winner.";
const CALC: &str = "Examples:
  papamu calc \"{1|*} + ^ - 3/4\"
  papamu calc \"norton(1/2, ^)\"
  papamu calc \"{4||1|-3}\" --plot thermograph.svg
  papamu calc \"{^,*,0|1,3}\" --explain
  papamu calc \"{1|*} + ^3\" --notation latex
  papamu calc        and then one expression per line";
const FAMILY: &str = "Examples:
  papamu family slp --n 1..30
  papamu family tail --n 2..20 --json
  papamu family s --blocks 1,2,1 --blocks 3,5,7";
const FIND: &str = "Examples:
  papamu find --value \"*2\" --within 4x4
  papamu find --value \"1/4\" --within 4x4 --colours any
  papamu find --value \"^\" --within 3x4 --json";
const INVARIANTS: &str = "Examples:
  papamu invariants --family stairs --n 1..8 --output stairs.csv
  papamu invariants --file positions.txt --json
  papamu invariants --all 3x3 --threads 2 --output 3x3.csv
  papamu conjecture --from 3x3.csv --target nim --upper
  papamu invariants --all 3x4 --properties --output 3x4.parquet
  papamu conjecture --from 3x4.parquet --property second_wins --sufficient";
const CONJECTURE: &str = "Examples:
  papamu invariants --all 3x3 > t.csv; papamu conjecture --from t.csv --target nim --upper
  papamu conjecture --from stairs.csv --target moves --operators \"+ * +1 sqrt max\"
  papamu conjecture --from 3x3.csv --target moves --lower --theory capturable --time 60
  papamu conjecture --from 3x3.csv --target stones --lower --test 3x4.csv
  papamu conjecture --from 3x3.csv --target moves --upper --test-random 4x4:1000 --rounds 5
  papamu conjecture --from 3x3.parquet --property second_wins --necessary";
const SHOW: &str = "Examples:
  papamu show konane 6x6
  papamu show konane \"xo.o/.x../xox. b\" --json
  papamu show konane \"xo.o/.x../xox. b\" --svg board.svg --tikz board.tex";
const PERFT: &str = "Examples:
  papamu perft konane 8x8 --depth 10
  papamu perft konane 8x8 --depth 12 --threads 2 --json
  papamu perft konane 6x6 --depth 6 --divide
  papamu perft konane --check konane.perft --depth 10";
const STATES: &str = "Examples:
  papamu states konane 5x5
  papamu states konane 8x8 --depth 10 --json
  papamu states konane 5x5 --plot states.svg";
const PROFILE: &str = "Examples:
  papamu profile fanorona 5x9
  papamu profile fanorona 5x9 --games 10000 --depth 4 --plot figures
  papamu profile konane 8x8 --seed 7 --json
  papamu profile sprouts \"0*6\" --games 100";
const CHECK_GAME: &str = "Examples:
  papamu check-game konane 6x6 --games 1000
  papamu check-game konane 1x40 --seed 7";
const COMPARE: &str = "Examples:
  papamu compare konane 6x6 --plot figures
  papamu compare konane 7x5 --threads 1,2 --skip ab --json
  papamu compare sprouts \"0*8\"";
const COMPARE_TABLES: &str = "Examples:
  papamu compare-tables konane 6x6 --tables tables/6x6 --stones 8,12,16,20 --plot figures
  papamu compare-tables konane 7x6 --tables tables/7x6-12 --skip pns";
const TRADEOFF: &str = "Examples:
  papamu tradeoff fanorona 5x5 --pieces 0..6 --plot tradeoff.svg
  papamu tradeoff fanorona 5x5 --pieces 2..6 --algo pn2 --budget equal --init unit --damping 1
  papamu tradeoff fanorona 7x5 --pieces 0..5 --time 600 --threads 2 --out tables/7x5
  papamu tradeoff dodgem 4x4 --pieces 0..6 --nodes 1000000 --json";
const WINNERS: &str = "Examples:
  papamu winners konane --max 6x6 --plot winners.svg
  papamu winners konane --max 1x30";
const BENCH: &str = "Examples:
  papamu bench
  papamu bench --json";
const TRAIN: &str = "Examples:
  papamu build konane 6x6 --out tables/6x6
  papamu train --tables tables/6x6 --out windows.bin";
const GAMES: &str = "Example:
  papamu games --json";
