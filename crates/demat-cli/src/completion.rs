//! `demat completion`.

use crate::arguments::{Arguments, CompletionArguments};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output;
use clap::CommandFactory;

pub(crate) fn run(arguments: &CompletionArguments) -> Result<Exit, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut Arguments::command(), "demat", &mut script);
    output::data(&String::from_utf8_lossy(&script))?;
    Ok(Exit::Ok)
}
