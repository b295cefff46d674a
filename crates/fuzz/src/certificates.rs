//! Certificates and files of nimbers.
//!
//! These files end with hashes, which a changed file does not have. So an input is what they are
//! made of: if it begins with `=`, it is the file as it is; otherwise hashes are put in.

use std::io::Cursor;

use papamu_base::Progress;
use papamu_checker::nimbers::{self, Lemma};
use papamu_checker::reader::{Problem, Record};
use papamu_checker::{check, reader};
use papamu_game::sums::Sums;
use papamu_game::tiny::{Cram, Kayles};
use papamu_game::{Ending, Game, Value};
use papamu_games::{Konane, Sprouts};
use papamu_proof::file::FileError;
use papamu_proof::strategy::Strategy;
use papamu_search::nimber::file::{self, Claim, GameRules, Lemmas};
use papamu_search::reference;
use sha2::{Digest, Sha256};

use crate::bytes::Bytes;

/// The certificate of an input: lines with the root, the winner and the budget, or after `+` all
/// lines of a header with `?` for the number of records. Then blocks: their length in bytes, a
/// digit that is 0 if the number of records is right, and the records.
fn certificate(data: &[u8]) -> Vec<u8> {
    let mut bytes = Bytes(data);
    let mut header = match data {
        [b'=', raw @ ..] => return raw.to_vec(),
        [b'+', rest @ ..] => {
            bytes = Bytes(rest);
            let mut header = String::new();
            while !bytes.is_empty() && !header.ends_with("\nend\n") {
                header = header + &bytes.line() + "\n";
            }
            header
        }
        _ => {
            let [root, winner, budget] = [(); 3].map(|()| bytes.line());
            let claim = format!("root {root}\nclaim {winner} wins\nbudget {budget}");
            format!("papamu certificate 1\ngame konane\n{claim}\nrecords ?\nend\n")
        }
    };
    let (mut blocks, mut all) = (Vec::new(), 0);
    while !bytes.is_empty() {
        let (length, more) = (bytes.byte(), bytes.digit(256));
        let records = bytes.take(length.into());
        // Two numbers each, of which all bytes but the last have their top bit set.
        let count = (records.iter().filter(|byte| **byte < 0x80).count() / 2 + more) as u32;
        if count == 0 {
            break;
        }
        all += count;
        let sizes = [count, records.len() as u32].map(u32::to_le_bytes).concat();
        let block = [&sizes, records].concat();
        blocks.extend(&block);
        blocks.extend(Sha256::digest(&block));
    }
    header = header.replace("records ?", &format!("records {all}"));
    let mut file = [header.as_bytes(), &blocks, &[0; 4]].concat();
    file.extend(Sha256::digest(&file));
    file
}

fn load(bytes: &[u8]) -> Result<Strategy<Konane>, FileError> {
    let file = tempfile::NamedTempFile::new().expect("a temporary file");
    std::fs::write(file.path(), bytes).expect("written");
    Strategy::load(file.path())
}

/// Any bytes are refused, or a strategy that is read again as it is written.
pub fn certificate_roundtrip(data: &[u8]) -> bool {
    let Ok(strategy) = load(&certificate(data)) else { return false };
    let mut written = Vec::new();
    strategy.write_to(&mut written).expect("written to memory");
    let again = load(&written).expect("what was written");
    assert_eq!(again.header(), strategy.header());
    assert_eq!(again.records, strategy.records);
    let mut twice = Vec::new();
    again.write_to(&mut twice).expect("written to memory");
    assert!(twice == written, "it is written in two ways");
    true
}

/// What the checker reads of a certificate of version 1, the only one that the program knows.
fn checker_reads(bytes: &[u8]) -> Result<(reader::Header, Vec<Record>), Problem> {
    let mut reader = reader::Reader::new(bytes)?;
    let mut records = Vec::new();
    while let Some(record) = reader.next_record()? {
        records.push(record);
    }
    let header = reader.header().clone();
    check::rules(&header)?;
    if header.version != 1 {
        return Err(Problem::Format("it is not of version 1".to_owned()));
    }
    Ok((header, records))
}

