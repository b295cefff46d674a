//! Certificates of version 2: both checkers accept one exactly if it is right.

mod tiny;

use std::collections::BTreeMap;
use std::io::Cursor;
use std::time::{Duration, Instant};

use papamu_checker::check::{Checked, check};
use tiny::cert::{Cert, file};
use tiny::{DODGEM, FANORONA, MU_TORERE, Solved, TIC_TAC_TOE, Tiny};

const TIC_TAC_TOE_START: &str = ".../.../... x";
const DODGEM_3X3: &str = "r../r../.uu r";
const FANORONA_3X3: &str = "xxx/o.x/ooo w";
const MU_TORERE_4: &str = "xxoo/. x";
const MU_TORERE_8: &str = "xxxxoooo/. x";

fn verdict(bytes: &[u8]) -> Result<Checked, String> {
    check(Cursor::new(bytes), 1 << 12, |_| {}).map_err(|problem| problem.to_string())
}

/// The verdicts of the checker in Python.
fn verdicts_in_python(files: &[Vec<u8>]) -> Vec<bool> {
    let directory = tempfile::tempdir().expect("a directory");
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tools/check_certificate.py");
    let mut verdicts = Vec::new();
    for files in files.chunks(1000) {
        let mut command = std::process::Command::new("python3");
        command.arg(script).current_dir(directory.path());
        for (i, bytes) in files.iter().enumerate() {
            std::fs::write(directory.path().join(i.to_string()), bytes).expect("written");
            command.arg(i.to_string());
        }
        let output = command.output().expect("python3 is there");
        let text = String::from_utf8(output.stdout).expect("text");
        let problem = String::from_utf8_lossy(&output.stderr);
        assert_eq!(text.lines().count(), files.len(), "{problem}");
        verdicts.extend(text.lines().map(|line| line.contains(": ACCEPTED, ")));
    }
    verdicts
}

/// Both checkers agree on these files; how many they accept.
fn compare(files: &[Vec<u8>]) -> usize {
    let mut accepted = 0;
    for (bytes, in_python) in files.iter().zip(verdicts_in_python(files)) {
        let verdict = verdict(bytes);
        assert_eq!(
            verdict.is_ok(),
            in_python,
            "{verdict:?}, not so in Python:\n{}",
            String::from_utf8_lossy(bytes)
        );
        accepted += usize::from(in_python);
    }
    accepted
}

/// A solved board, and all true claims of its root.
struct Board {
    tiny: &'static Tiny,
    root: &'static str,
    solved: Solved,
}

impl Board {
    fn new(tiny: &'static Tiny, root: &'static str) -> Board {
        Board { tiny, root, solved: Solved::new(tiny, tiny.all(root)) }
    }

    fn is_true(&self, owner: usize, holds: bool) -> bool {
        self.solved.winner(self.root).map_or(holds, |winner| winner == owner)
    }

    fn certificate(&self, owner: usize, holds: bool, budget: u64, database: u64) -> Cert<'_> {
        let (tiny, root, records) = (self.tiny, self.root.to_owned(), BTreeMap::new());
        let mut cert = Cert { tiny, root, owner, holds, budget, database, records };
        cert.fill(&self.solved);
        cert
    }

    /// Certificates of all true claims, dense and sparse, with databases of all these sizes.
    fn certificates(&self, databases: &[u64]) -> Vec<Cert<'_>> {
        let mut all = Vec::new();
        for (owner, holds) in [(0, false), (0, true), (1, false), (1, true)] {
            for budget in if self.is_true(owner, holds) { &[0, 1, 40][..] } else { &[] } {
                let with = |&database| self.certificate(owner, holds, *budget, database);
                all.extend(databases.iter().map(with));
            }
        }
        all
    }
}

