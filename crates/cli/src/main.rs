//! The `papamu` program.

use std::process::ExitCode;

fn main() -> ExitCode {
    papamu_cli::run(papamu::Registry::standard())
}
