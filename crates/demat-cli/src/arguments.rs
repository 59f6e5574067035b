//! The command line.

use crate::choice::{JsonMapping, Refusal, StandIn, When};
use crate::format_name::FormatName;
use crate::schema::SchemaForm;
use crate::source::{OneSource, SourceArguments};
use crate::target::TargetArguments;
use crate::{help, sample};
use clap::{Args, CommandFactory, FromArgMatches, Parser, Subcommand};
use core::net::IpAddr;
use core::num::NonZeroUsize;
use demat_place::{Format, Sample};
use std::ffi::OsString;
use std::path::PathBuf;

/// Copies typed data between any two places
#[derive(Debug, Parser)]
#[command(name = "demat", version, subcommand_required = true, arg_required_else_help = true)]
#[command(help_template = help::TEMPLATE, before_help = help::DEMAT, after_help = help::EXIT_CODES)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,
    /// Show errors only
    #[arg(short, long, global = true)]
    pub(crate) quiet: bool,
    /// Print a summary even if standard error is not a terminal
    #[arg(short, long, global = true, conflicts_with = "quiet")]
    pub(crate) verbose: bool,
    /// Show colours: auto, always or never (`NO_COLOR` and `TERM=dumb` count)
    #[arg(long, global = true, value_enum, value_name = "WHEN", default_value = "auto", hide_possible_values = true)]
    pub(crate) color: When,
}

impl Arguments {
    /// Parses a command line. The help calls the program `demat`, whatever the first argument is: a wrapper script may
    /// have started it under another name.
    pub(crate) fn read(arguments: impl IntoIterator<Item = OsString>) -> clap::error::Result<Self> {
        let mut command = Self::command().bin_name("demat");
        let matches = command.try_get_matches_from_mut(arguments)?;
        Self::from_arg_matches(&matches).map_err(|error| error.format(&mut command))
    }
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Copy(CopyArguments),
    Head(HeadArguments),
    Schema(SchemaArguments),
    Check(CheckArguments),
    Diff(DiffArguments),
    Info(InfoArguments),
    Serve(ServeArguments),
    Formats(FormatsArguments),
    Completion(CompletionArguments),
    Man(ManArguments),
}

/// Copy data from one place to another
#[derive(Debug, Args)]
#[command(help_template = help::TEMPLATE, before_help = help::COPY)]
#[command(after_help = help::EXIT_CODES, after_long_help = format!("{}\n{}", help::COPY_AFTER, help::EXIT_CODES))]
#[command(override_usage = "demat copy [OPTIONS] [SRC] [DST]\n       demat copy [OPTIONS] SRC... DST")]
pub(crate) struct CopyArguments {
    /// The sources (files, patterns such as `'logs/**/*.ndjson'`, `tasks.db#tasks`, `'tasks.db?select ...'` or
    /// `'people.csv?select ...'`, a URL, or `-` for standard input), and last the target: a file, a database table, or
    /// `-` for standard output
    #[arg(value_name = "SRC… DST", value_hint = clap::ValueHint::FilePath)]
    pub(crate) places: Vec<OsString>,
    #[command(flatten)]
    pub(crate) source: SourceArguments,
    /// The target, as an option: then all places are sources
    #[arg(short, long, value_name = "FILE", value_hint = clap::ValueHint::FilePath)]
    pub(crate) output: Option<OsString>,
    /// Write to this place, too, in the format of its suffix: all targets get the same records, or none gets any; may be
    /// repeated
    #[arg(long, value_name = "PLACE", value_hint = clap::ValueHint::FilePath)]
    pub(crate) also: Vec<OsString>,
    /// Add a field with the path of the source that each record comes from [default name: path]
    #[arg(long, value_name = "NAME", num_args = 0..=1, require_equals = true, default_missing_value = "path")]
    #[arg(help_heading = "Records")]
    pub(crate) add_path: Option<String>,
    #[command(flatten)]
    pub(crate) target: TargetArguments,
    #[command(flatten)]
    pub(crate) shape: ShapeArguments,
    #[command(flatten)]
    pub(crate) records: RecordArguments,
    /// The number of records to copy; the source is read no further
    #[arg(long, value_name = "N", help_heading = "Records")]
    pub(crate) limit: Option<u64>,
    /// How to write Protocol Buffers messages as JSON
    #[arg(long, value_enum, value_name = "HOW", default_value = "plain", help_heading = "Protocol Buffers")]
    pub(crate) mapping: JsonMapping,
    /// Ignore fields of canonical JSON that the message lacks, and unknown enum names
    #[arg(long, help_heading = "Protocol Buffers")]
    pub(crate) ignore_unknown: bool,
    /// The number of records to infer the shape from, or `all` [default: 1000]
    #[arg(long, value_name = "N|all", value_parser = sample::parse, conflicts_with = "shape", help_heading = "Shape")]
    pub(crate) sample: Option<Sample>,
    /// What to do with a refused record
    #[arg(long, value_enum, value_name = "WHAT", default_value = "stop", help_heading = "Errors")]
    pub(crate) on_error: Refusal,
    /// Write refused records and the reasons to this file, as NDJSON
    #[arg(long, value_name = "FILE", help_heading = "Errors", value_hint = clap::ValueHint::FilePath)]
    pub(crate) rejects: Option<OsString>,
    /// Show progress: auto (on a terminal), always or never
    #[arg(long, value_enum, value_name = "WHEN", default_value = "auto", hide_possible_values = true)]
    pub(crate) progress: When,
    /// Copy on N threads: several files, and large files of lines and of tables in parts; the result is that of one
    #[arg(long, value_name = "N")]
    pub(crate) workers: Option<NonZeroUsize>,
}