fn boards() -> Vec<(Board, &'static [u64])> {
    vec![
        (Board::new(&TIC_TAC_TOE, TIC_TAC_TOE_START), &[0, 1, 4, 9]),
        (Board::new(&TIC_TAC_TOE, "xo./.../... x"), &[0, 3]),
        (Board::new(&TIC_TAC_TOE, "xo./.ox/... x"), &[0, 2]),
        (Board::new(&DODGEM, DODGEM_3X3), &[0, 2, 3, 4]),
        (Board::new(&DODGEM, "..r/u../... u"), &[0, 1]),
        (Board::new(&MU_TORERE, MU_TORERE_4), &[0, 3, 4]),
        (Board::new(&MU_TORERE, MU_TORERE_8), &[0, 8]),
        (Board::new(&MU_TORERE, "xooxx.xo/o o"), &[0]),
        (Board::new(&FANORONA, FANORONA_3X3), &[0, 2, 4]),
        (Board::new(&FANORONA, "x.x/.../o.o w"), &[0, 1, 3]),
    ]
}

#[test]
fn values_are_as_published() {
    let value = |tiny, root| Board::new(tiny, root).solved.winner(root);
    assert_eq!(value(&TIC_TAC_TOE, TIC_TAC_TOE_START), None);
    assert_eq!(value(&DODGEM, DODGEM_3X3), Some(0));
    assert_eq!(value(&MU_TORERE, MU_TORERE_8), None);
    assert_eq!(value(&FANORONA, FANORONA_3X3), Some(0));
}

#[test]
fn right_certificates_are_accepted() {
    let mut files = Vec::new();
    for (board, databases) in &boards() {
        for cert in board.certificates(databases) {
            assert!(cert.is_right(&board.solved));
            let bytes = cert.bytes();
            let checked = verdict(&bytes).unwrap_or_else(|problem| {
                panic!("{problem}\n{}", cert.header());
            });
            assert_eq!(checked.records, cert.records.len() as u64);
            assert!(checked.looked_up == 0 || cert.database > 0);
            assert!(checked.searched == 0 || cert.budget > 0);
            println!("{} {checked:?}", cert.header().lines().skip(3).collect::<Vec<_>>().join(" "));
            files.push(bytes);
        }
    }
    assert_eq!(compare(&files), files.len());
}

/// Every change of a record, of the claim, the budget or the database is rejected, unless the
/// changed certificate is right, too.
#[test]
fn changed_certificates() {
    for (board, databases) in &boards() {
        let (mut files, mut right) = (Vec::new(), 0);
        for cert in board.certificates(databases) {
            for changed in changes(&cert) {
                let is_right = changed.is_right(&board.solved);
                let bytes = changed.bytes();
                let verdict = verdict(&bytes);
                assert_eq!(verdict.is_ok(), is_right, "{verdict:?} {}", changed.header());
                right += usize::from(is_right);
                files.push(bytes);
            }
        }
        println!("{} {}: {right} of {}", board.tiny.name, board.root, files.len());
        assert!(right < files.len() / 2);
        // Python takes long for all of them.
        let some: Vec<_> = files.into_iter().step_by(23).collect();
        compare(&some);
    }
}

/// The most records of a certificate that are changed.
const MOST_CHANGED: usize = 30;

fn changes<'a>(cert: &Cert<'a>) -> Vec<Cert<'a>> {
    let mut changes = Vec::new();
    let mut change = |change: &dyn Fn(&mut Cert<'a>)| {
        let mut changed = cert.clone();
        change(&mut changed);
        changes.push(changed);
    };
    let numbers: Vec<u128> = cert.records.keys().copied().collect();
    let step = numbers.len().div_ceil(MOST_CHANGED).max(1);
    for number in numbers.iter().step_by(step) {
        let (mv, rank) = cert.records[number];
        change(&|cert| {
            cert.records.remove(number);
        });
        for other in 0..6 {
            change(&|cert| {
                cert.records.insert(*number, (other, rank));
            });
        }
        for other in [number + 1, number ^ 1, number * 3, u128::MAX] {
            change(&|cert| {
                cert.records.insert(other, (mv, rank));
            });
        }
        for other in [0, rank + 1, rank + 2, rank.saturating_sub(1), u32::MAX.into(), 1 << 32] {
            // Without ranks nothing would be changed.
            if cert.has_ranks() {
                change(&|cert| {
                    cert.records.insert(*number, (mv, other));
                });
            }
        }
    }
    change(&|cert| cert.owner = 1 - cert.owner);
    change(&|cert| cert.holds = !cert.holds);
    for budget in [0, 2, 3, 10, 41] {
        change(&|cert| cert.budget = budget);
    }
    for database in 0..=9 {
        change(&|cert| cert.database = database);
    }
    change(&|cert| cert.records.clear());
    changes
}

