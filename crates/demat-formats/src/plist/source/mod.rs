//! Reading the table of objects of a parsed document.

mod children;

use super::document::{Document, Id, Object, int_of};
use super::format::State;
use super::{ReadOptions, UID, read};
use crate::json::RepeatedKeys;
use crate::stream::{Counter, Part};
use core::cell::Cell;
use demat_core::excerpt;
use demat_core::scalar::{Decimal, Instant, Int};
use demat_core::{Error, ErrorKind, Kind, Mark, Position, Record, Result, Signal, Source, Text};
use std::borrow::Cow;

/// A [`Source`] of a property list.
///
/// It parses the document once the whole document is in memory.
///
/// ```
/// use demat_core::Source;
/// use demat_formats::plist::Plist;
/// use demat_formats::stream::Part;
/// let mut format = Plist::default();
/// let mut source = format.whole(Part::whole(b"{ id = 7; }"));
/// source.map()?;
/// assert!(source.entry()?);
/// assert_eq!(&*source.text()?, "id");
/// source.value()?;
/// assert_eq!(source.i64()?, 7);
/// assert!(!source.entry()?);
/// source.end()?;
/// # Ok::<(), demat_core::Error>(())
/// ```
#[derive(Debug)]
pub struct PlistSource<'a, 's> {
    part: Part<'a>,
    options: ReadOptions,
    state: &'s mut State,
    depth: usize,
    stand: Stand,
    /// The last object that the caller asked for.
    about: Cell<Id>,
    counter: Counter,
}

/// An open array or dict.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Frame {
    pub(super) id: Id,
    /// The index of the next child. After the last child, it counts the missing fields.
    pub(super) next: u32,
}

/// The position of the source.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stand {
    /// Nothing was read yet.
    Start,
    Object(Id),
    /// A missing field.
    Null,
    /// The key of a UID, and its number.
    UidKey(Id),
    UidNumber(Id),
    Nothing,
}

const START: u32 = 0;
const OBJECT: u32 = 1;
const NULL: u32 = 2;
const UID_KEY: u32 = 3;
const UID_NUMBER: u32 = 4;
const NOTHING: u32 = 5;

/// The current value.
#[derive(Debug, Clone, Copy)]
enum Found {
    Object(Id, Object),
    Null,
    UidKey,
    UidNumber(u64),
}

impl<'a, 's> PlistSource<'a, 's> {
    pub(super) fn new(part: Part<'a>, options: ReadOptions, state: &'s mut State) -> Self {
        Self { part, options, state, depth: 0, stand: Stand::Start, about: Cell::new(0), counter: Counter::default() }
    }

    /// Returns the document. Parses it first, if necessary.
    fn document(&mut self) -> Result<&Document> {
        if self.state.document.is_none() {
            if !self.part.last {
                return Err(Error::signalled(Signal::Incomplete));
            }
            self.state.document = Some(read::document(self.part.bytes, &self.part.base, self.options)?);
        }
        self.state.document.as_ref().ok_or_else(astray)
    }

    /// Returns the current value.
    fn found(&mut self) -> Result<Found> {
        if self.stand == Stand::Start {
            self.stand = Stand::Object(self.document()?.root);
        }
        match self.stand {
            Stand::Object(id) => {
                self.about.set(id);
                let object = self.document()?.object(id).copied();
                Ok(Found::Object(id, object.ok_or_else(astray)?))
            }
            Stand::Null => Ok(Found::Null),
            Stand::UidKey(_) => Ok(Found::UidKey),
            Stand::UidNumber(id) => match self.document()?.object(id) {
                Some(Object::Uid(uid)) => Ok(Found::UidNumber(*uid)),
                _ => Err(astray()),
            },
            Stand::Start | Stand::Nothing => Err(astray()),
        }
    }

    fn done(&mut self) {
        self.stand = Stand::Nothing;
    }

    #[cold]
    fn other(&mut self, expected: &'static str, found: &Found) -> Error {
        let error = Error::expected(expected, kind_of(found).name()).at(self.position());
        match excerpt::of(self) {
            Ok(shown) => error.showing(shown),
            Err(signal) => signal,
        }
    }

    /// Returns the text of an object. In the old form, every scalar has text.
    fn text_of(&mut self, expected: &'static str) -> Result<&str> {
        let found = self.found()?;
        let Found::Object(_, Object::Text(span)) = found else { return Err(self.other(expected, &found)) };
        let input = self.part.bytes;
        let bytes = self.document()?.bytes(input, span);
        core::str::from_utf8(bytes).map_err(|_| astray())
    }

