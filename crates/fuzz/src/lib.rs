//! Properties that hold for any input: every reader refuses what it cannot read, and play keeps the
//! laws of [`papamu_game::Game`].
//!
//! A property is a function of bytes that panics when it is broken, and otherwise says whether the
//! bytes were read or refused. Each is listed in [`PROPERTIES`], with `corpus/NAME` as examples of
//! its inputs.
//!
//! ```
//! let property = papamu_fuzz::property("positions_roundtrip").expect("one of them");
//! assert!((property.check)(b"0 xo.o/.x../xox. b"));
//! assert!(!(property.check)(b"0 xo.o/.x."));
//! ```
//!
//! # Running
//!
//! `cargo test -p papamu-fuzz` tries a fixed number of inputs of each property, always the same
//! ones. To search longer:
//!
//! ```text
//! cargo run --release -p papamu-fuzz -- undo_restores --seconds 600 --seed 7
//! ```
//!
//! An input that breaks the property is written to a file. `cargo run -p papamu-fuzz --
//! undo_restores FILE` tries it again. Once the bug is fixed, the file belongs in the corpus.
//!
//! # With a fuzzer that watches coverage
//!
//! cargo-fuzz needs a target of one line per property, AFL the same with `afl::fuzz!`. Both take
//! the corpus as it is.
//!
//! ```text
//! fuzz_target!(|data: &[u8]| { papamu_fuzz::play::undo_restores(data); });
//! ```

mod bytes;
pub mod certificates;
pub mod inputs;
pub mod play;
pub mod readers;
pub mod requests;
pub mod searches;
pub mod tables;
pub mod values;

/// A property that holds for any input.
#[derive(Clone, Copy, Debug)]
pub struct Property {
    /// Its name, which is that of the function.
    pub name: &'static str,
    /// Whether the input was read; panics if the property is broken.
    pub check: fn(&[u8]) -> bool,
    /// How many inputs the tests try, which takes seconds.
    pub runs: u32,
}

macro_rules! properties {
    ($($module:ident::$name:ident, $runs:literal;)+) => {
        /// All properties.
        pub const PROPERTIES: &[Property] = &[
            $(Property { name: stringify!($name), check: $module::$name, runs: $runs }),+
        ];
    };
}

properties! {
    play::positions_roundtrip, 100000;
    play::legals_are_legal, 4000;
    play::undo_restores, 4000;
    play::key_is_injective, 4000;
    play::images_commute, 4000;
    readers::sprouts_readers_agree, 50000;
    readers::perft_file_is_refused_or_read, 50000;
    certificates::certificate_roundtrip, 10000;
    certificates::certificate_readers_agree, 10000;
    certificates::accepted_certificates_are_right, 10000;
    certificates::nimber_file_roundtrip, 20000;
    certificates::nimber_file_readers_agree, 20000;
    searches::checkpoint_is_refused_or_read, 2000;
    tables::table_is_refused_or_read, 1000;
    values::value_expressions_roundtrip, 5000;
    values::invariant_table_is_refused_or_read, 10000;
    requests::requests_are_refused_or_read, 50000;
}

/// The property of that name.
pub fn property(name: &str) -> Option<&'static Property> {
    PROPERTIES.iter().find(|property| property.name == name)
}
