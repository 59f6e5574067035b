//! An option of a format, as `NAME=VALUE` on the command line.

use clap::builder::{PossibleValue, TypedValueParser};
use clap::error::{Error, ErrorKind};
use clap::{Arg, Command};
use demat_formats::codec::Setting;
use demat_place::Format;
use std::ffi::OsStr;

/// One option and its value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FormatOption {
    pub(crate) name: String,
    pub(crate) value: String,
}

/// Selects the options for reading or for writing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Parser {
    Read,
    Write,
}

impl TypedValueParser for Parser {
    type Value = FormatOption;

    fn parse_ref(&self, command: &Command, argument: Option<&Arg>, value: &OsStr) -> Result<FormatOption, Error> {
        if let Some((name, value)) = value.to_str().and_then(|text| text.split_once('=')) {
            return Ok(FormatOption { name: name.to_string(), value: value.to_string() });
        }
        let argument = argument.map_or_else(|| "the option".to_string(), |argument| format!("`{argument}`"));
        Err(Error::raw(ErrorKind::InvalidValue, format!("{argument}: expected NAME=VALUE\n")).with_cmd(command))
    }

    /// Returns the names of all formats' options, for completion.
    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        let settings = |format: Format| -> &'static [Setting] {
            match self {
                Self::Read => format.about().read,
                Self::Write => format.about().write,
            }
        };
        let mut named: Vec<(&'static Setting, Vec<&'static str>)> = Vec::new();
        for format in Format::all() {
            for setting in settings(format) {
                match named.iter_mut().find(|(known, _)| known.name == setting.name) {
                    Some((_, formats)) => formats.push(format.name()),
                    None => named.push((setting, vec![format.name()])),
                }
            }
        }
        Some(Box::new(named.into_iter().map(|(setting, formats)| {
            PossibleValue::new(setting.name).help(format!("{}: {}", formats.join(", "), setting.help))
        })))
    }
}
