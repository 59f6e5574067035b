//! The `demat` command: copies typed data between any two places.
#![forbid(unsafe_code)]

mod arguments;
mod choice;
mod completion;
mod copy;
mod dialect;
mod exit;
mod failure;
mod format_name;
mod formats;
mod head;
mod help;
mod output;
mod progress;
mod rate;
mod report;
mod sample;
mod schema;
mod screen;
mod sentence;
mod shape;
mod signals;
mod snippet;
mod source;
mod summary;
mod target;

use arguments::{Arguments, Command};
use clap::Parser;
use exit::Exit;
use screen::Screen;
use std::process::ExitCode;

fn main() -> ExitCode {
    signals::watch();
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(told) => return output::told_by_clap(&told).into(),
    };
    let screen = Screen::new(arguments.color, arguments.quiet, arguments.verbose);
    let done = match arguments.command {
        Command::Copy(copy) => copy::run(copy, screen),
        Command::Head(head) => head::run(head, screen),
        Command::Schema(schema) => schema::run(schema),
        Command::Formats(formats) => formats::run(&formats),
        Command::Completion(completion) => completion::run(&completion),
    };
    let exit = done.unwrap_or_else(|failure| report::failure(failure, screen));
    if exit == Exit::Closed {
        signals::die_of_closed_pipe();
    }
    exit.into()
}
