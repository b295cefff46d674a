//! Sprouts from the command line: solve, nimber, show, perft, check-game; files of nimbers and
//! certificates.

use std::io::Read;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use papamu_checker::nimbers::Claim;
use serde_json::{Value, json as value};

mod common;
use common::{json, one_line, papamu, place, process, refused, text};

/// The claim of a file, if the independent checker accepts it.
fn accepted(path: &str) -> (Claim, u64) {
    let file = std::fs::File::open(path).expect("a file");
    let mut claim = None;
    let checked = papamu_checker::lemmas::check(file, 1 << 24, |header| {
        claim = Some(header.claim.clone());
    });
    (claim.expect("a claim"), checked.expect("accepted").lemmas)
}

fn names(answer: &Value) -> Vec<&str> {
    answer.as_object().expect("an object").keys().map(String::as_str).collect()
}

#[test]
fn winners() {
    for (position, winner, outcome) in [
        ("!", "second", "loss"),
        ("0", "second", "loss"),
        ("0*6", "second", "loss"),
        ("0*11", "first", "win"),
        ("0*3+0*4", "second", "loss"),
        ("0.0.0.", "first", "win"),
        (" 0.0*2 ", "first", "win"),
        ("misere !", "first", "win"),
        ("misere 0", "first", "win"),
        ("misere 0*4", "second", "loss"),
    ] {
        for options in [
            &["--algo", "dfpn"][..],
            &["--threads", "2"],
            &["--unordered", "--damping", "1", "--epsilon", "0"],
            &["--algo", "pns"],
        ] {
            let answer = json(&[&["solve", "sprouts", position][..], options].concat());
            let found = (&answer["winner"], &answer["value"]);
            assert_eq!(found, (&winner.into(), &outcome.into()), "{position} {options:?}");
        }
    }
    for algorithm in ["ab", "reference", "plain"] {
        let answer = json(&["solve", "sprouts", "0*4", "--algo", algorithm]);
        assert_eq!(answer["winner"], "first", "{algorithm}");
    }
}

/// The best move wins; in a lost position it is any move.
#[test]
fn best_moves() {
    for position in ["0*3", "0*5", "0*9", "0*2+0*3", "misere 0*5", "misere 0"] {
        let answer = json(&["solve", "sprouts", position]);
        assert_eq!(answer["value"], "win", "{position}");
        let best = answer["best_move"].as_str().expect("a move");
        let rules = if position.starts_with("misere") { "misere " } else { "" };
        let after = json(&["solve", "sprouts", &format!("{rules}{best}")]);
        assert_eq!(after["value"], "loss", "{position}: {best}");
        let shown = json(&["show", "sprouts", position]);
        assert!(shown["moves"].as_array().expect("moves").contains(&best.into()), "{position}");
    }
    let lost = json(&["solve", "sprouts", "0*2"]);
    assert!(["1a1a", "AB|0.AB"].iter().any(|&mv| lost["best_move"] == mv), "{lost}");
    // In misere play a player who cannot move has won.
    assert_eq!(json(&["solve", "sprouts", "misere !"])["best_move"], Value::Null);
    assert_eq!(json(&["solve", "sprouts", "!"])["best_move"], Value::Null);
}

#[test]
fn nimbers() {
    for (position, nimber) in [("!", 0), ("0*2", 0), ("0*8", 0), ("0*10", 1), ("0*4+0*5", 0)] {
        for options in [&["--algo", "dfpn"][..], &["--threads", "2", "--unordered"]] {
            let answer = json(&[&["nimber", "sprouts", position][..], options].concat());
            assert_eq!(answer["nimber"], nimber, "{position} {options:?}");
        }
    }
    for algorithm in ["pns", "ab"] {
        assert_eq!(json(&["nimber", "sprouts", "0*5", "--algo", algorithm])["nimber"], 1);
    }
    assert_eq!(json(&["nimber", "kayles", "40"])["nimber"], 1);
    assert_eq!(json(&["nimber", "cram", "3x5"])["nimber"], 1);
    let shown = text(&["nimber", "sprouts", "0*4"]);
    assert!(shown.starts_with("nimber     1\neffort     "), "{shown}");
    one_line(
        &["nimber", "sprouts", "0*4", "--algo", "pn2"],
        2,
        "--algo: impartial games are searched by dfpn, pns or ab",
    );
}

