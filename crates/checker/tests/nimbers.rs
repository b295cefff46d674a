//! Nimber files: the checker accepts a file exactly if it is right.

mod brute;

use std::collections::BTreeMap;

use assert_cmd::Command;
use brute::{Nimbers, options};
use papamu_checker::lemmas::check;
use proptest::prelude::*;
use sha2::{Digest, Sha256};

type Lemmas = BTreeMap<String, u8>;

/// A file with these lines and their hash.
fn hashed(lines: &str) -> Vec<u8> {
    let hash: String = Sha256::digest(lines).iter().map(|byte| format!("{byte:02x}")).collect();
    format!("{lines}sha256 {hash}\n").into_bytes()
}

fn lines(claim: &str, lemmas: &Lemmas) -> String {
    let count = lemmas.len();
    let mut lines =
        format!("papamu nimbers 1\ngame sprouts\nrules normal\nclaim {claim}\nlemmas {count}\n");
    for (land, nimber) in lemmas {
        lines.push_str(&format!("{nimber} {land}\n"));
    }
    lines
}

fn verdict_of(bytes: &[u8]) -> Result<u64, String> {
    check(bytes, 1 << 20, |_| {})
        .map(|checked| checked.lemmas)
        .map_err(|problem| problem.to_string())
}

fn verdict(claim: &str, lemmas: &Lemmas) -> Result<u64, String> {
    verdict_of(&hashed(&lines(claim, lemmas)))
}

fn problem(claim: &str, lemmas: &Lemmas) -> String {
    verdict(claim, lemmas).expect_err("rejected")
}

/// The nimbers of a start and of everything after it.
fn complete(start: &str) -> Nimbers {
    let mut nimbers = Nimbers::default();
    nimbers.of(&vec![start.to_owned()]);
    nimbers
}

/// Lemmas that prove the nimber of a land, none of which can be left out.
fn sparse(start: &str) -> Lemmas {
    let mut nimbers = complete(start);
    let mut lemmas = Lemmas::new();
    let mut waiting = vec![start.to_owned()];
    while let Some(land) = waiting.pop() {
        let nimber = nimbers.0[&land];
        if lemmas.insert(land.clone(), nimber).is_some() {
            continue;
        }
        let options = options(&land);
        for lesser in 0..nimber {
            let option = options.iter().find(|option| nimbers.of(option) == lesser);
            waiting.extend(option.expect("an option").clone());
        }
        for mut option in options {
            // All but the longest land, and an option of that one or that one itself.
            option.sort_by_key(String::len);
            let Some(longest) = option.pop() else { continue };
            let needed = nimber ^ nimbers.of(&option);
            waiting.extend(option);
            let answers = brute::options(&longest);
            let answer = answers.into_iter().find(|answer| nimbers.of(answer) == needed);
            waiting.extend(answer.unwrap_or_else(|| vec![longest]));
        }
    }
    let claim = format!("nimber {} {start}", lemmas[start]);
    loop {
        let before = lemmas.len();
        for land in lemmas.keys().cloned().collect::<Vec<_>>() {
            let nimber = lemmas.remove(&land).expect("a lemma");
            if verdict(&claim, &lemmas).is_err() {
                lemmas.insert(land, nimber);
            }
        }
        // A lemma may have been there only for one that was removed.
        if lemmas.len() == before {
            break;
        }
    }
    lemmas
}

