//! The options for writing a target.

use crate::dialect;
use crate::failure::Failure;
use crate::format_name::FormatName;
use crate::format_option::{self, FormatOption};
use crate::source::{SourceArguments, encoding, one_of, only};
use clap::Args;
use demat_core::Error;
use demat_formats::codec::{Setting, SettingValue};
use demat_formats::csv::{Dialect, NullText};
use demat_place::{Encoding, Format, WriteOptions};

/// How to write the target.
#[derive(Debug, Args)]
#[allow(clippy::struct_excessive_bools)] // each is an option
pub(crate) struct TargetArguments {
    /// The format of the target, if its suffix does not tell
    #[arg(long, value_name = "FORMAT", value_parser = FormatName, hide_possible_values = true)]
    pub(crate) to: Option<Format>,
    /// An option of the target's format; `demat formats` lists them all
    #[arg(long = "to-option", value_name = "NAME=VALUE", value_parser = format_option::Parser::Write)]
    #[arg(hide_possible_values = true)]
    pub(crate) to_options: Vec<FormatOption>,
    /// The encoding of the target's text [default: UTF-8]
    #[arg(long, value_name = "NAME", value_parser = encoding, help_heading = "Text")]
    pub(crate) to_encoding: Option<Encoding>,
    /// The character between the cells of the target, also if the source is a table
    #[arg(long, value_name = "C", value_parser = dialect::delimiter, help_heading = "Tables")]
    pub(crate) to_delimiter: Option<u8>,
    /// The text to write for null in the target, in place of an empty cell
    #[arg(long, value_name = "TEXT", value_parser = dialect::null, allow_hyphen_values = true, help_heading = "Tables")]
    pub(crate) to_null: Option<NullText>,
    /// Write ' before text that a spreadsheet may run as a formula
    #[arg(long, help_heading = "Tables")]
    pub(crate) escape_formulas: bool,
    /// Indent JSON by two spaces
    #[arg(long, help_heading = "JSON", conflicts_with = "indent")]
    pub(crate) pretty: bool,
    /// Indent JSON by N spaces
    #[arg(long, value_name = "N", help_heading = "JSON", value_parser = clap::value_parser!(u8).range(0..=16))]
    pub(crate) indent: Option<u8>,
    /// Sort the keys of each object
    #[arg(long, help_heading = "JSON")]
    pub(crate) sort_keys: bool,
    /// Escape non-ASCII characters as \u
    #[arg(long, help_heading = "JSON")]
    pub(crate) ascii: bool,
    /// Write instants as local date and time, without an offset
    #[arg(long, help_heading = "Columns")]
    pub(crate) naive: bool,
}

impl TargetArguments {
    /// Returns the encoding of the target's text, if it is set.
    pub(crate) fn encoding(&self, format: Format) -> Result<Option<Encoding>, Failure> {
        if let Some(encoding) = self.to_encoding {
            let checked = Encoding::check(format).and_then(|()| encoding.check_output());
            checked.map_err(|error| Failure::usage(format!("--to-encoding: {}", error.reason())))?;
        }
        Ok(self.to_encoding)
    }

    /// Returns the options for writing. Refuses options that do not apply to these formats.
    pub(crate) fn options(&self, source: &SourceArguments, from: Format, to: Format) -> Result<WriteOptions, Failure> {
        let mut options = WriteOptions::of(to);
        if to.is_table() {
            let mut dialect: Dialect = options.own.typed();
            if from.is_table() {
                // From a table to a table, the dialect options apply to the source.
                dialect.ragged = source.options(from)?.own.typed::<Dialect>().ragged;
            } else {
                source.table.apply(&mut dialect)?;
            }
            dialect.delimiter = self.to_delimiter.unwrap_or(dialect.delimiter);
            dialect.null = self.to_null.or(dialect.null);
            dialect.escape_formulas = self.escape_formulas;
            dialect.check().map_err(|error| Failure::usage(error.reason()))?;
            options.own.change(|own| *own = dialect);
        }
        options.depth = source.depth.unwrap_or(options.depth);
        self.check(source, from, to)?;
        let indent = if self.pretty { Some(2) } else { self.indent };
        let given = [
            ("indent", indent.map(|spaces| SettingValue::Count(u32::from(spaces)))),
            ("sort_keys", self.sort_keys.then_some(SettingValue::Flag(true))),
            ("ascii", self.ascii.then_some(SettingValue::Flag(true))),
            ("naive", self.naive.then_some(SettingValue::Flag(true))),
        ];
        for (name, value) in given {
            if let Some(value) = value {
                let set = to.set_write(&mut options, name, |_| Ok(value));
                set.map_err(|error: Error| Failure::usage(error.reason()))?;
            }
        }
        for option in &self.to_options {
            let value = |setting: &'static Setting| setting.parse(&option.value);
            to.set_write(&mut options, &option.name, value).map_err(|error| Failure::usage(error.reason()))?;
        }
        Ok(options)
    }

    fn check(&self, source: &SourceArguments, from: Format, to: Format) -> Result<(), Failure> {
        if let Some(option) = source.table.given()
            && !(from.is_table() || to.is_table())
        {
            return Err(only(option, "a table is read or written"));
        }
        if source.depth.is_some() && from.read_setting("depth").is_none() && to.write_setting("depth").is_none() {
            return Err(only("--depth", "a format of nested values is read or written"));
        }
        let settings = [
            (self.pretty, "--pretty", "indent"),
            (self.indent.is_some(), "--indent", "indent"),
            (self.sort_keys, "--sort-keys", "sort_keys"),
            (self.ascii, "--ascii", "ascii"),
        ];
        for (_, option, setting) in settings.into_iter().filter(|(given, ..)| *given) {
            if to.write_setting(setting).is_none() {
                let formats = one_of(Format::all().filter(|format| format.write_setting(setting).is_some()));
                return Err(only(option, &format!("{formats} is written")));
            }
        }
        let given = [
            (self.naive, "--naive", to.is_columnar(), "Arrow or Parquet is written"),
            (self.escape_formulas, "--escape-formulas", to.is_table(), "a table is written"),
            (self.to_null.is_some(), "--to-null", to.is_table(), "a table is written"),
            (self.to_delimiter.is_some(), "--to-delimiter", to.is_table(), "a table is written"),
        ];
        match given.into_iter().find(|(given, _, counts, _)| *given && !counts) {
            Some((_, option, _, when)) => Err(only(option, when)),
            None => Ok(()),
        }
    }
}