#[test]
fn answers_have_their_fields() {
    let (_keep, name) = place();
    let cert = name("cert");
    let mut answer = json(&["nimber", "sprouts", "0*4", "--cert", &cert]);
    assert!(answer["seconds"].is_f64() && answer["expansions"].as_u64() > Some(0));
    for field in ["seconds", "nodes", "expansions", "nimbers_known", "certificate_lemmas"] {
        assert!(answer[field].is_number(), "{field}");
        answer[field] = 0.into();
    }
    assert_eq!(
        answer,
        value!({
            "game": "sprouts", "position": "0*4", "nimber": 1, "algorithm": "dfpn", "threads": 1, "nodes": 0,
            "expansions": 0, "nimbers_known": 0, "certificate": cert, "certificate_lemmas": 0, "seconds": 0,
        })
    );
    let answer = json(&["solve", "sprouts", "0*6", "--cert", &cert]);
    let mut found = names(&answer);
    found.sort_unstable();
    assert_eq!(
        found,
        [
            "algorithm",
            "best_move",
            "certificate",
            "certificate_records",
            "certified",
            "expansions",
            "game",
            "nimber",
            "nimbers_known",
            "nodes",
            "position",
            "seconds",
            "threads",
            "to_move",
            "value",
            "winner",
        ]
    );
    assert_eq!((&answer["nimber"], &answer["position"]), (&0.into(), &"0*6".into()));
    assert_eq!(answer["certificate"], cert);
    assert!(answer["certificate_records"].as_u64() <= answer["nimbers_known"].as_u64());
}

#[test]
fn positions_are_shown() {
    insta::assert_snapshot!(text(&["show", "sprouts", " 0. "]));
    insta::assert_snapshot!(text(&["show", "sprouts", "misere !"]));
    let shown = json(&["show", "sprouts", "2.1b1b.0.0}3+3.0.33]]"]);
    assert_eq!(shown["notation"], json(&["show", "sprouts", "0+0*2.2.1a1a"])["notation"]);
    let shown = json(&["show", "sprouts", "0.AB|1.AB+0*2"]);
    let count = |field: &str| shown[field].as_array().expect("a list").len();
    assert_eq!((count("moves"), count("components"), &shown["to_move"]), (8, 2, &"first".into()));
}

/// As `crates/games/tests/sprouts_planar.rs` finds with drawings.
#[test]
fn sequences_are_counted() {
    let answer = json(&["perft", "sprouts", "0*3", "--depth", "8"]);
    assert_eq!(answer["counts"], value!([3, 18, 116, 700, 3146, 8011, 9064, 2740]));
    let answer = json(&["perft", "sprouts", "misere 0*2", "--depth", "5", "--threads", "2"]);
    assert_eq!(answer["counts"], value!([2, 7, 17, 23, 13]));
}

#[test]
fn rules_are_checked() {
    for position in ["0*4", "misere 0*3", "0.AB|1.AB", "0*2.1a1a|2+0*3"] {
        let answer = json(&["check-game", "sprouts", position, "--games", "3"]);
        assert_eq!(answer["games"], 3, "{position}");
    }
}

#[test]
fn nimbers_are_kept() {
    let (_keep, name) = place();
    let store = name("sprouts.nim");
    let first = json(&["solve", "sprouts", "0*8", "--nimbers", &store]);
    assert_eq!(first["winner"], "second");
    assert!(first["expansions"].as_u64() > Some(100));
    let (claim, lemmas) = accepted(&store);
    assert_eq!((claim, &lemmas.into()), (Claim::None, &first["nimbers_known"]));
    let kept = std::fs::read(&store).expect("kept");

    // Everything is known now, and nothing is added.
    let second = json(&["solve", "sprouts", "0*8", "--nimbers", &store]);
    assert_eq!((&second["winner"], &second["expansions"]), (&"second".into(), &0.into()));
    assert_eq!(json(&["nimber", "sprouts", "0*8", "--nimbers", &store])["nimber"], 0);
    assert_eq!(std::fs::read(&store).expect("kept"), kept);

    // Another position adds nimbers and may use old ones, and so may other searches.
    let alone = json(&["solve", "sprouts", "0*9"])["expansions"].as_u64();
    let helped = json(&["solve", "sprouts", "0*9", "--nimbers", &store]);
    assert_eq!(helped["winner"], "first");
    assert!(helped["expansions"].as_u64() < alone);
    assert!(helped["nimbers_known"].as_u64() > first["nimbers_known"].as_u64());
    assert_eq!(accepted(&store).0, Claim::None);
    for options in [&["--algo", "pns"][..], &["--algo", "ab"], &["--threads", "2"]] {
        let solve = ["solve", "sprouts", "0*8", "--nimbers", &store];
        let answer = json(&[&solve[..], options].concat());
        assert_eq!(answer["expansions"], 0, "{options:?}");
    }
    let info = text(&["cert", "info", &store]);
    assert!(info.starts_with("claim      sprouts none\nnimbers "), "{info}");

    // Other games have files of their own.
    let other = name("kayles.nim");
    assert_eq!(json(&["nimber", "kayles", "40", "--nimbers", &other])["nimber"], 1);
    assert_eq!(json(&["nimber", "kayles", "40", "--nimbers", &other])["expansions"], 0);
    let before = std::fs::read(&other).expect("kept");
    one_line(
        &["solve", "sprouts", "0*4", "--nimbers", &other],
        3,
        "line 2: these are nimbers of kayles, not of sprouts",
    );
    assert_eq!(std::fs::read(&other).expect("kept"), before);
}

