//! How the values of a shape are stored in a column.

use crate::affinity::Affinity;
use demat_core::{IntWidth, Shape, Tag};
use std::borrow::Cow;

/// The storage of a column's values.
///
/// | values | stored as |
/// |---|---|
/// | bool | 0 and 1 |
/// | int up to 64 bits | an integer; a larger one is refused |
/// | int that may be larger (`uint64`, `int128`) | an integer; a larger one as text with its digits. Text alone in a column of text |
/// | float | binary64; NaN is refused, as SQLite would store NULL |
/// | text, enum | text |
/// | bytes | bytes |
/// | decimal | text with its digits |
/// | date, time, datetime, instant, duration, uuid | text, as JSON writes them |
/// | list, tuple, map, record, union that may be one of these | text, as JSON |
/// | any, union of scalars | the storage class of the value; a list or map is refused |
/// | null | NULL |
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stored {
    /// Bools.
    Bool,
    /// 64-bit integers.
    Int,
    /// Integers of any size: those of more than 64 bits as text, and all in a column of text.
    Digits,
    /// Floats.
    Real,
    /// Text.
    Text,
    /// Bytes.
    Blob,
    /// Decimals, as text.
    Decimal,
    /// Dates, as text.
    Date,
    /// Times of day, as text.
    Time,
    /// Dates and times without an offset, as text.
    DateTime,
    /// Dates and times, with an offset or without one, as text.
    Instant,
    /// Durations, as text.
    Duration,
    /// UUIDs, as text.
    Uuid,
    /// JSON text.
    Json,
    /// Any value, in its own storage class.
    Any,
}

impl Stored {
    /// Returns the storage of a shape's values in a column of this declared type.
    pub fn of(shape: &Shape, declared: Option<&str>) -> Self {
        let json = declared.is_some_and(is_json);
        match shape.inner() {
            Shape::Bool => Self::Bool,
            Shape::Int(width) => match declared {
                Some(declared) if keeps_digits(declared) => Self::Digits,
                None if is_wide(*width) => Self::Digits,
                _ => Self::Int,
            },
            Shape::Float(_) => Self::Real,
            Shape::Text | Shape::Enum(_) => Self::Text,
            Shape::Bytes => Self::Blob,
            Shape::Decimal => Self::Decimal,
            Shape::Date => Self::Date,
            Shape::Time => Self::Time,
            Shape::DateTime => Self::DateTime,
            Shape::Instant => Self::Instant,
            Shape::Duration => Self::Duration,
            Shape::Uuid => Self::Uuid,
            Shape::List(_) | Shape::Tuple(_) | Shape::Map(..) | Shape::Record(_) => Self::Json,
            Shape::Union(_) if json || !is_single(shape) => Self::Json,
            Shape::Any if json => Self::Json,
            Shape::Any | Shape::Null | Shape::Union(_) | Shape::Option(_) => Self::Any,
        }
    }

