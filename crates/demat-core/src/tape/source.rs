//! Reads parts.

use super::{Part, Tape, UNKNOWN};
use crate::excerpt;
use crate::scalar::{Date, DateTime, Decimal, Duration, Instant, Int, Time, Uuid, base64};
use crate::{Error, ErrorKind, Kind, Mark, Position, Record, Result, Source, Text};
use std::borrow::Cow;

/// A source over the parts of a [`Tape`]. The location of an error is its path.
#[derive(Debug, Clone)]
pub struct TapeSource<'a> {
    tape: &'a Tape,
    at: usize,
}

impl Part {
    /// The kind of a value; null for the end of a list or map, which is none.
    fn kind(self) -> Kind {
        match self {
            Self::Null | Self::End => Kind::Null,
            Self::Bool(_) => Kind::Bool,
            Self::Int(_) | Self::Big(_) => Kind::Int,
            Self::Float(_) => Kind::Float,
            Self::Text(_) => Kind::Text,
            Self::Bytes(_) => Kind::Bytes,
            Self::Decimal(_) => Kind::Decimal,
            Self::Date(_) => Kind::Date,
            Self::Time(_) => Kind::Time,
            Self::DateTime(_) => Kind::DateTime,
            Self::Instant(..) => Kind::Instant,
            Self::Duration(_) => Kind::Duration,
            Self::Uuid(_) => Kind::Uuid,
            Self::List { .. } => Kind::List,
            Self::Map { .. } => Kind::Map,
        }
    }
}

impl<'a> TapeSource<'a> {
    pub(super) fn new(tape: &'a Tape) -> Self {
        Self { tape, at: 0 }
    }

    /// Returns the next value.
    #[inline]
    fn here(&self) -> Result<Part> {
        match self.tape.parts.get(self.at) {
            Some(Part::End) => Err(Error::mismatch(ErrorKind::Syntax, "a value", "the end of a list or map")),
            Some(part) => Ok(*part),
            None => Err(Error::mismatch(ErrorKind::Syntax, "a value", "end of input")),
        }
    }