#[test]
fn damaged_nimbers_are_refused() {
    let (_keep, name) = place();
    let store = name("sprouts.nim");
    json(&["solve", "sprouts", "0*5", "--nimbers", &store]);
    let good = std::fs::read(&store).expect("kept");
    let lines = good.iter().filter(|&&byte| byte == b'\n').count();
    let refuse = |bytes: &[u8], message: &str| {
        std::fs::write(&store, bytes).expect("written");
        for verb in ["solve", "nimber"] {
            one_line(&[verb, "sprouts", "0*5", "--nimbers", &store], 3, message);
        }
        assert_eq!(std::fs::read(&store).expect("there"), bytes, "left as it was");
    };
    refuse(b"", "line 1: the file ends here, too early");
    refuse(b"my notes\n", "line 1: a file of nimbers begins with `papamu nimbers 1`");
    refuse(b"my notes", "line 1: the line has no end");
    refuse(&good[..good.len() - 1], &format!("line {lines}: the line has no end"));
    refuse(&good[..good.len() - 72], &format!("line {lines}: the file ends here, too early"));
    refuse(&[&good[..], b"\n"].concat(), &format!("line {}: nothing follows", lines + 1));
    let mut changed = good.clone();
    let digit = good.iter().rposition(|&byte| byte == b'\n').expect("an end") - 1;
    changed[digit] ^= 1;
    refuse(&changed, &format!("line {lines}: the checksum is that of another file"));
    std::fs::write(&store, &good).expect("written");
    // That the start is won is not among the nimbers, but the lost position after it is.
    let again = json(&["solve", "sprouts", "0*5", "--nimbers", &store]);
    assert!(again["expansions"].as_u64() <= Some(1), "{again}");
    one_line(&["solve", "sprouts", "0*5", "--nimbers", &name("")], 3, "directory");
    one_line(&["solve", "sprouts", "0*5", "--nimbers", &name("no/such/x")], 3, "no/such/x");
}

#[test]
fn certificates() {
    let (_keep, name) = place();
    let cert = name("cert");
    let position = |text: &str| text.to_owned();
    for (verb, text, claim) in [
        ("solve", "0*5", Claim::Win(position("0*5"))),
        ("solve", "0*8", Claim::Loss(position("0*8"))),
        ("solve", "0*3+0*4", Claim::Loss(position("0*3+0*4"))),
        ("solve", "!", Claim::Loss(position("!"))),
        ("nimber", "0*9", Claim::Nimber(1, position("0*9"))),
        ("nimber", "0*6", Claim::Nimber(0, position("0*6"))),
    ] {
        for options in [&["--threads", "1"][..], &["--threads", "2"], &["--algo", "pns"]] {
            let arguments = [verb, "sprouts", text, "--cert", &cert];
            let answer = json(&[&arguments[..], options].concat());
            let (claimed, lemmas) = accepted(&cert);
            assert_eq!(claimed, claim, "{options:?}");
            let field = if verb == "solve" { "certificate_records" } else { "certificate_lemmas" };
            assert_eq!(answer[field], lemmas, "{text} {options:?}");
        }
    }
    // Nimbers found before prove as much, if they were proved there.
    let store = name("store");
    json(&["solve", "sprouts", "0*8", "--nimbers", &store]);
    json(&["solve", "sprouts", "0*8", "--nimbers", &store, "--cert", &cert]);
    assert_eq!(accepted(&cert).0, Claim::Loss(position("0*8")));
    let info = text(&["cert", "info", &cert]);
    assert!(info.starts_with("claim      sprouts loss 0*8\nnimbers "), "{info}");
    // The answer is printed even if there is no certificate.
    let assert = papamu(&["solve", "sprouts", "0*4", "--cert", "/dev/full"]).assert().code(3);
    let stdout = String::from_utf8_lossy(&assert.get_output().stdout).into_owned();
    assert!(stdout.starts_with("first wins sprouts 0*4"), "{stdout}");
}

