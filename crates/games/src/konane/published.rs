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
