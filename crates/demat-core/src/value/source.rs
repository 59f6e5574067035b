use super::Value;
use crate::excerpt;
use crate::scalar::{Date, DateTime, Decimal, Duration, Instant, Int, Time, Uuid, base64};
use crate::{Error, ErrorKind, Kind, Mark, Position, Result, Source, Text};
use std::borrow::Cow;

/// A source over a [`Value`] in memory.
///
/// It is the simplest source: it implements the required methods of the contract, and others only for kinds that a
/// value holds natively. Use it to decode types from untyped values, and as the slow twin for tests of a codec.
///
/// ```
/// use demat_core::{Decode, Value, ValueSource};
/// let value = Value::List(vec![Value::Int(1.into()), Value::Int(2.into())]);
/// assert_eq!(Vec::<u8>::decode(&mut ValueSource::new(&value))?, [1, 2]);
/// # Ok::<(), demat_core::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct ValueSource<'a> {
    /// The value in reading order, so that a mark is an index and nothing recurses.
    parts: Vec<Part<'a>>,
    at: usize,
    refuses_repeats: bool,
}

#[derive(Debug, Clone, Copy)]
enum Part<'a> {
    /// A value. After a list or map, its children follow, then an [`End`](Self::End), whose index is `end`.
    Begin { value: &'a Value, end: usize },
    /// The end of a list or map.
    End,
}

impl<'a> ValueSource<'a> {
    /// Returns a source at the value.
    pub fn new(value: &'a Value) -> Self {
        enum Todo<'a> {
            Value(&'a Value),
            End { of: usize },
        }
        let mut parts = Vec::new();
        let mut todo = vec![Todo::Value(value)];
        while let Some(next) = todo.pop() {
            let here = parts.len();
            match next {
                Todo::End { of } => {
                    if let Part::Begin { end, .. } = &mut parts[of] {
                        *end = here;
                    }
                    parts.push(Part::End);
                }
                Todo::Value(value) => {
                    parts.push(Part::Begin { value, end: here });
                    match value {
                        Value::List(items) => {
                            todo.push(Todo::End { of: here });
                            todo.extend(items.iter().rev().map(Todo::Value));
                        }
                        Value::Map(entries) => {
                            todo.push(Todo::End { of: here });
                            let flat = entries.iter().rev().flat_map(|(key, value)| [value, key]);
                            todo.extend(flat.map(Todo::Value));
                        }
                        _ => {}
                    }
                }
            }
        }
        Self { parts, at: 0, refuses_repeats: false }
    }

    /// Makes the source refuse repeated fields and keys. By default the last one wins.
    #[must_use]
    pub fn refusing_repeats(mut self) -> Self {
        self.refuses_repeats = true;
        self
    }

    /// Returns the next value and the index of its end.
    fn here(&self) -> Result<(&'a Value, usize)> {
        match self.parts.get(self.at) {
            Some(Part::Begin { value, end }) => Ok((value, *end)),
            Some(Part::End) => Err(Error::mismatch(ErrorKind::Syntax, "a value", "the end of a list or map")),
            None => Err(Error::mismatch(ErrorKind::Syntax, "a value", "end of input")),
        }
    }

    /// Takes the next value, if `find` accepts it.
    fn take_as<T>(&mut self, expected: &'static str, find: impl FnOnce(&'a Value) -> Option<T>) -> Result<T> {
        let (value, end) = self.here()?;
        match find(value) {
            Some(found) => {
                self.at = end + 1;
                Ok(found)
            }
            None => Err(self.other(expected, value)),
        }
    }

    /// As [`take_as`](Self::take_as), for kinds that other formats write as text.
    fn take_or_parse<T>(
        &mut self,
        expected: &'static str,
        find: impl FnOnce(&'a Value) -> Option<T>,
        parse: impl FnOnce(&'a str) -> Option<T>,
    ) -> Result<T> {
        self.take_as(expected, |value| match value {
            Value::Text(text) => parse(text),
            other => find(other),
        })
    }

    fn step_in(&mut self, expected: &'static str, len: impl FnOnce(&'a Value) -> Option<usize>) -> Result<usize> {
        let (value, _) = self.here()?;
        let len = len(value).ok_or_else(|| self.other(expected, value))?;
        self.at += 1;
        Ok(len)
    }

    /// Returns the error for a value of another kind, or for text that is not the text of a kind.
    #[cold]
    fn other(&mut self, expected: &'static str, value: &Value) -> Error {
        let shown = excerpt::of(self).unwrap_or_default();
        Error::expected(expected, value.kind().name()).showing(shown)
    }

    /// Whether there is another child. If not, leaves the container.
    fn child(&mut self) -> bool {
        let ended = matches!(self.parts.get(self.at), Some(Part::End));
        self.at += usize::from(ended);
        !ended
    }
}