/// The nimbers found before an interruption are kept and right.
#[test]
#[cfg(unix)]
fn interrupted_searches_keep_nimbers() {
    let (_keep, name) = place();
    let store = name("store");
    for arguments in [&["--nimbers", &store][..], &["--threads", "2", "--nimbers", &store], &[]] {
        let mut child = process(&["solve", "sprouts", "0*30"])
            .args(arguments)
            .stderr(Stdio::piped())
            .stdout(Stdio::null())
            .spawn()
            .expect("started");
        std::thread::sleep(Duration::from_millis(700));
        let kill = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
        assert!(kill.expect("sent").success());
        let mut message = String::new();
        let stderr = child.stderr.as_mut().expect("a pipe");
        stderr.read_to_string(&mut message).expect("UTF-8");
        assert_eq!(child.wait().expect("ended").code(), Some(5), "{message}");
        let advice = if arguments.is_empty() { "with --nimbers FILE" } else { "go on with" };
        assert!(message.lines().count() == 1 && message.contains(advice), "{message}");
    }
    let (claim, lemmas) = accepted(&store);
    assert!(claim == Claim::None && lemmas > 0, "{lemmas}");
}

#[test]
fn arguments_that_do_not_fit() {
    let (_keep, name) = place();
    let file = name("file");
    let file = file.as_str();
    let cases: &[(&[&str], &str)] = &[
        (
            &["solve", "sprouts", "0*4", "--checkpoint", file],
            "--checkpoint: it does not apply to impartial games",
        ),
        (&["solve", "sprouts", "0*4", "--resume", file], "--resume"),
        (&["solve", "sprouts", "0*4", "--tables", file], "--tables"),
        (&["solve", "sprouts", "0*4", "--region-values", "4"], "--region-values"),
        (&["solve", "sprouts", "0*4", "--cert", file, "--cert-budget", "5"], "--cert-budget"),
        (
            &["solve", "sprouts", "0*4", "--algo", "pn2"],
            "--algo: impartial games are searched by dfpn, pns or ab, or by reference",
        ),
        (&["solve", "sprouts", "0*4", "--algo", "reference", "--nimbers", file], "--nimbers"),
        (&["solve", "sprouts", "0*4", "--algo", "reference", "--unordered"], "--unordered"),
        (&["solve", "sprouts", "0*4", "--algo", "reference", "--cert", file], "--cert"),
        (
            &["solve", "sprouts", "misere 0*4", "--nimbers", file],
            "--nimbers: positions of sprouts under these rules have no",
        ),
        (&["solve", "sprouts", "misere 0*4", "--cert", file], "--cert: there are no certificates"),
        (
            &["solve", "konane", "4x4", "--nimbers", file],
            "--nimbers: it applies to impartial games only",
        ),
        (
            &["solve", "konane", "4x4", "--unordered"],
            "--unordered: it applies to impartial games only",
        ),
        (&["nimber", "konane", "4x4"], "konane has no nimbers"),
        (&["nimber", "domineering", "4x4"], "domineering has no nimbers"),
        (&["nimber", "sprouts", "misere 0*4"], "sprouts has no nimbers in misere play"),
        (
            &["nimber", "kayles", "9", "--cert", file],
            "--cert: there are no certificates of nimbers of kayles",
        ),
        (&["nimber", "sprouts", "0*4", "--threads", "0"], "--threads: `0`"),
        (&["nimber", "sprouts", "0*4", "--checkpoint", file], "'--checkpoint'"),
        (&["solve", "sprouts", "0*4", "--nimbers", file, "--cert", file], "name the same file"),
        (&["nimber", "sprouts", "0*4", "--nimbers", file, "--cert", file], "name the same file"),
        (&["nimber", "sprouts", "0*4", "--nimbers", file, "--output", file], "name the same file"),
        (&["nimber", "sprouts", "0*4", "--cert", file, "--output", file], "name the same file"),
    ];
    for (arguments, message) in cases {
        one_line(arguments, 2, message);
        assert!(!Path::new(file).exists(), "{arguments:?}");
    }
    one_line(&["solve", "sprouts", "0*20", "--memory", "64KiB"], 4, "give more with --memory");
    one_line(&["nimber", "sprouts", "0*20", "--memory", "1KiB"], 4, "give more with --memory");
}

