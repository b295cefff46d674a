//! How fast retrograde analysis is: `retrograde dodgem 5x5 [STONES] [passes] [distances]`.

use std::time::Instant;

use papamu_base::Progress;
use papamu_game::tiny::{Dodgem, MuTorere, TicTacToe};
use papamu_game::{Game, Indexed};
use papamu_games::Fanorona;
use papamu_tables::indexed::{TableBuild, TableOptions};

fn measure<G: Indexed>(
    board: &str,
    options: TableOptions,
) -> Result<(), Box<dyn std::error::Error>> {
    let (game, _) = G::read(board)?;
    let build = TableBuild::new(&game, options)?;
    let started = Instant::now();
    let counts = build.run(None, &Progress::new())?.counts;
    let seconds = started.elapsed().as_secs_f64();
    println!(
        "{} {board}: {} entries, {} wins, {} draws, {} losses, {seconds:.2} s, {:.2} M positions/s",
        G::NAME,
        build.entries(),
        counts.wins,
        counts.draws,
        counts.losses,
        counts.positions() as f64 / seconds / 1e6
    );
    Ok(())
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let has = |word: &str| words.iter().any(|of| of == word);
    let number = words.iter().find_map(|word| word.parse().ok());
    let options =
        TableOptions { most_stones: number, by_passes: has("passes"), distances: has("distances") };
    let board = words.get(1).map_or("4x4", String::as_str);
    match words.first().map_or(Dodgem::NAME, String::as_str) {
        Dodgem::NAME => measure::<Dodgem>(board, options),
        MuTorere::NAME => measure::<MuTorere>(board, options),
        Fanorona::NAME => measure::<Fanorona>(board, options),
        TicTacToe::NAME => measure::<TicTacToe>(board, options),
        name => Err(format!("no index of {name} here").into()),
    }
}
