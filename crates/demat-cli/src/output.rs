//! All that the command prints; nothing else does.

use crate::exit::Exit;
use std::io::{self, Write};

/// Data, and what was asked for: to standard output.
pub(crate) fn data(text: &str) -> io::Result<()> {
    let mut stdout = io::stdout().lock();
    stdout.write_all(text.as_bytes())?;
    stdout.flush()
}

/// Sees to it that nothing stays in the buffer of standard output. Whatever has to be written was flushed where a failure
/// could be told; the rest is what a failed command leaves behind.
pub(crate) fn flush() {
    let _ = io::stdout().lock().flush();
}

/// A line for the person at the terminal: to standard error.
pub(crate) fn line(text: &str) {
    // Where this can't be said, there is no place left to say so.
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

/// The help of a command, where it was called without anything to work on: to standard error.
pub(crate) fn help(text: &clap::builder::StyledStr, colored: bool) {
    if colored { line(&text.ansi().to_string()) } else { line(&text.to_string()) }
}