    /// Parses a scalar that the old form has as text.
    fn parsed<T>(&mut self, expected: &'static str, parse: impl FnOnce(&str) -> Option<T>) -> Result<T> {
        let found = self.found()?;
        // Keys are text in every form.
        if !self.document()?.is_text && !self.is_at_key() {
            return Err(self.other(expected, &found));
        }
        let text = self.text_of(expected)?;
        let value = parse(text).ok_or_else(|| Error::other_text(expected, text));
        let value = value.map_err(|error| error.at(self.position()))?;
        self.done();
        Ok(value)
    }
}

fn kind_of(found: &Found) -> Kind {
    match found {
        Found::Null => Kind::Null,
        Found::UidKey => Kind::Text,
        Found::UidNumber(_) => Kind::Int,
        Found::Object(_, object) => match object {
            Object::Bool(_) => Kind::Bool,
            Object::Int(_) => Kind::Int,
            Object::Real(_) => Kind::Float,
            Object::Date(_) => Kind::Instant,
            Object::Text(_) => Kind::Text,
            Object::Data(_) => Kind::Bytes,
            Object::Array(_) => Kind::List,
            Object::Uid(_) | Object::Dict(_) => Kind::Map,
        },
    }
}

/// The error when a caller asks for a value where there is none. That is a bug of the caller.
#[cold]
fn astray() -> Error {
    Error::new(ErrorKind::Internal, "a property list was asked for a value where none is")
}

impl<'a> Source<'a> for PlistSource<'a, '_> {
    fn peek(&mut self) -> Result<Kind> {
        Ok(kind_of(&self.found()?))
    }

    fn null(&mut self) -> Result<bool> {
        let is_null = matches!(self.found()?, Found::Null);
        if is_null {
            self.done();
        }
        Ok(is_null)
    }

    fn bool(&mut self) -> Result<bool> {
        if let Found::Object(_, Object::Bool(value)) = self.found()? {
            self.done();
            return Ok(value);
        }
        self.parsed("bool", |text| match text {
            "YES" | "true" | "1" => Some(true),
            "NO" | "false" | "0" => Some(false),
            _ => None,
        })
    }