/// Show the first records, as NDJSON
#[derive(Debug, Args)]
#[command(help_template = help::TEMPLATE, before_help = help::HEAD, after_help = help::EXIT_CODES)]
pub(crate) struct HeadArguments {
    #[command(flatten)]
    pub(crate) source: OneSource,
    /// The number of records
    #[arg(short = 'n', long, value_name = "N", default_value_t = 10)]
    pub(crate) records: u64,
    #[command(flatten)]
    pub(crate) target: TargetArguments,
    #[command(flatten)]
    pub(crate) shape: ShapeArguments,
    #[command(flatten)]
    pub(crate) chosen: RecordArguments,
}

/// Show the shape of a place's records
#[derive(Debug, Args)]
#[command(help_template = help::TEMPLATE, before_help = help::SCHEMA, after_help = help::EXIT_CODES)]
pub(crate) struct SchemaArguments {
    #[command(flatten)]
    pub(crate) source: OneSource,
    /// Infer the types of cells, and of other values that are text; without this they are text
    #[arg(long)]
    pub(crate) infer: bool,
    /// The number of records to look at, or `all` [default: 1000]
    #[arg(long, value_name = "N|all", value_parser = sample::parse)]
    pub(crate) sample: Option<Sample>,
    /// The form to show it in
    #[arg(long, value_enum, value_name = "FORM", default_value_t, hide_default_value = true)]
    pub(crate) to: SchemaForm,
}

/// Check the records of a place: show the first that are invalid, and count all
#[derive(Debug, Args)]
#[command(help_template = help::TEMPLATE, before_help = help::CHECK, after_help = help::EXIT_CODES)]
pub(crate) struct CheckArguments {
    #[command(flatten)]
    pub(crate) source: OneSource,
    /// The shape that the records must have, as for `demat copy`; without one, only the format is checked
    #[arg(long, value_name = "SHAPE", help_heading = "Shape")]
    pub(crate) shape: Option<OsString>,
    /// The Python class that the records must be of, with its checks; for the command of the Python package
    #[arg(long, value_name = "MODULE:CLASS", conflicts_with = "shape", help_heading = "Shape")]
    pub(crate) class: Option<String>,
    /// Write all invalid records and the reasons to this file, as NDJSON
    #[arg(long, value_name = "FILE", help_heading = "Errors", value_hint = clap::ValueHint::FilePath)]
    pub(crate) rejects: Option<OsString>,
    /// Accept values that can be converted: text such as `12` or `yes`, 3.0 for an int, seconds for an instant
    #[arg(long, help_heading = "Shape")]
    pub(crate) lax: bool,
}