    /// Returns the declared type for a column. A type name that gives the text a meaning is recognized when the table
    /// is read again; strict tables allow no such names.
    pub(crate) fn declared(self, shape: &Shape, strict: bool) -> Cow<'static, str> {
        Cow::Borrowed(match (self, strict) {
            (Self::Bool | Self::Int, true) | (Self::Int, false) => "INTEGER",
            (Self::Bool, false) => "BOOLEAN",
            (Self::Real, _) => "REAL",
            (Self::Blob, _) => "BLOB",
            (Self::Any, true) => "ANY",
            (Self::Any, false) => "",
            // The name keeps the width. Such a column has no affinity, so it keeps integers and text.
            (Self::Digits, false) => match shape.inner() {
                Shape::Int(IntWidth::Signed(bits)) => return Cow::Owned(format!("I{bits} BLOB")),
                Shape::Int(IntWidth::Unsigned(bits)) => return Cow::Owned(format!("U{bits} BLOB")),
                _ => "TEXT",
            },
            (Self::Text, _) | (_, true) => "TEXT",
            // `DECIMAL` alone would have numeric affinity, and change the digits.
            (Self::Decimal, false) => "DECIMAL TEXT",
            (Self::Date, false) => "DATE",
            (Self::Time, false) => "TIME",
            // Columns of this type may hold datetimes with an offset and without, so they are read as instants.
            (Self::DateTime | Self::Instant, false) => "DATETIME",
            (Self::Duration, false) => "DURATION",
            (Self::Uuid, false) => "UUID",
            // The JSON text of these may be a number.
            (Self::Json, false) if matches!(shape.inner(), Shape::Union(_) | Shape::Any) => "JSON TEXT",
            (Self::Json, false) => "JSON",
        })
    }

    /// Returns whether a column of this affinity stores such values without loss.
    pub fn keeps_in(self, affinity: Affinity) -> bool {
        use Affinity::{Blob, Integer, Numeric, Real, Text};
        match self {
            Self::Any => true,
            Self::Bool | Self::Int => matches!(affinity, Integer | Numeric | Blob),
            Self::Real => matches!(affinity, Real | Numeric | Blob),
            Self::Blob => matches!(affinity, Blob),
            Self::Text | Self::Digits => matches!(affinity, Text | Blob),
            Self::Decimal => matches!(affinity, Text | Blob | Numeric | Real | Integer),
            // Such texts are no numbers, so no affinity changes them.
            Self::Date | Self::Time | Self::DateTime | Self::Instant | Self::Duration | Self::Uuid | Self::Json => {
                matches!(affinity, Text | Blob | Numeric)
            }
        }
    }

    /// Returns whether the values are datetimes.
    pub(crate) fn is_moment(self) -> bool {
        matches!(self, Self::DateTime | Self::Instant)
    }

    /// Returns the name in error messages.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Bool => "bool",
            Self::Int | Self::Digits => "int",
            Self::Real => "float",
            Self::Text => "text",
            Self::Blob => "bytes",
            Self::Decimal => "decimal",
            Self::Date => "date",
            Self::Time => "time",
            Self::DateTime => "datetime",
            Self::Instant => "instant",
            Self::Duration => "duration",
            Self::Uuid => "uuid",
            Self::Json => "json",
            Self::Any => "any",
        }
    }
}

/// Returns whether a declared type means JSON.
pub(crate) fn is_json(declared: &str) -> bool {
    declared.get(..4).is_some_and(|head| head.eq_ignore_ascii_case("JSON"))
}

/// Returns whether a column of this declared type keeps ints of any size.
pub fn keeps_digits(declared: &str) -> bool {
    Affinity::of(declared, false) == Affinity::Text || wide_of(declared).is_some()
}

/// Returns the width of the ints of a declared type such as `U64 BLOB`, for ints that may exceed 64 bits.
pub(crate) fn wide_of(declared: &str) -> Option<IntWidth> {
    let (name, rest) = declared.split_at_checked(declared.find(' ')?)?;
    let (kind, bits) = name.split_at_checked(1)?;
    let bits = bits.parse().ok().filter(|_| bits.starts_with(|first: char| matches!(first, '1'..='9')))?;
    let width = match kind {
        "U" | "u" => IntWidth::Unsigned(bits),
        "I" | "i" => IntWidth::Signed(bits),
        _ => return None,
    };
    (is_wide(width) && rest.eq_ignore_ascii_case(" BLOB")).then_some(width)
}

fn is_wide(width: IntWidth) -> bool {
    !matches!(width, IntWidth::Any | IntWidth::Signed(..=64) | IntWidth::Unsigned(..=63))
}

/// Returns whether every value is a scalar or null.
fn is_single(shape: &Shape) -> bool {
    match shape.inner() {
        Shape::Union(union) => {
            let union = union.get();
            *union.tag() == Tag::None && union.variants().iter().all(|variant| is_single(variant.shape()))
        }
        other => other.is_scalar(),
    }
}
