//! A source that takes a single value for a list of one.

#[cfg(test)]
mod tests;

use crate::scalar::{Date, DateTime, Decimal, Duration, Instant, Int, Time, Uuid};
use crate::source_reference::forward_source;
use crate::{Enum, Error, KeyPattern, Kind, Mark, Position, Record, Result, Shape, Source, Text, Token, Union};
use std::borrow::Cow;

/// A source whose single values are read as lists of one, where a list is requested.
///
/// A list stays what it is, and null is no value. Only a reader with a shape requests lists: one without gets what
/// stands there. In a union, a list is chosen for lists only.
///
/// ```
/// use demat_core::{AcceptSingle, Decode, Value, ValueSource};
/// let one = Value::Int(7.into());
/// assert_eq!(Vec::<i64>::decode(&mut AcceptSingle::new(ValueSource::new(&one)))?, [7]);
/// assert!(Vec::<i64>::decode(&mut ValueSource::new(&one)).is_err());
/// # Ok::<(), demat_core::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct AcceptSingle<S> {
    inner: S,
}

impl<'a, S: Source<'a>> AcceptSingle<S> {
    /// Returns a source over another one.
    pub fn new(inner: S) -> Self {
        Self { inner }
    }
}

impl<'a, S: Source<'a>> Source<'a> for AcceptSingle<S> {
    fn accepts_single(&self) -> bool {
        true
    }

    fn mark(&self) -> Mark {
        self.inner.mark()
    }

    fn position(&self) -> Position {
        self.inner.position()
    }

    fn tells_variants(&self) -> bool {
        self.inner.tells_variants()
    }

    fn goes_on_as_record(&self) -> bool {
        self.inner.goes_on_as_record()
    }

    forward_source! { self => self.inner;
        peek() -> Result<Kind>;
        null() -> Result<bool>;
        bool() -> Result<bool>;
        int() -> Result<Int<'a>>;
        i64() -> Result<i64>;
        try_i64() -> Result<Option<i64>>;
        u64() -> Result<u64>;
        float() -> Result<f64>;
        float32() -> Result<f32>;
        text() -> Result<Text<'a, '_>>;
        bytes() -> Result<Cow<'a, [u8]>>;
        decimal() -> Result<Decimal<'a>>;
        date() -> Result<Date>;
        time() -> Result<Time>;
        date_time() -> Result<DateTime>;
        instant() -> Result<Instant>;
        duration() -> Result<Duration>;
        uuid() -> Result<Uuid>;
        variant(names: &Enum) -> Result<usize>;
        stated() -> Result<Option<Shape>>;
        take() -> Result<Token<'a, '_>>;
        list() -> Result<Option<usize>>;
        item() -> Result<bool>;
        lists_records(record: Option<&Record>) -> Result<bool>;
        elements() -> Result<()>;
        item_is(name: &str) -> Result<bool>;
        map() -> Result<Option<usize>>;
        entry() -> Result<bool>;
        key() -> Result<Option<Token<'a, '_>>>;
        key_is(key: &str, token: &KeyPattern) -> bool;
        value() -> Result<()>;
        record(record: &Record) -> Result<()>;
        field(record: &Record, expected: usize) -> Result<Option<usize>>;
        choose(union: &Union) -> Result<usize>;
        chosen(union: &Union, index: usize, boxed: bool) -> Result<()>;
        skip() -> Result<()>;
        span() -> Result<Cow<'a, [u8]>>;
        reset(mark: Mark) -> ();
        end() -> Result<()>;
        repeated(key: &str) -> Result<()>;
        no_records(record: &Record) -> Result<()>;
        mismatch(expected: &'static str) -> Error;
    }
}
