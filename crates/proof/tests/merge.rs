//! Whatever is merged, the checker accepts the result, or merging refuses.

use std::collections::{HashMap, VecDeque};

use papamu_base::Progress;
use papamu_checker::check::{Checked, check};
use papamu_game::{Game, Player};
use papamu_games::Konane;
use papamu_proof::claim::Goal;
use papamu_proof::strategy::{BadStrategy, Record, Strategy, moves_in_order};

type Position = <Konane as Game>::Position;

const BUDGETS: [u64; 7] = [0, 0, 1, 4, 15, 60, 400];

fn verdict(strategy: &Strategy<Konane>) -> Result<Checked, String> {
    let mut bytes = Vec::new();
    strategy.write_to(&mut bytes).expect("written");
    check(std::io::Cursor::new(bytes), 1 << 24, |_| {}).map_err(|problem| problem.to_string())
}

/// Random strategies: between them they use as many winning moves as possible.
struct Source {
    game: Konane,
    random: fastrand::Rng,
    /// By position: whether the player to move wins.
    known: HashMap<Position, bool>,
}

impl Source {
    fn children(&self, position: &Position) -> Vec<Position> {
        let moves = moves_in_order(&self.game, position);
        moves.iter().map(|mv| self.game.after(position, mv)).collect()
    }

    fn wins(&mut self, position: &Position) -> bool {
        if let Some(&wins) = self.known.get(position) {
            return wins;
        }
        let wins = self.children(position).iter().any(|child| !self.wins(child));
        self.known.insert(*position, wins);
        wins
    }

    fn winner(&mut self, position: &Position) -> Player {
        let mover = self.game.to_move(position);
        if self.wins(position) { mover } else { !mover }
    }

    /// A position after this many random moves.
    fn position(&mut self, board: &str, plies: usize) -> Position {
        let mut position = Konane::read(board).expect("a board").1;
        for _ in 0..plies {
            let children = self.children(&position);
            match self.random.choice(children) {
                Some(child) => position = child,
                None => break,
            }
        }
        position
    }

    /// A strategy of random winning moves, with what the budget proves left out.
    fn strategy(&mut self, root: &Position, budget: u64) -> Strategy<Konane> {
        let winner = self.winner(root);
        let mut strategy = Strategy::new(&self.game, root, Goal::wins(winner));
        let mut open: VecDeque<u64> = strategy.needed_by_root().expect("no end").into();
        while let Some(number) = open.pop_front() {
            if strategy.records.contains_key(&number) {
                continue;
            }
            let children = self.children(&strategy.position(number).expect("a position"));
            let good: Vec<u32> = (0..)
                .zip(&children)
                .filter(|(_, child)| !self.wins(child))
                .map(|(i, _)| i)
                .collect();
            let mv = self.random.choice(good).expect("a winning move");
            strategy.records.insert(number, Record::unranked(mv));
            open.extend(strategy.needed_after(number, mv).expect("numbers"));
        }
        if budget > 0 {
            strategy.sparsify(budget, 0, &Progress::new()).expect("a strategy");
        }
        let checked = verdict(&strategy).expect("accepted");
        assert_eq!(checked.records, strategy.records.len() as u64);
        strategy
    }

    fn budget(&mut self) -> u64 {
        BUDGETS[self.random.usize(..BUDGETS.len())]
    }
}

/// Whether merging succeeds. If it does, checker and proof crate find nothing missing and nothing
/// unneeded.
fn merge(root: Position, strategies: &[Strategy<Konane>]) -> bool {
    let (first, others) = strategies.split_first().expect("a strategy");
    match Strategy::merge(root, first.clone(), others.iter().cloned()) {
        Ok(mut merged) => {
            let text = merged.game.write(&root);
            assert_eq!(merged.root, root);
            let budgets = strategies.iter().map(|strategy| strategy.budget);
            assert_eq!(Some(merged.budget), budgets.max(), "{text}");
            let checked = verdict(&merged).unwrap_or_else(|problem| panic!("{text}: {problem}"));
            assert_eq!(checked.records, merged.records.len() as u64, "{text}");
            assert_eq!(merged.trim(&Progress::new()), Ok(0), "{text}");
            // Positions left out under any of the budgets can be filled in.
            merged.densify(&Progress::new()).unwrap_or_else(|problem| panic!("{text}: {problem}"));
            let dense = verdict(&merged).unwrap_or_else(|problem| panic!("{text}: {problem}"));
            assert_eq!((dense.records, dense.searched), (merged.records.len() as u64, 0), "{text}");
            true
        }
        Err(BadStrategy::Missing { .. } | BadStrategy::BadEnd { .. }) => false,
        Err(problem) => panic!("{problem}"),
    }
}

fn sources() -> impl Iterator<Item = (Source, &'static str, usize)> {
    let boards = [("4x4", 1), ("3x5", 1), ("4x5", 3), ("5x4", 3), ("5x5", 7), ("6x6", 19)];
    boards.into_iter().zip(0..).map(|((board, plies), seed)| {
        let (game, _) = Konane::read(board).expect("a board");
        let random = fastrand::Rng::with_seed(seed);
        (Source { game, random, known: HashMap::new() }, board, plies)
    })
}

/// The certificates of all positions after the loser's moves make one of the position before.
#[test]
fn answers_are_merged() {
    let (mut merged, mut refused) = (0, 0);
    for (mut source, board, plies) in sources() {
        for _ in 0..200 {
            let plies = plies + source.random.usize(..4);
            let root = source.position(board, plies);
            let children = source.children(&root);
            if source.wins(&root) || children.is_empty() {
                continue;
            }
            let mut strategies: Vec<Strategy<Konane>> = Vec::new();
            for child in &children {
                let budget = source.budget();
                strategies.push(source.strategy(child, budget));
            }
            source.random.shuffle(&mut strategies);
            assert!(merge(root, &strategies), "{board}");
            merged += 1;
            // One of them may be an image of another, or within the budget; otherwise it is missed.
            strategies.pop();
            if !strategies.is_empty() {
                refused += u32::from(!merge(root, &strategies));
            }
        }
    }
    assert!(merged > 50 && refused > 20, "{merged} {refused}");
}

/// Strategies of one root, with different moves and budgets.
#[test]
fn strategies_of_one_root_are_merged() {
    for (mut source, board, plies) in sources() {
        for _ in 0..150 {
            let plies = plies + source.random.usize(..4);
            let root = source.position(board, plies);
            let mut strategies = Vec::new();
            for _ in 0..source.random.usize(1..4) {
                let budget = source.budget();
                strategies.push(source.strategy(&root, budget));
            }
            assert!(merge(root, &strategies), "{board}");
        }
    }
}

/// Strategies of arbitrary positions with one winner: what does not concern the root is dropped.
#[test]
fn strategies_of_other_positions_are_dropped() {
    let mut both = [0, 0];
    for (mut source, board, plies) in sources() {
        for _ in 0..150 {
            let mut strategies = Vec::new();
            for _ in 0..3 {
                let plies = plies + source.random.usize(..4);
                let (root, budget) = (source.position(board, plies), source.budget());
                strategies.push(source.strategy(&root, budget));
            }
            let owner = strategies[0].owner;
            strategies.retain(|strategy| strategy.owner == owner);
            // The root of the last one, whose records may give way to those of others.
            let root = strategies[strategies.len() - 1].root;
            assert!(merge(root, &strategies), "{board}");
            // A position about which nothing may be known.
            let root = source.position(board, plies);
            both[usize::from(merge(root, &strategies))] += 1;
        }
    }
    assert!(both.iter().all(|&count| count > 10), "{both:?}");
}
