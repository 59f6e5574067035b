//! The `demat` command with one format more.

use std::process::ExitCode;

fn main() -> ExitCode {
    if let Err(error) = demat_rec::register() {
        eprintln!("{error}");
        return ExitCode::FAILURE;
    }
    ExitCode::from(demat_cli::program(std::env::args_os()))
}
