//! Converts a cell to the requested type.

use super::{RowSource, Stands};
use crate::column_type::{ColumnType, TypeClass};
use crate::rows::Rows;
use crate::value::{moment, network, numeric};
use demat_core::scalar::{Date, DateTime, Decimal, Duration, Instant, Int, Time, Uuid};
use demat_core::{Error, ErrorKind, Kind, Result, Source, excerpt};

/// A cell, as far as its bytes show it.
#[derive(Debug)]
pub(super) enum Read {
    Bool(bool),
    Int(i64),
    Float(f64),
    Float32(f32),
    Number(numeric::Number),
    Date(Option<Date>),
    Time(Option<Time>),
    DateTime(Option<DateTime>),
    Instant(Option<Instant>),
    Duration(Option<Duration>),
    Uuid(Uuid),
}

/// Reads a cell of a type that is no text, bytes, JSON or array; `None` if the bytes are none of the type.
pub(super) fn read(own: &ColumnType, bytes: &[u8]) -> Option<Read> {
    let long = || Some(i64::from_be_bytes(bytes.try_into().ok()?));
    Some(match own.class {
        TypeClass::Bool => match bytes {
            [0] => Read::Bool(false),
            [1] => Read::Bool(true),
            _ => return None,
        },
        TypeClass::Int(8) => Read::Int(long()?),
        TypeClass::Int(4) => Read::Int(i32::from_be_bytes(bytes.try_into().ok()?).into()),
        TypeClass::Int(_) => Read::Int(i16::from_be_bytes(bytes.try_into().ok()?).into()),
        TypeClass::Oid => Read::Int(u32::from_be_bytes(bytes.try_into().ok()?).into()),
        TypeClass::Float8 => Read::Float(f64::from_be_bytes(bytes.try_into().ok()?)),
        TypeClass::Float4 => Read::Float32(f32::from_be_bytes(bytes.try_into().ok()?)),
        TypeClass::Numeric(_) => Read::Number(numeric::decode(bytes)?),
        TypeClass::Date => Read::Date(moment::date(i32::from_be_bytes(bytes.try_into().ok()?))),
        TypeClass::Time(_) => Read::Time(moment::time(long()?)),
        TypeClass::Timestamp(_) => Read::DateTime(moment::date_time(long()?)),
        TypeClass::Instant(_) => Read::Instant(moment::instant(long()?)),
        TypeClass::Interval(_) | TypeClass::CoarseInterval => {
            let (micros, rest) = bytes.split_at_checked(8)?;
            let (days, months) = rest.split_at_checked(4)?;
            let micros = i64::from_be_bytes(micros.try_into().ok()?);
            let days = i32::from_be_bytes(days.try_into().ok()?);
            let months = i32::from_be_bytes(months.try_into().ok()?);
            Read::Duration(if months == 0 { moment::duration(micros, days) } else { None })
        }
        TypeClass::Uuid => Read::Uuid(Uuid(bytes.try_into().ok()?)),
        _ => return None,
    })
}

/// Says what a date or time is that Demat has none for.
pub(super) fn beyond(own: &ColumnType, bytes: &[u8]) -> String {
    let edge = |least: bool, most: bool| if most { Some("infinity") } else { least.then_some("-infinity") };
    let edge = match (&own.class, <[u8; 4]>::try_from(bytes), <[u8; 8]>::try_from(bytes)) {
        (TypeClass::Date, Ok(bytes), _) => {
            let days = i32::from_be_bytes(bytes);
            edge(days == i32::MIN, days == i32::MAX)
        }
        (TypeClass::Timestamp(_) | TypeClass::Instant(_), _, Ok(bytes)) => {
            let micros = i64::from_be_bytes(bytes);
            edge(micros == i64::MIN, micros == i64::MAX)
        }
        (TypeClass::Time(_), ..) => Some("24:00:00"),
        (TypeClass::Interval(_) | TypeClass::CoarseInterval, ..) => {
            return "an interval with months, which have no fixed length".to_string();
        }
        _ => None,
    };
    match edge {
        Some(edge) => format!("`{edge}`"),
        None => format!("a {} beyond the years 1 to 9999", own.class.name()),
    }
}

impl<R: Rows> RowSource<R> {
    /// Returns the kind of the value.
    pub(super) fn kind(&self) -> Kind {
        let Some((own, Some(_))) = self.current() else { return Kind::Null };
        match own.class {
            TypeClass::Bool => Kind::Bool,
            TypeClass::Int(_) | TypeClass::Oid => Kind::Int,
            TypeClass::Float4 | TypeClass::Float8 => Kind::Float,
            TypeClass::Numeric(_) => Kind::Decimal,
            TypeClass::Bytes | TypeClass::Other => Kind::Bytes,
            TypeClass::Date => Kind::Date,
            TypeClass::Time(_) => Kind::Time,
            TypeClass::Timestamp(_) => Kind::DateTime,
            TypeClass::Instant(_) => Kind::Instant,
            TypeClass::Interval(_) | TypeClass::CoarseInterval => Kind::Duration,
            TypeClass::Uuid => Kind::Uuid,
            TypeClass::Array(_) => Kind::List,
            _ => Kind::Text,
        }
    }

