//! Counts the sequences of moves of tic-tac-toe from a position on.
//!
//! `cargo run --release -p papamu-game --example perft -- "x../.o./..x o"`

use papamu_base::Progress;
use papamu_game::Game;
use papamu_game::perft::perft;
use papamu_game::tiny::TicTacToe;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let text = std::env::args().nth(1).unwrap_or_else(|| "start".to_owned());
    let (game, position) = TicTacToe::read(&text)?;
    let counts = perft(&game, &position, 9, 1, &Progress::new())?;
    for (depth, count) in (1..).zip(counts) {
        println!("{depth} {count}");
    }
    Ok(())
}
