//! One table of options per verb: each option works or is refused, help texts show all of them, and
//! no file overwrites another.

use std::path::Path;

use papamu::request::{OptionInfo, Place, Request};

mod common;
use common::{json, one_line, papamu, place, text};

/// What a test needs to know about a verb.
struct VerbOptions {
    /// Its name, with that of its group.
    words: Vec<&'static str>,
    options: Vec<OptionInfo>,
}

impl VerbOptions {
    fn new<R: Request>(group: &[&'static str]) -> VerbOptions {
        VerbOptions {
            words: [group, &[R::VERB]].concat(),
            options: R::OPTIONS.iter().map(|option| option.about).collect(),
        }
    }

    /// Arguments that give these files to options, and a value for every required argument.
    fn arguments(&self, given: &[(&str, &str)]) -> Vec<String> {
        let mut arguments: Vec<String> = self.words.iter().map(|&word| word.to_owned()).collect();
        for option in &self.options {
            // A merge needs its root.
            let root = ("root", "4x4");
            let mut given = given.iter().chain([&root]);
            let value = given.find(|(name, _)| *name == option.name).map(|given| given.1);
            let word = match option.value {
                "GAME" => "konane",
                "POSITION" | "BOARD" => "4x4",
                _ => "elsewhere",
            };
            match option.place {
                Place::Flag => {
                    let flag = format!("--{}", option.name.replace('_', "-"));
                    arguments.extend(
                        value.into_iter().flat_map(|value| [flag.clone(), value.to_owned()]),
                    );
                }
                Place::Word | Place::Words | Place::Each => {
                    arguments.push(value.unwrap_or(word).to_owned());
                }
                _ => arguments.extend(value.map(str::to_owned)),
            }
        }
        arguments
    }
}

fn verbs() -> Vec<VerbOptions> {
    let mut verbs = Vec::new();
    macro_rules! add {
        ($group:expr; $($request:ident),+) => {
            $( verbs.push(VerbOptions::new::<papamu::$request>($group)); )+
        };
    }
    add!(&[]; Solve, Nimber, Build, Probe, Verify, Play, Stats, Value, Calc, Family, Find);
    add!(&[]; Invariants, Conjecture, Show, Perft, States, CheckGame, Compare, CompareTables);
    add!(&[]; Winners, Bench, Train, Games, Profile, Tradeoff);
    add!(&["cert"]; CertInfo, CertTrim, CertSparsify, CertDensify, CertMerge);
    verbs
}

/// The list above has all verbs.
#[test]
fn no_verb_is_forgotten() {
    let help = text(&["--help"]);
    let commands = help.split("Commands:").nth(1).and_then(|rest| rest.split("Options:").next());
    let listed = commands.expect("commands").lines().filter_map(|line| {
        let name = line.strip_prefix("  ")?;
        name.starts_with(char::is_alphabetic).then(|| name.split_whitespace().next())?
    });
    let known: Vec<&str> = verbs().iter().map(|verb| verb.words[0]).collect();
    for name in listed.filter(|name| !["help", "completions"].contains(name)) {
        assert!(known.contains(&name), "{name}");
    }
}

#[test]
fn helps_show_every_option_with_its_default_and_examples() {
    for verb in verbs() {
        let help = text(&[&verb.words[..], &["--help"]].concat());
        let help = help.split_whitespace().collect::<Vec<_>>().join(" ");
        for option in &verb.options {
            let name = match option.place {
                Place::Flag => format!("--{}", option.name.replace('_', "-")),
                _ => option.value.to_owned(),
            };
            assert!(help.contains(&name), "{:?}: {name}", verb.words);
            let told = option.help.split_whitespace().collect::<Vec<_>>().join(" ");
            assert!(help.contains(&told), "{:?} {name}: {told}", verb.words);
            if let Some(default) = option.default {
                let default = format!("{told} [default: {}]", default());
                assert!(help.contains(&default), "{:?} {name}: {default}", verb.words);
            }
        }
        let example = format!("papamu {}", verb.words.join(" "));
        let examples = help.split("Example").nth(1);
        assert!(examples.is_some_and(|examples| examples.contains(&example)), "{example}");
    }
}

/// No verb writes a file twice, or overwrites a file that it reads.
#[test]
fn no_two_options_name_one_file() {
    // An old certificate may be replaced, a search may continue in its file, and two readers are
    // fine.
    let may_be_one = [["file", "new"], ["checkpoint", "resume"], ["from", "test"]];
    let (_keep, name) = place();
    for verb in verbs() {
        let is_file = |option: &&OptionInfo| matches!(option.value, "FILE" | "NEW" | "DIR");
        let files: Vec<&OptionInfo> = verb.options.iter().filter(is_file).collect();
        let refused = |arguments: &[String]| {
            let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
            let assert = papamu(&arguments).current_dir(name("")).assert().code(2).stdout("");
            let stderr = String::from_utf8_lossy(&assert.get_output().stderr).into_owned();
            assert!(stderr.contains("name the same file"), "{arguments:?}: {stderr}");
        };
        for (i, option) in files.iter().enumerate() {
            let arguments = verb.arguments(&[(option.name, "new")]);
            for output in [["--output", "new"], ["-o", "./new"]] {
                refused(&[&arguments[..], &output.map(str::to_owned)].concat());
            }
            let is_plain = |option: &OptionInfo| option.value != "DIR";
            for other in files[i + 1..].iter().filter(|other| is_plain(option) && is_plain(other)) {
                if !may_be_one.contains(&[option.name, other.name]) {
                    refused(&verb.arguments(&[(option.name, "new"), (other.name, "./new")]));
                }
            }
        }
    }
    assert_eq!(std::fs::read_dir(name("")).expect("a directory").count(), 0);
}

/// An option that does not apply to a search or a game is refused, never ignored.
#[test]
fn options_apply_or_are_refused() {
    let (_keep, name) = place();
    let file = name("file");
    let file = file.as_str();
    let on_5x5 = ["solve", "konane", "5x5"];
    let on_spots = ["solve", "sprouts", "0*4"];
    let cases: &[(&[&str], &[&str], &str)] = &[
        (&on_5x5, &["--algo", "pns", "--threads", "2"], "--threads: it applies to pn2, dfpn"),
        (&on_5x5, &["--algo", "dfpn", "--budget", "equal"], "--budget: it applies to pn2"),
        (&on_5x5, &["--algo", "ab", "--epsilon", "0.3"], "--epsilon: it applies to dfpn"),
        (&on_5x5, &["--algo", "ab", "--init", "unit"], "--init: it applies to pns, pn2 and dfpn"),
        (&on_5x5, &["--algo", "ab", "--damping", "2"], "--damping: it applies to pns, pn2"),
        (&on_5x5, &["--algo", "reference", "--trace", file], "--trace: it applies to ab, pns"),
        (&on_5x5, &["--algo", "reference", "--checkpoint", file], "--checkpoint: it applies to"),
        (&on_5x5, &["--nimbers", file], "--nimbers: it applies to impartial games only"),
        (&on_5x5, &["--unordered"], "--unordered: it applies to impartial games only"),
        (&on_5x5, &["--table-stones", "4"], "--table-stones: there are no tables"),
        (&on_5x5, &["--cert-budget", "4"], "--cert-budget: there is no certificate"),
        (&on_5x5, &["--cert-database", "4"], "--cert-database: there is no certificate"),
        (&on_5x5, &["--cert", file, "--cert-database", "4"], "--cert-database: play cannot go in"),
        (
            &["solve", "fanorona", "5x9"],
            &["--cert", file, "--cert-database", "5"],
            "--cert-database: a database of size 5 has ",
        ),
        (&on_spots, &["--init", "unit"], "--init: it does not apply to impartial games"),
        (&on_spots, &["--budget", "equal"], "--budget: it does not apply to impartial games"),
        (&on_spots, &["--tables", file], "--tables: it does not apply to impartial games"),
        (&on_spots, &["--checkpoint", file], "--checkpoint: it does not apply to impartial"),
        (&on_spots, &["--region-values", "4"], "--region-values: it does not apply to impartial"),
        (&["winners", "kayles"], &[], "--max: kayles has no board"),
        (&on_spots, &["--look-ahead", "2"], "--look-ahead: it does not apply to impartial games"),
        (&on_5x5, &["--look-ahead", "4"], "--look-ahead: `4`: it is a number from 0 to 3"),
        (&["nimber", "konane", "3x3"], &[], "konane has no nimbers"),
        (&["nimber", "sprouts", "misere 0*3"], &[], "sprouts has no nimbers in misere play"),
        (&["value", "dodgem", "3x3"], &[], "<GAME>: dodgem can go on for ever"),
        (&["build", "kayles", "3"], &[], "kayles has no tables"),
        (&["show", "sprouts", "0*3"], &["--svg", file], "--svg: sprouts has no pictures"),
        (&["show", "sprouts", "0*3"], &["--tikz", file], "--tikz: sprouts has no pictures"),
        // The value was forgotten: the next flag is not a file.
        (&on_5x5, &["--cert", "--json"], "'--cert <FILE>'"),
    ];
    for (verb, options, message) in cases {
        one_line(&[*verb, *options].concat(), 2, message);
        assert!(!Path::new(file).exists(), "{verb:?} {options:?}");
    }
}

#[test]
fn comparisons_take_the_searches_that_a_game_has() {
    for (game, position, value) in [("kayles", "12", "win"), ("sprouts", "0*5", "win")] {
        let answer = json(&["compare", game, position, "--threads", "1"]);
        let runs = answer["runs"].as_array().expect("a list");
        let algorithms: Vec<&str> =
            runs.iter().filter_map(|run| run["algorithm"].as_str()).collect();
        assert_eq!(algorithms, ["ab", "pns", "dfpn"]);
        assert!(runs.iter().all(|run| run["value"] == value), "{answer}");
    }
}

#[test]
fn winners_by_the_reference_solver() {
    for algorithm in ["plain", "reference"] {
        let answer = json(&["winners", "konane", "--algo", algorithm, "--max", "3x3"]);
        let boards = answer["boards"].as_array().expect("a list");
        assert_eq!((boards.len(), &answer["disagreements"]), (9, &0.into()));
        assert!(boards.iter().all(|board| board["winner"] == board["published"]), "{answer}");
    }
}
