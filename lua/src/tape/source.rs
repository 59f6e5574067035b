use super::{Part, Tape};
use demat_core::scalar::{Decimal, Int};
use demat_core::{Error, ErrorKind, Kind, Mark, Position, Result, Source, Text};
use std::borrow::Cow;

/// A source over the value on a tape.
///
/// The reader knows a shape, so it need not be guessed what a table is: an empty one is a list or a map as is asked
/// for, and the items of a list have their indices as keys.
#[derive(Debug)]
pub(crate) struct TapeSource<'a> {
    tape: &'a Tape,
    at: usize,
}

/// The name of a part's kind in errors.
fn name(part: Part) -> &'static str {
    match part {
        Part::Null => "null",
        Part::Bool(_) => "bool",
        Part::Int(_) | Part::Large(_) | Part::Index(_) => "int",
        Part::Float(_) => "float",
        Part::Text { .. } | Part::Input { .. } => "text",
        Part::List { .. } => "list",
        Part::Map { .. } => "record",
        Part::End => "the end of a table",
    }
}

impl<'a> TapeSource<'a> {
    /// Returns a source at the value.
    pub(crate) fn new(tape: &'a Tape) -> Self {
        Self { tape, at: 0 }
    }

    #[inline]
    fn here(&self) -> Part {
        self.tape.parts.get(self.at).copied().unwrap_or(Part::End)
    }

    /// Takes the next value, if `find` accepts it.
    fn take_as<T>(&mut self, expected: &'static str, find: impl FnOnce(Part) -> Option<T>) -> Result<T> {
        let part = self.here();
        match find(part) {
            Some(found) => {
                self.at += 1;
                Ok(found)
            }
            None => Err(Error::expected(expected, name(part))),
        }
    }

    fn raw(&mut self, expected: &'static str) -> Result<&'a [u8]> {
        let bytes: &'a [u8] = &self.tape.bytes;
        self.take_as(expected, |part| match part {
            Part::Text { at, len } => bytes.get(at..at + len),
            _ => None,
        })
    }

    fn step_in(&mut self, expected: &'static str, is_list: bool) -> Result<Option<usize>> {
        self.take_as(expected, |part| match part {
            Part::List { len, .. } if is_list || len == 0 => Some(len),
            // A list whose items have their indices.
            Part::List { len, .. } => Some(len),
            Part::Map { len, .. } if !is_list || len == 0 => Some(len),
            _ => None,
        })
        .map(Some)
    }

    /// Whether there is another child. If not, leaves the container.
    fn child(&mut self) -> bool {
        let ended = self.here() == Part::End;
        self.at += usize::from(ended);
        !ended
    }
}

/// The integer that a float is. Lua's own rule takes it for one wherever an integer is needed.
#[allow(clippy::float_cmp, clippy::cast_precision_loss)] // it asks whether nothing is lost
pub(crate) fn whole(float: f64) -> Option<i64> {
    let int = float as i64;
    (int as f64 == float && int != i64::MAX).then_some(int)
}

impl<'a> Source<'a> for TapeSource<'a> {
    fn peek(&mut self) -> Result<Kind> {
        Ok(match self.here() {
            Part::Null => Kind::Null,
            Part::Bool(_) => Kind::Bool,
            Part::Int(_) | Part::Large(_) | Part::Index(_) => Kind::Int,
            Part::Float(_) => Kind::Float,
            Part::Text { .. } | Part::Input { .. } => Kind::Text,
            Part::List { .. } => Kind::List,
            Part::Map { .. } => Kind::Map,
            Part::End => return Err(self.mismatch("a value")),
        })
    }

    fn null(&mut self) -> Result<bool> {
        let null = self.here() == Part::Null;
        self.at += usize::from(null);
        Ok(null)
    }

    fn bool(&mut self) -> Result<bool> {
        self.take_as("bool", |part| if let Part::Bool(value) = part { Some(value) } else { None })
    }