/// The methods for kinds that a value holds, or that text can be parsed as.
macro_rules! kinds {
    ($($method:ident $name:literal $variant:ident $type:ty, $parse:expr;)*) => {$(
        fn $method(&mut self) -> Result<$type> {
            self.take_or_parse(
                $name,
                |value| if let Value::$variant(own) = value { Some(*own) } else { None },
                $parse,
            )
        }
    )*};
}

impl<'a> Source<'a> for ValueSource<'a> {
    fn peek(&mut self) -> Result<Kind> {
        self.here().map(|(value, _)| value.kind())
    }

    fn null(&mut self) -> Result<bool> {
        let null = matches!(self.here()?.0, Value::Null);
        self.at += usize::from(null);
        Ok(null)
    }

    fn bool(&mut self) -> Result<bool> {
        self.take_as("bool", |value| if let Value::Bool(own) = value { Some(*own) } else { None })
    }

    fn int(&mut self) -> Result<Int<'a>> {
        self.take_as("int", |value| if let Value::Int(own) = value { Some(own.clone()) } else { None })
    }

    fn float(&mut self) -> Result<f64> {
        let float = self.take_as("float", |value| match value {
            Value::Float(own) => Some((*own, false)),
            Value::Int(own) => Some((own.to_f64(), true)),
            Value::Decimal(own) => Some((own.to_f64(), true)),
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

    fn text(&mut self) -> Result<Text<'a, '_>> {
        self.take_as("text", |value| if let Value::Text(own) = value { Some(Text::Input(&**own)) } else { None })
    }

    fn list(&mut self) -> Result<Option<usize>> {
        self.step_in("list", |value| if let Value::List(items) = value { Some(items.len()) } else { None }).map(Some)
    }

    fn item(&mut self) -> Result<bool> {
        Ok(self.child())
    }

    fn map(&mut self) -> Result<Option<usize>> {
        self.step_in("record", |value| if let Value::Map(entries) = value { Some(entries.len()) } else { None })
            .map(Some)
    }

    fn entry(&mut self) -> Result<bool> {
        Ok(self.child())
    }

    fn value(&mut self) -> Result<()> {
        Ok(())
    }

    fn skip(&mut self) -> Result<()> {
        self.at = self.here()?.1 + 1;
        Ok(())
    }

    /// Always an error: a value in memory has no bytes.
    fn span(&mut self) -> Result<Cow<'a, [u8]>> {
        Err(Error::new(ErrorKind::Encode, "a value in memory has no bytes of its own"))
    }

    fn mark(&self) -> Mark {
        Mark { offset: self.at, state: [0; 4] }
    }

    fn reset(&mut self, mark: Mark) {
        self.at = mark.offset;
    }

    /// Empty: in a value, only the path of an error shows the location.
    fn position(&self) -> Position {
        Position::default()
    }

    fn end(&mut self) -> Result<()> {
        if self.at == self.parts.len() {
            return Ok(());
        }
        Err(Error::mismatch(ErrorKind::Syntax, "end of input", "more of the value"))
    }

    fn repeated(&mut self, key: &str) -> Result<()> {
        if !self.refuses_repeats {
            return Ok(());
        }
        Err(Error::new(ErrorKind::Constraint, format!("repeated key `{key}`")))
    }

    fn mismatch(&mut self, expected: &'static str) -> Error {
        match self.here() {
            Ok((value, _)) => self.other(expected, value),
            Err(error) => error,
        }
    }

    fn bytes(&mut self) -> Result<Cow<'a, [u8]>> {
        self.take_or_parse(
            "bytes",
            |value| if let Value::Bytes(own) = value { Some(Cow::Borrowed(&**own)) } else { None },
            |text| base64::decode(text).map(Cow::Owned),
        )
    }

    fn decimal(&mut self) -> Result<Decimal<'a>> {
        self.take_or_parse(
            "decimal",
            |value| match value {
                Value::Decimal(own) => Some(own.clone()),
                Value::Int(own) => Some(Decimal::from_int(own.clone())),
                _ => None,
            },
            Decimal::parse,
        )
    }

    fn instant(&mut self) -> Result<Instant> {
        self.take_or_parse(
            "instant",
            |value| match value {
                Value::Instant(at, offset) => Some(at.with_offset(*offset)),
                Value::DateTime(at) => Some((*at).into()),
                _ => None,
            },
            Instant::parse,
        )
    }

    kinds! {
        date "date" Date Date, Date::parse;
        time "time" Time Time, Time::parse;
        date_time "datetime" DateTime DateTime, DateTime::parse;
        duration "duration" Duration Duration, Duration::parse;
        uuid "uuid" Uuid Uuid, Uuid::parse;
    }
}
