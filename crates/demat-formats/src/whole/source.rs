use super::fault::kind_of;
use super::{Content, Document, Node, Slice, Tape, Timestamp, number};
use crate::json::JsonSource;
use crate::stream::{Counter, Part};
use demat_core::excerpt;
use demat_core::scalar::{Date, DateTime, Decimal, Instant, Int, Time, Uuid, base64};
use demat_core::{Error, ErrorKind, Kind, Mark, Position, Record, Result, Signal, Source, Text};
use std::borrow::Cow;
use std::sync::Arc;

/// A [`Source`] over the tape of a parsed document.
///
/// It parses the document at the first call, if the part includes the end of the input. It borrows text from the input,
/// unless the text has escapes.
#[derive(Debug)]
pub struct WholeSource<'a, D> {
    part: Part<'a>,
    document: D,
    tape: Option<Arc<Tape>>,
    /// The format's copy of the tape, for its next source.
    kept: Option<&'a mut Option<Arc<Tape>>>,
    /// The index of the current node.
    at: usize,
    /// The index of the last value that the caller asked for.
    start: usize,
    missing: Missing,
    counter: Counter,
}

/// In a format without nulls: the required fields of a record that may be null and are missing.
#[derive(Debug, Default)]
struct Missing {
    /// The number of them that were yielded.
    given: u32,
    /// Whether the caller has not read the last one yet.
    pending: bool,
    /// Their indices, and the end of the map and the identity of the record that they belong to.
    found: Option<((usize, u64), Vec<u32>)>,
}

/// The flag in a mark's last word beside the number of missing fields: one is pending.
const PENDING: u32 = 1 << 31;

