//! The `demat` command.

fn main() {}