/// Compare the records of two places
#[derive(Debug, Args)]
#[command(help_template = help::TEMPLATE, before_help = help::DIFF, after_help = help::DIFF_AFTER)]
pub(crate) struct DiffArguments {
    /// The old place
    #[arg(value_name = "OLD", value_hint = clap::ValueHint::FilePath)]
    pub(crate) old: OsString,
    /// The new place
    #[arg(value_name = "NEW", value_hint = clap::ValueHint::FilePath)]
    pub(crate) new: OsString,
    /// The fields that identify a record; without them, a record that changed was removed and added
    #[arg(long, value_name = "A,B,…", value_delimiter = ',')]
    pub(crate) key: Vec<String>,
    /// Write the changes as data in this format
    #[arg(long, value_name = "FORMAT", value_parser = FormatName, hide_possible_values = true)]
    pub(crate) to: Option<Format>,
    #[command(flatten)]
    pub(crate) source: SourceArguments,
    /// The shape of both places, as for `demat copy`
    #[arg(long, value_name = "SHAPE", help_heading = "Shape")]
    pub(crate) shape: Option<OsString>,
    /// Infer the shapes from samples, also the types of cells, and of other values that are text
    #[arg(long, conflicts_with = "shape", help_heading = "Shape")]
    pub(crate) infer: bool,
    #[command(flatten)]
    pub(crate) records: RecordArguments,
}

/// Show what a place holds: records, shape, sizes, indexes
#[derive(Debug, Args)]
#[command(help_template = help::TEMPLATE, before_help = help::INFO, after_help = help::EXIT_CODES)]
pub(crate) struct InfoArguments {
    #[command(flatten)]
    pub(crate) source: PlaceArguments,
    /// The number of records to infer the shape from, or `all` [default: 1000]
    #[arg(long, value_name = "N|all", value_parser = sample::parse)]
    pub(crate) sample: Option<Sample>,
    /// Write it as data in this format
    #[arg(long, value_name = "FORMAT", value_parser = FormatName, hide_possible_values = true)]
    pub(crate) to: Option<Format>,
}

/// A place, and its format.
#[derive(Debug, Args)]
pub(crate) struct PlaceArguments {
    /// The place: a file, `tasks.db`, `tasks.db#tasks`, `lmdb:dir#tasks`, `postgresql://host/name#tasks`
    #[arg(value_name = "PLACE", value_hint = clap::ValueHint::FilePath)]
    pub(crate) place: OsString,
    /// The format of the file, if its suffix does not tell
    #[arg(long, value_name = "FORMAT", value_parser = FormatName, hide_possible_values = true)]
    pub(crate) from: Option<Format>,
    /// The path of the records: `$.items[*]`, in XML `catalog/book`
    #[arg(long, value_name = "PATH")]
    pub(crate) at: Option<String>,
}

/// Serve the tables of a database, or the collections of an LMDB environment, over HTTP
#[derive(Debug, Args)]
#[command(help_template = help::TEMPLATE, before_help = help::SERVE)]
#[command(after_help = help::EXIT_CODES, after_long_help = format!("{}\n{}", help::SERVE_AFTER, help::EXIT_CODES))]
#[allow(clippy::struct_excessive_bools)] // each is an option of its own
pub(crate) struct ServeArguments {
    /// A database (`tasks.db`) or one of its tables (`tasks.db#tasks`), or an LMDB environment or one of its collections
    /// (`lmdb:dir`, `lmdb:dir#tasks`)
    #[arg(value_name = "PLACE", value_hint = clap::ValueHint::FilePath)]
    pub(crate) place: OsString,
    /// The address to listen on; the default accepts only this machine
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1")]
    pub(crate) host: IpAddr,
    /// The port; 0 selects a free one
    #[arg(short, long, value_name = "PORT", default_value_t = 8080)]
    pub(crate) port: u16,
    /// Refuse all changes
    #[arg(long)]
    pub(crate) readonly: bool,
    /// Serve a file that nobody changes meanwhile, without locks; refuses all changes
    #[arg(long)]
    pub(crate) immutable: bool,
    /// An origin whose pages may use the server, or `*` for all; may be repeated
    #[arg(long, value_name = "ORIGIN")]
    pub(crate) cors: Vec<String>,
    /// A name to accept as `Host`, besides `localhost` and this machine's address; may be repeated
    #[arg(long, value_name = "NAME")]
    pub(crate) host_name: Vec<String>,
    /// Allow requests to delete or replace all rows of a table at once
    #[arg(long)]
    pub(crate) bulk: bool,
    /// The field in which each record gets its own URL
    #[arg(long, value_name = "FIELD")]
    pub(crate) urls: Option<String>,
    /// Accept other machines without a token
    #[arg(long)]
    pub(crate) open: bool,
    /// Don't serve the page to browse tables
    #[arg(long)]
    pub(crate) no_browser: bool,
    /// Keep the database's journal mode instead of switching to a write-ahead log
    #[arg(long)]
    pub(crate) no_wal: bool,
    /// The replacement for a value that the format can't represent or that doesn't fit its column; each one is logged
    #[arg(long, value_enum, value_name = "WHAT", default_value = "null")]
    pub(crate) unrepresentable: StandIn,
    /// The certificate chain for HTTPS, in PEM
    #[arg(long, value_name = "FILE", requires = "key", value_hint = clap::ValueHint::FilePath)]
    pub(crate) certificate: Option<PathBuf>,
    /// The certificate's private key, in PEM
    #[arg(long, value_name = "FILE", requires = "certificate", value_hint = clap::ValueHint::FilePath)]
    pub(crate) key: Option<PathBuf>,
}

