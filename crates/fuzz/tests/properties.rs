//! Every property on a fixed number of inputs, the same in every run.

use papamu_fuzz::inputs::try_all;
use papamu_fuzz::{PROPERTIES, property};

macro_rules! properties {
    ($($name:ident),+ $(,)?) => {
        $(
            #[test]
            fn $name() {
                try_all(property(stringify!($name)).expect("a property"));
            }
        )+

        #[test]
        fn all_properties_are_tested() {
            let names: Vec<&str> = PROPERTIES.iter().map(|property| property.name).collect();
            assert_eq!(names, [$(stringify!($name)),+]);
        }
    };
}

properties! {
    positions_roundtrip,
    legals_are_legal,
    undo_restores,
    key_is_injective,
    images_commute,
    sprouts_readers_agree,
    perft_file_is_refused_or_read,
    certificate_roundtrip,
    certificate_readers_agree,
    accepted_certificates_are_right,
    nimber_file_roundtrip,
    nimber_file_readers_agree,
    checkpoint_is_refused_or_read,
    table_is_refused_or_read,
    value_expressions_roundtrip,
    invariant_table_is_refused_or_read,
    requests_are_refused_or_read,
}
