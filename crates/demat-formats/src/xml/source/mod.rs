//! Reading XML.

mod fault;
mod field;
mod frame;
mod list;
mod map;
mod mark;
mod scalar;
mod slot;
mod stream;
mod text;

pub(super) use frame::State;
pub(super) use mark::DEEPEST;

use super::ReadOptions;
use super::scan::Scanner;
use super::tape::{Flags, Node};
use super::view::View;
use crate::stream::{Counter, Part};
use demat_core::scalar::{Date, DateTime, Decimal, Duration, Instant, Int, Time, Uuid};
use demat_core::{Enum, Error, ErrorKind, Kind, Mark, Position, Record, Result, Source, Text};
use frame::{Frame, Held, NONE};
use slot::Slot;
use std::borrow::Cow;
use std::sync::Arc;

/// A [`Source`] of XML in a slice.
///
/// The document is the value of its root element. A list is read child by child; any other value is indexed first, so
/// the window must hold all of it.
///
/// ```
/// use demat_core::Source;
/// use demat_formats::xml::XmlSource;
/// let mut source = XmlSource::new(b"<numbers><n>1</n><n>2</n></numbers>");
/// source.list()?;
/// assert!(source.item()?);
/// assert_eq!(source.i64()?, 1);
/// assert!(source.item()?);
/// assert_eq!(&*source.text()?, "2");
/// assert!(!source.item()?);
/// source.end()?;
/// # Ok::<(), demat_core::Error>(())
/// ```
#[derive(Debug)]
pub struct XmlSource<'a> {
    scanner: Scanner<'a>,
    options: Arc<ReadOptions>,
    state: Held<'a>,
    /// The offset outside of indexed elements, or of the indexed element.
    at: usize,
    /// The offset of the last requested value.
    start: usize,
    slot: Slot,
    /// In a record, the field of the current value. In a map, the node of the entry.
    current: u32,
    scratch: String,
    /// The text whose words are read, and its node.
    words: (Option<u32>, String),
    counter: Counter,
}

impl<'a> XmlSource<'a> {
    /// Returns a source of a whole document.
    pub fn new(bytes: &'a [u8]) -> Self {
        Self::over(Part::whole(bytes), ReadOptions::default())
    }

    /// Returns a source over a part of a document in UTF-8. It expands no declared entities; [`Xml`](super::Xml) does.
    pub fn over(part: Part<'a>, options: ReadOptions) -> Self {
        Self::with((part, None), Arc::new(options), Held::Own(Box::default()))
    }

    /// Returns a source that can be reset to marks of an earlier one which had the same state.
    pub(super) fn continued(
        part: (Part<'a>, Option<&'a View>),
        options: Arc<ReadOptions>,
        state: &'a mut State,
    ) -> Self {
        Self::with(part, options, Held::Shared(state))
    }

    fn with((part, view): (Part<'a>, Option<&'a View>), options: Arc<ReadOptions>, state: Held<'a>) -> Self {
        let (slot, current) = (Slot::Document, NONE);
        let words = (None, String::new());
        let scanner = Scanner { part, namespaces: options.namespaces, view };
        let (scratch, counter) = (String::new(), Counter::default());
        Self { scanner, options, state, at: 0, start: 0, slot, current, scratch, words, counter }
    }

    /// Returns the position of an offset. Many errors cost no more than one pass over the window.
    fn position_at(&self, at: usize) -> Position {
        let Scanner { part, view: None, .. } = &self.scanner else { return self.scanner.position(at) };
        self.counter.position(&part.base, part.bytes, at)
    }

    fn node(&self, index: u32) -> Result<&Node> {
        self.state.tape.nodes.get(index as usize).ok_or_else(astray)
    }

    fn flags(&self, index: u32) -> Result<Flags> {
        self.node(index).map(|node| node.flags)
    }

    /// The name of an element or attribute.
    fn name_of(&self, index: u32) -> Result<&'a str> {
        Ok(core::str::from_utf8(self.name_bytes(self.node(index)?)).unwrap_or_default())
    }

    fn name_bytes(&self, node: &Node) -> &'a [u8] {
        let name = node.name();
        self.scanner.slice(self.at + name.start, self.at + name.end)
    }

    /// The innermost frame.
    fn frame(&mut self) -> Result<&mut Frame> {
        self.state.frames.last_mut().ok_or_else(astray)
    }

    fn push(&mut self, frame: Frame) {
        self.state.frames.push(frame);
        self.slot = Slot::Nothing;
    }

    /// Leaves the innermost frame.
    fn pop(&mut self) {
        self.state.frames.pop();
        self.took();
    }

    /// Moves past the current value.
    fn took(&mut self) {
        self.slot = Slot::Nothing;
        if self.state.frames.is_empty() {
            self.leave();
        }
    }

    /// Indexes the current element, unless that is done.
    fn index(&mut self) -> Result<()> {
        self.find_root()?;
        let here = self.scanner.part.base.offset + self.at as u64;
        if self.slot != Slot::Unit || (self.state.unit == Some(here) && self.state.tape.is_built()) {
            return Ok(());
        }
        self.build(here)
    }

    fn build(&mut self, here: u64) -> Result<()> {
        let levels = (self.options.depth as usize).saturating_sub(self.state.opens.len());
        let super::source::frame::State { tape, scope, unit, .. } = &mut *self.state;
        *unit = None;
        tape.build(self.scanner, (self.at, here), scope, levels)?;
        *unit = Some(here);
        Ok(())
    }

    /// Returns the current element, if it is one value.
    fn element(&mut self) -> Result<Option<u32>> {
        self.index()?;
        self.see()?;
        Ok(match self.slot {
            Slot::Unit => Some(0),
            Slot::Element(node) | Slot::Named(node) => Some(node),
            Slot::Field(node) if !self.hides_others(node)? => Some(node),
            _ => None,
        })
    }

    /// Whether reading the element alone would lose its siblings of the same name. A map returns them only once, a
    /// record returns each of them.
    fn hides_others(&self, node: u32) -> Result<bool> {
        Ok(self.current == NONE && self.node(node)?.again != 0)
    }

    /// Sets the position to the requested value.
    fn see(&mut self) -> Result<()> {
        self.start = match self.slot.packed() {
            (0..=3, _) => self.at,
            (4..=12 | 14, node) => self.at + self.node(node)?.begin(),
            _ => self.start,
        };
        Ok(())
    }
}

