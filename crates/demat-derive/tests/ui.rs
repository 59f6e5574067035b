//! What the derive says of what it cannot do: every message tells what to write.

#[test]
fn messages() {
    trybuild::TestCases::new().compile_fail("tests/ui/*.rs");
}
