//! Checkpoints.
//!
//! An input is a digit for the algorithm, and then either `=` and a whole file, or the content of a
//! file that gets the right header and the right hash: a line that changes the header, and words of
//! one to eight bytes, each preceded by its length.

use std::time::Duration;

use papamu_game::{Game, Question};
use papamu_games::Konane;
use papamu_search::checkpoint::{self, Header, Subject};
use papamu_search::run::Store;
use papamu_search::{Algorithm, Checkpointing, Job, Monitor, Options};

use crate::bytes::Bytes;

/// Small enough to be solved each time.
const BOARD: &str = "3x4";
const MEMORY_BYTES: usize = 1 << 20;

/// A checkpoint of the search with the right hash, whatever its words are.
fn sealed(subject: &Subject, mut bytes: Bytes<'_>) -> Vec<u8> {
    let header = Header { subject: subject.clone(), nodes: 100, expansions: 10, seconds: 0.5 };
    let mut json = serde_json::to_value(&header).expect("JSON");
    // `algorithm=pns` sets a part of the header.
    if let Some((part, text)) = bytes.line().split_once('=') {
        let value = serde_json::from_str(text).unwrap_or_else(|_| text.into());
        json[part] = value;
    }
    let json = json.to_string();
    let mut body = Vec::new();
    while !bytes.is_empty() {
        let length = bytes.below(9);
        let mut word = [0; 8];
        let taken = bytes.take(length);
        word[..taken.len()].copy_from_slice(taken);
        body.extend(word);
    }
    let body = zstd::encode_all(&body[..], 1).expect("compressed in memory");
    let sizes = [3, json.len() as u32].map(u32::to_le_bytes).concat();
    let mut file = [b"PAPAMUCP", &sizes[..], json.as_bytes(), &body].concat();
    file.extend(blake3::hash(&file).as_bytes());
    file
}

/// Any bytes are refused or read. A search that resumes from what was read ends.
pub fn checkpoint_is_refused_or_read(data: &[u8]) -> bool {
    let mut bytes = Bytes(data);
    let algorithm = Algorithm::SEARCHES[bytes.digit(Algorithm::SEARCHES.len())];
    let (game, position) = Konane::read(BOARD).expect("a board");
    let subject = Subject::new(&game, &position, algorithm, Question::Wins);
    let file = match bytes.0 {
        [b'=', raw @ ..] => raw.to_vec(),
        _ => sealed(&subject, bytes),
    };
    let directory = tempfile::tempdir().expect("a temporary directory");
    let path = directory.path().join("checkpoint");
    std::fs::write(&path, file).expect("written");
    let peeked = checkpoint::peek(&path);
    let store: Store<u64> = Store::new(algorithm, MEMORY_BYTES).expect("memory");
    let Ok(header) = checkpoint::read(&path, &subject, &store) else { return false };
    assert_eq!(peeked.expect("it was read"), header);
    let options = Options::default().memory(MEMORY_BYTES);
    let again = directory.path().join("again");
    let checkpointing =
        Checkpointing { file: &again, resume_from: Some(&path), interval: Duration::from_secs(60) };
    let job = Job {
        game: &game,
        position: &position,
        algorithm,
        options: &options,
        oracles: &[],
        checkpoint: Some(checkpointing),
        keeps_solved: false,
    };
    if let Ok(solved) = job.run(&Monitor::new()) {
        assert!(solved.resumed);
    }
    true
}
