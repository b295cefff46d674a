//! The reachable positions of a board, ply by ply, with their values, up to symmetry.
//!
//! The method is that of [`crate::konane::plan`], run forwards: rows of bits over the sets of white
//! stones tell at which ply a position is first reached, and every jump is a pass over such a row.
//! After the two removals, White has jumped v times in all positions of a ply with Black to move,
//! and so has Black; with White to move, Black has jumped once more. So for a given side to move, v
//! determines the ply. Each jump of White captures at least one stone. So a black set that lacks c
//! of the stones after the removal has few possible v, which are stored as a number of a few bits.
//!
//! Layers go down in the number of black stones. With Black to move, a layer needs the layers above
//! it with White to move; with White to move, it needs the same layer with Black to move.
//!
//! Positions are counted up to symmetry without making them canonical. A class of positions has
//! exactly one class of black sets, which one set B represents. The classes in the row of B are
//! those under the symmetries that fix B. By Burnside's lemma their number is the mean number of
//! white sets in the row that such a symmetry fixes.

use papamu_base::{Progress, Words};
use papamu_game::{Game, Player};
use papamu_games::Konane;
use papamu_games::konane::Position;
use rayon::prelude::*;

use crate::error::TableError;
use crate::konane::classes::Classes;
use crate::konane::plan::Plan;
use crate::konane::row::{self, Pass};
use crate::konane::squares::Squares;
use crate::konane::{board_name, check_memory};

/// The positions that are reached at one ply and at no earlier one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PlyStats {
    /// Moves from the start.
    pub ply: u32,
    /// Positions up to symmetry.
    pub unique: u64,
    /// Those that Black wins.
    pub black_wins: u64,
    /// Those that White wins.
    pub white_wins: u64,
    /// Those without a move.
    pub terminals: u64,
    /// All positions.
    pub unique_raw: u64,
}

/// Counts of positions with a given side to move and number of White's jumps.
#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    unique: u64,
    mover_wins: u64,
    terminals: u64,
    raw: u64,
}

impl Counts {
    fn add(mut self, other: Counts) -> Counts {
        self.unique += other.unique;
        self.mover_wins += other.mover_wins;
        self.terminals += other.terminals;
        self.raw += other.raw;
        self
    }

    /// These counts, for the ply after `white_jumps` jumps of White.
    fn of_ply(self, player: Player, white_jumps: u32) -> PlyStats {
        let losses = self.unique - self.mover_wins;
        let [black_wins, white_wins] = match player {
            Player::First => [self.mover_wins, losses],
            Player::Second => [losses, self.mover_wins],
        };
        PlyStats {
            ply: 2 + 2 * white_jumps + player.index() as u32,
            unique: self.unique,
            black_wins,
            white_wins,
            terminals: self.terminals,
            unique_raw: self.raw,
        }
    }
}

/// A count of the reachable positions of a board.
pub struct StateCount {
    plan: Plan,
    classes: Classes,
}

impl StateCount {
    /// The unit of its progress.
    pub const UNIT: &'static str = "rows";

    /// A count for a board, unless the board is far too large.
    pub fn new(game: &Konane) -> Result<StateCount, TableError> {
        let plan = Plan::new(&Squares::new(game))?;
        let classes = Classes::new(plan.squares(), u32::MAX)?;
        Ok(StateCount { plan, classes })
    }

    fn squares(&self) -> &Squares {
        self.plan.squares()
    }

    /// The peak memory.
    pub fn memory_bytes(&self) -> u64 {
        let squares = self.squares();
        let row_bytes = 8 * row::words(squares.count(Player::Second)) as u64;
        let sets = squares.class_counts().into_iter();
        let values: u64 = sets.map(|sets| 2 * sets * row_bytes).sum();
        let forward = Forward::new(&self.plan, &self.classes);
        values + self.plan.memory_bytes().max(8 * forward.words() as u64)
    }

