//! The `demat` command: copies typed data between any two places.
#![forbid(unsafe_code)]

use std::process::ExitCode;

fn main() -> ExitCode {
    demat_cli::program(std::env::args_os()).into()
}
