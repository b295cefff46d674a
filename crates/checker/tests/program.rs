//! The program `papamu-check`.

use assert_cmd::Command;

fn run(arguments: &[&str]) -> (Option<i32>, String, String) {
    let mut command = Command::cargo_bin("papamu-check").expect("the program");
    let output = command.args(arguments).output().expect("ran");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("text");
    (output.status.code(), text(output.stdout), text(output.stderr))
}

/// A certificate by hand: White wins 1x2, because Black's removal leaves White a stone to remove and
/// then Black cannot move.
fn by_hand() -> Vec<u8> {
    use sha2::{Digest, Sha256};
    let mut bytes = b"papamu certificate 1\ngame konane\nroot xo b\nclaim white wins\nbudget 0\nrecords 1\nend\n".to_vec();
    // One record: the white stone on square 1 is number 2; its only move is number 0.
    let block = [1, 0, 0, 0, 2, 0, 0, 0, 2, 0];
    bytes.extend(block);
    bytes.extend(Sha256::digest(block));
    bytes.extend([0; 4]);
    let hash = Sha256::digest(&bytes);
    bytes.extend(hash);
    bytes
}

#[test]
fn verdicts_and_exit_codes() {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("1x2.cert");
    let file = path.to_str().expect("UTF-8");
    std::fs::write(&path, by_hand()).expect("written");
    let (code, out, _) = run(&[file]);
    assert_eq!(code, Some(0), "{out}");
    assert!(out.contains("white wins konane xo b") && out.ends_with("ACCEPTED\n"), "{out}");
    assert_eq!(run(&[file, "--memory", "1"]).0, Some(0));
    assert_eq!(run(&["--memory", "1", file]).0, Some(0));

    let mut wrong = by_hand();
    wrong.truncate(100);
    std::fs::write(&path, wrong).expect("written");
    let (code, out, _) = run(&[file]);
    assert_eq!(code, Some(1));
    assert!(out.contains("REJECTED   the file is cut off"), "{out}");

    assert_eq!(run(&[]).0, Some(2));
    assert_eq!(run(&[file, "--memory", "much"]).0, Some(2));
    assert_eq!(run(&["a", "b", "c", "d"]).0, Some(2));
    let (code, out, _) = run(&["--help"]);
    assert_eq!(code, Some(0));
    assert!(out.contains("Usage"));
    let (code, _, problem) = run(&[directory.path().join("none").to_str().expect("UTF-8")]);
    assert_eq!(code, Some(3));
    assert!(problem.contains("cannot read"), "{problem}");
}
