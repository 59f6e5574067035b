//! Parses the name of a format in an option.

use clap::builder::{PossibleValue, TypedValueParser};
use clap::error::{Error, ErrorKind};
use clap::{Arg, Command};
use demat_place::Format;
use std::ffi::OsStr;

/// The parser for names of formats. Shells complete them, and the error for an unknown name suggests a similar one.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FormatName;

impl TypedValueParser for FormatName {
    type Value = Format;

    fn parse_ref(&self, command: &Command, argument: Option<&Arg>, value: &OsStr) -> Result<Format, Error> {
        value.to_string_lossy().parse::<Format>().map_err(|unknown| {
            let argument = argument.map_or_else(|| "the format".to_string(), |argument| format!("`{argument}`"));
            Error::raw(ErrorKind::InvalidValue, format!("{argument}: {unknown}\n")).with_cmd(command)
        })
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(Format::all().map(|format| PossibleValue::new(format.name()).help(format.description()))))
    }
}