impl<'a, D: Document> WholeSource<'a, D> {
    /// Returns a source over a complete document.
    pub fn new(bytes: &'a [u8]) -> Self
    where
        D: Default,
    {
        Self::over(Part::whole(bytes), D::default())
    }

    /// Returns a source over a part of an input. It signals [`Signal::Incomplete`] unless the part ends the input.
    pub fn over(part: Part<'a>, document: D) -> Self {
        let (missing, counter) = (Missing::default(), Counter::default());
        Self { part, document, tape: None, kept: None, at: 0, start: 0, missing, counter }
    }

    /// Returns a source that can continue with the tape of an earlier source, when reset to a mark of that one.
    pub(super) fn continued(part: Part<'a>, document: D, kept: &'a mut Option<Arc<Tape>>) -> Self {
        Self { kept: Some(kept), ..Self::over(part, document) }
    }

    /// Parses the document, unless it is parsed already.
    fn ready(&mut self) -> Result<()> {
        if self.tape.is_some() {
            return Ok(());
        }
        if !self.part.last {
            return Err(Error::signalled(Signal::Incomplete));
        }
        let tape = Arc::new(self.document.parse(self.part.bytes)?.0);
        if let Some(kept) = &mut self.kept {
            **kept = Some(Arc::clone(&tape));
        }
        self.tape = Some(tape);
        Ok(())
    }

    fn node(&self, index: usize) -> Option<Node> {
        self.tape.as_ref()?.nodes.get(index).copied()
    }

    /// Returns the current node.
    fn here(&mut self) -> Result<Node> {
        self.ready()?;
        self.start = self.at;
        let node = self.node(self.at);
        node.ok_or_else(|| Error::mismatch(ErrorKind::Syntax, "a value", "end of input").at(self.place()))
    }

    /// Returns the current value. Of a stream of documents, this is the first document.
    fn value_here(&mut self) -> Result<Node> {
        let node = self.here()?;
        if self.missing.pending {
            return Ok(Node { content: Content::Null, len: 0, ..node });
        }
        match node.content {
            Content::Documents(0) => Ok(Node { content: Content::Null, ..node }),
            Content::Documents(_) => {
                self.start = 1;
                self.node(1).ok_or_else(|| Error::mismatch(ErrorKind::Syntax, "a value", "end of input"))
            }
            _ => Ok(node),
        }
    }

    /// Skips the value that the last call returned.
    fn passed(&mut self, node: Node) {
        self.missing.pending = false;
        self.at = self.start + node.len as usize;
    }

    pub(super) fn slice(&self, slice: Slice) -> &str {
        self.tape.as_ref().map_or("", |tape| tape.text(slice, self.part.bytes))
    }

    pub(super) fn bytes_of(&self, slice: Slice) -> &[u8] {
        self.tape.as_ref().map_or(&[], |tape| tape.bytes(slice, self.part.bytes))
    }

    /// Returns the text of a slice, borrowed from the input if it is part of it.
    fn lent(&self, slice: Slice) -> Text<'a, '_> {
        match slice.of_input(self.part.bytes).map(core::str::from_utf8) {
            Some(Ok(text)) => Text::Input(text),
            _ => Text::Scratch(self.slice(slice)),
        }
    }

    pub(super) fn place(&self) -> Position {
        let begin = self.node(self.start).map_or(0, |node| node.begin as usize);
        self.counter.position(&self.part.base, self.part.bytes, begin)
    }

    /// Reads a scalar, if `find` converts it to the expected kind.
    fn scalar<T>(
        &mut self,
        expected: &'static str,
        find: impl FnOnce(&Self, Content) -> Option<Result<T>>,
    ) -> Result<T> {
        let node = self.value_here()?;
        match find(self, node.content) {
            Some(found) => {
                let found = found?;
                self.passed(node);
                Ok(found)
            }
            None => Err(self.other_kind(node, expected)),
        }
    }

    /// Reads a key as another kind, by parsing its text as JSON.
    #[cold]
    fn key_as<T>(
        &self,
        key: Slice,
        expected: &'static str,
        ask: impl FnOnce(&mut JsonSource<'_>) -> Result<T>,
    ) -> Result<T> {
        let text = self.slice(key);
        let mut inner = JsonSource::new(text.as_bytes());
        let bare = matches!(text.as_bytes().first(), Some(b'-' | b'0'..=b'9' | b't' | b'f'));
        match ask(&mut inner) {
            Ok(value) if bare && inner.offset() == text.len() => Ok(value),
            Err(error) if error.kind() == ErrorKind::Constraint => Err(error.at(self.place())),
            _ => Err(Error::expected(expected, excerpt::name(text)).at(self.place())),
        }
    }

    fn float_as<F>(&mut self, width: &'static str, ask: fn(&mut JsonSource<'_>) -> Result<F>) -> Result<F>
    where
        F: core::str::FromStr + core::ops::Neg<Output = F> + Copy + Into<f64>,
    {
        self.scalar("float", |source, content| {
            let raw = match content {
                Content::Float(raw) | Content::Int(raw) => source.slice(raw),
                Content::Key(key) if number::is_float_special(source.slice(key)) => source.slice(key),
                Content::Key(key) => return Some(source.key_as(key, "float", ask)),
                _ => return None,
            };
            // The parser of floats does not support other bases, which only ints have.
            let text = if raw.starts_with('0') && raw.len() > 2 && matches!(content, Content::Int(_)) {
                number::int(raw).map_or(Cow::Borrowed(raw), |int| Cow::Owned(int.to_string()))
            } else {
                Cow::Borrowed(raw)
            };
            Some(match number::float::<F>(&text) {
                Some(float) if float.into().is_infinite() && !number::is_float_special(raw) => {
                    Err(source.too_large(raw, width))
                }
                Some(float) => Ok(float),
                None => Err(source.too_large(raw, width)),
            })
        })
    }

    /// Reads a kind that other formats write as text: from the format's own kind, or from text.
    fn timed<T>(
        &mut self,
        expected: &'static str,
        form: &'static str,
        own: impl Fn(Content) -> Option<T>,
        parse: impl FnOnce(&str) -> Option<T>,
    ) -> Result<T> {
        self.scalar(expected, |source, content| {
            let (Content::Text(text) | Content::Key(text)) = content else { return own(content).map(Ok) };
            let text = source.slice(text);
            let found = parse(text).or_else(|| D::timestamp(text).and_then(|Timestamp(content)| own(content)));
            Some(found.ok_or_else(|| Error::other_text(form, text).at(source.place())))
        })
    }

    /// Returns the next missing field that may be null, at the end of a record.
    fn next_missing(&mut self, record: &Record) -> Option<usize> {
        let end = self.node(self.at).filter(|node| matches!(node.content, Content::End))?;
        let place = (self.at, record.identity());
        if self.missing.found.as_ref().is_none_or(|(at, _)| *at != place) {
            let found = self.missing_of(record, self.at - end.len as usize);
            self.missing.found = Some((place, found));
        }
        let (_, found) = self.missing.found.as_ref()?;
        let index = *found.get(self.missing.given as usize)?;
        self.missing.given += 1;
        self.missing.pending = true;
        Some(index as usize)
    }

    /// Returns the required fields that may be null and that the map at `begin` does not have.
    fn missing_of(&self, record: &Record, begin: usize) -> Vec<u32> {
        let fields = record.fields().iter().enumerate();
        let optional = fields.filter(|(_, field)| field.required() && field.shape().allows_null());
        let mut missing: Vec<u32> = optional.filter_map(|(index, _)| u32::try_from(index).ok()).collect();
        let mut at = begin + 1;
        while let Some(Node { content: Content::Key(key), .. }) = self.node(at)
            && !missing.is_empty()
        {
            let known = record.index_of(self.slice(key));
            missing.retain(|index| Some(*index as usize) != known);
            at += 1 + self.node(at + 1).map_or(1, |value| value.len as usize);
        }
        missing
    }

    /// Moves to the next child. Leaves the container and returns false if there is none.
    fn child(&mut self) -> Result<bool> {
        loop {
            let node = self.here()?;
            match node.content {
                Content::Hidden => self.at += node.len as usize,
                Content::End => {
                    self.at += 1;
                    self.missing = Missing::default();
                    return Ok(false);
                }
                _ => return Ok(true),
            }
        }
    }
}

impl<'a, D: Document> Source<'a> for WholeSource<'a, D> {
    fn peek(&mut self) -> Result<Kind> {
        let node = self.here()?;
        let node = if matches!(node.content, Content::Documents(2..)) { node } else { self.value_here()? };
        kind_of(node).ok_or_else(|| self.other_kind(node, "a value"))
    }

