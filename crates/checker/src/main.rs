//! `papamu-check FILE`: accepts or rejects a certificate.
#![forbid(unsafe_code)]

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Read, Write};
use std::process::ExitCode;

use papamu_checker::check::{Checked, check};
use papamu_checker::reader::{Header, Problem};
use papamu_checker::{lemmas, nimbers};

/// How files of nimbers begin.
const NIMBERS: &[u8] = b"papamu nimbers ";

const HELP: &str = "Check a certificate of a solved game

Usage: papamu-check FILE [--memory MEBIBYTES]

It says what the certificate claims, how much of it was checked, and ACCEPTED or REJECTED with the
reason. A certificate is a strategy (docs/certificate-format.md) or a file of nimbers
(docs/nimber-format.md). Of a strategy, positions that do not fit into memory (1024 MiB unless told)
wait in temporary files; it is read twice, so it cannot be a pipe. If it asks for a database, that
takes up to another 1024 MiB and some minutes. Of nimbers, what can be found out again is forgotten
when it does not fit; the nimbers themselves have to.

Exit codes: 0 accepted, 1 rejected, 2 bad arguments, 3 the file cannot be read or the verdict not be
written.";

fn main() -> ExitCode {
    let arguments: Vec<OsString> = std::env::args_os().skip(1).collect();
    let (file, mebibytes) = match &arguments[..] {
        [help] if help == "-h" || help == "--help" => return said(say(HELP), ExitCode::SUCCESS),
        [file] if !is_option(file) => (Some(file), Some(1024)),
        [file, option, size] if option == "--memory" => (Some(file), number(size)),
        [option, size, file] if option == "--memory" => (Some(file), number(size)),
        _ => (None, None),
    };
    let (Some(path), Some(mebibytes)) = (file, mebibytes) else {
        complain("it takes a FILE, and perhaps --memory MEBIBYTES; see papamu-check --help");
        return ExitCode::from(2);
    };
    let mut printed = Ok(());
    let memory_bytes = mebibytes.saturating_mul(1 << 20);
    let checked = File::open(path)
        .map_err(Problem::Io)
        .and_then(|file| verdict(file, memory_bytes, |text| printed = say(&text)));
    match checked {
        Ok(verdict) => {
            said(printed.and_then(|()| say(&format!("{verdict}\nACCEPTED"))), ExitCode::SUCCESS)
        }
        Err(problem @ (Problem::Io(_) | Problem::Temporary(_))) => {
            complain(&format!("{}: {problem}", path.display()));
            ExitCode::from(3)
        }
        Err(problem) => {
            said(printed.and_then(|()| say(&format!("REJECTED   {problem}"))), ExitCode::FAILURE)
        }
    }
}

/// Checks a file. Its first bytes tell what kind it is. `claim` receives the header before the work
/// begins.
fn verdict(file: File, memory_bytes: usize, claim: impl FnOnce(String)) -> Result<String, Problem> {
    let mut start = Vec::new();
    (&file).take(NIMBERS.len() as u64).read_to_end(&mut start)?;
    if start == NIMBERS {
        let claim = |nimbers::Header { claim: claimed, lemmas }: &nimbers::Header| {
            claim(format!("claim      {claimed}\nlemmas     {lemmas}"));
        };
        // The bytes that were read already come first, so that this may be a pipe.
        let checked = lemmas::check(start.as_slice().chain(file), memory_bytes, claim)?;
        let lemmas::Checked { lemmas, expanded, .. } = checked;
        return Ok(format!("checked    {lemmas}\nexpanded   {expanded}"));
    }
    let claim = |header: &Header| {
        let Header { game, root, owner, holds, budget, records, .. } = header;
        let verb = if *holds { "holds" } else { "wins" };
        claim(format!(
            "claim      {owner} {verb} {game} {root}\n\
             records    {records}, {budget} positions to prove what is left out"
        ));
    };
    let Checked { records, searched, looked_up, database } = check(file, memory_bytes, claim)?;
    let looked_up = match database {
        0 => String::new(),
        _ => format!("\nlooked up  {looked_up} in a database of {database} positions"),
    };
    Ok(format!("checked    {records}\nsearched   {searched}{looked_up}"))
}

/// An argument that begins with a hyphen is not a file; `./-` names one that does.
fn is_option(argument: &OsString) -> bool {
    argument.as_encoded_bytes().starts_with(b"-")
}

/// At least one mebibyte.
fn number(text: &OsString) -> Option<usize> {
    text.to_str()?.parse().ok().filter(|&number| number > 0)
}

fn say(text: &str) -> io::Result<()> {
    let mut stdout = io::stdout();
    writeln!(stdout, "{text}").and_then(|()| stdout.flush())
}

/// The exit code of a verdict, if it could be written.
fn said(written: io::Result<()>, code: ExitCode) -> ExitCode {
    match written {
        Ok(()) => code,
        Err(error) => {
            complain(&format!("cannot write the verdict: {error}"));
            ExitCode::from(3)
        }
    }
}

fn complain(text: &str) {
    // If even this cannot be written, only the exit code is left.
    let _ = writeln!(io::stderr(), "papamu-check: {text}");
}