#[test]
fn complete_tables() {
    let nimbers = complete("0*4").0;
    let count = nimbers.len() as u64;
    for claim in [
        "none",
        "win 0*4",
        "nimber 1 0*4",
        "loss 0*4+0*3",
        "loss !",
        "loss 0*2",
        "win 0*3",
        "loss 0*5+0*5",
    ] {
        assert_eq!(verdict(claim, &nimbers), Ok(count), "{claim}");
    }
    for (claim, problem) in [
        ("loss 0*4", "line 4: the claim is not shown: 0*4 is 1 and not 0"),
        ("win 0*2", "line 4: the claim is not shown: 0*2 is 0"),
        ("win !", "line 4: the claim is not shown: ! is 0"),
        ("nimber 2 0*4", "line 4: the claim is not shown: 0*4 is 1 and not 2"),
        ("nimber 1 0*5", "line 4: the claim is not shown: 0*5 is not known to be 1"),
        ("win 0*5+0*5", "line 4: the claim is not shown: ! is 0"),
        ("loss 0*5+0*6", "line 4: the claim is not shown: 0*5+0*6 is not known to be 0"),
        (
            "win 0*5+0*6",
            "line 4: the claim is not shown: 0*5+0*6 may be 0, because 2 lands of it are not known",
        ),
        (
            "win 0*7",
            "line 4: the claim is not shown: 0*7 may be 0, no option of which is known to be 0",
        ),
        ("win 0.A", "line 4: `A` at 3 does not stand twice in its land"),
    ] {
        assert_eq!(verdict(claim, &nimbers), Err(problem.to_owned()), "{claim}");
    }
}

/// The example of the documentation is accepted.
#[test]
fn documented_file() {
    let document = include_str!("../../../docs/nimber-format.md");
    let lines = document.lines().skip_while(|line| *line != "    papamu nimbers 1");
    let lines = lines.map_while(|line| line.strip_prefix("    "));
    let file: String = lines.map(|line| format!("{line}\n")).collect();
    assert_eq!(verdict_of(file.as_bytes()), Ok(3));
}

/// A win needs only a good move.
#[test]
fn wins() {
    let lemmas = sparse("0*2");
    // From AB to AB, which leaves 0*2.
    assert_eq!(verdict("win 0*2.AB|AB", &lemmas), Ok(lemmas.len() as u64));
    let problem =
        "line 4: the claim is not shown: 0*3 may be 0, no option of which is known to be 0";
    assert_eq!(verdict("win 0*3", &lemmas), Err(problem.to_owned()));
}

#[test]
fn changed_nimbers() {
    let good = complete("0*3").0;
    for (land, &nimber) in &good {
        for wrong in [nimber + 1, nimber ^ 1, 255] {
            let mut lemmas = good.clone();
            lemmas.insert(land.clone(), wrong);
            problem("none", &lemmas);
        }
    }
    let mut lemmas = good.clone();
    lemmas.insert("0*3".to_owned(), 0);
    let found = problem("none", &lemmas);
    assert!(found.ends_with(": 0*3 is not shown to be 0: 0.1a1a is 0"), "{found}");
    lemmas.insert("0*3".to_owned(), 3);
    let found = problem("none", &lemmas);
    assert!(found.ends_with(": 0*3 is not shown to be 3: no option is known to be 1"), "{found}");
}

#[test]
fn sparse_tables() {
    for start in ["0*1", "0*2", "0*3", "0*4"] {
        let lemmas = sparse(start);
        let claim = if lemmas[start] == 0 { "loss" } else { "win" };
        let other = if lemmas[start] == 0 { "win" } else { "loss" };
        assert_eq!(verdict(&format!("{claim} {start}"), &lemmas), Ok(lemmas.len() as u64));
        problem(&format!("{other} {start}"), &lemmas);
        println!("{start}: {} lemmas of {}", lemmas.len(), complete(start).0.len());
        for (land, &nimber) in &lemmas {
            let mut fewer = lemmas.clone();
            fewer.remove(land);
            problem(&format!("nimber {} {start}", lemmas[start]), &fewer);
            let mut wrong = lemmas.clone();
            wrong.insert(land.clone(), nimber ^ 1);
            problem("none", &wrong);
        }
    }
}

