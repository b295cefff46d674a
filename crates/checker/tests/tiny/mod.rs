//! The small games of certificates on their texts, solved by brute force: slow, and written from
//! the rules once more.

#![allow(dead_code)]

pub(crate) mod cert;

use std::collections::BTreeMap;

/// A game; positions are their texts, which end with the letter of the player to move.
pub(crate) struct Tiny {
    pub(crate) name: &'static str,
    pub(crate) players: [&'static str; 2],
    letters: [char; 2],
    /// The letters of the player to move.
    sides: [&'static str; 2],
    pub(crate) circles: bool,
    /// The positions after the moves, in order.
    moves: fn(&str) -> Vec<String>,
    /// The winner of an end.
    winner: fn(&str) -> Option<usize>,
    /// The positions that are the same.
    images: fn(&str) -> Vec<String>,
    /// Whether the marks of a board are as the game has them.
    is_position: fn(&Tiny, &str) -> bool,
}

pub(crate) const TIC_TAC_TOE: Tiny = Tiny {
    name: "tic-tac-toe",
    players: ["x", "o"],
    letters: ['x', 'o'],
    sides: ["x", "o"],
    circles: false,
    moves: tic_tac_toe_moves,
    winner: line,
    images: tic_tac_toe_images,
    is_position: |tiny, text| {
        let [x, o] = tiny.pieces(text);
        // Play ends with the first line, so that the player to move has none.
        x == o + tiny.side(text) && line(text) != Some(tiny.side(text))
    },
};

pub(crate) const DODGEM: Tiny = Tiny {
    name: "dodgem",
    players: ["right", "up"],
    letters: ['r', 'u'],
    sides: ["r", "u"],
    circles: true,
    moves: dodgem_moves,
    winner: |text| {
        let [board, side] = parts(text);
        let is_blocked = board.contains('r') && board.contains('u');
        Some(usize::from((side == "r") != is_blocked))
    },
    images: |text| vec![text.to_owned()],
    is_position: |tiny, text| {
        let (pieces, rows) = (tiny.pieces(text), text.matches('/').count() + 1);
        pieces.iter().all(|&cars| cars < rows) && pieces[tiny.side(text)] > 0
    },
};

pub(crate) const MU_TORERE: Tiny = Tiny {
    name: "mu-torere",
    players: ["x", "o"],
    letters: ['x', 'o'],
    sides: ["x", "o"],
    circles: true,
    moves: mu_torere_moves,
    winner: |text| Some(usize::from(text.ends_with('x'))),
    images: mu_torere_images,
    is_position: |tiny, text| {
        let half = text.find('/').expect("a centre") / 2;
        tiny.pieces(text) == [half, half]
    },
};

pub(crate) const FANORONA: Tiny = Tiny {
    name: "fanorona",
    players: ["white", "black"],
    letters: ['o', 'x'],
    sides: ["w", "b"],
    circles: true,
    moves: fanorona_moves,
    winner: |text| Some(usize::from(text.ends_with('w'))),
    images: fanorona_images,
    is_position: |tiny, text| {
        let (pieces, half) = (tiny.pieces(text), tiny.places(text).len() / 2);
        pieces.iter().all(|&stones| stones <= half) && pieces != [0, 0]
    },
};

fn parts(text: &str) -> [&str; 2] {
    let (board, side) = text.split_once(' ').expect("a side");
    [board, side]
}

fn other(side: &str) -> &'static str {
    match side {
        "x" => "o",
        "o" => "x",
        "r" => "u",
        "u" => "r",
        "w" => "b",
        _ => "w",
    }
}

/// A text with another letter at a place.
fn with(text: &str, place: usize, letter: &str) -> String {
    format!("{}{letter}{}", &text[..place], &text[place + 1..])
}

const LINES: [[usize; 3]; 8] =
    [[0, 1, 2], [4, 5, 6], [8, 9, 10], [0, 4, 8], [1, 5, 9], [2, 6, 10], [0, 5, 10], [2, 5, 8]];

/// The player who has a line, of two the one to move.
fn line(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let full = |letter: u8| LINES.iter().any(|line| line.iter().all(|&at| bytes[at] == letter));
    let sides = if text.ends_with('x') { [b'x', b'o'] } else { [b'o', b'x'] };
    let side = sides.into_iter().find(|&side| full(side))?;
    Some(usize::from(side == b'o'))
}

fn tic_tac_toe_moves(text: &str) -> Vec<String> {
    let [board, side] = parts(text);
    if line(text).is_some() {
        return Vec::new();
    }
    let empty = board.match_indices('.');
    empty.map(|(at, _)| format!("{} {}", with(board, at, side), other(side))).collect()
}

fn tic_tac_toe_images(text: &str) -> Vec<String> {
    let [board, side] = parts(text);
    let turned = |board: &str, place: fn(usize, usize) -> (usize, usize)| {
        let row = |r: usize| {
            let letter = |c: usize| {
                let (r, c) = place(r, c);
                char::from(board.as_bytes()[4 * r + c])
            };
            (0..3).map(letter).collect::<String>()
        };
        [0, 1, 2].map(row).join("/")
    };
    let mut images = vec![board.to_owned()];
    for _ in 0..3 {
        images.push(turned(&images[images.len() - 1], |r, c| (c, 2 - r)));
    }
    images.extend(images.clone().iter().map(|image| turned(image, |r, c| (c, r))));
    images.iter().map(|board| format!("{board} {side}")).collect()
}

fn dodgem_moves(text: &str) -> Vec<String> {
    let [board, side] = parts(text);
    let rows = board.split('/').count() as i32;
    if !board.contains(other(side)) {
        return Vec::new();
    }
    let mut moves = Vec::new();
    for (from, _) in board.match_indices(side) {
        let (row, col) = (from as i32 / (rows + 1), from as i32 % (rows + 1));
        let steps =
            if side == "r" { [(-1, 0), (0, 1), (1, 0)] } else { [(-1, 0), (0, -1), (0, 1)] };
        let gone = with(board, from, ".");
        let mut leaves = false;
        for (down, right) in steps {
            let (to_row, to_col) = (row + down, col + right);
            leaves |= if side == "r" { to_col == rows } else { to_row < 0 };
            let is_there = (0..rows).contains(&to_row) && (0..rows).contains(&to_col);
            let to = (to_row * (rows + 1) + to_col) as usize;
            if is_there && board.as_bytes()[to] == b'.' {
                moves.push(with(&gone, to, side));
            }
        }
        if leaves {
            moves.push(gone);
        }
    }
    moves.iter().map(|board| format!("{board} {}", other(side))).collect()
}

fn mu_torere_moves(text: &str) -> Vec<String> {
    let [board, side] = parts(text);
    let (ring, centre) = board.split_once('/').expect("a centre");
    let n = ring.len();
    let at = |point: usize| &ring[point % n..point % n + 1];
    let beside = |point: usize| [point + 1, point + n - 1];
    let mut moves = Vec::new();
    if centre == "." {
        for point in (0..n).filter(|&point| at(point) == side) {
            if beside(point).iter().any(|&next| at(next) == other(side)) {
                moves.push(format!("{}/{side}", with(ring, point, ".")));
            }
        }
    } else {
        let gap = ring.find('.').expect("an empty point");
        if centre == side {
            moves.push(format!("{}/.", with(ring, gap, side)));
        }
        for point in 0..n {
            if at(point) == side && beside(point).iter().any(|next| next % n == gap) {
                moves.push(format!("{}/{centre}", with(&with(ring, point, "."), gap, side)));
            }
        }
    }
    moves.iter().map(|board| format!("{board} {}", other(side))).collect()
}

fn mu_torere_images(text: &str) -> Vec<String> {
    let (ring, rest) = text.split_once('/').expect("a centre");
    let back: String = ring.chars().rev().collect();
    // The first point stays where it is.
    let back = format!("{}{}", &ring[..1], &back[..back.len() - 1]);
    let mut images = Vec::new();
    for ring in [ring, &back] {
        for quarters in 0..4 {
            let (tail, head) = ring.split_at(quarters * ring.len() / 4);
            images.push(format!("{head}{tail}/{rest}"));
        }
    }
    images
}

fn letter(rows: &[String], at: (i32, i32)) -> Option<char> {
    rows.get(usize::try_from(at.0).ok()?)?.chars().nth(usize::try_from(at.1).ok()?)
}

fn put(rows: &mut [String], at: (i32, i32), letter: &str) {
    let row = &mut rows[at.0 as usize];
    *row = with(row, at.1 as usize, letter);
}

/// A turn: from where, to where, the captured points, and the board after it.
type Turn = ((i32, i32), (i32, i32), Vec<(i32, i32)>, Vec<String>);

fn steps((row, col): (i32, i32)) -> Vec<(i32, i32)> {
    let all = (-1..=1).flat_map(|down| (-1..=1).map(move |right| (down, right)));
    let has_diagonals = (row + col) % 2 == 0;
    all.filter(|step| *step != (0, 0) && (has_diagonals || step.0 == 0 || step.1 == 0)).collect()
}

/// All captures of the stone at the end of a path of points.
fn fanorona_captures(
    rows: &[String],
    own: char,
    path: &[(i32, i32)],
    taken: &[(i32, i32)],
    turns: &mut Vec<Turn>,
) {
    let at = path[path.len() - 1];
    let before = (path.len() > 1).then(|| path[path.len() - 2]);
    for (down, right) in steps(at) {
        let to = (at.0 + down, at.1 + right);
        let is_same_way =
            before.is_some_and(|from| (at.0 - from.0, at.1 - from.1) == (down, right));
        if letter(rows, to) != Some('.') || path.contains(&to) || is_same_way {
            continue;
        }
        for (start, sign) in [(to, 1), (at, -1)] {
            let mut line = Vec::new();
            let mut next = (start.0 + sign * down, start.1 + sign * right);
            while letter(rows, next).is_some_and(|found| found != '.' && found != own) {
                line.push(next);
                next = (next.0 + sign * down, next.1 + sign * right);
            }
            if line.is_empty() {
                continue;
            }
            let mut after = rows.to_vec();
            put(&mut after, at, ".");
            put(&mut after, to, &own.to_string());
            line.iter().for_each(|&point| put(&mut after, point, "."));
            let path = [path, &[to]].concat();
            let taken = [taken, &line[..]].concat();
            fanorona_captures(&after, own, &path, &taken, turns);
            turns.push((path[0], to, taken, after));
        }
    }
}

fn fanorona_moves(text: &str) -> Vec<String> {
    let [board, side] = parts(text);
    let own = if side == "w" { 'o' } else { 'x' };
    let rows: Vec<String> = board.split('/').map(str::to_owned).collect();
    let cols = rows[0].len() as i32;
    let points = (0..rows.len() as i32).flat_map(|row| (0..cols).map(move |col| (row, col)));
    let stones: Vec<(i32, i32)> = points.filter(|&at| letter(&rows, at) == Some(own)).collect();
    let mut turns = Vec::new();
    for &stone in &stones {
        fanorona_captures(&rows, own, &[stone], &[], &mut turns);
    }
    if turns.is_empty() {
        for &at in &stones {
            for (down, right) in steps(at) {
                let to = (at.0 + down, at.1 + right);
                if letter(&rows, to) == Some('.') {
                    let mut after = rows.clone();
                    put(&mut after, at, ".");
                    put(&mut after, to, &own.to_string());
                    turns.push((at, to, Vec::new(), after));
                }
            }
        }
    }
    // By the points of the stone, then by the captured ones as bits.
    let number = |at: (i32, i32)| at.0 * cols + at.1;
    let bits = |taken: &[(i32, i32)]| taken.iter().fold(0_u64, |bits, &at| bits | 1 << number(at));
    turns.sort_by_key(|(from, to, taken, _)| (number(*from), number(*to), bits(taken)));
    let after = turns.iter().map(|(_, _, _, after)| after.join("/"));
    after.map(|board| format!("{board} {}", other(side))).collect()
}

fn fanorona_images(text: &str) -> Vec<String> {
    let [board, side] = parts(text);
    let rows: Vec<&str> = board.split('/').collect();
    if rows.len() == rows[0].len() {
        return tic_tac_toe_images(text);
    }
    let mirrored = |board: &str| {
        let rows = board.split('/').map(|row| row.chars().rev().collect::<String>());
        rows.collect::<Vec<_>>().join("/")
    };
    let upside_down: Vec<&str> = rows.into_iter().rev().collect();
    let boards = [board.to_owned(), upside_down.join("/")];
    let all = boards.iter().flat_map(|board| [board.clone(), mirrored(board)]);
    all.map(|board| format!("{board} {side}")).collect()
}

impl Tiny {
    pub(crate) fn side(&self, text: &str) -> usize {
        usize::from(text.ends_with(self.sides[1]))
    }

