//! Properties that must hold for all values, shapes and texts, tested with random ones.

#[path = "../support/mod.rs"]
mod support;

mod cbor;
mod inferred;
mod msgpack;
mod nbt;
mod peers;
mod plist;
mod raw;
mod round_trip;
mod taking;
mod text;
mod toml;
mod txtpb;
mod ways;
mod xml;
mod yaml;

/// Returns the configuration for a number of cases, or for that in `PROPTEST_CASES`.
fn tries(cases: u32) -> proptest::test_runner::Config {
    let wanted = std::env::var("PROPTEST_CASES").ok().and_then(|cases| cases.parse().ok());
    let cases = wanted.unwrap_or(cases);
    proptest::test_runner::Config { cases, failure_persistence: None, ..proptest::test_runner::Config::default() }
}