/// Bad positions: what is wrong, and where.
#[test]
fn bad_positions() {
    let (many, long) = ("0.".repeat(2500), "a".repeat(4000));
    let cases: &[(&str, &str)] = &[
        ("1a", "column 2: `a` stands only once in its boundary"),
        ("0.1a1.a", "column 4: `a` stands only once in its boundary"),
        ("0.A|1", "column 3: `A` stands only once in its land"),
        ("0.AB|1.A+0.B", "column 4: `B` stands only once in its land"),
        ("0.A'|1.A", "column 3: `A` stands only once in its land"),
        ("aaa", "column 3: `a` stands here a third time"),
        ("1A|A|A", "column 6: `A` stands here a third time"),
        ("0.A1B.A1|B", "column 7: `A` stands twice in one region"),
        ("A1A|2", "column 3: `A` stands twice in one region"),
        ("0*2.4", "column 5: a spot has three lives"),
        ("9", "column 1: a spot has three lives"),
        ("10", "column 2: `0`, a spot without curves, is a boundary of its own"),
        ("01", "column 2: `0`, a spot without curves, is a boundary of its own"),
        ("0.1a0a", "column 5: `0`, a spot without curves, is a boundary of its own"),
        ("0a1a", "column 2: `0`, a spot without curves, is a boundary of its own"),
        ("", "column 1: nothing there; `0*4` has four spots"),
        ("  ", "column 1: nothing there; `0*4` has four spots"),
        ("0?", "column 2: `?` is none of 0 to 3, letters"),
        ("0.é", "column 3: `\\u{e9}` is none of 0 to 3, letters"),
        ("1é?", "column 2: `\\u{e9}` is none of"),
        ("0*1000", "column 2: too large: at most 126 isolated spots"),
        ("0*127", "column 2: too large: at most 126 isolated spots"),
        ("0*126.1", "column 7: too large: at most 126 isolated spots"),
        ("0*100|1*40", "column 8: too large: at most 126 isolated spots"),
        ("0*125.1ab1ab", "column 8: too large: at most 126 isolated spots"),
        (&many, "column 4097: 5000 bytes; at most 4096 are read"),
        (&long, "column 3: `a` stands here a third time"),
        ("0*", "column 2: `*` needs a number from 1"),
        ("0*.0", "column 2: `*` needs a number from 1"),
        ("0*0", "column 2: `*` needs a number from 1"),
        ("0*99999999999999999999", "column 2: `*` needs a number from 1"),
        ("0*03", "column 2: `*` needs a number from 1"),
        ("0 .0", "column 2: white space; a position has none"),
        ("0*3 0", "column 4: a boundary ends after a repeat"),
        ("2*3a1a", "column 4: a boundary ends after a repeat"),
        ("3*4096.3", "column 8: more than 4096 spots"),
        ("12*3", "column 3: `*` follows a single digit"),
        ("*3", "column 1: `*` follows a single digit"),
        ("0*3!0", "column 5: nothing follows `!`"),
        ("!!", "column 2: nothing follows `!`"),
        ("misere 0*2.4", "column 5: a spot has three lives"),
        ("misery", "column 1: `m` stands only once"),
    ];
    for (position, message) in cases {
        for verb in ["show", "solve", "nimber"] {
            one_line(&[verb, "sprouts", position], 2, message);
        }
    }
}

/// A certificate is not overwritten by a store of nimbers.
#[test]
fn certificates_are_no_stores() {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("6.nim");
    let file = path.to_str().expect("UTF-8");
    papamu(&["solve", "sprouts", "0*6", "--cert", file]).assert().success();
    let before = std::fs::read(&path).expect("a certificate");
    refused(&["solve", "sprouts", "0*7", "--nimbers", file], 2, "is a certificate");
    assert_eq!(std::fs::read(&path).expect("a certificate"), before);
}

/// Misere play has no nimbers, and the answer names none.
#[test]
fn misere_answers_name_no_nimbers() {
    let answer = json(&["solve", "sprouts", "misere 0*3"]);
    assert_eq!(answer["value"], "loss");
    assert!(answer.get("nimber").is_none() && answer.get("nimbers_known").is_none(), "{answer}");
}

/// A store from elsewhere need not be a proof; then there is no certificate.
#[test]
fn stores_need_not_be_proofs() {
    use sha2::{Digest, Sha256};

    let (_keep, name) = place();
    let store = name("store");
    let lines = "papamu nimbers 1\ngame sprouts\nrules normal\nclaim none\nlemmas 1\n0 0*6\n";
    let hash: String = Sha256::digest(lines).iter().map(|byte| format!("{byte:02x}")).collect();
    std::fs::write(&store, format!("{lines}sha256 {hash}\n")).expect("written");
    let new = name("new");
    refused(&["solve", "sprouts", "0*6", "--nimbers", &store, "--cert", &new], 1, "do not prove");
    assert!(!Path::new(&new).exists());
}