    fn null(&mut self) -> Result<bool> {
        let node = self.value_here()?;
        let null = matches!(node.content, Content::Null);
        if null {
            self.passed(node);
        }
        Ok(null)
    }

    fn bool(&mut self) -> Result<bool> {
        self.scalar("bool", |source, content| match content {
            Content::Bool(value) => Some(Ok(value)),
            Content::Key(key) => Some(source.key_as(key, "bool", |inner| inner.bool())),
            _ => None,
        })
    }

    fn int(&mut self) -> Result<Int<'a>> {
        self.scalar("int", |source, content| match content {
            Content::Int(raw) => {
                let int = match source.lent(raw) {
                    Text::Input(text) => number::int(text),
                    Text::Scratch(text) => number::int(text).map(Int::into_owned),
                };
                Some(int.ok_or_else(|| source.too_large(source.slice(raw), "an int of 128 bits")))
            }
            Content::Key(key) => Some(source.key_as(key, "int", |inner| inner.int().map(Int::into_owned))),
            _ => None,
        })
    }

    fn float(&mut self) -> Result<f64> {
        self.float_as("float64", |inner| inner.float())
    }

    fn float32(&mut self) -> Result<f32> {
        self.float_as("float32", |inner| inner.float32())
    }

    fn text(&mut self) -> Result<Text<'a, '_>> {
        let node = self.value_here()?;
        let (Content::Text(slice) | Content::Key(slice)) = node.content else {
            return Err(self.other_kind(node, "text"));
        };
        self.passed(node);
        Ok(self.lent(slice))
    }

    fn bytes(&mut self) -> Result<Cow<'a, [u8]>> {
        self.scalar("bytes", |source, content| match content {
            Content::Bytes(slice) => Some(Ok(Cow::Owned(source.bytes_of(slice).to_vec()))),
            Content::Text(slice) | Content::Key(slice) => {
                let decoded = base64::decode(source.slice(slice)).map(Cow::Owned);
                Some(
                    decoded
                        .ok_or_else(|| Error::other_text("`bytes` in base64", source.slice(slice)).at(source.place())),
                )
            }
            _ => None,
        })
    }

    fn decimal(&mut self) -> Result<Decimal<'a>> {
        self.scalar("decimal", |source, content| {
            let decimal = match content {
                Content::Int(raw) => number::whole_decimal(source.slice(raw)).map(Decimal::into_owned),
                Content::Float(raw) => Decimal::parse(&number::decimal(source.slice(raw))).map(Decimal::into_owned),
                Content::Text(text) | Content::Key(text) => match source.lent(text) {
                    Text::Input(text) => Decimal::parse(text),
                    Text::Scratch(text) => Decimal::parse(text).map(Decimal::into_owned),
                },
                _ => return None,
            };
            Some(decimal.ok_or_else(|| {
                let error = match content {
                    Content::Text(text) | Content::Key(text) => Error::other_text("decimal", source.slice(text)),
                    _ => Error::expected("decimal", "no finite number"),
                };
                error.at(source.place())
            }))
        })
    }

    fn date(&mut self) -> Result<Date> {
        let own = |content| if let Content::Date(date) = content { Some(date) } else { None };
        self.timed("date", "`date` as YYYY-MM-DD", own, Date::parse)
    }

    fn time(&mut self) -> Result<Time> {
        let own = |content| if let Content::Time(time) = content { Some(time) } else { None };
        self.timed("time", "`time` as HH:MM:SS", own, Time::parse)
    }

    fn date_time(&mut self) -> Result<DateTime> {
        let node = self.value_here()?;
        let offset = match node.content {
            Content::Instant(at, offset) => Some(at.with_offset(offset).to_string()),
            Content::Text(text) | Content::Key(text) => Some(self.slice(text).to_string())
                .filter(|text| Instant::parse(text).is_some_and(|at| at.offset.is_some())),
            _ => None,
        };
        if let Some(text) = offset {
            return Err(Error::no_date_time(&text).at(self.place()));
        }
        let own = |content| if let Content::DateTime(at) = content { Some(at) } else { None };
        self.timed("datetime", "`datetime` as YYYY-MM-DDTHH:MM:SS", own, DateTime::parse)
    }

    fn instant(&mut self) -> Result<Instant> {
        let own = |content| match content {
            Content::Instant(at, offset) => Some(at.with_offset(offset)),
            Content::DateTime(at) => Some(at.into()),
            _ => None,
        };
        self.timed("instant", "`instant` as RFC 3339", own, Instant::parse)
    }

    fn uuid(&mut self) -> Result<Uuid> {
        self.scalar("uuid", |source, content| {
            let text = match content {
                Content::Text(text) | Content::Key(text) => text,
                // A UUID of digits only looks like a number.
                Content::Int(raw) | Content::Float(raw) if D::PLAIN && raw.len() == 32 => raw,
                _ => return None,
            };
            let uuid = Uuid::parse(source.slice(text));
            Some(uuid.ok_or_else(|| Error::other_text("uuid", source.slice(text)).at(source.place())))
        })
    }

    fn list(&mut self) -> Result<Option<usize>> {
        let node = self.here()?;
        let is_stream = match node.content {
            Content::Documents(1) => matches!(self.node(1).map(|node| node.content), Some(Content::Map)),
            Content::Documents(_) => true,
            _ => false,
        };
        if is_stream {
            self.at = 1;
            return Ok(None);
        }
        let node = self.value_here()?;
        if !matches!(node.content, Content::List) {
            return Err(self.other_kind(node, "list"));
        }
        self.at = self.start + 1;
        Ok(None)
    }

    fn item(&mut self) -> Result<bool> {
        self.child()
    }

    fn map(&mut self) -> Result<Option<usize>> {
        let node = self.value_here()?;
        if !matches!(node.content, Content::Map) {
            return Err(self.other_kind(node, "record"));
        }
        self.at = self.start + 1;
        self.missing = Missing::default();
        Ok(None)
    }

    fn entry(&mut self) -> Result<bool> {
        self.child()
    }

    fn value(&mut self) -> Result<()> {
        Ok(())
    }

    fn field(&mut self, record: &Record, _: usize) -> Result<Option<usize>> {
        loop {
            if !D::NULLS
                && let Some(missing) = self.next_missing(record)
            {
                return Ok(Some(missing));
            }
            if !self.entry()? {
                return Ok(None);
            }
            let key_at = self.at;
            let key = self.text()?;
            match record.index_of(&key) {
                Some(index) => return Ok(Some(index)),
                None => match record.unknown_key(&key) {
                    Ok(None) => self.skip()?,
                    Ok(Some(rest)) => {
                        self.at = key_at;
                        return Ok(Some(rest));
                    }
                    Err(error) => return Err(error.at(self.position())),
                },
            }
        }
    }

    fn skip(&mut self) -> Result<()> {
        let node = self.here()?;
        if matches!(node.content, Content::Documents(_)) {
            self.at = node.len as usize;
            return Ok(());
        }
        let node = self.value_here()?;
        if matches!(node.content, Content::End) {
            return Err(self.other_kind(node, "a value"));
        }
        self.passed(node);
        Ok(())
    }

    fn span(&mut self) -> Result<Cow<'a, [u8]>> {
        let node = self.here()?;
        self.skip()?;
        Ok(D::span(self.part.bytes, node.begin as usize, node.end as usize))
    }

    fn mark(&self) -> Mark {
        let id = self.tape.as_ref().map_or(0, |tape| tape.id());
        let missing = self.missing.given | if self.missing.pending { PENDING } else { 0 };
        Mark { offset: 0, state: [self.at as u32, id as u32, (id >> 32) as u32, missing] }
    }

    fn reset(&mut self, mark: Mark) {
        let [at, low, high, missing] = mark.state;
        self.at = at as usize;
        self.start = self.at;
        self.missing.given = missing & !PENDING;
        self.missing.pending = missing & PENDING != 0;
        let id = u64::from(low) | u64::from(high) << 32;
        if self.tape.is_none() && id != 0 {
            let kept = self.kept.as_ref().and_then(|kept| kept.as_ref());
            self.tape = kept.filter(|tape| tape.id() == id).cloned();
        }
    }

    fn position(&self) -> Position {
        self.place()
    }

    fn end(&mut self) -> Result<()> {
        self.ready()?;
        let len = self.tape.as_ref().map_or(0, |tape| tape.nodes.len());
        let Some(node) = self.node(self.at) else { return Ok(()) };
        // A caller that does not expect a list has read the only document of the stream.
        if self.at + 1 == len && matches!(node.content, Content::End) {
            return Ok(());
        }
        self.start = self.at;
        Err(Error::mismatch(ErrorKind::Syntax, "end of input", "another document").at(self.place()))
    }

    #[cold]
    fn repeated(&mut self, key: &str) -> Result<()> {
        let error = Error::new(ErrorKind::Constraint, format!("the key `{key}` stands here again"));
        Err(error.at(self.position()))
    }

    #[cold]
    fn mismatch(&mut self, expected: &'static str) -> Error {
        match self.value_here() {
            Ok(node) => self.other_kind(node, expected),
            Err(error) => error,
        }
    }
}