/// The claim of a file is true if it is accepted, whatever byte of it is changed.
#[test]
fn changed_bytes() {
    let small = [
        Board::new(&MU_TORERE, MU_TORERE_4),
        Board::new(&DODGEM, "..r/u../... u"),
        Board::new(&DODGEM, ".r./.r./u.. r"),
        Board::new(&TIC_TAC_TOE, "xo./.ox/... x"),
        Board::new(&FANORONA, "x../.../..o b"),
    ];
    for board in &small {
        let cert = board.certificates(&[0, 1]).into_iter().min_by_key(|cert| cert.records.len());
        let cert = cert.expect("a true claim");
        let whole = cert.bytes();
        let (header, body, count) = (cert.header().into_bytes(), cert.body(), cert.records.len());
        let mut files = Vec::new();
        for at in 0..header.len() + body.len() {
            for by in [1, 2, 3, 4, 16, 127, 128, 255] {
                let (mut header, mut body) = (header.clone(), body.clone());
                match header.get_mut(at) {
                    Some(byte) => *byte = byte.wrapping_add(by),
                    None => body[at - header.len()] ^= by,
                }
                let bytes = file(&header, count, &body);
                let text = String::from_utf8_lossy(&header);
                if verdict(&bytes).is_ok() {
                    assert!(is_true(&text), "{text}");
                }
                files.push(bytes);
            }
        }
        // Without hashes that fit, every change is found.
        for at in 0..whole.len() {
            let mut bytes = whole.clone();
            bytes[at] ^= 1 << (at % 8);
            verdict(&bytes).expect_err("damaged");
            verdict(&whole[..at]).expect_err("cut off");
            if at % 16 == 0 {
                files.push(bytes);
            }
        }
        verdict(&[&whole[..], b"x"].concat()).expect_err("longer");
        compare(&files);
    }
}

/// Whether the claim of a header is true.
fn is_true(header: &str) -> bool {
    let item = |name: &str| {
        let line = header.lines().find(|line| line.starts_with(name)).expect("a line");
        line[name.len() + 1..].to_owned()
    };
    let (game, root, claim) = (item("game"), item("root"), item("claim"));
    let tiny =
        [&TIC_TAC_TOE, &DODGEM, &MU_TORERE, &FANORONA].into_iter().find(|tiny| tiny.name == game);
    let tiny = tiny.expect("a game");
    let (owner, verb) = claim.rsplit_once(' ').expect("a verb");
    let owner = tiny.players.iter().position(|name| *name == owner).expect("a player");
    let winner = Solved::new(tiny, vec![root.clone()]).winner(&root);
    winner.map_or(verb == "holds", |winner| winner == owner)
}

/// A strategy that only holds does not win, whatever ranks it claims.
#[test]
fn circles_do_not_win() {
    let board = Board::new(&MU_TORERE, MU_TORERE_8);
    let mut files = Vec::new();
    for owner in [0, 1] {
        let mut cert = board.certificate(owner, true, 0, 0);
        verdict(&cert.bytes()).expect("it holds");
        cert.holds = false;
        let count = cert.records.len() as u64;
        let ranks: [&dyn Fn(u64) -> u64; 5] =
            [&|_| 0, &|_| 7, &|i| i, &|i| count - i, &|i| i * 7919 % 101];
        for rank in ranks {
            for (record, i) in cert.records.values_mut().zip(0..) {
                record.1 = rank(i);
            }
            let problem = verdict(&cert.bytes()).expect_err("it does not win");
            assert!(
                problem.contains("its rank ") && problem.contains(" is not below "),
                "{problem}"
            );
            files.push(cert.bytes());
        }
    }
    assert_eq!(compare(&files), 0);
}