#[test]
fn damaged_files() {
    let lemmas = sparse("0*3");
    let text = lines("win 0*3", &lemmas);
    let good = hashed(&text);
    assert!(verdict_of(&good).is_ok());
    for length in 0..good.len() {
        assert!(verdict_of(&good[..length]).is_err(), "{length} bytes");
    }
    for place in 0..good.len() {
        for bit in [1, 4, 128] {
            let mut bad = good.clone();
            bad[place] ^= bit;
            assert!(verdict_of(&bad).is_err(), "byte {place}");
        }
    }
    let mut longer = good.clone();
    longer.push(b'\n');
    let last = text.lines().count() + 1;
    let after = format!("line {last}: the file goes on after its end");
    assert_eq!(verdict_of(&longer), Err(after));

    let other = |from: &str, to: &str| {
        assert!(text.contains(from), "{from}");
        verdict_of(&hashed(&text.replacen(from, to, 1))).expect_err("rejected")
    };
    let cases = [
        ("nimbers 1", "nimbers 2", "line 1: version 2 is not known, only 1"),
        ("papamu", "papaya", "line 1: `papamu nimbers ...` should be here"),
        ("sprouts", "kayles", "line 2: the game `kayles` has no nimbers here"),
        ("normal", "misere", "line 3: the rules `misere` are not known, only `normal`"),
        ("win 0*3", "draw 0*3", "line 4: `draw 0*3` is not a claim"),
        ("win 0*3", "nimber 256 0*3", "line 4: `nimber 256 0*3` is not a claim"),
        ("win 0*3", "win", "line 4: `win` is not a claim"),
        ("lemmas ", "lemmas 0", "line 5: "),
        ("lemmas ", "lemmas 1", "line "),
        ("1 0*3\n", "256 0*3\n", ": it is not a nimber up to 255 and a land"),
        ("1 0*3\n", "01 0*3\n", ": it is not a nimber up to 255 and a land"),
        ("1 0*3\n", "1 0*3|0\n", ": `0*3|0` is more than one land"),
        ("1 0*3\n", "1 0*3+0+0\n", ": `0*3+0+0` is more than one land"),
        ("1 0*3\n", "1 0*3 \n", ": white space at 4: a position has none"),
        ("1 0*3\n", "1 2|2\n", ": `2|2` is no land: nobody can move"),
        ("1 0*3\n", "1 0*3\n1 0*3\n", ": the land of the line before it again"),
        ("1 0*3\n", "1 0*3\n1 0*2\n", ": it is not in ascending order"),
        ("1 0*3\n", "1 0*3\n0 0.0.0\n", ": `0.0.0` had another nimber before"),
        ("1 0*3\n", "1 0*3\t\n", ": it is not plain text"),
    ];
    for (from, to, problem) in cases {
        let found = other(from, to);
        assert!(found.contains(problem), "{to}: {found}");
    }
    let long = format!("1 {}\n", "0.".repeat(2049));
    let longer = format!("1 {}\n", "0.".repeat(4000));
    assert!(other("1 0*3\n", &long).contains("the position is longer than 4096 bytes"));
    assert!(other("1 0*3\n", &longer).contains("it is too long"));
}

/// Lands with too many moves are not expanded.
#[test]
fn lands_with_too_many_moves() {
    let boundaries: Vec<String> = (1..16).map(|length| "1".repeat(length)).collect();
    let found = problem("none", &Lemmas::from([(boundaries.join("."), 0)]));
    assert!(found.ends_with(" may have more than 10000000 moves"), "{found}");
}

/// The n-th letter.
fn letter(n: usize) -> String {
    let letter = char::from(b'A' + (n % 26) as u8);
    format!("{letter}{}", "'".repeat(n / 26))
}

/// Small files that would take minutes or more: steps are counted, not time.
#[test]
fn too_much_work_is_rejected() {
    let letters: Vec<String> = (0..252).map(letter).collect();
    let twice = |region: String| format!("{region}|{region}");
    let pairs: Vec<String> = letters.chunks(2).map(|pair| pair.concat()).collect();
    let sentence = |most: u64| format!("the check takes more than {most} steps, too many for such");
    for land in [
        // Thousands of moves, each to a position with hundreds of spots.
        "2".repeat(378),
        // Hundreds of letters that look alike and cannot be told apart.
        twice(letters.concat()),
        format!("{}|{}", pairs.join("."), pairs.join("|")),
    ] {
        let found = problem(&format!("win {land}"), &Lemmas::new());
        let shown = found.starts_with("line 4: the claim is not shown: ");
        assert!(shown && found.contains(&sentence(250_000_000)), "{found}");
    }
    // A header that claims many lemmas does not raise the limit.
    let lemmas = Lemmas::from([(twice(letters.join(".")), 0)]);
    let text = lines("none", &lemmas).replace("lemmas 1\n", "lemmas 99999\n");
    let found = verdict_of(&hashed(&text)).expect_err("rejected");
    assert!(found.starts_with("line 6: ") && found.contains(&sentence(250_004_000)), "{found}");
}

