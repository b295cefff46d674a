//! Files that are damaged, contradictory or false lead to an error, or to an answer that says what
//! it rests on; never to a silent wrong answer.

use std::path::Path;

use predicates::prelude::*;
use serde_json::Value;
use sha2::{Digest, Sha256};

mod common;
use common::{json, one_line, papamu, place, refused};

const HEADER_BYTES: usize = 4096;
const HASH_BYTES: usize = 32;

/// The layers of a table of 4x4: small, with one block each.
fn layers(table: &str) -> Vec<std::path::PathBuf> {
    let entries = std::fs::read_dir(table).expect("a table");
    let paths = entries.map(|entry| entry.expect("an entry").path());
    paths.filter(|path| path.extension().is_some_and(|kind| kind == "rows")).collect()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Inverts the values of a layer and makes all hashes valid (docs/table-format.md).
fn invert(table: &str, layer: &str) {
    let path = Path::new(table).join(layer);
    let mut bytes = std::fs::read(&path).expect("a layer");
    let data = HEADER_BYTES..bytes.len() - 2 * HASH_BYTES;
    bytes[data.clone()].iter_mut().for_each(|byte| *byte = !*byte);
    let block = *blake3::hash(&bytes[data.clone()]).as_bytes();
    let whole = *blake3::hash(&[&bytes[..HEADER_BYTES], &block].concat()).as_bytes();
    bytes.truncate(data.end);
    bytes.extend([block, whole].concat());
    std::fs::write(&path, bytes).expect("written");

    let list = Path::new(table).join("table.json");
    let text = std::fs::read_to_string(&list).expect("a list");
    let line = text.lines().next().expect("a line");
    let start = line.find(layer).expect("the layer") + layer.len() + r#"","hash":""#.len();
    let line = [&line[..start], &hex(&whole), &line[start + 2 * HASH_BYTES..]].concat();
    let hash = hex(blake3::hash(line.as_bytes()).as_bytes());
    std::fs::write(&list, format!("{line}\n{hash}\n")).expect("written");
}

#[test]
fn flipped_bits_of_tables_are_errors() {
    let (_keep, name) = place();
    let table = name("4x4");
    json(&["build", "konane", "4x4", "--out", &table]);
    for path in layers(&table) {
        let good = std::fs::read(&path).expect("a layer");
        for at in [HEADER_BYTES, (HEADER_BYTES + good.len() - 2 * HASH_BYTES) / 2] {
            let mut bad = good.clone();
            bad[at] ^= 1 << (at % 8);
            std::fs::write(&path, bad).expect("written");
            let layer = path.file_name().and_then(|name| name.to_str()).expect("UTF-8");
            for arguments in [
                &["solve", "konane", "4x4", "--tables", &table][..],
                &["solve", "konane", "4x4", "--tables", &table, "--cert", &name("cert")],
                &["probe", &table, "4x4"],
            ] {
                // A search may not need the block; then its answer is right.
                let output = papamu(arguments).output().expect("ran");
                let said = [output.stdout, output.stderr]
                    .map(|text| String::from_utf8_lossy(&text).into_owned());
                match output.status.code() {
                    Some(0) => assert!(said[0].contains("white wins"), "{arguments:?}: {said:?}"),
                    code => {
                        assert_eq!(code, Some(3), "{arguments:?}: {said:?}");
                        assert!(said[1].contains(layer) && said[1].contains("block 0"), "{said:?}");
                    }
                }
            }
        }
        std::fs::write(&path, good).expect("written");
    }
    // With all of them damaged, every answer needs one.
    for path in layers(&table) {
        let mut bytes = std::fs::read(&path).expect("a layer");
        bytes[HEADER_BYTES] ^= 1;
        std::fs::write(&path, bytes).expect("written");
    }
    one_line(&["solve", "konane", "4x4", "--tables", &table], 3, "block 0");
    one_line(&["probe", &table, "4x4"], 3, "block 0");
}

/// The hashes are right, the values are not.
#[test]
fn tables_that_contradict_themselves_prove_nothing() {
    let (_keep, name) = place();
    let (table, cert) = (name("4x4"), name("cert"));
    json(&["build", "konane", "4x4", "--out", &table]);
    let winner = |table: &str| json(&["solve", "konane", "4x4", "--tables", table]);
    assert_eq!(winner(&table)["winner"], "white");
    // After both removals there are seven stones of a colour.
    invert(&table, "black-07.rows");
    refused(&["verify", &table], 1, "");
    let fooled = winner(&table);
    assert_eq!(
        (&fooled["winner"], &fooled["rests_on"][0]),
        (&"black".into(), &table.as_str().into())
    );
    let mut command = papamu(&["solve", "konane", "4x4", "--tables", &table, "--cert", &cert]);
    let assert = command.timeout(std::time::Duration::from_secs(120)).assert().code(1);
    // A position that is said to be won but has no winning move.
    let position = predicate::str::is_match(r"`[xo.]{4}(/[xo.]{4}){3} [bw]`").expect("a pattern");
    assert.stderr(position);
    assert!(!Path::new(&cert).exists());
}

/// 0*6 has nimber 0, and 0*4 has nimber 1.
#[test]
fn false_nimbers_are_found_out_or_named() {
    let (_keep, name) = place();
    let store = name("store");
    for lemma in ["1 0*6", "3 0*6", "0 0*4"] {
        let lines = format!(
            "papamu nimbers 1\ngame sprouts\nrules normal\nclaim none\nlemmas 1\n{lemma}\n"
        );
        let bytes = format!("{lines}sha256 {}\n", hex(&Sha256::digest(&lines)));
        for arguments in [
            &["solve", "sprouts", "0*6"][..],
            &["nimber", "sprouts", "0*6"],
            &["nimber", "sprouts", "0*4"],
            &["solve", "sprouts", "0*7"],
        ] {
            std::fs::write(&store, &bytes).expect("written");
            let all = [arguments, &["--nimbers", &store, "--json"]].concat();
            let output = papamu(&all).output().expect("ran");
            let said = String::from_utf8_lossy(&output.stderr).into_owned();
            match output.status.code() {
                Some(0) => {
                    let answer: Value = serde_json::from_slice(&output.stdout).expect("JSON");
                    let alone = json(arguments);
                    let is_right =
                        ["winner", "nimber"].iter().all(|&field| answer[field] == alone[field]);
                    let rests = answer["rests_on"] == serde_json::json!([store]);
                    assert!(is_right || rests, "{lemma}, {arguments:?}: {answer}");
                }
                code => assert_eq!(code, Some(1), "{lemma}, {arguments:?}: {said}"),
            }
            // If a certificate is wanted, nothing false gets into it.
            std::fs::write(&store, &bytes).expect("written");
            let cert = name("cert");
            let output = papamu(&[&all[..], &["--cert", &cert]].concat()).output().expect("ran");
            if output.status.success() {
                let file = std::fs::File::open(&cert).expect("a certificate");
                papamu_checker::lemmas::check(file, 1 << 24, |_| {}).expect("accepted");
                std::fs::remove_file(&cert).expect("removed");
            } else {
                assert!(output.status.code() == Some(1) && !Path::new(&cert).exists());
            }
        }
    }
}

#[test]
fn tables_of_invariants_have_finite_numbers_and_one_column_of_a_name() {
    let (_keep, name) = place();
    let table = name("table.csv");
    for (text, message) in [
        ("name,a,b\nx,inf,2\n", "line 2: `inf` in column `a`"),
        ("name,a,b\nx,1,-inf\n", "line 2: `-inf` in column `b`"),
        ("name,a,b\nx,1,1e999\n", "line 2: `1e999` in column `b`"),
        ("name,a,b\nx,nan,2\n", "line 2: `nan` in column `a`"),
        ("name,a,a\nx,1,2\n", "line 1: there are two columns `a`"),
    ] {
        std::fs::write(&table, text).expect("written");
        one_line(&["conjecture", "--from", &table, "--target", "a"], 2, message);
    }
}

/// Temporary files of a killed program are removed when its file is written again.
#[test]
fn stale_temporary_files_are_removed() {
    let (_keep, name) = place();
    let (stale, other) = (name(".answer.x1y2.papamu-tmp"), name(".others.x1y2.papamu-tmp"));
    for file in [&stale, &other] {
        std::fs::write(file, "half an answer").expect("written");
    }
    json(&["show", "konane", "4x4", "--svg", &name("answer")]);
    assert!(!Path::new(&stale).exists() && Path::new(&other).exists());
    assert!(Path::new(&name("answer")).exists());
}
