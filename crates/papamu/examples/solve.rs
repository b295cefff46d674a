//! Solves a position and prints the report as JSON.
//!
//! `cargo run --release -p papamu --example solve -- konane 6x6`

use papamu::{Registry, Silent, Solve, solve};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut words = std::env::args().skip(1);
    let request = Solve {
        game: Some(words.next().unwrap_or_else(|| "konane".to_owned())),
        position: Some(words.next().unwrap_or_else(|| "5x5".to_owned())),
        ..Solve::default()
    };
    let report = solve(&Registry::standard(), &request, &Silent)?;
    println!("{}", serde_json::to_string_pretty(&report)?);
    Ok(())
}
