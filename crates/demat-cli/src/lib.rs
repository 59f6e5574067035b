//! The `demat` command as a function. The `demat` binary calls it, and so does the console script of the Python
//! package.
#![forbid(unsafe_code)]

mod arguments;
mod bar;
mod check;
mod choice;
mod completion;
mod copy;
mod dialect;
mod diff;
mod exit;
mod failure;
mod format_name;
mod format_option;
mod formats;
mod head;
mod help;
mod info;
mod man;
mod matching;
mod output;
mod pointer;
mod printed;
mod progress;
mod rate;
mod records;
mod report;
mod sample;
mod schema;
mod screen;
mod sentence;
mod serve;
mod shape;
mod signals;
mod snippet;
mod source;
mod sources;
mod summary;
mod target;
mod workers;

pub use bar::Bar;
pub use check::Classes;

use arguments::{Arguments, Command};
use exit::Exit;
use failure::Failure;
use screen::Screen;
use std::ffi::OsString;

/// The main function of a program: watches for signals, [runs](run) the command, and returns the exit code.
///
/// Call it once, from a process that exists for this command. SIGINT, SIGTERM and SIGHUP remove the temporary files and
/// then end the process by that signal; signals that are ignored at the call stay ignored. If the reader of standard
/// output is gone, the process ends by SIGPIPE, and this function does not return.
///
/// The first argument, the program's name, is ignored: the command calls itself `demat`.
pub fn program(arguments: impl IntoIterator<Item = OsString>) -> u8 {
    program_of(arguments, None)
}

/// As [`program`], for a host that finds its classes by name, for `demat check --class`.
pub fn program_of(arguments: impl IntoIterator<Item = OsString>, classes: Option<Classes>) -> u8 {
    signals::watch();
    demat_core::silence_panics();
    let exit = execute(arguments, classes);
    if exit == Exit::Closed {
        signals::die_of_closed_pipe();
    }
    exit.code()
}

/// Runs the command and returns its exit code: 0 on success.
///
/// It uses the standard streams of the process and the files in the arguments, and does not affect the process
/// otherwise: it handles no signals and never exits. The first argument, the program's name, is ignored.
///
/// ```
/// assert_eq!(demat_cli::run(["demat", "copy", "--no-such-option"].map(Into::into)), 2);
/// ```
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> u8 {
    execute(arguments, None).code()
}

fn execute(arguments: impl IntoIterator<Item = OsString>, classes: Option<Classes>) -> Exit {
    let exit = dispatch(arguments, classes);
    // Writes the output before a failure. A Rust program does this at its end, but other programs do not.
    output::flush();
    exit
}

/// Runs a command; a panic becomes an ordinary failure.
fn unbroken(run: impl FnOnce() -> Result<Exit, Failure>) -> Result<Exit, Failure> {
    demat_core::caught(|| Ok(run())).unwrap_or_else(|error| Err(error.into()))
}

fn dispatch(arguments: impl IntoIterator<Item = OsString>, classes: Option<Classes>) -> Exit {
    let arguments = match Arguments::read(arguments) {
        Ok(arguments) => arguments,
        Err(told) => return output::report_clap(&told),
    };
    let screen = Screen::new(arguments.color, arguments.quiet, arguments.verbose);
    let done = unbroken(|| match arguments.command {
        Command::Copy(copy) => copy::run(copy, screen),
        Command::Head(head) => head::run(head, screen),
        Command::Schema(schema) => schema::run(schema),
        Command::Check(check) => check::run(check, classes, screen),
        Command::Diff(diff) => Ok(diff::run(&diff, screen)),
        Command::Info(info) => info::run(&info),
        Command::Serve(serve) => serve::run(serve, screen),
        Command::Formats(formats) => formats::run(&formats),
        Command::Completion(completion) => completion::run(&completion),
        Command::Man(man) => man::run(&man),
    });
    done.unwrap_or_else(|failure| report::failure(failure, screen))
}

#[cfg(test)]
mod tests {
    use super::{Screen, report, unbroken};

    #[test]
    fn a_panic_is_a_failure_with_a_code_of_the_help() {
        let failure = unbroken(|| panic!("on purpose")).unwrap_err();
        let screen = Screen { colored: false, live: false, terminal: false, quiet: true, verbose: false };
        assert_eq!(report::failure(failure, screen).code(), 1);
    }
}
