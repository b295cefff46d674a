//! Results of B. Siefke, "Solving Konane Using Proof-Number Search and Extensions" (TU Berlin,
//! 2025), to be shown beside our own.

use papamu_game::Player;

/// The winner from the start position, on boards that the thesis solved (figure 4.3).
pub fn winner(rows: usize, cols: usize) -> Option<Player> {
    let black = [(1, 1), (1, 5), (5, 1), (5, 5), (5, 7), (7, 5), (7, 7)];
    match (rows, cols) {
        board if black.contains(&board) => Some(Player::First),
        (1..=7, 1..=7) => Some(Player::Second),
        _ => None,
    }
}

/// Seconds and millions of nodes that an algorithm took on 6x6 with one thread (table 4.2).
pub const ALGORITHMS_6X6: [(&str, f64, f64); 4] = [
    ("ab", 4432.66, 1546.77),
    ("pns", 70.96, 136.83),
    ("pn2", 99.03, 385.93),
    ("dfpn", 39.73, 46.36),
];

/// Algorithm, threads, seconds, speedup, efficiency and search overhead on 6x6 (table 4.3).
pub const SCALING_6X6: [(&str, usize, f64, f64, f64, f64); 10] = [
    ("pn2", 1, 99.77, 1.00, 1.00, 1.00),
    ("pn2", 2, 44.44, 2.25, 1.12, 1.35),
    ("pn2", 4, 21.34, 4.68, 1.17, 1.89),
    ("pn2", 8, 10.10, 9.88, 1.23, 2.47),
    ("pn2", 12, 6.83, 14.62, 1.22, 2.84),
    ("dfpn", 1, 52.24, 1.00, 1.00, 1.00),
    ("dfpn", 2, 33.86, 1.54, 0.77, 0.95),
    ("dfpn", 4, 23.49, 2.22, 0.56, 0.94),
    ("dfpn", 8, 19.81, 2.64, 0.33, 1.11),
    ("dfpn", 12, 15.15, 3.45, 0.29, 1.03),
];

/// Positions that are first reached at a ply, up to symmetry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StateSpace {
    /// Moves from the start.
    pub ply: u32,
    /// All of them.
    pub unique: u64,
    /// Those that Black wins.
    pub black_wins: u64,
    /// Those that White wins.
    pub white_wins: u64,
    /// Those without a move.
    pub terminals: u64,
}

/// The reachable positions of a board ply by ply (tables A.1 to A.7); empty for other boards.
pub fn state_space(rows: usize, cols: usize) -> Vec<StateSpace> {
    let text = include_str!("../../data/konane/state_space.csv");
    let lines = text.lines().filter(|line| !line.starts_with('#')).skip(1);
    let plies = lines.filter_map(|line| {
        let numbers: Vec<u64> = line.split(',').map(str::parse).collect::<Result<_, _>>().ok()?;
        let [of_rows, of_cols, ply, unique, black_wins, white_wins, terminals] = numbers[..] else {
            return None;
        };
        ((of_rows, of_cols) == (rows as u64, cols as u64)).then_some(StateSpace {
            ply: ply as u32,
            unique,
            black_wins,
            white_wins,
            terminals,
        })
    });
    plies.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The sums over the plies are the totals that the thesis prints in table 4.5.
    #[test]
    fn totals_of_table_4_5() {
        for (rows, cols, unique, black_wins, white_wins, terminals) in [
            (3, 3, 9, 2, 7, 3),
            (4, 3, 95, 52, 43, 25),
            (4, 4, 978, 457, 521, 104),
            (5, 4, 28_202, 12_987, 15_215, 2104),
            (5, 5, 270_692, 205_797, 64_895, 8458),
            (6, 5, 57_012_291, 26_179_451, 30_832_840, 651_033),
            (6, 6, 3_739_049_319, 1_766_388_662, 1_972_660_657, 11_635_291),
        ] {
            let plies = state_space(rows, cols);
            let sum = |number: fn(&StateSpace) -> u64| plies.iter().map(number).sum::<u64>();
            assert_eq!(sum(|ply| ply.unique), unique, "{rows}x{cols}");
            assert_eq!(sum(|ply| ply.black_wins), black_wins, "{rows}x{cols}");
            assert_eq!(sum(|ply| ply.white_wins), white_wins, "{rows}x{cols}");
            assert_eq!(sum(|ply| ply.terminals), terminals, "{rows}x{cols}");
        }
        assert_eq!(state_space(8, 8), []);
    }
}
