use core::fmt;

/// The kinds of value in the contract, as [`Source::peek`](crate::Source::peek) reports them and errors name them.
///
/// A source reports the kind that its format shows without a shape: JSON text is never reported as `Date`, though it
/// may be read as a `date`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs)] // the names say it all
pub enum Kind {
    Null,
    Bool,
    Int,
    Float,
    Text,
    Bytes,
    Decimal,
    Date,
    Time,
    /// A date and time without an offset.
    DateTime,
    /// A date and time with an offset.
    Instant,
    Duration,
    Uuid,
    List,
    Map,
}

impl Kind {
    /// The name in errors and in the text of shapes.
    ///
    /// ```
    /// assert_eq!(demat_core::Kind::Text.name(), "text");
    /// ```
    pub const fn name(self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Bool => "bool",
            Self::Int => "int",
            Self::Float => "float",
            Self::Text => "text",
            Self::Bytes => "bytes",
            Self::Decimal => "decimal",
            Self::Date => "date",
            Self::Time => "time",
            Self::DateTime => "datetime",
            Self::Instant => "instant",
            Self::Duration => "duration",
            Self::Uuid => "uuid",
            Self::List => "list",
            Self::Map => "record",
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