    pub(crate) fn moves(&self, text: &str) -> Vec<String> {
        (self.moves)(text)
    }

    pub(crate) fn winner(&self, text: &str) -> Option<usize> {
        (self.winner)(text)
    }

    fn pieces(&self, text: &str) -> [usize; 2] {
        self.letters.map(|letter| parts(text)[0].matches(letter).count())
    }

    /// The size of a position for databases.
    pub(crate) fn size(&self, text: &str) -> u64 {
        match self.name {
            "tic-tac-toe" => text.matches('.').count() as u64,
            _ => self.pieces(text).iter().sum::<usize>() as u64,
        }
    }

    /// The places of the points in a text, in the order of their numbers.
    fn places(&self, text: &str) -> Vec<usize> {
        let board = parts(text)[0];
        let mut places: Vec<usize> =
            (0..board.len()).filter(|&at| board.as_bytes()[at] != b'/').collect();
        if self.name == "mu-torere" {
            places.rotate_right(1);
        }
        places
    }

    /// The number of a text itself, not of its images.
    fn own_number(&self, text: &str) -> u128 {
        let digit = |place: usize| match text.as_bytes()[place] {
            b'.' => 0,
            letter if char::from(letter) == self.letters[0] => 1,
            _ => 2,
        };
        self.places(text).iter().rev().fold(0, |number, &place| number * 3 + digit(place))
    }