    /// Reads the value, and stays at it.
    pub(super) fn read(&mut self, expected: &'static str) -> Result<Read> {
        let Some((own, Some(bytes))) = self.current() else { return Err(self.mismatch(expected)) };
        if let Some(read) = read(own, bytes) {
            return Ok(read);
        }
        let is_fixed = !matches!(
            own.class,
            TypeClass::Text(_)
                | TypeClass::Char(_)
                | TypeClass::Bytes
                | TypeClass::Enum(_)
                | TypeClass::Array(_)
                | TypeClass::Inet
                | TypeClass::Cidr
                | TypeClass::Mac(_)
                | TypeClass::Json
                | TypeClass::Jsonb
                | TypeClass::Other
        );
        if is_fixed { Err(self.broken()) } else { Err(self.mismatch(expected)) }
    }

    /// Returns the error for bytes that are none of the column's type.
    #[cold]
    pub(super) fn broken(&self) -> Error {
        let name = self.current().map_or("", |(own, _)| &own.name);
        let message = format!("the server sent bytes that are no value of its type `{name}`");
        Error::new(ErrorKind::Syntax, message).at(self.position())
    }

    /// Returns the error for a value that the requested type can't have.
    #[cold]
    pub(super) fn outside(&self, expected: &'static str) -> Error {
        let found = match self.current() {
            Some((own, Some(bytes))) => match read(own, bytes) {
                Some(Read::Number(number)) => excerpt::name(number.name()),
                _ => beyond(own, bytes),
            },
            _ => "null".to_string(),
        };
        Error::expected(expected, found).at(self.position())
    }

    /// Returns the text of the value: of a text, an enum or an address.
    pub(super) fn here(&mut self, expected: &'static str) -> Result<&str> {
        if self.stands == Stands::AtKey {
            return Ok(&self.rows.columns()[self.column].name);
        }
        let mut spoken = core::mem::take(&mut self.spoken);
        spoken.clear();
        let written = match self.current() {
            Some((own, Some(bytes))) => match &own.class {
                TypeClass::Text(_) | TypeClass::Char(_) | TypeClass::Enum(_) => match core::str::from_utf8(bytes) {
                    Ok(text) => {
                        spoken.push_str(text);
                        Some(true)
                    }
                    Err(_) => Some(false),
                },
                TypeClass::Inet | TypeClass::Cidr => Some(network::decode(bytes, &mut spoken)),
                TypeClass::Mac(len) => Some(network::decode_mac(bytes, usize::from(*len), &mut spoken)),
                _ => None,
            },
            _ => None,
        };
        self.spoken = spoken;
        match written {
            Some(true) => Ok(&self.spoken),
            Some(false) => Err(self.broken()),
            None => Err(self.mismatch(expected)),
        }
    }

    /// Returns the error for a text that can't be converted to the requested type.
    #[cold]
    pub(super) fn other_text(&mut self, expected: &'static str) -> Error {
        let position = self.position();
        match self.here(expected) {
            Ok(text) => Error::other_text(expected, text).at(position),
            Err(error) => error,
        }
    }

    /// Reads an integer; `None` if the value is none, or no whole number.
    pub(super) fn whole(&mut self) -> Result<Option<Int<'static>>> {
        Ok(match self.read("int")? {
            Read::Int(value) => Some(Int::I64(value)),
            Read::Number(numeric::Number::Digits(digits)) => {
                let whole = match digits.split_once('.') {
                    Some((whole, fraction)) if fraction.bytes().all(|digit| digit == b'0') => whole,
                    Some(_) => return Ok(None),
                    None => &digits,
                };
                Int::from_digits(if whole == "-0" { "0" } else { whole }).map(Int::into_owned)
            }
            _ => None,
        })
    }

    /// Reads a float; `None` if the value is none.
    pub(super) fn real(&mut self) -> Result<Option<f64>> {
        Ok(match self.read("float")? {
            Read::Float(value) => Some(value),
            Read::Float32(value) => Some(value.into()),
            Read::Int(value) => Some(Int::I64(value).to_f64()),
            Read::Number(number) => numeric::float(&number),
            _ => None,
        })
    }

    /// Reads a decimal; `None` if the value is none.
    pub(super) fn exact(&mut self) -> Result<Option<Decimal<'static>>> {
        if matches!(self.current(), Some((ColumnType { class: TypeClass::Text(_) | TypeClass::Char(_), .. }, Some(_))))
        {
            return Ok(Decimal::parse(self.here("decimal")?).map(Decimal::into_owned));
        }
        Ok(match self.read("decimal")? {
            Read::Number(number) => numeric::decimal(&number),
            Read::Int(value) => Some(Decimal::from_int(Int::I64(value)).into_owned()),
            // The shortest digits that represent the float.
            Read::Float(value) => Decimal::parse(&format!("{value:?}")).map(Decimal::into_owned),
            Read::Float32(value) => Decimal::parse(&format!("{value:?}")).map(Decimal::into_owned),
            _ => None,
        })
    }
}