/// Numbers of more than 64 bits.
#[test]
fn large_boards() {
    let dots = "......./......./......./";
    let root = format!("{dots}...r.../......./......./....u.. r");
    let solved = Solved::new(&DODGEM, vec![root.clone()]);
    let owner = solved.winner(&root).expect("a race");
    let mut files = Vec::new();
    for (holds, budget, database) in
        [(false, 0, 0), (true, 0, 0), (false, 30, 0), (false, 0, 2), (true, 0, 1)]
    {
        let (root, records) = (root.clone(), BTreeMap::new());
        let mut cert = Cert { tiny: &DODGEM, root, owner, holds, budget, database, records };
        cert.fill(&solved);
        assert!(cert.is_right(&solved));
        let checked = verdict(&cert.bytes()).expect("right");
        if (budget, database) == (0, 0) {
            let last = cert.records.keys().max().expect("records");
            assert!(checked.records > 10 && *last > 1 << 70, "{last}");
        }
        files.push(cert.bytes());
    }
    assert_eq!(compare(&files), files.len());
}

/// Headers that promise much are refused at once.
#[test]
fn hostile_headers() {
    let full = ["xoxoxoxo/oxoxoxox"; 4].join("/");
    let dodgem = "r....../r....../r....../r....../r....../r....../.uuuuuu r";
    let mut files = Vec::new();
    for (game, root, claim, numbers, problem) in [
        (
            "konane",
            &*format!("{full} b"),
            "black holds",
            "0 64 0",
            "a database of size 64 has 36893488147419103232 positions, more than 50000000",
        ),
        ("dodgem", dodgem, "up holds", "0 12 0", "a database of size 12 has "),
        ("dodgem", dodgem, "up holds", "0 18446744073709551615 0", "a database of size "),
        (
            "dodgem",
            dodgem,
            "up holds",
            "0 18446744073709551616 0",
            "`18446744073709551616` is not a number",
        ),
        ("dodgem", dodgem, "up holds", "1000001 0 0", "the budget is larger than 1000000"),
        ("dodgem", dodgem, "up holds", "0 0 18446744073709551615", "the header claims "),
        (
            "dodgem",
            dodgem,
            "up draws",
            "0 0 0",
            "the claim `up draws` is not that somebody wins or holds",
        ),
        ("dodgem", dodgem, "left holds", "0 0 0", "there is no player `left` in dodgem"),
        ("dodgem", "r../r../.uu", "up holds", "0 0 0", "the root does not say who is to move"),
        ("dodgem", "rr./r../.uu r", "up holds", "0 0 0", "in the root a player has too many cars"),
        ("dodgem", "r./.u r", "up holds", "0 0 0", "the root is not a board of 3x3 to 7x7"),
        ("dodgem", "r../r../.ux r", "up holds", "0 0 0", "`x` cannot stand on the board"),
        (
            "mu-torere",
            "xxoo./. x",
            "x holds",
            "0 0 0",
            "the root does not have 4, 8, 12 or 16 points",
        ),
        (
            "mu-torere",
            "xxxo/. x",
            "x holds",
            "0 0 0",
            "in the root a player does not have 2 stones",
        ),
        ("mu-torere", "xxoo. x", "x holds", "0 0 0", "the centre of the root is missing"),
        ("fanorona", "xxx/o.x/ooo x", "white holds", "0 0 0", "`x` is neither `w` nor `b`"),
        ("fanorona", "xx/o./oo w", "white holds", "0 0 0", "the root is not a board of odd sides"),
        ("fanorona", "xxx/oxx/ooo w", "white holds", "0 0 0", "more stones than at the start"),
        ("tic-tac-toe", ".../.../... o", "x holds", "0 0 0", "the other player moves"),
        (
            "tic-tac-toe",
            "xxx/ooo/... x",
            "x holds",
            "0 0 0",
            "the root goes on after three in a row",
        ),
        ("tic-tac-toe", "xxx/oo./... o", "o holds", "0 0 0", "the game is over, and x wins"),
        ("tic-tac-toe", "xxx/oo./... o", "o wins", "0 9 0", "in the database, x wins"),
        (
            "tic-tac-toe",
            "xox/xox/oxo o",
            "x wins",
            "0 0 0",
            "the root xox/xox/oxo o: the game is over, and nobody wins",
        ),
        ("chess", "", "x wins", "0 0 0", "the game `chess` is not known"),
    ] {
        let [budget, database, records] = numbers.split(' ').collect::<Vec<_>>()[..] else {
            panic!("three numbers");
        };
        let header = format!(
            "papamu certificate 2\ngame {game}\nrules standard\nroot {root}\nclaim {claim}\n\
             budget {budget}\ndatabase {database}\nrecords {records}\nend\n"
        );
        let bytes = file(header.as_bytes(), 0, &[]);
        let begin = Instant::now();
        let found = verdict(&bytes).expect_err("refused");
        assert!(found.contains(problem), "`{found}` is not `{problem}`");
        assert!(begin.elapsed() < Duration::from_secs(5), "{header}");
        files.push(bytes);
    }
    assert_eq!(compare(&files), 0);
    let other = |from: &str, to: &str| {
        let board = Board::new(&MU_TORERE, MU_TORERE_4);
        let cert = &board.certificates(&[0])[0];
        let header = cert.header().replacen(from, to, 1);
        verdict(&file(header.as_bytes(), cert.records.len(), &cert.body())).expect_err("refused")
    };
    assert_eq!(other("standard", "misere"), "the rules `misere` of mu-torere are not known");
    assert_eq!(other("certificate 2", "certificate 3"), "version 3 is not known, only 1 and 2");
    assert!(other("certificate 2", "certificate 1").contains("where `root ...` should be"));
}