    /// The least image of a position, and its number.
    pub(crate) fn least(&self, text: &str) -> (u128, String) {
        let images = (self.images)(text).into_iter();
        images.map(|image| (self.own_number(&image), image)).min().expect("at least itself")
    }

    /// The position of a number on the board of another one, if there is such a position.
    pub(crate) fn position(&self, number: u128, side: usize, like: &str) -> Option<String> {
        let mut text = format!("{} {}", parts(like)[0], self.sides[side]);
        let mut rest = number;
        for place in self.places(like) {
            let letters = [".", &self.letters[0].to_string(), &self.letters[1].to_string()];
            text = with(&text, place, letters[(rest % 3) as usize]);
            rest /= 3;
        }
        (rest == 0 && (self.is_position)(self, &text)).then_some(text)
    }

    /// All positions of the board of a position, which must have few points.
    pub(crate) fn all(&self, like: &str) -> Vec<String> {
        let count = 3_u128.pow(self.places(like).len() as u32);
        let numbers = (0..count).flat_map(|number| [(number, 0), (number, 1)]);
        numbers.filter_map(|(number, side)| self.position(number, side, like)).collect()
    }
}

/// The winners of positions with the number of rounds that it takes to find them; a position that
/// is not there is a draw.
pub(crate) struct Solved(BTreeMap<String, (usize, u32)>);

impl Solved {
    /// Solves these positions and all that can come after them.
    pub(crate) fn new(tiny: &Tiny, mut waiting: Vec<String>) -> Solved {
        let mut moves = BTreeMap::new();
        while let Some(text) = waiting.pop() {
            moves.entry(text).or_insert_with_key(|text| {
                let after = tiny.moves(text);
                waiting.extend(after.clone());
                after
            });
        }
        let mut solved = Solved(BTreeMap::new());
        for round in 0.. {
            let mut found = Vec::new();
            for (text, after) in &moves {
                if solved.0.contains_key(text) {
                    continue;
                }
                let side = tiny.side(text);
                let wins = |player: usize, after: &String| solved.winner(after) == Some(player);
                let winner = if after.is_empty() {
                    tiny.winner(text)
                } else if after.iter().any(|after| wins(side, after)) {
                    Some(side)
                } else {
                    after.iter().all(|after| wins(1 - side, after)).then_some(1 - side)
                };
                found.extend(winner.map(|winner| (text.clone(), (winner, round))));
            }
            if found.is_empty() {
                break;
            }
            solved.0.extend(found);
        }
        solved
    }

    pub(crate) fn winner(&self, text: &str) -> Option<usize> {
        self.0.get(text).map(|(winner, _)| *winner)
    }

    /// The round in which a win was found.
    pub(crate) fn round(&self, text: &str) -> u32 {
        self.0[text].1
    }
}
