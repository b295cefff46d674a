//! `papamu completions`: what shells need to complete our arguments.

use clap::{Args, CommandFactory};
use clap_complete::Shell;
use serde_json::json;

use crate::failure::Failure;
use crate::output::Output;

/// Print a completion script for a shell
#[derive(Args)]
#[command(after_help = "Example:
  papamu completions bash > ~/.local/share/bash-completion/completions/papamu")]
pub(crate) struct Completions {
    /// The shell
    shell: Shell,
}

impl Completions {
    pub(crate) fn run(&self, output: &mut Output) -> Result<(), Failure> {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut crate::Cli::command(), "papamu", &mut script);
        let script = String::from_utf8_lossy(&script);
        output.json(&json!({ "shell": self.shell.to_string(), "script": script }))?;
        output.line(script.trim_end())
    }
}
