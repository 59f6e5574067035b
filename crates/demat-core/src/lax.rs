//! A source that converts what stands in another one to the kind that is requested.

#[cfg(test)]
mod tests;

use crate::scalar::{Date, DateTime, Decimal, Duration, Instant, Int, Offset, Time, Uuid};
use crate::source_reference::forward_source;
use crate::{Enum, Error, KeyPattern, Kind, Mark, Position, Record, Result, Shape, Source, Text, Token, Union};
use std::borrow::Cow;

/// A source that also accepts these, where another kind is requested:
///
/// | kind | also accepted |
/// |---|---|
/// | int | text of digits, with a sign or white space around it; a number without a fraction, such as `3.0`; a bool |
/// | float | text of a finite number |
/// | bool | `true`, `yes`, `on`, `1`, `false`, `no`, `off`, `0` as text in any case; the ints 1 and 0 |
/// | instant | seconds since 1970 in UTC, as a number |
/// | duration | seconds, as a number |
///
/// What can't be converted is refused with the error that the other source returned. A caller without a shape requests
/// nothing, and gets what stands there.
///
/// ```
/// use demat_core::{Lax, Source, Value, ValueSource};
/// let (digits, yes) = (Value::Text(" 12".into()), Value::Text("Yes".into()));
/// assert_eq!(Lax::new(ValueSource::new(&digits)).i64()?, 12);
/// assert!(Lax::new(ValueSource::new(&yes)).bool()?);
/// assert!(Lax::new(ValueSource::new(&yes)).float().is_err());
/// # Ok::<(), demat_core::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Lax<S> {
    inner: S,
}

impl<'a, S: Source<'a>> Lax<S> {
    /// Returns a source over another one.
    pub fn new(inner: S) -> Self {
        Self { inner }
    }

    /// Reads a value in another way, after it was refused.
    #[cold]
    fn convert<T>(
        &mut self,
        mark: Mark,
        error: Error,
        read: impl FnOnce(&mut S, Kind) -> Result<Option<T>>,
    ) -> Result<T> {
        if error.signal().is_some() {
            return Err(error);
        }
        self.inner.reset(mark);
        match self.inner.peek().and_then(|kind| read(&mut self.inner, kind)) {
            Ok(Some(value)) => Ok(value),
            Err(signal) if signal.signal().is_some() => Err(signal),
            Ok(None) | Err(_) => Err(error),
        }
    }
}

/// Reads an int from text, a float or a bool.
fn int<'a, S: Source<'a>>(source: &mut S, kind: Kind) -> Result<Option<Int<'a>>> {
    Ok(match kind {
        Kind::Text => whole(&source.text()?).map(Int::into_owned),
        Kind::Float | Kind::Decimal => {
            /// Integers from here on are not all a binary64.
            const INEXACT: f64 = 9_007_199_254_740_992.0;
            let mark = source.mark();
            let is_text = match source.decimal() {
                // Text may have digits that a binary64 lacks.
                Ok(digits) if !digits.as_str().contains(['e', 'E']) => {
                    return Ok(whole(digits.as_str()).map(Int::into_owned));
                }
                Ok(_) => true,
                Err(error) if error.signal().is_some() => return Err(error),
                Err(_) => false,
            };
            source.reset(mark);
            let float = source.float()?;
            let is_exact = float.fract() == 0.0 && !(is_text && float.abs() >= INEXACT);
            if is_exact { Int::from_digits(&format!("{float:.0}")).map(Int::into_owned) } else { None }
        }
        Kind::Bool => Some(Int::I64(i64::from(source.bool()?))),
        _ => None,
    })
}

/// Returns the integer that a text holds.
fn whole(text: &str) -> Option<Int<'_>> {
    let text = text.trim();
    let digits = text.strip_prefix('+').filter(|rest| !rest.starts_with('-')).unwrap_or(text);
    let digits = match digits.split_once('.') {
        Some((whole, fraction)) if fraction.bytes().all(|digit| digit == b'0') => whole,
        _ => digits,
    };
    Int::from_digits(digits)
}

fn float<'a, S: Source<'a>>(source: &mut S, kind: Kind) -> Result<Option<f64>> {
    if kind != Kind::Text {
        return Ok(None);
    }
    Ok(source.text()?.trim().parse().ok().filter(|float: &f64| float.is_finite()))
}