    fn int(&mut self) -> Result<Int<'a>> {
        self.take_as("int", |part| match part {
            Part::Int(value) | Part::Index(value) => Some(Int::I64(value)),
            Part::Large(value) => Some(Int::from(value)),
            Part::Float(value) => whole(value).map(Int::I64),
            _ => None,
        })
    }

    #[allow(clippy::cast_precision_loss)] // to round is what is asked for
    fn float(&mut self) -> Result<f64> {
        self.take_as("float", |part| match part {
            Part::Int(value) | Part::Index(value) => Some(value as f64),
            Part::Large(value) => Some(value as f64),
            Part::Float(value) => Some(value),
            _ => None,
        })
    }

    fn text(&mut self) -> Result<Text<'a, '_>> {
        let raw = self.raw("text")?;
        let text = core::str::from_utf8(raw);
        text.map(Text::Input).map_err(|_| not_utf8())
    }

    fn bytes(&mut self) -> Result<Cow<'a, [u8]>> {
        self.raw("bytes").map(Cow::Borrowed)
    }

    fn decimal(&mut self) -> Result<Decimal<'a>> {
        let bytes: &'a [u8] = &self.tape.bytes;
        self.take_as("decimal", |part| match part {
            Part::Int(value) => Some(Decimal::from_int(Int::I64(value))),
            Part::Large(value) => Some(Decimal::from_int(Int::from(value))),
            Part::Float(value) => Decimal::parse(&value.to_string()).map(Decimal::into_owned),
            Part::Text { at, len } => {
                let text: &'a [u8] = bytes.get(at..at + len)?;
                core::str::from_utf8(text).ok().and_then(Decimal::parse)
            }
            _ => None,
        })
    }

    fn list(&mut self) -> Result<Option<usize>> {
        self.step_in("list", true)
    }

    fn item(&mut self) -> Result<bool> {
        let more = self.child();
        if more && matches!(self.here(), Part::Index(_)) {
            self.at += 1;
        }
        Ok(more)
    }

    fn map(&mut self) -> Result<Option<usize>> {
        self.step_in("record", false)
    }

    fn entry(&mut self) -> Result<bool> {
        Ok(self.child())
    }

    fn value(&mut self) -> Result<()> {
        Ok(())
    }

    fn skip(&mut self) -> Result<()> {
        self.at = self.tape.behind(self.at);
        Ok(())
    }

    /// Always an error: a value of Lua has no bytes.
    fn span(&mut self) -> Result<Cow<'a, [u8]>> {
        Err(Error::new(ErrorKind::Encode, "a value of Lua has no bytes of its own"))
    }

    fn mark(&self) -> Mark {
        Mark { offset: self.at, state: [0; 4] }
    }

    fn reset(&mut self, mark: Mark) {
        self.at = mark.offset;
    }

    /// Empty: only the path of an error shows where it is.
    fn position(&self) -> Position {
        Position::default()
    }

    fn end(&mut self) -> Result<()> {
        if self.at >= self.tape.parts.len() {
            return Ok(());
        }
        Err(Error::mismatch(ErrorKind::Syntax, "the end", "more of the value"))
    }

    /// Keys of a table repeat if two of them are the same text, such as 1 and "1".
    fn repeated(&mut self, key: &str) -> Result<()> {
        Err(same_text(key))
    }

    fn mismatch(&mut self, expected: &'static str) -> Error {
        Error::expected(expected, name(self.here()))
    }
}

/// Returns the error for two keys that are the same text.
#[cold]
pub(crate) fn same_text(key: &str) -> Error {
    Error::new(ErrorKind::Encode, format!("two keys of the table are the same text, `{key}`"))
}

/// Returns the error for a string that is no text.
#[cold]
pub(crate) fn not_utf8() -> Error {
    Error::new(ErrorKind::Encode, "the string is not UTF-8; only a shape with `bytes` makes bytes of it")
}
