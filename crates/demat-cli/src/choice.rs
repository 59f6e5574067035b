//! The values of options with a fixed set of choices.

use clap::ValueEnum;
use demat_formats::json;
use demat_http::Unrepresentable;
use demat_place::OnError;

/// When to show something.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum When {
    /// On a terminal only
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

impl When {
    pub(crate) fn is_on(self, auto: bool) -> bool {
        match self {
            Self::Auto => auto,
            Self::Always => true,
            Self::Never => false,
        }
    }
}

/// How to write Protocol Buffers messages as JSON.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum JsonMapping {
    /// Like all other records: original field names, numbers as numbers
    Plain,
    /// The canonical mapping of the Protocol Buffers specification: lowerCamelCase names, 64-bit integers as text
    Canonical,
}

/// What to do with a refused record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Refusal {
    /// End at the first refused record; no output file appears
    Stop,
    /// Leave refused records out, write the others, and exit with 1
    Skip,
    /// Read on to report every refused record; if there is one, write nothing and exit with 1
    All,
}

impl From<Refusal> for OnError {
    fn from(refusal: Refusal) -> Self {
        match refusal {
            Refusal::Stop => Self::Stop,
            Refusal::Skip => Self::Skip,
            Refusal::All => Self::All,
        }
    }
}

/// What to do with a repeated key of a JSON object.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Repeated {
    /// Its last value counts
    Last,
    /// It is an error
    Refuse,
}

impl From<Repeated> for json::RepeatedKeys {
    fn from(repeated: Repeated) -> Self {
        match repeated {
            Repeated::Last => Self::LastWins,
            Repeated::Refuse => Self::Refuse,
        }
    }
}

/// The replacement for an unrepresentable value.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum StandIn {
    /// Null
    Null,
    /// Text, if the format allows text there; else null
    Text,
    /// No replacement: the request fails
    Refuse,
}

impl From<StandIn> for Unrepresentable {
    fn from(chosen: StandIn) -> Self {
        match chosen {
            StandIn::Null => Self::Null,
            StandIn::Text => Self::Text,
            StandIn::Refuse => Self::Refuse,
        }
    }
}
