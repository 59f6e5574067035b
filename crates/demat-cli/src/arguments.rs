//! The command line.

use crate::choice::{JsonMapping, Refusal, StandIn, When};
use crate::format_name::FormatName;
use crate::schema::SchemaForm;
use crate::source::SourceArguments;
use crate::target::TargetArguments;
use crate::{help, sample};
use clap::{Args, CommandFactory, FromArgMatches, Parser, Subcommand};
use core::net::IpAddr;
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
    /// Say what was done, also where standard error is no terminal
    #[arg(short, long, global = true, conflicts_with = "quiet")]
    pub(crate) verbose: bool,
    /// Show colours: auto, always or never (`NO_COLOR` and `TERM=dumb` count)
    #[arg(long, global = true, value_enum, value_name = "WHEN", default_value = "auto", hide_possible_values = true)]
    pub(crate) color: When,
}

impl Arguments {
    /// Reads a command line whose first argument is the program's name. It is called `demat` whatever stands there: what a
    /// script that starts it is called says nothing to whoever reads the help.
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
    Serve(ServeArguments),
    Formats(FormatsArguments),
    Completion(CompletionArguments),
}

/// Copy a place to another
#[derive(Debug, Args)]
#[command(help_template = help::TEMPLATE, before_help = help::COPY)]
#[command(after_help = help::EXIT_CODES, after_long_help = format!("{}\n{}", help::COPY_AFTER, help::EXIT_CODES))]
pub(crate) struct CopyArguments {
    #[command(flatten)]
    pub(crate) source: SourceArguments,
    /// Where to: a file, or `-` for standard output
    #[arg(value_name = "DST", value_hint = clap::ValueHint::FilePath)]
    pub(crate) destination: Option<OsString>,
    /// Where to, as an option
    #[arg(short, long, value_name = "FILE", conflicts_with = "destination", value_hint = clap::ValueHint::FilePath)]
    pub(crate) output: Option<OsString>,
    #[command(flatten)]
    pub(crate) target: TargetArguments,
    #[command(flatten)]
    pub(crate) shape: ShapeArguments,
    /// How messages of Protocol Buffers are JSON
    #[arg(long, value_enum, value_name = "HOW", default_value = "plain", help_heading = "Protocol Buffers")]
    pub(crate) mapping: JsonMapping,
    /// Pass over fields of canonical JSON that the message does not have, and names that its enums do not have
    #[arg(long, help_heading = "Protocol Buffers")]
    pub(crate) ignore_unknown: bool,
    /// How many records a shape is learnt from, or `all` [default: 1000]
    #[arg(long, value_name = "N|all", value_parser = sample::parse, conflicts_with = "shape", help_heading = "Shape")]
    pub(crate) sample: Option<Sample>,
    /// What to do where a record is refused
    #[arg(long, value_enum, value_name = "WHAT", default_value = "stop", help_heading = "Errors")]
    pub(crate) on_error: Refusal,
    /// Keep refused records, with the reasons, as NDJSON in this file
    #[arg(long, value_name = "FILE", help_heading = "Errors", value_hint = clap::ValueHint::FilePath)]
    pub(crate) rejects: Option<OsString>,
    /// Show how far the copy is: auto (on a terminal), always or never
    #[arg(long, value_enum, value_name = "WHEN", default_value = "auto", hide_possible_values = true)]
    pub(crate) progress: When,
}

/// Show the first records, as NDJSON
#[derive(Debug, Args)]
#[command(help_template = help::TEMPLATE, before_help = help::HEAD, after_help = help::EXIT_CODES)]
pub(crate) struct HeadArguments {
    #[command(flatten)]
    pub(crate) source: SourceArguments,
    /// How many records
    #[arg(short = 'n', long, value_name = "N", default_value_t = 10)]
    pub(crate) records: u64,
    #[command(flatten)]
    pub(crate) target: TargetArguments,
    #[command(flatten)]
    pub(crate) shape: ShapeArguments,
}