    /// Refuses to exceed a memory limit.
    pub fn check_memory(&self, limit_bytes: u64) -> Result<(), TableError> {
        let board = board_name(self.squares().game());
        let work = format!("a count of the positions of {} {board}", Konane::NAME);
        check_memory(work, self.memory_bytes(), limit_bytes)
    }

    /// Counts the positions.
    pub fn run(&self, progress: &Progress) -> Result<Vec<PlyStats>, TableError> {
        let StateCount { plan, classes } = self;
        let squares = self.squares();
        // The backward and the forward pass each make every row twice.
        progress.add_total(2 << squares.count(Player::First));
        let values = Values::new(plan, classes, progress)?;
        let mut plies = removals(squares, classes, &values);
        let jumps = Forward::new(plan, classes).run(&values, progress)?;
        for (player, counts) in [(Player::First, &jumps[0]), (Player::Second, &jumps[1])] {
            let reached = counts.iter().enumerate().filter(|(_, counts)| counts.unique > 0);
            plies.extend(reached.map(|(jumps, counts)| counts.of_ply(player, jumps as u32)));
        }
        plies.sort_by_key(|stats| stats.ply);
        Ok(plies)
    }
}

/// The values of all positions whose black set represents its class.
struct Values {
    /// For each side to move and number of black stones: the rows, one after the other.
    rows: [Vec<Vec<u64>>; 2],
    words: usize,
}

impl Values {
    fn new(plan: &Plan, classes: &Classes, progress: &Progress) -> Result<Values, TableError> {
        let squares = plan.squares();
        let words = row::words(squares.count(Player::Second));
        let mut rows = [Vec::new(), Vec::new()];
        plan.build(
            0,
            |_, _| Ok(()),
            progress,
            |layer| {
                let mut kept = Vec::with_capacity(
                    squares.class_counts()[layer.stones as usize] as usize * words,
                );
                for (i, _) in
                    layer.sets.iter().enumerate().filter(|(_, set)| classes.is_least(**set))
                {
                    kept.extend_from_slice(layer.row(i));
                }
                rows[layer.player.index()].push(kept);
                Ok(())
            },
        )?;
        Ok(Values { rows, words })
    }

    fn row(&self, classes: &Classes, player: Player, set: u32) -> &[u64] {
        let start = classes.find(set).0 * self.words;
        &self.rows[player.index()][set.count_ones() as usize][start..start + self.words]
    }

    fn wins(&self, squares: &Squares, classes: &Classes, position: &Position) -> bool {
        let [black, white] = squares.stones(position);
        let [black_goes, white_goes] = &squares.symmetries()[classes.find(black).1];
        let row = self.row(classes, position.side, black_goes.image(black));
        row::get(row, white_goes.image(white))
    }
}

/// The statistics of the first two plies.
fn removals(squares: &Squares, classes: &Classes, values: &Values) -> Vec<PlyStats> {
    let game = squares.game();
    let wins = |position: &Position| {
        any_child(squares, position, |child| {
            // After a removal of Black comes one of White, then jumps.
            if game.is_removal(child) {
                !any_child(squares, child, |child| !values.wins(squares, classes, child))
            } else {
                !values.wins(squares, classes, child)
            }
        })
    };
    let mut plies = Vec::new();
    let mut positions = vec![game.start()];
    for ply in 0..2 {
        let mut classes: Vec<Position> =
            positions.iter().map(|position| game.canonical(position)).collect();
        classes.sort_unstable();
        classes.dedup();
        let mut stats = PlyStats { ply, unique_raw: positions.len() as u64, ..PlyStats::default() };
        for position in &classes {
            stats.unique += 1;
            let black_wins = wins(position) == (position.side == Player::First);
            stats.black_wins += u64::from(black_wins);
            stats.white_wins += u64::from(!black_wins);
            stats.terminals += u64::from(game.count_moves(position) == 0);
        }
        if stats.unique > 0 {
            plies.push(stats);
        }
        positions = children(squares, &positions);
    }
    plies
}

