//! The checker's reader on arbitrary input: it never panics, and claimed sizes take no memory.

use papamu_checker::check::rules;
use papamu_checker::reader::Reader;
use proptest::prelude::*;

/// Reads to the end or to the first problem.
fn read(bytes: &[u8]) {
    if let Ok(mut reader) = Reader::new(bytes) {
        if let Ok(rules) = rules(reader.header()) {
            let _ = rules.needed_by_root();
            let _ = rules.show(u64::MAX);
            let _ = rules.needed_after(u64::MAX, u64::MAX);
        }
        while let Ok(Some(_)) = reader.next_record() {}
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(20_000))]

    #[test]
    fn any_bytes(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
        read(&bytes);
        read(&[b"papamu certificate 1\n", &bytes[..]].concat());
    }

    #[test]
    fn any_header(
        root in "[xo./]{0,70} ?[bwx]?",
        winner in "(black|white|[a-z ]{0,8})",
        budget in "[0-9]{0,22}",
        records in "[0-9]{0,22}",
        tail in proptest::collection::vec(any::<u8>(), 0..200),
    ) {
        let header = format!(
            "papamu certificate 1\ngame konane\nroot {root}\nclaim {winner} wins\nbudget {budget}\nrecords {records}\nend\n"
        );
        read(&[header.as_bytes(), &tail].concat());
    }

    #[test]
    fn any_header_of_version_2(
        (game, root) in prop_oneof![
            ("(dodgem)", "[ru.]{3}/[ru.]{3}/[ru.]{3} ?[ru]"),
            ("(dodgem|mu-torere|tic-tac-toe|konane|[a-z]{3})", "[xoru./]{0,70} ?[bwxoru]?"),
            ("(mu-torere)", "[xo]{4}/\\. [xo]"),
            ("(tic-tac-toe)", "[x.]{3}/[o.]{3}/\\.{3} [xo]"),
        ],
        claim in "(right|up|x|o|black|[a-z ]{0,8}) (wins|holds|draws)",
        budget in "[0-9]{0,3}",
        database in "[0-9]{0,22}",
        tail in proptest::collection::vec(any::<u8>(), 0..200),
    ) {
        let header = format!(
            "papamu certificate 2\ngame {game}\nrules standard\nroot {root}\nclaim {claim}\nbudget {budget}\ndatabase {database}\nrecords 1\nend\n"
        );
        read(&[header.as_bytes(), &tail].concat());
    }
}