/// Right files take a small share of the steps that they may take.
#[test]
fn right_files_take_few_steps() {
    for start in ["0*2", "0*3", "0*4"] {
        let bytes = hashed(&lines("none", &complete(start).0));
        let checked = check(&bytes[..], 1 << 20, |_| {}).expect("accepted");
        let most = 250_000_000 + 4000 * checked.lemmas.pow(2);
        assert!(checked.steps < most / 20, "{start}: {checked:?}");
    }
}

/// Results forgotten for lack of memory are computed again.
#[test]
fn little_memory() {
    let lemmas = sparse("0*4");
    let bytes = hashed(&lines("win 0*4", &lemmas));
    let much = check(&bytes[..], 1 << 20, |_| {}).expect("accepted");
    let little = check(&bytes[..], 0, |_| {}).expect("accepted");
    assert_eq!(much.lemmas, little.lemmas);
    assert!(much.expanded < little.expanded);
    assert_eq!(much.steps, little.steps);
}

/// Two spellings of a land are not a contradiction.
#[test]
fn other_writings() {
    let lemmas = sparse("0*3");
    let text = lines("win 0..0.0|", &lemmas).replace("1 0*3\n", "1 0*3.\n1 0.0.0\n");
    let count = lemmas.len();
    let text = text.replace(&format!("lemmas {count}\n"), &format!("lemmas {}\n", count + 1));
    assert_eq!(verdict_of(&hashed(&text)), Ok(count as u64 + 1));
}

#[test]
fn the_program() {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("sprouts.nim");
    let run = |bytes: &[u8]| {
        std::fs::write(&path, bytes).expect("written");
        let mut command = Command::cargo_bin("papamu-check").expect("the program");
        let output = command.arg(&path).output().expect("ran");
        (output.status.code(), String::from_utf8(output.stdout).expect("text"))
    };
    let lemmas = sparse("0*2");
    let count = lemmas.len();
    let (code, out) = run(&hashed(&lines("loss 0*2", &lemmas)));
    let expected = format!("claim      loss sprouts 0*2\nlemmas     {count}\nchecked    {count}\n");
    assert!(out.starts_with(&expected) && out.ends_with("\nACCEPTED\n"), "{out}");
    assert_eq!(code, Some(0));
    let (code, out) = run(&hashed(&lines("none", &lemmas)));
    assert!(out.starts_with("claim      none\nlemmas ") && out.ends_with("\nACCEPTED\n"), "{out}");
    assert_eq!(code, Some(0));
    let (code, out) = run(&hashed(&lines("win 0*2", &lemmas)));
    assert!(out.ends_with("\nREJECTED   line 4: the claim is not shown: 0*2 is 0\n"), "{out}");
    assert_eq!(code, Some(1));
    let (code, out) = run(b"papamu nimbers 1\ngame sprouts\n");
    assert_eq!(out, "REJECTED   line 3: the file is cut off\n");
    assert_eq!(code, Some(1));
    let mut command = Command::cargo_bin("papamu-check").expect("the program");
    command.arg("/dev/stdin").write_stdin(hashed(&lines("loss 0*2", &lemmas)));
    #[cfg(unix)]
    command.assert().success();
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn any_bytes(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
        let _ = verdict_of(&bytes);
        let start = b"papamu nimbers 1\ngame sprouts\nrules normal\nclaim none\nlemmas 3\n";
        let _ = verdict_of(&[start, &bytes[..]].concat());
    }

    #[test]
    fn any_lemmas(
        claim in "(none|win|loss|nimber 1) ?[0-2a-bA-B.|+*]{0,8}",
        lemmas in proptest::collection::btree_map("[0-2a-bA-B.|+*]{1,10}", 0_u8..3, 0..4),
    ) {
        let _ = verdict(&claim, &lemmas);
    }
}
