//! Looks for an input that breaks a property.

use std::cell::RefCell;
use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use clap::{Arg, ArgMatches, Command, value_parser};
use papamu_fuzz::inputs::Inputs;
use papamu_fuzz::{PROPERTIES, Property, property};

thread_local! {
    /// The property and the input that are being tried.
    static TRIED: RefCell<(&'static str, Vec<u8>)> = const { RefCell::new(("", Vec::new())) };
}

fn main() -> ExitCode {
    let matches = command().get_matches();
    let name = matches.get_one::<String>("property").map_or("", String::as_str);
    let Some(property) = property(name) else {
        let names: Vec<&str> = PROPERTIES.iter().map(|property| property.name).collect();
        eprintln!("error: `{name}` is no property; they are {}", names.join(", "));
        return ExitCode::from(2);
    };
    match run(property, &matches) {
        Ok(inputs) => println!("{name}: {inputs} inputs, all well"),
        Err(error) => {
            eprintln!("error: {error}");
            return ExitCode::from(2);
        }
    }
    ExitCode::SUCCESS
}

fn command() -> Command {
    Command::new("papamu-fuzz")
        .about("Looks for an input that breaks a property, and keeps it in a file")
        .arg(Arg::new("property").required(true).help("The name of the property"))
        .arg(
            Arg::new("file")
                .num_args(0..)
                .value_parser(value_parser!(PathBuf))
                .help("Inputs to try, in place of new ones"),
        )
        .arg(
            Arg::new("seconds")
                .long("seconds")
                .default_value("60")
                .value_parser(value_parser!(u64))
                .help("How long to look"),
        )
        .arg(
            Arg::new("seed")
                .long("seed")
                .default_value("1")
                .value_parser(value_parser!(u64))
                .help("The inputs are the same for the same seed"),
        )
}

/// Tries inputs and returns their number. A broken property ends the program.
fn run(property: &'static Property, matches: &ArgMatches) -> std::io::Result<u64> {
    keep_what_breaks();
    let mut count = 0;
    let mut attempt = |input: Vec<u8>| {
        TRIED.set((property.name, input.clone()));
        (property.check)(&input);
        count += 1;
    };
    if let Some(files) = matches.get_many::<PathBuf>("file") {
        for file in files {
            attempt(fs::read(file)?);
        }
        return Ok(count);
    }
    let number = |name| matches.get_one::<u64>(name).copied().unwrap_or_default();
    let (start, seconds) = (Instant::now(), Duration::from_secs(number("seconds")));
    for input in Inputs::new(property, number("seed")) {
        if start.elapsed() >= seconds {
            break;
        }
        attempt(input);
    }
    Ok(count)
}

/// Writes the input that is being tried to a file when the program panics. A hook does so even
/// where panics abort.
fn keep_what_breaks() {
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        usual(panic);
        TRIED.with_borrow(|(name, input)| {
            let hash = blake3::hash(input).to_hex();
            let file = format!("{name}-{}", &hash[..12]);
            match fs::write(&file, input) {
                Ok(()) => eprintln!("the input is in `{file}`"),
                Err(error) => eprintln!("cannot write `{file}`: {error}; the input is {input:?}"),
            }
        });
    }));
}