/// Konane in version 2: White wins 1x2 with the only move, or by a database or a search.
#[test]
fn konane_by_hand() {
    let file = |claim: &str, budget: u64, database: u64, records: &[u8]| {
        let count = records.len() / 2;
        let header = format!(
            "papamu certificate 2\ngame konane\nrules standard\nroot xo b\nclaim {claim}\n\
             budget {budget}\ndatabase {database}\nrecords {count}\nend\n"
        );
        file(header.as_bytes(), count, records)
    };
    let right = [
        file("white wins", 0, 0, &[2, 0]),
        file("white holds", 0, 0, &[2, 0]),
        file("white wins", 0, 1, &[]),
        file("white wins", 2, 0, &[]),
    ];
    assert_eq!(compare(&right), right.len());
    let wrong = [
        file("white wins", 0, 1, &[2, 0]),
        file("white wins", 1, 0, &[]),
        file("white wins", 0, 0, &[2, 1]),
        file("black wins", 0, 2, &[]),
        file("black holds", 100, 0, &[]),
    ];
    assert_eq!(compare(&wrong), 0);
}

/// What the program says.
#[test]
fn the_program() {
    let board = Board::new(&TIC_TAC_TOE, TIC_TAC_TOE_START);
    let cert = board.certificate(1, true, 0, 4);
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("file");
    std::fs::write(&path, cert.bytes()).expect("written");
    let mut command = assert_cmd::Command::cargo_bin("papamu-check").expect("the program");
    let output = command.arg(&path).output().expect("ran");
    let out = String::from_utf8(output.stdout).expect("text");
    let Checked { records, looked_up, database, .. } = verdict(&cert.bytes()).expect("right");
    let expected = format!(
        "claim      o holds tic-tac-toe .../.../... x\n\
         records    {records}, 0 positions to prove what is left out\n\
         checked    {records}\n\
         searched   0\n\
         looked up  {looked_up} in a database of {database} positions\n\
         ACCEPTED\n"
    );
    assert_eq!((output.status.code(), out), (Some(0), expected));
}