fn bool<'a, S: Source<'a>>(source: &mut S, kind: Kind) -> Result<Option<bool>> {
    Ok(match kind {
        Kind::Text => match source.text()?.trim().to_ascii_lowercase().as_str() {
            "true" | "yes" | "on" | "1" => Some(true),
            "false" | "no" | "off" | "0" => Some(false),
            _ => None,
        },
        Kind::Int => match source.i64()? {
            0 => Some(false),
            1 => Some(true),
            _ => None,
        },
        _ => None,
    })
}

/// Reads a number of seconds, in nanoseconds.
fn nanoseconds<'a, S: Source<'a>>(source: &mut S, kind: Kind) -> Result<Option<i128>> {
    /// More seconds than the years 1 to 9999 have.
    const FARTHEST: f64 = 1e12;
    let mark = source.mark();
    if matches!(kind, Kind::Int | Kind::Text)
        && let Ok(seconds) = source.i64()
    {
        return Ok(Some(i128::from(seconds) * 1_000_000_000));
    }
    source.reset(mark);
    if !matches!(kind, Kind::Float | Kind::Text) {
        return Ok(None);
    }
    let seconds = source.float()?;
    // NaN is no number of seconds.
    if !seconds.is_finite() || seconds.abs() > FARTHEST {
        return Ok(None);
    }
    // A binary64 has no digits beyond microseconds for today's dates; for short durations it has.
    let (unit, nanos) = if seconds.abs() < 1e6 { (1e9, 1) } else { (1e6, 1000) };
    #[allow(clippy::cast_possible_truncation)]
    let units = (seconds * unit).round() as i128;
    Ok(Some(units * nanos))
}

impl<'a, S: Source<'a>> Source<'a> for Lax<S> {
    fn bool(&mut self) -> Result<bool> {
        let mark = self.inner.mark();
        self.inner.bool().or_else(|error| self.convert(mark, error, bool))
    }

    fn int(&mut self) -> Result<Int<'a>> {
        let mark = self.inner.mark();
        self.inner.int().or_else(|error| self.convert(mark, error, int))
    }

    fn i64(&mut self) -> Result<i64> {
        let mark = self.inner.mark();
        self.inner.i64().or_else(|error| {
            self.convert(mark, error, |source, kind| Ok(int(source, kind)?.and_then(|int| int.to_i64())))
        })
    }

    fn try_i64(&mut self) -> Result<Option<i64>> {
        let mark = self.inner.mark();
        self.inner.try_i64().or_else(|error| {
            self.convert(mark, error, |source, kind| match int(source, kind)? {
                Some(int) => {
                    let small = int.to_i64();
                    if small.is_none() {
                        source.reset(mark);
                    }
                    Ok(Some(small))
                }
                None => Ok(None),
            })
        })
    }

    fn u64(&mut self) -> Result<u64> {
        let mark = self.inner.mark();
        self.inner.u64().or_else(|error| {
            self.convert(mark, error, |source, kind| Ok(int(source, kind)?.and_then(|int| int.to_u64())))
        })
    }

    fn float(&mut self) -> Result<f64> {
        let mark = self.inner.mark();
        self.inner.float().or_else(|error| self.convert(mark, error, float))
    }

    fn float32(&mut self) -> Result<f32> {
        let mark = self.inner.mark();
        self.inner.float32().or_else(|error| {
            self.convert(mark, error, |source, kind| {
                if kind != Kind::Text {
                    return Ok(None);
                }
                Ok(source.text()?.trim().parse().ok().filter(|float: &f32| float.is_finite()))
            })
        })
    }

    fn instant(&mut self) -> Result<Instant> {
        let mark = self.inner.mark();
        self.inner.instant().or_else(|error| {
            self.convert(mark, error, |source, kind| {
                let after = nanoseconds(source, kind)?.and_then(Duration::from_nanos);
                Ok(after.and_then(|after| Instant::from_unix(after.seconds(), after.nanos(), Offset::UTC)))
            })
        })
    }

    fn duration(&mut self) -> Result<Duration> {
        let mark = self.inner.mark();
        self.inner.duration().or_else(|error| {
            self.convert(mark, error, |source, kind| Ok(nanoseconds(source, kind)?.and_then(Duration::from_nanos)))
        })
    }

    fn mark(&self) -> Mark {
        self.inner.mark()
    }

    fn position(&self) -> Position {
        self.inner.position()
    }

    fn accepts_single(&self) -> bool {
        self.inner.accepts_single()
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
        text() -> Result<Text<'a, '_>>;
        bytes() -> Result<Cow<'a, [u8]>>;
        decimal() -> Result<Decimal<'a>>;
        date() -> Result<Date>;
        time() -> Result<Time>;
        date_time() -> Result<DateTime>;
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
