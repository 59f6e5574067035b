//! The options for reading a source.

use crate::choice::Repeated;
use crate::dialect::{self, Quote};
use crate::failure::Failure;
use crate::format_name::FormatName;
use crate::format_option::{self, FormatOption};
use crate::sources::is_url;
use clap::{Args, ValueHint};
use demat_formats::codec::Setting;
use demat_formats::csv::{NullText, Ragged};
use demat_place::{Encoding, Format, Place, ReadOptions, RecordPath, record_path};
use std::ffi::{OsStr, OsString};
use std::io::{self, IsTerminal};

/// A source, and how to read it.
#[derive(Debug, Args)]
pub(crate) struct OneSource {
    /// The source: a file, `tasks.db#tasks`, `'tasks.db?select ...'` or `'people.csv?select ...'`, a URL, or `-` for
    /// standard input
    #[arg(value_name = "SRC", default_value = "-", value_hint = ValueHint::FilePath)]
    pub(crate) source: OsString,
    #[command(flatten)]
    pub(crate) how: SourceArguments,
}

impl OneSource {
    /// Returns the place and its format.
    pub(crate) fn place(&self, command: &'static str) -> Result<(Place, Format), Failure> {
        self.how.place(&self.source, command)
    }
}

/// How to read sources.
#[derive(Debug, Args)]
pub(crate) struct SourceArguments {
    /// The format of the source, if its suffix does not tell
    #[arg(long, value_name = "FORMAT", value_parser = FormatName, hide_possible_values = true)]
    pub(crate) from: Option<Format>,
    /// An option of the source's format; `demat formats` lists them all
    #[arg(long = "from-option", value_name = "NAME=VALUE", value_parser = format_option::Parser::Read)]
    #[arg(hide_possible_values = true)]
    pub(crate) from_options: Vec<FormatOption>,
    /// The path of the records: `$.items[*]`, in XML `catalog/book` [default: `$[*]`, the items of the list]
    #[arg(long, value_name = "PATH", help_heading = "Records")]
    pub(crate) at: Option<String>,
    /// The encoding of the source's text, by its name: `latin1`, `utf-16le`, `cp1252` [default: UTF-8]
    #[arg(long, value_name = "NAME", value_parser = encoding, help_heading = "Text")]
    pub(crate) encoding: Option<Encoding>,
    #[command(flatten)]
    pub(crate) table: TableArguments,
    /// What to do if an object repeats a key [default: last]
    #[arg(long, value_enum, value_name = "WHAT", help_heading = "Nested values")]
    pub(crate) repeated_keys: Option<Repeated>,
    /// The maximum nesting depth of lists and records [default: 1024]
    #[arg(long, value_name = "N", help_heading = "Nested values")]
    pub(crate) depth: Option<u32>,
}

/// The CSV dialect: of the source if it is a table, else of the target.
#[derive(Debug, Args)]
pub(crate) struct TableArguments {
    /// The character between cells, or `tab`
    #[arg(long, value_name = "C", value_parser = dialect::delimiter, help_heading = "Tables")]
    pub(crate) delimiter: Option<u8>,
    /// The quote character, or `none`
    #[arg(long, value_name = "C", value_parser = dialect::quote, help_heading = "Tables")]
    pub(crate) quote: Option<Quote>,
    /// The text without quotes that stands for null, besides an empty cell
    #[arg(long, value_name = "TEXT", value_parser = dialect::null, allow_hyphen_values = true, help_heading = "Tables")]
    pub(crate) null: Option<NullText>,
    /// The first row is data, not a header; columns go by position
    #[arg(long, help_heading = "Tables")]
    pub(crate) no_header: bool,
    /// Accept short rows; treat the cells they lack as missing
    #[arg(long, help_heading = "Tables")]
    pub(crate) ragged: bool,
}

impl SourceArguments {
    /// Returns the place with this name and its format.
    pub(crate) fn place(&self, name: &OsStr, command: &'static str) -> Result<(Place, Format), Failure> {
        if name.to_str().is_some_and(is_url) {
            return Err(Failure::usage("a URL is read by `copy`, `head` and `diff`"));
        }
        let place = Place::named(name);
        if place == Place::Standard && io::stdin().is_terminal() {
            return Err(Failure::Terminal(command));
        }
        match self.from.or_else(|| place.format()) {
            Some(format) => Ok((place, format)),
            None => Err(unknown("from", &place)),
        }
    }