/// The program reads whatever the checker reads, and the checker whatever the program writes.
/// Besides, the program knows abbreviations of roots, and the checker numbers of moves that no
/// board has.
pub fn certificate_readers_agree(data: &[u8]) -> bool {
    let bytes = certificate(data);
    match (load(&bytes), checker_reads(&bytes)) {
        (Err(_), Err(_)) => return false,
        (Ok(strategy), Err(problem)) => {
            let root = format!("root {}\n", strategy.header().root);
            let is_written_so = bytes.windows(root.len()).any(|window| window == root.as_bytes());
            assert!(!is_written_so, "only the checker refuses it: {problem}");
        }
        (Err(problem), Ok((_, records))) => {
            let is_possible = records.iter().all(|record| u32::try_from(record.mv).is_ok());
            assert!(!is_possible, "only the program refuses it: {problem}");
        }
        (Ok(strategy), Ok((header, records))) => {
            let reader::Header { game, root, owner, budget, records: count, .. } = header;
            let own = strategy.header();
            assert_eq!((own.game, own.root, own.winner), (game, root, owner));
            assert_eq!((own.budget, own.records), (budget, count));
            let mut own: Vec<Record> = strategy
                .records
                .iter()
                .map(|(&position, &mv)| Record {
                    position: position.into(),
                    mv: mv.into(),
                    rank: 0,
                })
                .collect();
            own.sort_by_key(|record| record.position);
            assert_eq!(own, records);
        }
    }
    true
}

/// Roots with more squares take too long to solve in another way.
const MOST_SQUARES: usize = 16;

/// What the checker accepts is so.
pub fn accepted_certificates_are_right(data: &[u8]) -> bool {
    let bytes = certificate(data);
    let Ok((header, _)) = checker_reads(&bytes) else { return false };
    let letters = header.root.bytes().filter(|letter| b"xo.".contains(letter)).count();
    if letters > MOST_SQUARES || header.budget > 1000 {
        return false;
    }
    if check::check(Cursor::new(&bytes), 1 << 16, |_| ()).is_err() {
        return true;
    }
    let (game, root) = Konane::read(&header.root).expect("the program reads it, too");
    let solution = reference::solve(&game, &root, &Konane::CAPABILITIES, 1 << 30, &Progress::new());
    let mover_wins = solution.expect("a small board").value == Value::Win;
    let mover = Konane::PLAYERS[game.to_move(&root).index()];
    assert_eq!(mover == header.owner, mover_wins, "{} wins {}", header.owner, header.root);
    true
}

/// The file of nimbers of an input: a line with a digit for the game and the claim, or after `+`
/// the four lines of a header. Then lemmas, which are counted and put in order.
fn nimber_file(data: &[u8]) -> Vec<u8> {
    let text = String::from_utf8_lossy(data);
    let mut lines = text.lines();
    let header = match data {
        [b'=', raw @ ..] => return raw.to_vec(),
        [b'+', ..] => {
            let header: Vec<&str> = lines.by_ref().take(4).collect();
            header.join("\n").replacen('+', "", 1)
        }
        _ => {
            let mut line = Bytes(lines.next().unwrap_or("").as_bytes());
            let rules = ["sprouts\nrules normal", "cram\nrules standard", "kayles\nrules standard"];
            let rules = rules[line.digit(rules.len())];
            let claim = line.line();
            format!("papamu nimbers 1\ngame {rules}\nclaim {}", claim.trim_start())
        }
    };
    let mut lemmas: Vec<&str> = lines.collect();
    let land = |lemma: &&str| lemma.split_once(' ').map_or("", |(_, land)| land).to_owned();
    lemmas.sort_by_key(land);
    lemmas.dedup_by_key(|lemma| land(&*lemma));
    let count = lemmas.len();
    let lemmas: String = lemmas.iter().map(|lemma| format!("{lemma}\n")).collect();
    let text = format!("{header}\nlemmas {count}\n{lemmas}");
    let hash = Sha256::digest(&text);
    let hash: String = hash.iter().map(|byte| format!("{byte:02x}")).collect();
    format!("{text}sha256 {hash}\n").into_bytes()
}

