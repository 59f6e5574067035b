use crate::scalar::{Date, DateTime, Decimal, Duration, Instant, Int, Offset, Time, Uuid};
use crate::{Kind, Result, Source, Text};
use std::borrow::Cow;

/// A value that [`Source::take`] returns, for readers without a shape.
///
/// A scalar was taken. A list or map was entered; the count is that of [`Source::list`] or [`Source::map`].
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
    /// An integer that fits `i64`, as nearly all do.
    I64(i64),
    /// Any other integer.
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
    /// A date and time with the clock's offset.
    Instant(DateTime, Offset),
    /// A length of time.
    Duration(Duration),
    /// A UUID.
    Uuid(Uuid),
    /// A list was entered.
    List(Option<usize>),
    /// A map was entered.
    Map(Option<usize>),
}

impl<'a, 's> Token<'a, 's> {
    /// Takes the next value in two steps: reads its kind, and then the value.
    ///
    /// This is the default of [`Source::take`], and the slow twin to test faster implementations against.
    ///
    /// # Errors
    /// The errors of [`Source::peek`] and of the method for the kind.
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

    /// Returns the token of an integer.
    #[inline]
    pub fn of_int(int: Int<'a>) -> Self {
        match int {
            Int::I64(int) => Self::I64(int),
            other => Self::Int(other),
        }
    }

    /// Returns the token of a date and time.
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
