//! Certificates and files of nimbers.
//!
//! These files end with hashes, which any change would break. So an input is the content of a file,
//! and the hashes are added. An input that begins with `=` is a whole file.

use std::io::Cursor;

use papamu_base::Progress;
use papamu_checker::nimbers::{self, Lemma};
use papamu_checker::reader::{Problem, Record};
use papamu_checker::{check, reader};
use papamu_game::sums::Sums;
use papamu_game::tiny::{Cram, Dodgem, Kayles, MuTorere, TicTacToe};
use papamu_game::{Capabilities, Certifiable, CertificateNumber, Ending, Game, Value};
use papamu_games::{Fanorona, Konane, Sprouts};
use papamu_proof::claim::Claim as StrategyClaim;
use papamu_proof::file::{FileError, Header, read_header};
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
    // Ranks are due where play can go in circles and somebody wins.
    let circles = ["game dodgem\n", "game mu-torere\n", "game fanorona\n"];
    let circles = circles.iter().any(|game| header.contains(game));
    let has_ranks = header.starts_with("papamu certificate 2") && header.contains(" wins\n");
    let numbers = if circles && has_ranks { 3 } else { 2 };
    let (mut blocks, mut all) = (Vec::new(), 0);
    while !bytes.is_empty() {
        let (length, more) = (bytes.byte(), bytes.digit(256));
        let records = bytes.take(length.into());
        // Numbers, of which all bytes but the last have their top bit set.
        let count = (records.iter().filter(|byte| **byte < 0x80).count() / numbers + more) as u32;
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

/// A certificate as the program reads it, of whatever game.
struct Loaded {
    header: Header,
    records: Vec<Record>,
    /// The same, written again.
    written: Vec<u8>,
}

fn load(bytes: &[u8]) -> Result<Loaded, FileError> {
    let file = tempfile::NamedTempFile::new().expect("a temporary file");
    std::fs::write(file.path(), bytes).expect("written");
    let path = file.path();
    match read_header(path)?.game.as_str() {
        TicTacToe::NAME => Strategy::<TicTacToe>::load(path).map(loaded),
        Dodgem::NAME => Strategy::<Dodgem>::load(path).map(loaded),
        MuTorere::NAME => Strategy::<MuTorere>::load(path).map(loaded),
        Fanorona::NAME => Strategy::<Fanorona>::load(path).map(loaded),
        _ => Strategy::<Konane>::load(path).map(loaded),
    }
}

fn loaded<G: Certifiable>(strategy: Strategy<G>) -> Loaded {
    let mut written = Vec::new();
    strategy.write_to(&mut written).expect("written to memory");
    let record = |(number, record): (&G::Number, &papamu_proof::strategy::Record)| Record {
        position: number.widen(),
        mv: record.mv.into(),
        rank: record.rank,
    };
    let mut records: Vec<Record> = strategy.records.iter().map(record).collect();
    records.sort_by_key(|record| record.position);
    Loaded { header: strategy.header(), records, written }
}

/// Any bytes are refused, or are a strategy that survives writing and reading.
pub fn certificate_roundtrip(data: &[u8]) -> bool {
    let Ok(first) = load(&certificate(data)) else { return false };
    let again = load(&first.written).expect("what was written");
    assert_eq!(again.header, first.header);
    assert_eq!(again.records, first.records);
    assert!(again.written == first.written, "it is written in two ways");
    true
}

/// What the checker reads of a certificate.
fn checker_reads(bytes: &[u8]) -> Result<(reader::Header, Vec<Record>), Problem> {
    let mut reader = reader::Reader::new(bytes)?;
    let mut records = Vec::new();
    while let Some(record) = reader.next_record()? {
        records.push(record);
    }
    let header = reader.header().clone();
    check::rules(&header)?;
    Ok((header, records))
}

/// The program reads whatever the checker reads, and the checker whatever the program writes.
/// Besides, the program knows abbreviations of roots, and the checker numbers of moves and of
/// positions that no board has.
pub fn certificate_readers_agree(data: &[u8]) -> bool {
    let bytes = certificate(data);
    match (load(&bytes), checker_reads(&bytes)) {
        (Err(_), Err(_)) => return false,
        (Ok(own), Err(problem)) => {
            let root = format!("root {}\n", own.header.root);
            let is_written_so = bytes.windows(root.len()).any(|window| window == root.as_bytes());
            assert!(!is_written_so, "only the checker refuses it: {problem}");
        }
        (Err(problem), Ok((_, records))) => {
            let is_possible = |record: &Record| {
                u32::try_from(record.mv).is_ok() && u64::try_from(record.position).is_ok()
            };
            assert!(!records.iter().all(is_possible), "only the program refuses it: {problem}");
        }
        (Ok(Loaded { header: own, records: own_records, .. }), Ok((header, records))) => {
            let reader::Header { game, rules, root, owner, holds, .. } = header;
            assert_eq!((own.game, own.rules, own.root, own.owner), (game, rules, root, owner));
            assert_eq!(own.claim == StrategyClaim::Holds, holds);
            let reader::Header { budget, database, records: count, .. } = header;
            assert_eq!((own.budget, own.database, own.records), (budget, database, count));
            assert_eq!(own_records, records);
        }
    }
    true
}

/// Roots with more squares take too long to solve in another way, and so do larger databases.
const MOST_SQUARES: usize = 16;
const MOST_CIRCULAR_SQUARES: usize = 9;
const MOST_DATABASE: u64 = 9;

/// Certificates that the checker accepts are right.
pub fn accepted_certificates_are_right(data: &[u8]) -> bool {
    let bytes = certificate(data);
    let Ok((header, _)) = checker_reads(&bytes) else { return false };
    let board = header.root.split(' ').next().unwrap_or("");
    let letters = board.bytes().filter(|&letter| letter != b'/').count();
    let is_konane = header.game == Konane::NAME;
    let most = if is_konane { MOST_SQUARES } else { MOST_CIRCULAR_SQUARES };
    if letters > most || header.budget > 1000 || header.database > MOST_DATABASE {
        return false;
    }
    if is_konane && header.database > 0 && letters > MOST_CIRCULAR_SQUARES {
        return false;
    }
    if check::check(Cursor::new(&bytes), 1 << 16, |_| ()).is_err() {
        return true;
    }
    match header.game.as_str() {
        TicTacToe::NAME => claim_is_right::<TicTacToe>(&header, &TicTacToe::CAPABILITIES),
        Dodgem::NAME => claim_is_right::<Dodgem>(&header, &Dodgem::CAPABILITIES),
        MuTorere::NAME => claim_is_right::<MuTorere>(&header, &MuTorere::CAPABILITIES),
        Fanorona::NAME => claim_is_right::<Fanorona>(&header, &Fanorona::CAPABILITIES),
        _ => claim_is_right::<Konane>(&header, &Konane::CAPABILITIES),
    }
    true
}

fn claim_is_right<G: Certifiable>(header: &reader::Header, capabilities: &Capabilities<G>) {
    let (game, root) = G::read(&header.root).expect("the program reads it, too");
    let solution = reference::solve(&game, &root, capabilities, 1 << 30, &Progress::new());
    let value = solution.expect("a small board").value;
    let is_mover = G::PLAYERS[game.to_move(&root).index()] == header.owner;
    let value = if is_mover { value } else { -value };
    let least = if header.holds { Value::Draw } else { Value::Win };
    assert!(value >= least, "{} of {} has {value}", header.root, header.owner);
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

/// Any bytes are refused, or are nimbers that survive writing and reading.
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

/// A file of nimbers as the checker reads it.
fn checker_reads_nimbers(bytes: &[u8]) -> Result<(nimbers::Header, Vec<Lemma>), Problem> {
    let mut reader = nimbers::Reader::new(bytes)?;
    let mut lemmas = Vec::new();
    while let Some(lemma) = reader.next_lemma()? {
        lemmas.push(lemma);
    }
    Ok((reader.header().clone(), lemmas))
}

/// The checker reads every file that the program reads and writes, with the same content.
pub fn nimber_file_readers_agree(data: &[u8]) -> bool {
    let bytes = nimber_file(data);
    let [(rules, sums), ..] = games();
    let Ok((claim, lemmas)) = file::read(&bytes[..], rules.clone(), &*sums) else { return false };
    let position = match &claim {
        Claim::Nothing => None,
        Claim::Win(position) | Claim::Loss(position) | Claim::Nimber(_, position) => Some(position),
    };
    // The program does not check the position of a claim.
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