/// List the formats
#[derive(Debug, Args)]
#[command(help_template = help::TEMPLATE, before_help = help::FORMATS)]
pub(crate) struct FormatsArguments {
    /// List them as data in this format
    #[arg(long, value_name = "FORMAT", value_parser = FormatName)]
    pub(crate) to: Option<Format>,
}

/// Print a completion script for a shell
#[derive(Debug, Args)]
#[command(help_template = help::TEMPLATE, before_help = help::COMPLETION)]
pub(crate) struct CompletionArguments {
    /// The shell
    #[arg(value_enum)]
    pub(crate) shell: clap_complete::Shell,
}

/// Print a page of the manual, for man
#[derive(Debug, Args)]
#[command(help_template = help::TEMPLATE, before_help = help::MAN)]
pub(crate) struct ManArguments {
    /// The command to describe; without one, `demat` itself
    #[arg(value_name = "COMMAND")]
    pub(crate) command: Option<String>,
}

/// The options for the shape of a copy.
#[derive(Debug, Args)]
pub(crate) struct ShapeArguments {
    /// The shape of the source or its records: text, a file with that text (`@FILE`), a message (`FILE.proto:NAME`), or
    /// length-prefixed messages (`[FILE.proto:NAME]`)
    #[arg(long, value_name = "SHAPE", help_heading = "Shape")]
    pub(crate) shape: Option<OsString>,
    /// Infer the shape from a sample, also the types of cells, and of other values that are text
    #[arg(long, conflicts_with = "shape", help_heading = "Shape")]
    pub(crate) infer: bool,
    /// Convert values to the shape's kinds: text such as `12` or `yes`, 3.0 to an int, seconds to an instant
    #[arg(long, help_heading = "Shape")]
    pub(crate) lax: bool,
    /// Turn nested records into columns, and lists and maps into JSON text
    #[arg(long, help_heading = "Shape")]
    pub(crate) flatten: bool,
}

/// The options for what is copied of the records.
#[derive(Debug, Args)]
pub(crate) struct RecordArguments {
    /// Copy only records for which this is true: `done = false and (title like "%x%" or n >= 3)`
    #[arg(long = "where", value_name = "CONDITION", help_heading = "Records")]
    pub(crate) condition: Option<String>,
    /// Copy only these fields of each record, in this order; `a.b` is a field within a field
    #[arg(long, value_name = "A,B,…", value_delimiter = ',', help_heading = "Records")]
    pub(crate) fields: Option<Vec<String>>,
    /// Give a field another name in the target; may be repeated
    #[arg(long, value_name = "OLD=NEW", value_parser = pair, help_heading = "Records")]
    pub(crate) rename: Vec<(String, String)>,
}

/// Parses `OLD=NEW`.
fn pair(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((old, new)) if !old.is_empty() && !new.is_empty() => Ok((old.to_string(), new.to_string())),
        _ => Err("expected OLD=NEW".to_string()),
    }
}