    /// Takes the next value, if `find` accepts it.
    #[inline]
    fn take_as<T>(&mut self, expected: &'static str, find: impl FnOnce(&'a Tape, Part) -> Option<T>) -> Result<T> {
        let part = self.here()?;
        match find(self.tape, part) {
            Some(found) => {
                self.at += 1;
                Ok(found)
            }
            None => Err(self.other(expected, part)),
        }
    }

    /// As [`take_as`](Self::take_as), for kinds that other formats write as text.
    #[inline]
    fn take_or_parse<T>(
        &mut self,
        expected: &'static str,
        find: impl FnOnce(&'a Tape, Part) -> Option<T>,
        parse: impl FnOnce(&'a str) -> Option<T>,
    ) -> Result<T> {
        let part = self.here()?;
        let found = match part {
            Part::Text(slice) => parse(self.tape.text(slice)).ok_or_else(|| self.other(expected, part))?,
            other => find(self.tape, other).ok_or_else(|| self.other(expected, other))?,
        };
        self.at += 1;
        Ok(found)
    }

    /// Returns the error for a value of another kind, or for text that is not the text of a kind.
    #[cold]
    fn other(&mut self, expected: &'static str, part: Part) -> Error {
        let shown = excerpt::of(self).unwrap_or_default();
        Error::expected(expected, part.kind().name()).showing(shown)
    }

    /// Whether there is another child. If not, leaves the list or map.
    #[inline]
    fn child(&mut self) -> bool {
        let ended = matches!(self.tape.parts.get(self.at), Some(Part::End));
        self.at += usize::from(ended);
        !ended
    }
}

/// The number of items, if it is known.
#[inline]
fn known(len: usize) -> Option<usize> {
    (len != UNKNOWN).then_some(len)
}

/// The methods for kinds that a tape holds, or that text can be parsed as.
macro_rules! kinds {
    ($($method:ident $name:literal $part:ident $type:ty;)*) => {$(
        fn $method(&mut self) -> Result<$type> {
            let find = |_: &'a Tape, part| if let Part::$part(own) = part { Some(own) } else { None };
            self.take_or_parse($name, find, <$type>::parse)
        }
    )*};
}

impl<'a> Source<'a> for TapeSource<'a> {
    #[inline]
    fn peek(&mut self) -> Result<Kind> {
        self.here().map(Part::kind)
    }

    #[inline]
    fn null(&mut self) -> Result<bool> {
        let null = matches!(self.here()?, Part::Null);
        self.at += usize::from(null);
        Ok(null)
    }

    fn bool(&mut self) -> Result<bool> {
        self.take_as("bool", |_, part| if let Part::Bool(own) = part { Some(own) } else { None })
    }

    fn int(&mut self) -> Result<Int<'a>> {
        self.take_as("int", |tape, part| match part {
            Part::Int(own) => Some(Int::I64(own)),
            Part::Big(index) => tape.bigs.get(index).cloned(),
            _ => None,
        })
    }

    #[inline]
    fn try_i64(&mut self) -> Result<Option<i64>> {
        let Part::Int(own) = self.here()? else { return self.i64().map(Some) };
        self.at += 1;
        Ok(Some(own))
    }

    fn float(&mut self) -> Result<f64> {
        let float = self.take_as("float", |tape, part| match part {
            Part::Float(own) => Some((own, false)),
            Part::Int(own) => Some((Int::I64(own).to_f64(), true)),
            Part::Big(index) => tape.bigs.get(index).map(|own| (own.to_f64(), true)),
            Part::Decimal(slice) => Decimal::parse(tape.text(slice)).map(|own| (own.to_f64(), true)),
            _ => None,
        });
        match float? {
            // Infinity is a float, but a finite number that becomes infinite was too large.
            (value, true) if value.is_infinite() => {
                Err(Error::mismatch(ErrorKind::Constraint, "float64", "a larger number"))
            }
            (value, _) => Ok(value),
        }
    }

    #[inline]
    fn text(&mut self) -> Result<Text<'a, '_>> {
        self.take_as(
            "text",
            |tape, part| {
                if let Part::Text(slice) = part { Some(Text::Input(tape.text(slice))) } else { None }
            },
        )
    }

    fn list(&mut self) -> Result<Option<usize>> {
        self.take_as("list", |_, part| if let Part::List { len, .. } = part { Some(known(len)) } else { None })
    }

    #[inline]
    fn item(&mut self) -> Result<bool> {
        Ok(self.child())
    }

    fn map(&mut self) -> Result<Option<usize>> {
        self.take_as("record", |_, part| if let Part::Map { len, .. } = part { Some(known(len)) } else { None })
    }

    #[inline]
    fn entry(&mut self) -> Result<bool> {
        Ok(self.child())
    }

    #[inline]
    fn value(&mut self) -> Result<()> {
        Ok(())
    }

    fn skip(&mut self) -> Result<()> {
        self.at = match self.here()? {
            Part::List { end, .. } | Part::Map { end, .. } => end + 1,
            _ => self.at + 1,
        };
        Ok(())
    }

    /// Always an error: a value in memory has no bytes.
    fn span(&mut self) -> Result<Cow<'a, [u8]>> {
        Err(Error::new(ErrorKind::Encode, "a value in memory has no bytes of its own"))
    }

    #[inline]
    fn mark(&self) -> Mark {
        Mark { offset: self.at, state: [0; 4] }
    }

    #[inline]
    fn reset(&mut self, mark: Mark) {
        self.at = mark.offset;
    }

    /// Empty: in a value, only the path of an error shows the location.
    #[inline]
    fn position(&self) -> Position {
        Position::default()
    }

    fn end(&mut self) -> Result<()> {
        if self.at == self.tape.parts.len() {
            return Ok(());
        }
        Err(Error::mismatch(ErrorKind::Syntax, "end of input", "more of the value"))
    }

    /// The last one wins, as in a dict.
    fn repeated(&mut self, _: &str) -> Result<()> {
        Ok(())
    }

    fn mismatch(&mut self, expected: &'static str) -> Error {
        match self.here() {
            Ok(part) => self.other(expected, part),
            Err(error) => error,
        }
    }

    fn field(&mut self, record: &Record, expected: usize) -> Result<Option<usize>> {
        loop {
            if !self.child() {
                return Ok(None);
            }
            let start = self.at;
            // Usually it is the next one.
            if let (Some(Part::Text(slice)), Some(field)) = (self.tape.parts.get(start), record.fields().get(expected))
                && self.tape.text(*slice) == field.key()
            {
                self.at += 1;
                return Ok(Some(expected));
            }
            let key = self.take_as("text", |tape, part| match part {
                Part::Text(slice) => Some(tape.text(slice)),
                _ => None,
            })?;
            if let Some(index) = record.index_of(key) {
                return Ok(Some(index));
            }
            if let Some(rest) = record.unknown_key(key)? {
                self.at = start;
                return Ok(Some(rest));
            }
            self.skip()?;
        }
    }

    fn bytes(&mut self) -> Result<Cow<'a, [u8]>> {
        self.take_or_parse(
            "bytes",
            |tape, part| match part {
                Part::Bytes(slice) => tape.bytes.get(slice.start..slice.start + slice.len).map(Cow::Borrowed),
                _ => None,
            },
            |text| base64::decode(text).map(Cow::Owned),
        )
    }

    fn decimal(&mut self) -> Result<Decimal<'a>> {
        self.take_or_parse(
            "decimal",
            |tape, part| match part {
                Part::Decimal(slice) => Decimal::parse(tape.text(slice)),
                Part::Int(own) => Some(Decimal::from_int(Int::I64(own))),
                Part::Big(index) => tape.bigs.get(index).cloned().map(Decimal::from_int),
                _ => None,
            },
            Decimal::parse,
        )
    }

    fn instant(&mut self) -> Result<Instant> {
        self.take_or_parse(
            "instant",
            |_, part| match part {
                Part::Instant(at, offset) => Some(at.with_offset(offset)),
                Part::DateTime(at) => Some(at.into()),
                _ => None,
            },
            Instant::parse,
        )
    }

    kinds! {
        date "date" Date Date;
        time "time" Time Time;
        date_time "datetime" DateTime DateTime;
        duration "duration" Duration Duration;
        uuid "uuid" Uuid Uuid;
    }
}