fn any_child(squares: &Squares, position: &Position, wanted: impl Fn(&Position) -> bool) -> bool {
    children(squares, std::slice::from_ref(position)).iter().any(wanted)
}

/// All positions after one move, without repetitions.
fn children(squares: &Squares, positions: &[Position]) -> Vec<Position> {
    let game = squares.game();
    let mut children = Vec::new();
    for position in positions {
        let mut moves = Vec::new();
        game.moves(position, &mut moves);
        for mv in &moves {
            let mut child = *position;
            game.play(&mut child, mv);
            children.push(child);
        }
    }
    children.sort_unstable();
    children.dedup();
    children
}

/// How the first ply of each position of a layer is stored: code 0 if it is never reached,
/// otherwise 1 + v - `least`, in as many planes of bits as needed.
#[derive(Clone, Copy, Debug)]
struct Codes {
    least: u32,
    count: u32,
    planes: usize,
}

/// The forward pass.
struct Forward<'a> {
    squares: &'a Squares,
    plan: &'a Plan,
    classes: &'a Classes,
    codes: Vec<Codes>,
    words: usize,
    window: usize,
}

impl<'a> Forward<'a> {
    fn new(plan: &'a Plan, classes: &'a Classes) -> Forward<'a> {
        let squares = plan.squares();
        let black_squares = squares.count(Player::First);
        let most_captures = squares.most_captures().max(1);
        let codes = (0..=black_squares).map(|stones| {
            // Black has removed one stone. White has captured the other missing ones.
            let taken = black_squares.saturating_sub(1).saturating_sub(stones);
            let least = taken.div_ceil(most_captures);
            let count = taken - least + 1;
            Codes {
                least,
                count,
                planes: (count + 1).next_power_of_two().trailing_zeros() as usize,
            }
        });
        Forward {
            squares,
            plan,
            classes,
            codes: codes.collect(),
            words: row::words(squares.count(Player::Second)),
            window: most_captures as usize,
        }
    }

    fn layer_words(&self, stones: u32) -> usize {
        self.plan.sets(stones).len() * self.codes[stones as usize].planes * self.words
    }

    fn buffer_words(&self, buffer: usize) -> usize {
        let layers =
            (0..self.plan.layers()).filter(|&stones| stones as usize % self.window == buffer);
        layers.map(|stones| self.layer_words(stones)).max().unwrap_or(0)
    }

    fn black_words(&self) -> usize {
        (0..self.plan.layers()).map(|stones| self.layer_words(stones)).max().unwrap_or(0)
    }

    /// The number of words in memory at a time.
    fn words(&self) -> usize {
        (0..self.window).map(|buffer| self.buffer_words(buffer)).sum::<usize>() + self.black_words()
    }

    /// The counts for each side to move, by the number of White's jumps.
    fn run(&self, values: &Values, progress: &Progress) -> Result<[Vec<Counts>; 2], TableError> {
        let black_squares = self.squares.count(Player::First);
        let mut counts = [(); 2].map(|()| vec![Counts::default(); black_squares as usize + 1]);
        let mut white = (0..self.window)
            .map(|buffer| Words::new(self.buffer_words(buffer)))
            .collect::<Result<Vec<Words>, _>>()?;
        let mut black = Words::new(self.black_words())?;
        let openings = self.openings();
        // With all black stones there is only the start.
        progress.add(2);
        for stones in (0..black_squares).rev() {
            let codes = self.codes[stones as usize];
            let len = self.layer_words(stones);
            {
                let white: Vec<&[u64]> = white.iter().map(Words::as_slice).collect();
                let rows = &mut black.as_mut_slice()[..len];
                let layer = self.fill(rows, stones, Player::First, values, progress, |set, hot| {
                    for &[_, white] in openings.iter().filter(|[black, _]| *black == set) {
                        hot[(white >> 6) as usize] |= 1 << (white & 63);
                    }
                    self.reach_black(set, hot, &white);
                });
                progress.stop().check()?;
                add_counts(&mut counts[0], codes, layer);
            }
            let rows = &black.as_slice()[..len];
            let buffer = &mut white[stones as usize % self.window];
            let target = &mut buffer.as_mut_slice()[..len];
            let layer = self.fill(target, stones, Player::Second, values, progress, |set, hot| {
                self.reach_white(set, hot, rows);
            });
            progress.stop().check()?;
            add_counts(&mut counts[1], codes, layer);
        }
        Ok(counts)
    }

    /// The stones after both removals.
    fn openings(&self) -> Vec<[u32; 2]> {
        let game = self.squares.game();
        let first = children(self.squares, &[game.start()]);
        let second = children(self.squares, &first);
        second.iter().map(|position| self.squares.stones(position)).collect()
    }

    /// Makes all rows of a layer and counts the positions for every code. `reach` sets the bits of
    /// the positions that are reached, in one row for each code.
    fn fill(
        &self,
        rows: &mut [u64],
        stones: u32,
        player: Player,
        values: &Values,
        progress: &Progress,
        reach: impl Fn(u32, &mut [u64]) + Sync,
    ) -> Vec<Counts> {
        let codes = self.codes[stones as usize];
        let row_words = codes.planes * self.words;
        let sets = self.plan.sets(stones);
        let none = || vec![Counts::default(); codes.count as usize];
        rows.par_chunks_mut(row_words)
            .zip(sets)
            .map_init(
                || vec![0; codes.count as usize * self.words],
                |hot, (row, &set)| {
                    // The count was stopped, so the rest of the layer is not needed.
                    if progress.stop().is_set() {
                        return none();
                    }
                    hot.fill(0);
                    reach(set, hot);
                    encode(row, hot, self.words);
                    progress.add(1);
                    self.count(set, player, hot, values)
                },
            )
            .fold(none, sum)
            .reduce(none, sum)
    }

    /// Black to move: reached by jumps of White, which capture black stones.
    fn reach_black(&self, set: u32, hot: &mut [u64], white: &[&[u64]]) {
        let codes = self.codes[set.count_ones() as usize];
        let all = ((1_u64 << self.squares.count(Player::First)) - 1) as u32;
        for jump in self.squares.jumps(Player::Second) {
            let before = set | jump.over;
            // A black stone was removed at the start, so the full set is not in play.
            if set & jump.over != 0 || before == all {
                continue;
            }
            let from = 1 << jump.from;
            // Backwards, from the position after the jump: the stone stands on its last square.
            let pass = Pass::new(
                self.squares.count(Player::Second),
                1 << jump.to,
                from | jump.way & !(1 << jump.to),
                from | 1 << jump.to,
            );
            let buffer = white[before.count_ones() as usize % self.window];
            let source_codes = self.codes[before.count_ones() as usize];
            let source = self.row(buffer, before);
            self.or_codes(&pass, hot, codes, source, source_codes, 1);
        }
    }

    /// White to move: reached by jumps of Black, which capture white stones.
    fn reach_white(&self, set: u32, hot: &mut [u64], black: &[u64]) {
        let codes = self.codes[set.count_ones() as usize];
        for jump in self.squares.jumps(Player::First) {
            // Before the jump the stone stood on `from`, and its path was empty.
            let before = set ^ (1 << jump.from | 1 << jump.to);
            if before >> jump.from & 1 == 0 || before & jump.way != 0 {
                continue;
            }
            let pass = Pass::new(self.squares.count(Player::Second), 0, jump.over, jump.over);
            let source = self.row(black, before);
            self.or_codes(&pass, hot, codes, source, codes, 0);
        }
    }

    fn row<'b>(&self, rows: &'b [u64], set: u32) -> &'b [u64] {
        let words = self.codes[set.count_ones() as usize].planes * self.words;
        let start = self.plan.rank(set) * words;
        &rows[start..start + words]
    }

    /// Marks the positions that one move reaches from the positions of every code of the source,
    /// which has `later` fewer jumps of White.
    fn or_codes(
        &self,
        pass: &Pass,
        hot: &mut [u64],
        codes: Codes,
        source: &[u64],
        source_codes: Codes,
        later: u32,
    ) {
        for code in 0..source_codes.count {
            let v = source_codes.least + code + later;
            // White captures only as many stones as the rules allow, so v is in range for reachable
            // positions.
            let Some(target) = v.checked_sub(codes.least).filter(|&code| code < codes.count) else {
                continue;
            };
            let start = target as usize * self.words;
            let target = &mut hot[start..start + self.words];
            pass.or_code(target, source, self.words, code + 1);
        }
    }

    /// Counts the positions of a row for every code, and their classes if the black set represents
    /// its class.
    fn count(&self, set: u32, player: Player, hot: &[u64], values: &Values) -> Vec<Counts> {
        let mut counts: Vec<Counts> = hot
            .chunks(self.words)
            .map(|row| Counts { raw: count(row.iter().copied()), ..Counts::default() })
            .collect();
        if !self.classes.is_least(set) {
            return counts;
        }
        let symmetries = self.squares.symmetries().iter();
        let fixing: Vec<_> = symmetries.filter(|[black, _]| black.image(set) == set).collect();
        let wins = values.row(self.classes, player, set);
        let ends = self.ends(set, player);
        for (counts, row) in counts.iter_mut().zip(hot.chunks(self.words)) {
            if counts.raw == 0 {
                continue;
            }
            let classes = |row: &dyn Fn(usize) -> u64| {
                // The identity, the first symmetry, fixes every set.
                let all = count((0..self.words).map(row));
                let fixed: u64 = fixing[1..]
                    .iter()
                    .map(|[_, white]| {
                        let fixed = white.fixed_sets();
                        fixed.filter(|set| row((set >> 6) as usize) >> (set & 63) & 1 == 1).count()
                            as u64
                    })
                    .sum();
                (all + fixed) / fixing.len() as u64
            };
            counts.unique = classes(&|i| row[i]);
            counts.mover_wins = classes(&|i| row[i] & wins[i]);
            counts.terminals = classes(&|i| row[i] & ends[i]);
        }
        counts
    }

    /// The positions of a row without a move.
    fn ends(&self, set: u32, player: Player) -> Vec<u64> {
        let white_squares = self.squares.count(Player::Second);
        let mut moves = vec![0; self.words];
        let nothing = vec![0; self.words];
        for (jump, pass) in self.plan.passes(player) {
            let possible = match player {
                Player::First => set >> jump.from & 1 == 1 && set & jump.way == 0,
                Player::Second => set & jump.over == jump.over,
            };
            if possible {
                pass.or_not(&mut moves, &nothing);
            }
        }
        moves.iter().map(|word| !word & row::used_bits(white_squares)).collect()
    }
}