/// The error for a call that the contract of sources does not allow in this state.
#[cold]
fn astray() -> Error {
    Error::new(ErrorKind::Internal, "the source was read out of order")
}

impl<'a> Source<'a> for XmlSource<'a> {
    fn peek(&mut self) -> Result<Kind> {
        self.kind()
    }

    fn null(&mut self) -> Result<bool> {
        let null = self.is_null()?;
        if null {
            self.took();
        }
        Ok(null)
    }

    fn bool(&mut self) -> Result<bool> {
        self.read_bool()
    }

    fn int(&mut self) -> Result<Int<'a>> {
        self.read_int()
    }

    fn float(&mut self) -> Result<f64> {
        self.read_float("float", crate::text::parse_f64)
    }

    fn float32(&mut self) -> Result<f32> {
        self.read_float("float32", crate::text::parse_f32)
    }

    fn text(&mut self) -> Result<Text<'a, '_>> {
        self.take_text("text")
    }

    fn bytes(&mut self) -> Result<Cow<'a, [u8]>> {
        self.read_bytes()
    }

    fn decimal(&mut self) -> Result<Decimal<'a>> {
        self.parsed("decimal", |text| Decimal::parse(text.strip_prefix('+').unwrap_or(text)).map(Decimal::into_owned))
    }

    fn date(&mut self) -> Result<Date> {
        self.parsed("`date` as YYYY-MM-DD", Date::parse)
    }

    fn time(&mut self) -> Result<Time> {
        self.parsed("`time` as HH:MM:SS", Time::parse)
    }

    fn date_time(&mut self) -> Result<DateTime> {
        self.read_date_time()
    }

    fn instant(&mut self) -> Result<Instant> {
        self.parsed("`instant` as RFC 3339", Instant::parse)
    }

    fn duration(&mut self) -> Result<Duration> {
        self.parsed("`duration` as ISO 8601", Duration::parse)
    }

    fn uuid(&mut self) -> Result<Uuid> {
        self.parsed("uuid", Uuid::parse)
    }

    fn variant(&mut self, names: &Enum) -> Result<usize> {
        self.read_variant(names)
    }

    fn list(&mut self) -> Result<Option<usize>> {
        self.enter_list()?;
        Ok(None)
    }

    fn item(&mut self) -> Result<bool> {
        self.next_item()
    }

    fn map(&mut self) -> Result<Option<usize>> {
        self.enter_map(None)?;
        Ok(None)
    }

    fn entry(&mut self) -> Result<bool> {
        self.next_entry()
    }

    fn value(&mut self) -> Result<()> {
        self.begin_value()
    }

    fn record(&mut self, record: &Record) -> Result<()> {
        self.enter_map(Some(record))
    }

    fn field(&mut self, record: &Record, expected: usize) -> Result<Option<usize>> {
        self.next_field(record, expected)
    }

    fn skip(&mut self) -> Result<()> {
        self.index()?;
        self.see()?;
        self.pass_over()
    }

    fn span(&mut self) -> Result<Cow<'a, [u8]>> {
        self.index()?;
        self.see()?;
        let span = self.span_here()?;
        self.pass_over()?;
        Ok(span)
    }

    fn mark(&self) -> Mark {
        self.marked()
    }

    fn reset(&mut self, mark: Mark) {
        self.go_back(mark);
    }

    fn position(&self) -> Position {
        self.position_at(self.start)
    }

    fn end(&mut self) -> Result<()> {
        self.start = self.at;
        if self.slot != Slot::After {
            return Err(self.scanner.unexpected(self.at, "end of input"));
        }
        self.scanner.epilog(self.at)
    }

    /// In XML, a repeated value has no order of precedence, so it is an error.
    fn repeated(&mut self, key: &str) -> Result<()> {
        let error = Error::new(ErrorKind::Constraint, format!("`{key}` is repeated, but is not a list"));
        Err(error.at(self.position()))
    }

    #[cold]
    fn mismatch(&mut self, expected: &'static str) -> Error {
        self.other_kind(expected)
    }

    fn lists_records(&mut self, record: Option<&Record>) -> Result<bool> {
        self.root_lists(record)
    }

    fn elements(&mut self) -> Result<()> {
        self.enter_way()
    }

    fn item_is(&mut self, name: &str) -> Result<bool> {
        self.unit_is(name)
    }
}
