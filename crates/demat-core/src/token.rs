use crate::scalar::{Date, DateTime, Decimal, Duration, Instant, Int, Offset, Time, Uuid};
use crate::{Kind, Result, Source, Text};
use std::borrow::Cow;

/// What stood at a place and was [taken](Source::take), for readers without a shape.
///
/// A scalar was taken; a list or map was stepped into, with the count that [`Source::list`] or [`Source::map`] gives.
///
/// ```
/// use demat_core::{Source, Token, Value, ValueSource};
/// let value = Value::List(vec![Value::Int(1.into()), Value::Null]);
/// let mut source = ValueSource::new(&value);
/// assert!(matches!(source.take()?, Token::List(Some(2))));
/// assert!(source.item()?);
/// assert!(matches!(source.take()?, Token::I64(1)));
/// # Ok::<(), demat_core::Error>(())
/// ```
#[derive(Debug)]
pub enum Token<'a, 's> {
    /// A null.
    Null,
    /// A bool.
    Bool(bool),
    /// A whole number that fits 64 bits with sign, as nearly all do.
    I64(i64),
    /// Any other whole number.
    Int(Int<'a>),
    /// A number as binary64.
    Float(f64),
    /// Text.
    Text(Text<'a, 's>),
    /// Bytes.
    Bytes(Cow<'a, [u8]>),
    /// An exact decimal number.
    Decimal(Decimal<'a>),
    /// A date.
    Date(Date),
    /// A time of day.
    Time(Time),
    /// A date and time without an offset.
    DateTime(DateTime),
    /// A date and time, and the offset of its clock.
    Instant(DateTime, Offset),
    /// A span of time.
    Duration(Duration),
    /// A UUID.
    Uuid(Uuid),
    /// A list was stepped into.
    List(Option<usize>),
    /// A map was stepped into.
    Map(Option<usize>),
}

impl<'a, 's> Token<'a, 's> {
    /// Takes what stands here in two steps: looks, and then asks for what it is.
    ///
    /// This is what [`Source::take`] means, and does unless a source knows a shorter way; then it is the slow twin to
    /// test that way against.
    ///
    /// # Errors
    /// Those of [`Source::peek`], and of the question that follows.
    pub fn by_asking<S: Source<'a> + ?Sized>(source: &'s mut S) -> Result<Self> {
        Ok(match source.peek()? {
            Kind::Null if source.null()? => Self::Null,
            Kind::Null => return Err(source.mismatch("null")),
            Kind::Bool => Self::Bool(source.bool()?),
            Kind::Int => Self::of_int(source.int()?),
            Kind::Float => Self::Float(source.float()?),
            Kind::Text => Self::Text(source.text()?),
            Kind::Bytes => Self::Bytes(source.bytes()?),
            Kind::Decimal => Self::Decimal(source.decimal()?),
            Kind::Date => Self::Date(source.date()?),
            Kind::Time => Self::Time(source.time()?),
            Kind::DateTime => Self::DateTime(source.date_time()?),
            Kind::Instant => Self::of_instant(source.instant()?),
            Kind::Duration => Self::Duration(source.duration()?),
            Kind::Uuid => Self::Uuid(source.uuid()?),
            Kind::List => Self::List(source.list()?),
            Kind::Map => Self::Map(source.map()?),
        })
    }

    /// A whole number, in the variant that is its own.
    #[inline]
    pub fn of_int(int: Int<'a>) -> Self {
        match int {
            Int::I64(int) => Self::I64(int),
            other => Self::Int(other),
        }
    }

    /// A date and time, in the variant that is its own.
    #[inline]
    pub fn of_instant(instant: Instant) -> Self {
        match instant.split() {
            (at, Some(offset)) => Self::Instant(at, offset),
            (at, None) => Self::DateTime(at),
        }
    }

    /// Its kind.
    #[inline]
    pub fn kind(&self) -> Kind {
        match self {
            Self::Null => Kind::Null,
            Self::Bool(_) => Kind::Bool,
            Self::I64(_) | Self::Int(_) => Kind::Int,
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
            Self::List(_) => Kind::List,
            Self::Map(_) => Kind::Map,
        }
    }
}