/// The games that have nimbers.
fn games() -> [(GameRules, Box<dyn Sums>); 3] {
    let sprouts = Sprouts::new(Ending::Normal);
    let (cram, _) = Cram::read("4x4").expect("a board");
    let (kayles, _) = Kayles::read("3").expect("a row");
    [
        (GameRules::of(&sprouts), sprouts.sums()),
        (GameRules::of(&cram), Cram::CAPABILITIES.sums(&cram)),
        (GameRules::of(&kayles), Kayles::CAPABILITIES.sums(&kayles)),
    ]
}

fn sorted(lemmas: &Lemmas) -> Vec<(&[u8], u8)> {
    let mut lemmas: Vec<_> = lemmas.iter().collect();
    lemmas.sort_unstable();
    lemmas
}

/// Any bytes are refused, or nimbers that are read again as they are written.
pub fn nimber_file_roundtrip(data: &[u8]) -> bool {
    let bytes = nimber_file(data);
    let header = file::read_header(&bytes[..]);
    let mut is_read = false;
    for (rules, sums) in games() {
        let Ok((claim, lemmas)) = file::read(&bytes[..], rules.clone(), &*sums) else { continue };
        let header = header.as_ref().expect("the file was read");
        assert_eq!((&header.game, &header.claim), (&rules.game, &claim));
        let mut written = Vec::new();
        let wrote = file::write(&mut written, rules.clone(), &*sums, &claim, &lemmas);
        wrote.expect("written to memory");
        let again = file::read(&written[..], rules, &*sums).expect("what was written");
        assert_eq!(again.0, claim);
        assert_eq!(sorted(&again.1), sorted(&lemmas));
        is_read = true;
    }
    is_read
}

/// What the checker reads of a file of nimbers.
fn checker_reads_nimbers(bytes: &[u8]) -> Result<(nimbers::Header, Vec<Lemma>), Problem> {
    let mut reader = nimbers::Reader::new(bytes)?;
    let mut lemmas = Vec::new();
    while let Some(lemma) = reader.next_lemma()? {
        lemmas.push(lemma);
    }
    Ok((reader.header().clone(), lemmas))
}

/// The checker reads whatever the program reads and writes, and means the same.
pub fn nimber_file_readers_agree(data: &[u8]) -> bool {
    let bytes = nimber_file(data);
    let [(rules, sums), ..] = games();
    let Ok((claim, lemmas)) = file::read(&bytes[..], rules.clone(), &*sums) else { return false };
    let position = match &claim {
        Claim::Nothing => None,
        Claim::Win(position) | Claim::Loss(position) | Claim::Nimber(_, position) => Some(position),
    };
    // The program leaves it to others what a claim is about.
    let is_plain = |position: &String| sums.read(position).is_ok();
    let is_small = !matches!(claim, Claim::Nimber(256.., _));
    if !position.is_none_or(is_plain) || !is_small {
        return false;
    }
    let mut written = Vec::new();
    let wrote = file::write(&mut written, rules, &*sums, &claim, &lemmas);
    wrote.expect("written to memory");
    let (header, checked) = match checker_reads_nimbers(&written) {
        Ok(read) => read,
        Err(problem) => panic!("only the checker refuses it: {problem}"),
    };
    let claimed = match header.claim {
        nimbers::Claim::None => Claim::Nothing,
        nimbers::Claim::Win(position) => Claim::Win(position),
        nimbers::Claim::Loss(position) => Claim::Loss(position),
        nimbers::Claim::Nimber(nimber, position) => Claim::Nimber(nimber.into(), position),
    };
    assert_eq!(claimed, claim);
    let mut own: Vec<(String, u8)> =
        lemmas.iter().map(|(code, nimber)| (sums.write(code), nimber)).collect();
    own.sort_unstable();
    let checked: Vec<_> = checked.into_iter().map(|lemma| (lemma.land, lemma.nimber)).collect();
    assert_eq!(checked, own);
    true
}