fn count(words: impl Iterator<Item = u64>) -> u64 {
    words.map(|word| u64::from(word.count_ones())).sum()
}

fn sum(mut sums: Vec<Counts>, counts: Vec<Counts>) -> Vec<Counts> {
    for (sum, counts) in sums.iter_mut().zip(counts) {
        *sum = sum.add(counts);
    }
    sums
}

fn add_counts(sums: &mut [Counts], codes: Codes, counts: Vec<Counts>) {
    for (i, counts) in counts.into_iter().enumerate() {
        let sum = &mut sums[codes.least as usize + i];
        *sum = sum.add(counts);
    }
}

/// Keeps only the first ply at which a position is reached, and encodes it.
fn encode(row: &mut [u64], hot: &mut [u64], words: usize) {
    row.fill(0);
    let mut seen = vec![0; words];
    for (i, hot) in hot.chunks_mut(words).enumerate() {
        for (hot, seen) in hot.iter_mut().zip(&mut seen) {
            *hot &= !*seen;
            *seen |= *hot;
        }
        let code = i + 1;
        for (plane, row) in row.chunks_mut(words).enumerate() {
            if code >> plane & 1 == 1 {
                row.iter_mut().zip(&*hot).for_each(|(row, hot)| *row |= hot);
            }
        }
    }
}