    /// Returns the folder whose files become the tables of a database. Table options apply to all of its files.
    pub(crate) fn folder(name: &OsStr, to: &Place) -> Option<(Place, Format)> {
        let place = Place::named(name);
        let is_folder = matches!(to, Place::Database(_)) && place.path().is_some_and(std::path::Path::is_dir);
        is_folder.then_some((place, Format::TABLE))
    }

    /// Returns the path of the records, if it is set.
    pub(crate) fn at(&self, format: Format) -> Result<Option<RecordPath>, Failure> {
        self.at.as_ref().map(|text| path(format, text)).transpose()
    }

    /// Returns the encoding of the source's text, if it is set.
    pub(crate) fn encoding(&self, format: Format) -> Result<Option<Encoding>, Failure> {
        if self.encoding.is_some() {
            Encoding::check(format).map_err(|error| Failure::usage(format!("--encoding: {}", error.reason())))?;
        }
        Ok(self.encoding)
    }

    /// Returns the options for reading.
    pub(crate) fn options(&self, format: Format) -> Result<ReadOptions, Failure> {
        let mut options = format.read_options();
        if format.is_table() {
            let mut dialect = options.own.typed();
            self.table.apply(&mut dialect)?;
            options.own.change(|own| *own = dialect);
        }
        if let Some(depth) = self.depth {
            options.depth = depth;
        }
        for option in &self.from_options {
            let value = |setting: &'static Setting| setting.parse(&option.value);
            format.set_read(&mut options, &option.name, value).map_err(|error| Failure::usage(error.reason()))?;
        }
        match self.repeated_keys {
            Some(_) if format.read_setting("repeated_keys").is_none() => {
                return Err(only("--repeated-keys", "a format of nested values is read"));
            }
            Some(repeated) => options.repeated_keys = repeated.into(),
            None => {}
        }
        Ok(options)
    }
}

impl TableArguments {
    pub(crate) fn apply(&self, dialect: &mut demat_formats::csv::Dialect) -> Result<(), Failure> {
        dialect.delimiter = self.delimiter.unwrap_or(dialect.delimiter);
        dialect.quote = self.quote.map_or(dialect.quote, |quote| quote.0);
        dialect.null = self.null.or(dialect.null);
        dialect.header = !self.no_header;
        if self.ragged {
            dialect.ragged = Ragged::Pad;
        }
        dialect.check().map_err(|error| Failure::usage(error.reason()))
    }

    /// Returns one of the options that is set.
    pub(crate) fn given(&self) -> Option<&'static str> {
        match self {
            Self { delimiter: Some(_), .. } => Some("--delimiter"),
            Self { quote: Some(_), .. } => Some("--quote"),
            Self { null: Some(_), .. } => Some("--null"),
            Self { no_header: true, .. } => Some("--no-header"),
            Self { ragged: true, .. } => Some("--ragged"),
            _ => None,
        }
    }
}

/// Parses the name of an encoding.
pub(crate) fn encoding(name: &str) -> Result<Encoding, String> {
    name.parse().map_err(|error: demat_core::Error| error.reason())
}

/// Parses the path of the records.
pub(crate) fn path(format: Format, text: &str) -> Result<RecordPath, Failure> {
    record_path(format, text).map_err(|error| Failure::usage(format!("--at: {}", error.reason())))
}

/// Returns the error for an option that does not apply.
pub(crate) fn only(option: &str, when: &str) -> Failure {
    Failure::usage(format!("`{option}` applies only if {when}"))
}

/// Joins the names of formats: `json, xml or yaml`.
pub(crate) fn one_of(formats: impl Iterator<Item = Format>) -> String {
    let names: Vec<_> = formats.map(Format::name).collect();
    match names.split_last() {
        Some((last, others)) if !others.is_empty() => format!("{} or {last}", others.join(", ")),
        _ => names.concat(),
    }
}

/// Returns the error for a place of unknown format.
pub(crate) fn unknown(option: &str, place: &Place) -> Failure {
    let names: Vec<_> = Format::all().map(Format::name).collect();
    let hint = format!("set it with --{option} FORMAT: {}", names.join(", "));
    match (place, option) {
        (Place::File(path), _) => {
            Failure::usage_with(format!("the suffix of `{}` is not that of a known format", path.display()), hint)
        }
        (Place::Standard, "from") => Failure::usage_with("the format of standard input is unknown", hint),
        (Place::Database(_) | Place::Collection(_) | Place::Server(_), _) => {
            Failure::usage("a database is not allowed here")
        }
        (Place::Standard | Place::Given(_), _) => Failure::usage_with("the format of standard output is unknown", hint),
    }
}