    fn int(&mut self) -> Result<Int<'a>> {
        let int = match self.found()? {
            Found::Object(_, Object::Int(value)) => int_of(value),
            Found::Object(_, Object::Uid(uid)) | Found::UidNumber(uid) => uid.into(),
            _ => return self.parsed("int", |text| Int::from_digits(text).map(Int::into_owned)),
        };
        self.done();
        Ok(int)
    }

    fn float(&mut self) -> Result<f64> {
        let float = match self.found()? {
            Found::Object(_, Object::Real(value)) => value,
            Found::Object(_, Object::Int(value)) => int_of(value).to_f64(),
            _ => {
                let is_number = |byte: u8| matches!(byte, b'0'..=b'9' | b'+' | b'-' | b'.' | b'e' | b'E');
                return self.parsed("float", |text| {
                    text.parse().ok().filter(|value: &f64| value.is_finite() && text.bytes().all(is_number))
                });
            }
        };
        self.done();
        Ok(float)
    }

    fn text(&mut self) -> Result<Text<'a, '_>> {
        match self.found()? {
            Found::UidKey => {
                self.done();
                Ok(Text::Scratch(UID))
            }
            Found::Object(_, Object::Text(span)) if !span.in_scratch => {
                self.done();
                let text = self.part.bytes.get(span.begin as usize..span.end as usize).unwrap_or_default();
                core::str::from_utf8(text).map(Text::Input).map_err(|_| astray())
            }
            Found::Object(_, Object::Text(span)) => {
                self.done();
                let input = self.part.bytes;
                let text = self.document()?.bytes(input, span);
                core::str::from_utf8(text).map(Text::Scratch).map_err(|_| astray())
            }
            other => Err(self.other("text", &other)),
        }
    }

    fn bytes(&mut self) -> Result<Cow<'a, [u8]>> {
        match self.found()? {
            Found::Object(_, Object::Data(span)) if !span.in_scratch => {
                self.done();
                let bytes = self.part.bytes.get(span.begin as usize..span.end as usize);
                Ok(Cow::Borrowed(bytes.unwrap_or_default()))
            }
            Found::Object(_, Object::Data(span)) => {
                self.done();
                let input = self.part.bytes;
                Ok(Cow::Owned(self.document()?.bytes(input, span).to_vec()))
            }
            other => Err(self.other("bytes", &other)),
        }
    }

    fn decimal(&mut self) -> Result<Decimal<'a>> {
        if let Found::Object(_, Object::Int(value)) = self.found()? {
            self.done();
            return Ok(Decimal::from_int(int_of(value)));
        }
        let text = self.text_of("decimal")?;
        let decimal = Decimal::parse(text).map(Decimal::into_owned).ok_or_else(|| Error::other_text("decimal", text));
        let decimal = decimal.map_err(|error| error.at(self.position()))?;
        self.done();
        Ok(decimal)
    }

    fn instant(&mut self) -> Result<Instant> {
        if let Found::Object(_, Object::Date(instant)) = self.found()? {
            self.done();
            return Ok(instant);
        }
        let text = self.text_of("instant")?;
        let instant = Instant::parse(text).ok_or_else(|| Error::other_text("`instant` as RFC 3339", text));
        let instant = instant.map_err(|error| error.at(self.position()))?;
        self.done();
        Ok(instant)
    }

    /// Returns no length for the outermost list. A copy may omit items, so a sink must not rely on the length.
    fn list(&mut self) -> Result<Option<usize>> {
        let outermost = self.depth == 0;
        match self.found()? {
            Found::Object(id, Object::Array(children)) => {
                self.enter(id);
                Ok((!outermost).then_some(children.len as usize))
            }
            other => Err(self.other("list", &other)),
        }
    }

    fn item(&mut self) -> Result<bool> {
        self.next_item()
    }

    fn map(&mut self) -> Result<Option<usize>> {
        match self.found()? {
            Found::Object(id, Object::Dict(children)) => {
                self.enter(id);
                Ok(Some(children.len as usize / 2))
            }
            Found::Object(id, Object::Uid(_)) => {
                self.enter(id);
                Ok(Some(1))
            }
            other => Err(self.other("record", &other)),
        }
    }

    fn entry(&mut self) -> Result<bool> {
        let more = self.next_key()?;
        if !more {
            self.leave();
        }
        Ok(more)
    }

    fn value(&mut self) -> Result<()> {
        self.step_to_value()
    }

    fn field(&mut self, record: &Record, expected: usize) -> Result<Option<usize>> {
        self.next_field(record, expected)
    }

    /// The parser has already checked all objects.
    fn skip(&mut self) -> Result<()> {
        self.found()?;
        self.done();
        Ok(())
    }

    /// Returns no bytes: the parts of a value may be anywhere in a binary document.
    fn span(&mut self) -> Result<Cow<'a, [u8]>> {
        self.skip()?;
        Ok(Cow::Borrowed(&[]))
    }

    fn mark(&self) -> Mark {
        let (stand, id) = match self.stand {
            Stand::Start => (START, 0),
            Stand::Object(id) => (OBJECT, id),
            Stand::Null => (NULL, 0),
            Stand::UidKey(id) => (UID_KEY, id),
            Stand::UidNumber(id) => (UID_NUMBER, id),
            Stand::Nothing => (NOTHING, 0),
        };
        let next = self.top().map_or(0, |frame| frame.next);
        // The window keeps the whole document, so its start never moves.
        Mark { offset: 0, state: [self.depth as u32, stand, id, next] }
    }

    fn reset(&mut self, mark: Mark) {
        let [depth, stand, id, next] = mark.state;
        self.depth = depth as usize;
        self.stand = match stand {
            START => Stand::Start,
            OBJECT => Stand::Object(id),
            NULL => Stand::Null,
            UID_KEY => Stand::UidKey(id),
            UID_NUMBER => Stand::UidNumber(id),
            _ => Stand::Nothing,
        };
        if self.state.frames.len() < self.depth {
            // The mark is from another reader, so further reads fail.
            self.state.frames.resize(self.depth, Frame::default());
        }
        if let Some(last) = self.top_mut() {
            last.next = next;
        }
    }

    fn position(&self) -> Position {
        match &self.state.document {
            Some(document) => {
                let part = &self.part;
                read::position(document, &self.counter, part.bytes, &part.base, self.about.get())
            }
            None => Position::default(),
        }
    }

    /// The parser has already checked what follows the value.
    fn end(&mut self) -> Result<()> {
        self.document().map(drop)
    }

    fn repeated(&mut self, key: &str) -> Result<()> {
        if self.options.repeated_keys == RepeatedKeys::LastWins {
            return Ok(());
        }
        let error = Error::new(ErrorKind::Constraint, format!("the key `{key}` stands here again"));
        Err(error.at(self.position()))
    }

    #[cold]
    fn mismatch(&mut self, expected: &'static str) -> Error {
        match self.found() {
            Ok(found) => self.other(expected, &found),
            Err(error) => error,
        }
    }
}