/// Show the shape of the records in a place
#[derive(Debug, Args)]
#[command(help_template = help::TEMPLATE, before_help = help::SCHEMA, after_help = help::EXIT_CODES)]
pub(crate) struct SchemaArguments {
    #[command(flatten)]
    pub(crate) source: SourceArguments,
    /// Take the cells of a table for what they look like, and not for text
    #[arg(long)]
    pub(crate) infer: bool,
    /// How many records to look at, or `all` [default: 1000]
    #[arg(long, value_name = "N|all", value_parser = sample::parse)]
    pub(crate) sample: Option<Sample>,
    /// What to show it as
    #[arg(long, value_enum, value_name = "FORM", default_value_t, hide_default_value = true)]
    pub(crate) to: SchemaForm,
}

/// Serve the tables of a database over HTTP
#[derive(Debug, Args)]
#[command(help_template = help::TEMPLATE, before_help = help::SERVE)]
#[command(after_help = help::EXIT_CODES, after_long_help = format!("{}\n{}", help::SERVE_AFTER, help::EXIT_CODES))]
#[allow(clippy::struct_excessive_bools)] // each is an option of its own
pub(crate) struct ServeArguments {
    /// What: a database (`tasks.db`), or a table of one (`tasks.db#tasks`)
    #[arg(value_name = "PLACE", value_hint = clap::ValueHint::FilePath)]
    pub(crate) place: OsString,
    /// The address to listen at: this machine alone, unless told otherwise
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1")]
    pub(crate) host: IpAddr,
    /// The port; 0 for any that is free
    #[arg(short, long, value_name = "PORT", default_value_t = 8080)]
    pub(crate) port: u16,
    /// Change nothing
    #[arg(long)]
    pub(crate) readonly: bool,
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
    /// Listen to others than this machine without a token
    #[arg(long)]
    pub(crate) open: bool,
    /// Leave out the page to look at tables
    #[arg(long)]
    pub(crate) no_browser: bool,
    /// Keep the file's way of writing, instead of a log beside it
    #[arg(long)]
    pub(crate) no_wal: bool,
    /// The replacement for a value that the format can't represent or that doesn't fit its column; each is logged
    #[arg(long, value_enum, value_name = "WHAT", default_value = "null")]
    pub(crate) unrepresentable: StandIn,
    /// The chain of certificates for https, in PEM
    #[arg(long, value_name = "FILE", requires = "key", value_hint = clap::ValueHint::FilePath)]
    pub(crate) certificate: Option<PathBuf>,
    /// The key of the certificate, in PEM
    #[arg(long, value_name = "FILE", requires = "certificate", value_hint = clap::ValueHint::FilePath)]
    pub(crate) key: Option<PathBuf>,
}

/// List the formats
#[derive(Debug, Args)]
#[command(help_template = help::TEMPLATE, before_help = help::FORMATS)]
pub(crate) struct FormatsArguments {
    /// As data in this format
    #[arg(long, value_name = "FORMAT", value_parser = FormatName)]
    pub(crate) to: Option<Format>,
}

/// Print what makes a shell complete the command
#[derive(Debug, Args)]
#[command(help_template = help::TEMPLATE, before_help = help::COMPLETION)]
pub(crate) struct CompletionArguments {
    /// Which shell
    #[arg(value_enum)]
    pub(crate) shell: clap_complete::Shell,
}

/// Of which shape a copy is.
#[derive(Debug, Args)]
pub(crate) struct ShapeArguments {
    /// The shape of the source or its records: text, a file (`@FILE`) that holds it, a message (`FILE.proto:NAME`), or
    /// messages each behind its length (`[FILE.proto:NAME]`)
    #[arg(long, value_name = "SHAPE", help_heading = "Shape")]
    pub(crate) shape: Option<OsString>,
    /// Learn the shape from a sample; cells of a table are what they look like
    #[arg(long, conflicts_with = "shape", help_heading = "Shape")]
    pub(crate) infer: bool,
    /// Only these fields of the records, in this order; the others are passed over
    #[arg(long, value_name = "A,B,…", value_delimiter = ',', help_heading = "Shape")]
    pub(crate) fields: Option<Vec<String>>,
    /// Make columns of records within records, and JSON text of lists and maps
    #[arg(long, help_heading = "Shape")]
    pub(crate) flatten: bool,
}
