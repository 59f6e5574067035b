//! Writes text to columns of other kinds.

use super::node::Values;
use super::tell::{ColumnSink, Frame};
use demat_core::scalar::{Date, DateTime, Decimal, Duration, Instant, Int, Time, Uuid, base64};
use demat_core::{Encode, Error, ErrorKind, Result, Sink};

#[cold]
pub(super) fn mismatch(values: &Values, found: &'static str) -> Error {
    Error::expected(values.name(), found)
}

impl Values {
    /// Returns the name of the column type for errors.
    fn name(&self) -> &'static str {
        match self {
            Self::Null(_) => "null",
            Self::Bool(_) => "bool",
            Self::I8(_)
            | Self::I16(_)
            | Self::I32(_)
            | Self::I33(_)
            | Self::I64(_)
            | Self::U8(_)
            | Self::U16(_)
            | Self::U32(_)
            | Self::U64(..) => "int",
            Self::F32(_) | Self::F64(_) => "float",
            Self::D128(own) if own.width.is_some() => "int",
            Self::D256(own) if own.width.is_some() => "int",
            Self::D128(_) | Self::D256(_) | Self::Digits(_) => "decimal",
            Self::Text(_) | Self::Dictionary(_) => "text",
            Self::Bytes(_) => "bytes",
            Self::Json(..) => "any",
            Self::Date(_) => "date",
            Self::Time(_) => "time",
            Self::DateTime(_) => "datetime",
            Self::Instant(_) => "instant",
            Self::Duration(_) => "duration",
            Self::Uuid(_) => "uuid",
            Self::Enum(..) => "enum",
            Self::List { .. } => "list",
            Self::Tuple { .. } => "tuple",
            Self::Map { .. } => "map",
            Self::Struct { .. } => "record",
        }
    }
}

impl ColumnSink<'_> {
    /// Appends a value of another kind to a column of texts, as its text.
    pub(super) fn as_text(&mut self, id: usize, text: &str, found: &'static str) -> Result<()> {
        match &mut self.nodes.nodes[id].values {
            Values::Text(texts) => texts.push(text.as_bytes()),
            Values::Dictionary(own) => own.push(text.as_bytes()),
            other => Err(mismatch(other, found)),
        }
    }

    /// Converts text for a column of another kind, as formats without that kind write it.
    pub(super) fn other_text(&mut self, id: usize, value: &str) -> Result<()> {
        let not = |expected: &'static str| Error::other_text(expected, value);
        match &mut self.nodes.nodes[id].values {
            Values::Bytes(_) => {
                let bytes = base64::decode(value).ok_or_else(|| not("bytes in base64"))?;
                self.bytes(&bytes)
            }
            Values::Digits(_) => self.decimal(&Decimal::parse(value).ok_or_else(|| not("decimal"))?),
            Values::D128(own) if own.width.is_none() => {
                self.decimal(&Decimal::parse(value).ok_or_else(|| not("decimal"))?)
            }
            Values::D256(own) if own.width.is_none() => {
                self.decimal(&Decimal::parse(value).ok_or_else(|| not("decimal"))?)
            }
            Values::Date(_) => self.date(Date::parse(value).ok_or_else(|| not("date as YYYY-MM-DD"))?),
            Values::Time(_) => self.time(Time::parse(value).ok_or_else(|| not("time as HH:MM:SS"))?),
            Values::DateTime(_) => self.date_time(DateTime::parse(value).ok_or_else(|| Error::no_date_time(value))?),
            Values::Instant(_) => Instant::parse(value).ok_or_else(|| not("instant as RFC 3339"))?.encode(self),
            Values::Duration(_) => self.duration(Duration::parse(value).ok_or_else(|| not("duration as ISO 8601"))?),
            Values::Uuid(_) => self.uuid(Uuid::parse(value).ok_or_else(|| not("uuid"))?),
            Values::Enum(values, names) => {
                self.cursor.next = None;
                let Some(index) = names.index_of(value) else {
                    return Err(Error::mismatch(ErrorKind::Constraint, names.names(), format!("`{value}`")));
                };
                values.push(index as i32); // an enum has few names
                Ok(())
            }
            // Keys of maps are text in most formats, and numbers in the columns.
            Values::I64(_)
            | Values::I33(_)
            | Values::I32(_)
            | Values::I16(_)
            | Values::I8(_)
            | Values::U64(..)
            | Values::U32(_)
            | Values::U16(_)
            | Values::U8(_)
                if matches!(self.cursor.frames.last(), Some(Frame::Map { key, .. }) if *key == id) =>
            {
                self.int(&Int::from_digits(value).ok_or_else(|| not("int"))?)
            }
            other => Err(mismatch(other, "text")),
        }
    }
}
