//! All output of the command goes through this module.

use crate::exit::Exit;
use std::io::{self, Write};

/// Writes data, and everything else that was requested, to standard output.
pub(crate) fn data(text: &str) -> io::Result<()> {
    let mut stdout = io::stdout().lock();
    stdout.write_all(text.as_bytes())?;
    stdout.flush()
}

/// Flushes standard output. Successful commands have flushed it already, so that errors were reported; this handles the
/// output of a failed command.
pub(crate) fn flush() {
    let _ = io::stdout().lock().flush();
}

/// Writes a line for the user to standard error.
pub(crate) fn line(text: &str) {
    // If this fails, there is nowhere to report it.
    let _ = writeln!(io::stderr().lock(), "{text}");
}

/// Prints what clap reports: help, the version, or an error of usage.
pub(crate) fn report_clap(error: &clap::Error) -> Exit {
    let printed = error.print();
    match (error.exit_code(), printed) {
        (0, Ok(())) => Exit::Ok,
        (0, Err(error)) if error.kind() == io::ErrorKind::BrokenPipe => Exit::Closed,
        (0, Err(_)) => Exit::Io,
        _ => Exit::Usage,
    }
}

/// Writes the help of a command that was called without arguments to standard error.
pub(crate) fn help(text: &clap::builder::StyledStr, colored: bool) {
    if colored { line(&text.ansi().to_string()) } else { line(&text.to_string()) }
}
