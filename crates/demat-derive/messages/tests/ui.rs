//! The errors of the derive: every message says what to write instead.

#[test]
fn messages() {
    // The cases are compiled as users compile theirs, and not linted as this workspace is where it is compiled with Clippy.
    // SAFETY: this is the only test of the program, and no other thread reads the environment.
    unsafe { std::env::remove_var("RUSTC_WORKSPACE_WRAPPER") };
    trybuild::TestCases::new().compile_fail("tests/ui/*.rs");
}
