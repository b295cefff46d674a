//! The program `papamu-check`.

use assert_cmd::Command;

fn run(arguments: &[&str]) -> (Option<i32>, String, String) {
    let mut command = Command::cargo_bin("papamu-check").expect("the program");
    let output = command.args(arguments).output().expect("ran");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("text");
    (output.status.code(), text(output.stdout), text(output.stderr))
}

/// A certificate by hand: White wins 1x2, because Black's removal leaves White a stone to remove
/// and then Black cannot move.
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
    assert_eq!(run(&[file, "--memory", "0"]).0, Some(2));
    assert_eq!(run(&["a", "b", "c", "d"]).0, Some(2));
    let (code, out, _) = run(&["--help"]);
    assert_eq!(code, Some(0));
    assert!(out.contains("Usage"));
    let (code, _, problem) = run(&[directory.path().join("none").to_str().expect("UTF-8")]);
    assert_eq!(code, Some(3));
    assert!(problem.contains("cannot read"), "{problem}");
}

/// The Python checker and this one have the same exit codes.
#[test]
fn exit_codes_are_those_of_the_checker_in_python() {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tools/check_certificate.py");
    let in_python = |arguments: &[&str]| {
        let mut command = std::process::Command::new("python3");
        let output = command.arg(script).args(arguments).output().expect("python3 is there");
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("text");
        (output.status.code(), text(output.stdout), text(output.stderr))
    };
    let directory = tempfile::tempdir().expect("a directory");
    let name = |name: &str| directory.path().join(name).to_str().expect("UTF-8").to_owned();
    let (good, bad, none) = (name("good"), name("bad"), name("none"));
    std::fs::write(&good, by_hand()).expect("written");
    std::fs::write(&bad, &by_hand()[1..]).expect("written");
    let cases: [(&[&str], i32); 8] = [
        (&[&good], 0),
        (&[&bad], 1),
        (&[], 2),
        (&["--nonsense"], 2),
        (&["-"], 2),
        (&[&none], 3),
        (&[&name("")], 3),
        (&["--help"], 0),
    ];
    for (arguments, code) in cases {
        let (found, out, problem) = run(arguments);
        assert_eq!(found, Some(code), "{arguments:?}: {out}{problem}");
        let (found, out, problem) = in_python(arguments);
        assert_eq!(found, Some(code), "{arguments:?} in Python: {out}{problem}");
        // Verdicts go to stdout, and bad arguments are not a verdict.
        assert_eq!(out.is_empty(), code == 2, "{arguments:?} in Python: {out}");
        assert!(!problem.contains("Traceback"), "{problem}");
    }
    let (code, out, _) = in_python(&[&good, &bad, &good]);
    assert_eq!((code, out.lines().count()), (Some(1), 3), "{out}");
    assert_eq!(in_python(&[&bad, &none, &good]).0, Some(3));
    for help in [run(&["--help"]).1, in_python(&["--help"]).1] {
        for words in ["0 accepted, 1 rejected, 2 bad arguments, 3 ", "cannot be read"] {
            assert!(help.contains(words), "{help}");
        }
    }
}

/// A verdict that cannot be written is not a verdict.
#[cfg(target_os = "linux")]
#[test]
fn verdicts_that_cannot_be_written() {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("good");
    std::fs::write(&path, by_hand()).expect("written");
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tools/check_certificate.py");
    let mut python = std::process::Command::new("python3");
    let checker = assert_cmd::cargo::cargo_bin("papamu-check");
    for command in [python.arg(script), &mut std::process::Command::new(checker)] {
        let full = std::fs::File::create("/dev/full").expect("it is there");
        let output = command.arg(&path).stdout(full).output().expect("ran");
        let problem = String::from_utf8(output.stderr).expect("text");
        assert_eq!(output.status.code(), Some(3), "{problem}");
        assert!(problem.contains("cannot write the verdict"), "{problem}");
    }
}

/// A file that changes between the two readings proves nothing.
#[test]
fn changing_files_are_rejected() {
    use papamu_checker::check::check;
    use std::io::{Read, Seek, SeekFrom};

    struct Changing {
        readings: Vec<Vec<u8>>,
        at: usize,
    }
    impl Read for Changing {
        fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
            let read = (&self.readings[0][self.at..]).read(buffer)?;
            self.at += read;
            Ok(read)
        }
    }
    impl Seek for Changing {
        fn seek(&mut self, _: SeekFrom) -> std::io::Result<u64> {
            if self.at > 0 {
                self.readings.remove(0);
            }
            self.at = 0;
            Ok(0)
        }
    }
    let verdict = |readings: Vec<Vec<u8>>| {
        let checked = check(Changing { readings, at: 0 }, 1 << 20, |_| {});
        checked.map_err(|problem| problem.to_string())
    };
    assert!(verdict(vec![by_hand(), by_hand()]).is_ok());
    // The same strategy, first under a false claim and then unchanged.
    let good = by_hand();
    let end = good.windows(5).position(|bytes| bytes == b"\nend\n").expect("a header");
    let (header, body) = good.split_at(end);
    let other = header.iter().map(|byte| char::from(*byte)).collect::<String>();
    let other = other.replace("budget 0", "budget 1");
    let mut other = [other.as_bytes(), &body[..body.len() - 32]].concat();
    let hash = <sha2::Sha256 as sha2::Digest>::digest(&other);
    other.extend(hash);
    assert!(verdict(vec![other.clone(), other.clone()]).is_ok());
    let problem = verdict(vec![other, good]).expect_err("rejected");
    assert!(problem.contains("changed while it was checked"), "{problem}");
}

#[cfg(unix)]
#[test]
fn pipes_are_not_rejected_but_refused() {
    let mut command = Command::cargo_bin("papamu-check").expect("the program");
    let output = command.arg("/dev/stdin").write_stdin(by_hand()).output().expect("ran");
    assert_eq!(output.status.code(), Some(3), "{}", String::from_utf8_lossy(&output.stdout));
}
