//! `papamu-check FILE`: accepts or rejects a certificate.
#![forbid(unsafe_code)]

use std::path::Path;
use std::process::ExitCode;

use papamu_checker::check::check;
use papamu_checker::reader::{Problem, Reader};

const HELP: &str = "Check a certificate of a solved game

Usage: papamu-check FILE [--memory MEBIBYTES]

It says what the certificate claims, how many positions were checked, and ACCEPTED or REJECTED with the
reason. Positions that do not fit into memory (1024 MiB unless told) wait in temporary files.
Exit codes: 0 accepted, 1 rejected, 2 bad arguments, 3 the file cannot be read.";

fn main() -> ExitCode {
    let arguments: Vec<String> =
        std::env::args_os().skip(1).map(|argument| argument.to_string_lossy().into()).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let (file, mebibytes) = match arguments[..] {
        ["-h" | "--help"] => {
            println!("{HELP}");
            return ExitCode::SUCCESS;
        }
        [file] => (file, Some(1024)),
        [file, "--memory", size] | ["--memory", size, file] => (file, size.parse().ok()),
        _ => ("", None),
    };
    let Some(memory_bytes) = mebibytes.and_then(|size: usize| size.checked_mul(1 << 20)) else {
        eprintln!("papamu-check takes a FILE, and perhaps --memory MEBIBYTES; see --help");
        return ExitCode::from(2);
    };
    let path = Path::new(file);
    let claim = Reader::open(path).map(|reader| reader.header().clone());
    if let Ok(header) = &claim {
        println!("claim      {} wins {} {}", header.winner, header.game, header.root);
        println!("records    {}", header.records);
        if header.budget > 0 {
            println!("budget     {} positions to prove what is left out", header.budget);
        }
    }
    match claim.and_then(|_| check(path, memory_bytes)) {
        Ok(checked) => {
            println!("checked    {} positions", checked.records);
            if checked.searched > 0 {
                println!("searched   {} positions that are left out", checked.searched);
            }
            println!("ACCEPTED");
            ExitCode::SUCCESS
        }
        Err(Problem::Io(error)) => {
            eprintln!("papamu-check: cannot read `{file}`: {error}");
            ExitCode::from(3)
        }
        Err(problem) => {
            println!("REJECTED   {problem}");
            ExitCode::FAILURE
        }
    }
}
