//! Readers of text.

use papamu_checker::sprouts::{Position, text};
use papamu_game::Ending;
use papamu_game::perft::{MAX_DEPTH, Record, read_file};
use papamu_games::Sprouts;

/// Longer texts take both readers long and test nothing new.
const LONGEST_SPROUTS: usize = 200;

/// The lands of a position that the checker read, sorted, as it writes them.
fn lands(mut position: Position) -> Vec<String> {
    position.reduce();
    let lands = position.lands();
    let mut lands: Vec<String> = lands.iter().map(|land| text::write(&land.form())).collect();
    lands.sort_unstable();
    lands
}

/// The program and the checker both refuse a position of Sprouts, or both read the same.
pub fn sprouts_readers_agree(data: &[u8]) -> bool {
    let data = &data[..data.len().min(LONGEST_SPROUTS)];
    let input = String::from_utf8_lossy(data);
    let program = Sprouts::new(Ending::Normal).sums();
    match (program.read(&input), text::read(&input)) {
        (Err(_), Err(_)) => false,
        (Ok(_), Err(problem)) => panic!("only the checker refuses it: {problem}"),
        (Err(problem), Ok(_)) => panic!("only the program refuses it: {problem}"),
        (Ok(read), Ok(checked)) => {
            let written: Vec<String> = read.list(0).map(|land| program.write(land)).collect();
            let written = if written.is_empty() { "!".to_owned() } else { written.join("+") };
            let again = text::read(&written).expect("what the program writes");
            assert_eq!(lands(checked), lands(again), "it is {written} to the program");
            true
        }
    }
}

fn perft_file(records: &[Record]) -> String {
    let record = |record: &Record| {
        let counts = record.counts.iter().map(|(depth, count)| format!("perft {depth} {count}\n"));
        format!("position {}\n{}", record.position, counts.collect::<String>())
    };
    records.iter().map(record).collect()
}

/// Records that are read have valid depths and survive writing and reading.
pub fn perft_file_is_refused_or_read(data: &[u8]) -> bool {
    let text = String::from_utf8_lossy(data);
    let records = match read_file(&text) {
        Ok(records) => records,
        Err(problem) => {
            assert!(problem.to_string().starts_with("line "), "{problem}");
            return false;
        }
    };
    let counts = |records: &[Record]| -> Vec<(String, Vec<(u32, u64)>)> {
        records.iter().map(|record| (record.position.clone(), record.counts.clone())).collect()
    };
    let depths = records.iter().flat_map(|record| &record.counts).map(|(depth, _)| *depth);
    assert!(depths.into_iter().all(|depth| (1..=MAX_DEPTH).contains(&depth)));
    let again = read_file(&perft_file(&records)).expect("what was written");
    assert_eq!(counts(&again), counts(&records));
    !records.is_empty()
}
