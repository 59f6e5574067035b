//! What is fuzzed: each target is a plain function of bytes, which panics where a property does not hold.
//!
//! On stable, `cargo test` in this folder runs every target over its committed corpus, and `cargo build` builds binaries
//! that do the same for the files they are given. With `cargo +nightly fuzz run TARGET` the functions
//! are driven by libFuzzer.

mod arrow;
mod avro;
mod canonical;
mod cbor;
mod csv;
mod json;
#[path = "../../crates/demat/tests/messages/mod.rs"]
mod messages;
mod msgpack;
mod nbt;
mod ndjson;
mod peer;
mod plist;
mod postgres;
mod proto;
mod raw;
mod shapes;
mod sqlite;
mod store;
mod take;
mod toml;
mod txtpb;
mod ways;
mod xml;
mod yaml;

pub use crate::arrow::{arrow_ipc, json_columns};
pub use crate::avro::avro_file;
pub use crate::canonical::canonical_json;
pub use crate::cbor::cbor_window;
pub use crate::csv::{csv_vs_crate, csv_window};
pub use crate::json::{json_levels, json_skip_vs_decode, json_slice_vs_window};
pub use crate::messages::check_all as proto_typed;
pub use crate::msgpack::msgpack_window;
pub use crate::nbt::{nbt_window, region_file, snbt_text};
pub use crate::ndjson::ndjson_window;
pub use crate::peer::json_vs_serde;
pub use crate::plist::plist_document;
pub use crate::postgres::postgres_copy;
pub use crate::proto::proto_messages;
pub use crate::raw::raw_window;
pub use crate::sqlite::sqlite_scan;
pub use crate::store::store_questions;
pub use crate::take::json_take;
pub use crate::toml::toml_window;
pub use crate::txtpb::txtpb_document;
pub use crate::xml::xml_window;
pub use crate::yaml::yaml_window;
#[cfg(fuzzing)]
pub use libfuzzer_sys;

/// The entry of a target's binary: libFuzzer's, or a `main` that replays files.
#[macro_export]
#[cfg(fuzzing)]
macro_rules! target {
    ($function:path) => {
        $crate::libfuzzer_sys::fuzz_target!(|bytes: &[u8]| $function(bytes));
    };
}

/// The entry of a target's binary: libFuzzer's, or a `main` that replays files.
#[macro_export]
#[cfg(not(fuzzing))]
macro_rules! target {
    ($function:path) => {
        fn main() -> std::io::Result<()> {
            std::env::args_os().skip(1).try_for_each(|path| Ok($function(&std::fs::read(path)?)))
        }
    };
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    /// Every file of the target's corpus.
    fn replay(name: &str, target: fn(&[u8])) {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus").join(name);
        let mut count = 0;
        for entry in folder.read_dir().unwrap() {
            target(&std::fs::read(entry.unwrap().path()).unwrap());
            count += 1;
        }
        assert!(count > 0, "no corpus for {name}");
    }

    macro_rules! replayed {
        ($($name:ident)*) => {$(
            #[test]
            fn $name() {
                replay(stringify!($name), crate::$name);
            }
        )*};
    }

    replayed! { arrow_ipc avro_file canonical_json cbor_window csv_vs_crate csv_window json_columns json_levels json_skip_vs_decode json_slice_vs_window json_take json_vs_serde msgpack_window nbt_window ndjson_window plist_document postgres_copy proto_messages proto_typed raw_window region_file snbt_text sqlite_scan store_questions xml_window toml_window txtpb_document yaml_window }
}
