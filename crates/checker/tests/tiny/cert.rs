//! Certificates of version 2: written from solutions, and checked by their definition.

use std::collections::{BTreeMap, BTreeSet};

use sha2::{Digest, Sha256};

use super::{Solved, Tiny};

/// A certificate; records are moves and ranks by the numbers of positions.
#[derive(Clone)]
pub(crate) struct Cert<'a> {
    pub(crate) tiny: &'a Tiny,
    pub(crate) root: String,
    pub(crate) owner: usize,
    pub(crate) holds: bool,
    pub(crate) budget: u64,
    pub(crate) database: u64,
    pub(crate) records: BTreeMap<u128, (u64, u64)>,
}

fn leb128(bytes: &mut Vec<u8>, mut number: u128) {
    while number >= 128 {
        bytes.push((number % 128) as u8 + 128);
        number /= 128;
    }
    bytes.push(number as u8);
}

/// A file with this header, and these bytes of so many records as its only block.
pub(crate) fn file(header: &[u8], count: usize, records: &[u8]) -> Vec<u8> {
    let mut file = header.to_vec();
    if count > 0 {
        let sizes = [count as u32, records.len() as u32].map(u32::to_le_bytes).concat();
        let block = [&sizes, records].concat();
        file.extend(&block);
        file.extend(Sha256::digest(&block));
    }
    file.extend([0; 4]);
    let hash = Sha256::digest(&file);
    file.extend(hash);
    file
}

impl Cert<'_> {
    pub(crate) fn has_ranks(&self) -> bool {
        self.tiny.circles && !self.holds
    }

    pub(crate) fn header(&self) -> String {
        let Cert { root, budget, database, records, .. } = self;
        let (game, owner) = (self.tiny.name, self.tiny.players[self.owner]);
        let verb = if self.holds { "holds" } else { "wins" };
        let count = records.len();
        format!(
            "papamu certificate 2\ngame {game}\nrules standard\nroot {root}\nclaim {owner} {verb}\n\
             budget {budget}\ndatabase {database}\nrecords {count}\nend\n"
        )
    }

    pub(crate) fn body(&self) -> Vec<u8> {
        let (mut body, mut before) = (Vec::new(), 0);
        for (number, (mv, rank)) in &self.records {
            leb128(&mut body, number - before);
            leb128(&mut body, (*mv).into());
            if self.has_ranks() {
                leb128(&mut body, (*rank).into());
            }
            before = *number;
        }
        body
    }

    pub(crate) fn bytes(&self) -> Vec<u8> {
        file(self.header().as_bytes(), self.records.len(), &self.body())
    }

    fn is_good(&self, winner: Option<usize>) -> bool {
        winner.map_or(self.holds, |winner| winner == self.owner)
    }

    /// The positions that a position with the opponent to move needs; nothing if it ends badly.
    fn needed_by(&self, text: &str) -> Option<Vec<String>> {
        let after = self.tiny.moves(text);
        let ends_badly = after.is_empty() && !self.is_good(self.tiny.winner(text));
        (!ends_badly).then(|| after.iter().map(|text| self.tiny.least(text).1).collect())
    }

    fn needed_by_root(&self) -> Option<Vec<String>> {
        if self.tiny.side(&self.root) == self.owner {
            return Some(vec![self.tiny.least(&self.root).1]);
        }
        self.needed_by(&self.root)
    }

    fn search(&self, text: &str, left: &mut u64, depth: u32) -> Option<bool> {
        if *left == 0 || depth > 200 {
            return None;
        }
        *left -= 1;
        let (moves, own) = (self.tiny.moves(text), self.tiny.side(text) == self.owner);
        if moves.is_empty() {
            return Some(self.is_good(self.tiny.winner(text)));
        }
        for after in moves {
            if self.search(&after, left, depth + 1)? == own {
                return Some(own);
            }
        }
        Some(!own)
    }

    fn is_in_database(&self, text: &str) -> bool {
        self.database > 0 && self.tiny.size(text) <= self.database
    }

    /// Whether a needed position without a record is fine.
    fn is_decided(&self, text: &str, solved: &Solved) -> bool {
        if self.is_in_database(text) {
            return self.is_good(solved.winner(text));
        }
        if self.tiny.moves(text).is_empty() {
            return self.is_good(self.tiny.winner(text));
        }
        self.search(text, &mut self.budget.clone(), 0) == Some(true)
    }

    /// Fills in the records that are needed.
    pub(crate) fn fill(&mut self, solved: &Solved) {
        self.records.clear();
        let mut waiting = self.needed_by_root().expect("a true claim");
        while let Some(text) = waiting.pop() {
            let (number, _) = self.tiny.least(&text);
            if self.records.contains_key(&number) || self.is_decided(&text, solved) {
                continue;
            }
            let moves = self.tiny.moves(&text);
            let good = (0..moves.len()).filter(|&i| self.is_good(solved.winner(&moves[i])));
            let wins = |text: &String| solved.winner(text) == Some(self.owner);
            // The quickest win, or else anything that holds.
            let best = good.min_by_key(|&i| match wins(&moves[i]) {
                true => solved.round(&moves[i]),
                false => u32::MAX,
            });
            let best = best.expect("a true claim");
            let rank = if self.has_ranks() { solved.round(&text) } else { 0 };
            self.records.insert(number, (best as u64, rank.into()));
            waiting.extend(self.needed_by(&moves[best]).expect("a good move"));
        }
    }

    /// Whether a certificate is right, by the definition.
    pub(crate) fn is_right(&self, solved: &Solved) -> bool {
        self.problem(solved).is_none()
    }

    fn problem(&self, solved: &Solved) -> Option<&'static str> {
        let Some(first) = self.needed_by_root() else { return Some("the root is over") };
        let mut needed: BTreeMap<String, u64> =
            first.into_iter().map(|text| (text, u64::MAX)).collect();
        let mut recorded = BTreeSet::new();
        for (&number, &(mv, rank)) in &self.records {
            let Some(text) = self.tiny.position(number, self.owner, &self.root) else {
                return Some("no position");
            };
            if self.tiny.least(&text) != (number, text.clone()) || rank > u32::MAX.into() {
                return Some("not as it is written");
            }
            if self.is_in_database(&text) {
                return Some("in the database");
            }
            let moves = self.tiny.moves(&text);
            let Some(after) = moves.get(mv as usize) else { return Some("no move") };
            let Some(answers) = self.needed_by(after) else { return Some("a bad end") };
            for answer in answers {
                let below = needed.entry(answer).or_insert(u64::MAX);
                *below = rank.min(*below);
            }
            recorded.insert(text);
        }
        for text in &recorded {
            let rank = self.records[&self.tiny.least(text).0].1;
            match needed.get(text) {
                None => return Some("not needed"),
                Some(&below) if self.has_ranks() && rank >= below => return Some("a rank"),
                Some(_) => (),
            }
        }
        let mut left_out = needed.keys().filter(|text| !recorded.contains(*text));
        left_out.any(|text| !self.is_decided(text, solved)).then_some("something is missing")
    }
}
