//! Reading NBT.

mod absent;
mod fault;
mod frame;
mod scalar;
mod skip;
mod stated;

pub(crate) use frame::{Frame, Frames};

use super::modified_utf8;
use super::options::{ReadOptions, Root};
use super::places::Places;
use super::variant::{NoNumber, Variant};
use super::{NbtCodec, NbtSink, Tag, WriteOptions};
use crate::codec::verify_notes;
use crate::json::RepeatedKeys;
use crate::snbt::print;
use crate::stream::{Counter, Part};
use crate::{Keep, Output};
use demat_core::scalar::{Decimal, Int, Uuid};
use demat_core::{Error, ErrorKind, Kind, Mark, Position, Record, Result, Shape, Signal, Source, Text, copy_any};
use fault::kind_of;
use frame::Within;
pub(crate) use skip::Search;
use std::borrow::Cow;

/// A [`Source`] of NBT in a slice.
///
/// It borrows text from the slice, unless the text differs between modified UTF-8 and UTF-8.
///
/// ```
/// use demat_core::Source;
/// use demat_formats::nbt::NbtSource;
/// let mut source = NbtSource::new(b"\x09\0\0\x01\0\0\0\x01\x07");
/// assert_eq!(source.list()?, None);
/// assert!(source.item()?);
/// assert_eq!(source.i64()?, 7);
/// assert!(!source.item()?);
/// source.end()?;
/// # Ok::<(), demat_core::Error>(())
/// ```
#[derive(Debug)]
pub struct NbtSource<'a> {
    part: Part<'a>,
    form: Form,
    readiness: Readiness,
    at: usize,
    /// The offset of the last value that the caller asked for.
    start: usize,
    phase: Phase,
    /// The tag of the current value, or of the value after the current key.
    tag: Tag,
    /// The frames. The first `depth` of them are open. The others are kept for a reset to a mark inside them.
    frames: Frames<'a>,
    depth: usize,
    /// Whether the bytes are the whole document, not a part of the window. Then marks keep the window.
    held: bool,
    /// Positions of the values in the text that the bytes were parsed from.
    places: Option<&'a Places>,
    /// Counts the lines of that text.
    counter: Counter,
    /// The last text that was read, if it is not part of the slice.
    scratch: String,
    /// The memory of `skip`, for the next one.
    search: Search,
    /// The number of values that `skip` read.
    steps: u32,
    /// The number of compounds and of values with an empty name among them.
    unsure: u32,
}

/// How a document is encoded: what the reader needs to know.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Form {
    pub(crate) variant: Variant,
    pub(crate) root: Root,
    /// Whether the document begins with the eight bytes of a Bedrock `level.dat`.
    pub(crate) header: bool,
    pub(crate) depth: u32,
    pub(crate) repeated_keys: RepeatedKeys,
}

impl Form {
    pub(crate) fn of(options: &ReadOptions) -> Self {
        Self {
            variant: options.variant.unwrap_or_default(),
            root: options.root,
            header: false,
            depth: options.depth.min(DEEPEST),
            repeated_keys: options.repeated_keys,
        }
    }
}

/// Whether the source can be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Readiness {
    Ready,
    /// It needs more of the input.
    Waiting,
    /// The input could not be unpacked or parsed.
    Broken(Box<Broken>),
}

/// The error and its position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Broken {
    pub(crate) kind: ErrorKind,
    pub(crate) message: String,
    pub(crate) position: Position,
}

impl Broken {
    pub(crate) fn of(error: &Error) -> Self {
        Self { kind: error.kind(), message: error.reason(), position: error.position() }
    }

    #[cold]
    pub(crate) fn error(&self) -> Error {
        Error::new(self.kind, self.message.clone()).at(self.position)
    }
}

/// What is at the source's position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    /// The outermost value, with its tag and name.
    Root,
    /// A key.
    Key,
    /// The payload of a value.
    Value,
    /// A null, for a field that was omitted.
    Absent,
}

impl Phase {
    const ALL: [Self; 4] = [Self::Root, Self::Key, Self::Value, Self::Absent];
}

/// The shifts of the parts of a mark's first word, above the depth.
const WITHIN: u32 = 16;
const ITEM: u32 = 19;
const TAG: u32 = 23;
const PHASE: u32 = 27;
/// The maximum depth that a mark can hold.
const DEEPEST: u32 = 65_000;

impl<'a> NbtSource<'a> {
    /// Returns a source over a complete document of the Java variant.
    pub fn new(bytes: &'a [u8]) -> Self {
        Self::over(Part::whole(bytes), &ReadOptions::default())
    }

    /// Returns a source over a part of a document. Without a variant in the options, it reads Java's.
    /// [`Nbt`](super::Nbt) detects the variant and unpacks.
    pub fn over(part: Part<'a>, options: &ReadOptions) -> Self {
        Self::with(part, Form::of(options), Frames::Own(Vec::new()))
    }

    pub(crate) fn with(part: Part<'a>, form: Form, frames: Frames<'a>) -> Self {
        Self {
            part,
            form,
            readiness: Readiness::Ready,
            at: 0,
            start: 0,
            phase: Phase::Root,
            tag: Tag::End,
            frames,
            depth: 0,
            held: false,
            places: None,
            counter: Counter::default(),
            scratch: String::new(),
            search: Search::default(),
            steps: 0,
            unsure: 0,
        }
    }

    /// Makes this a source over a complete document, whatever the window holds.
    pub(crate) fn held(mut self, readiness: Readiness, places: Option<&'a Places>) -> Self {
        (self.held, self.readiness, self.places) = (true, readiness, places);
        self
    }

    /// Makes this a source that can't be read yet.
    pub(crate) fn waiting(mut self) -> Self {
        self.readiness = Readiness::Waiting;
        self
    }

    /// Returns the innermost open container.
    fn innermost(&mut self) -> Option<&mut Frame> {
        self.depth.checked_sub(1).and_then(|last| self.frames.get_mut(last))
    }

    /// Returns the number of open levels that count towards the limit.
    fn levels(&self) -> usize {
        let is_none = |frame: &&Frame| matches!(frame.within, Within::Array | Within::Sequence | Within::Root);
        let outermost = self.frames.first().filter(|_| self.depth > 0).filter(is_none);
        let innermost = self.frames.get(self.depth.wrapping_sub(1)).filter(|_| self.depth > 1).filter(is_none);
        self.depth - usize::from(outermost.is_some()) - usize::from(innermost.is_some())
    }

    /// Returns whether the outermost value was read.
    pub(crate) fn is_done(&self) -> bool {
        self.depth == 0 && self.phase != Phase::Root
    }

    fn is_at_root(&self) -> bool {
        self.phase == Phase::Root && self.depth == 0
    }

    fn number<T>(&self, read: Result<T, NoNumber>) -> Result<T> {
        read.map_err(|fault| self.no_number(self.at, fault, "a value"))
    }

    fn int_at(&self, tag: Tag, at: usize) -> Result<(i64, usize)> {
        self.form.variant.int(tag, self.part.bytes, at).map_err(|fault| self.no_number(at, fault, "an int"))
    }

    /// Reads the count of a list or an array at `at`.
    fn count_at(&self, at: usize) -> Result<(u32, usize)> {
        let count = self.form.variant.count(self.part.bytes, at);
        let (count, end) = count.map_err(|fault| self.no_number(at, fault, "a count"))?;
        let positive = u32::try_from(count);
        positive.map(|count| (count, end)).map_err(|_| self.unexpected(at, "a count from 0", count.to_string()))
    }

    /// Reads the item tag and the count of a list at `at`.
    fn list_at(&self, at: usize) -> Result<(Tag, u32, usize)> {
        let (tag, next) = self.tag_at(at)?;
        let (count, end) = self.count_at(next)?;
        if tag == Tag::End && count > 0 {
            return Err(self.unexpected(at, "a tag from 1 to 12", "an end as each of the list's items"));
        }
        Ok((tag, count, end))
    }

    #[inline]
    fn tag_at(&self, at: usize) -> Result<(Tag, usize)> {
        match self.part.bytes.get(at) {
            Some(byte) => Tag::of(*byte).map(|tag| (tag, at + 1)).ok_or_else(|| self.no_tag(at, *byte)),
            None => Err(self.ended("a tag")),
        }
    }

    /// Reads the length and the text at `at`.
    #[inline]
    fn text_at(&self, at: usize) -> Result<(Cow<'a, str>, usize)> {
        let len = self.form.variant.text_len(self.part.bytes, at);
        let (len, start) = len.map_err(|fault| self.no_number(at, fault, "the length of a text"))?;
        let bytes = self.part.bytes;
        let content = start.checked_add(len).and_then(|end| bytes.get(start..end));
        let content = content.ok_or_else(|| self.cut_short(start, len as u32, "text"))?;
        let (text, expected) = if self.form.variant.has_modified_utf8() {
            (modified_utf8::read(content), "text in modified UTF-8")
        } else {
            let text = core::str::from_utf8(content);
            (text.map(Cow::Borrowed).map_err(|error| error.valid_up_to()), "text in UTF-8")
        };
        match text {
            Ok(text) => Ok((text, start + len)),
            Err(bad) => Err(self.unexpected(start + bad, expected, format!("byte 0x{:02x}", content[bad]))),
        }
    }

    /// Returns the error for input that ends inside text or an array.
    #[cold]
    fn cut_short(&self, at: usize, len: u32, what: &str) -> Error {
        if !self.part.last {
            return Error::signalled(Signal::Incomplete);
        }
        let there = self.part.bytes.len() - at;
        let (expected, found) = (format!("{what} of length {len}"), format!("{there} bytes and the end of input"));
        self.unexpected(self.part.bytes.len(), expected, found)
    }

    /// Returns the tag of the outermost value and the offset of its payload. `at` is the offset of its first byte.
    fn root_at(&self, at: usize) -> Result<(Tag, usize)> {
        let at = self.after_header(at);
        let (tag, next) = self.tag_at(at)?;
        if tag == Tag::End {
            return Err(self.no_tag(at, 0));
        }
        match self.form.root {
            Root::Nameless => Ok((tag, next)),
            Root::Named | Root::Entry => Ok((tag, self.text_at(next)?.1)),
        }
    }

    fn after_header(&self, at: usize) -> usize {
        if self.form.header && at == 0 && self.part.base.offset == 0 { 8 } else { at }
    }

    /// Returns the tag of the current value and the offset of its payload. Consumes nothing.
    #[inline]
    fn head(&mut self) -> Result<(Tag, usize)> {
        self.start = self.at;
        match self.phase {
            Phase::Root => {
                self.check_ready()?;
                if self.form.root == Root::Entry { Ok((Tag::Compound, self.at)) } else { self.root_at(self.at) }
            }
            Phase::Value => Ok((self.tag, self.at)),
            Phase::Key => Ok((Tag::String, self.at)),
            Phase::Absent => Ok((Tag::End, self.at)),
        }
    }

    /// Returns the tag of the current value.
    pub(crate) fn tag_here(&mut self) -> Result<Tag> {
        self.head().map(|(tag, _)| tag)
    }

    #[inline]
    fn check_ready(&self) -> Result<()> {
        match &self.readiness {
            Readiness::Ready => Ok(()),
            Readiness::Waiting => Err(Error::signalled(Signal::Incomplete)),
            Readiness::Broken(broken) => Err(broken.error()),
        }
    }

    /// Enters a list or compound whose children begin at `at`.
    fn enter(&mut self, at: usize, frame: Frame) -> Result<()> {
        let counts = matches!(frame.within, Within::List | Within::Compound);
        if counts && self.levels() >= self.form.depth as usize {
            return Err(self.too_deep(self.start));
        }
        match self.frames.get_mut(self.depth) {
            Some(place) => *place = frame,
            None => self.frames.push(frame),
        }
        self.depth += 1;
        (self.at, self.phase) = (at, Phase::Value);
        Ok(())
    }

    /// Leaves the innermost container.
    fn leave(&mut self) {
        self.depth = self.depth.saturating_sub(1);
        self.start = self.at;
        self.phase = Phase::Value;
    }

    /// Returns a count, if the remaining bytes can hold that number of items.
    fn known(&self, count: u32, item: Tag) -> Option<usize> {
        let left = self.part.bytes.len().saturating_sub(self.at);
        usize::try_from(count).ok().filter(|count| count.checked_mul(item.least()).is_some_and(|bytes| bytes <= left))
    }

    /// Moves to the next key of the innermost compound. Returns false at its end, which it consumes.
    fn next_key(&mut self) -> Result<bool> {
        let Some(frame) = self.innermost() else {
            return Err(Error::new(ErrorKind::Internal, "a key was asked for outside of all compounds"));
        };
        let within = frame.within;
        if within == Within::Root {
            if frame.left == 0 {
                return Ok(false);
            }
            let (tag, at) = self.tag_at(self.after_header(self.at))?;
            if tag == Tag::End {
                return Err(self.no_tag(self.at, 0));
            }
            if let Some(frame) = self.innermost() {
                frame.left = 0;
            }
            (self.tag, self.at, self.phase) = (tag, at, Phase::Key);
            return Ok(true);
        }
        self.start = self.at;
        let (tag, at) = self.tag_at(self.at)?;
        self.at = at;
        if tag == Tag::End {
            return Ok(false);
        }
        (self.tag, self.phase) = (tag, Phase::Key);
        Ok(true)
    }

    fn next_of_sequence(&mut self) -> Result<bool> {
        self.start = self.at;
        match self.part.bytes.get(self.after_header(self.at)) {
            Some(byte) if *byte == Tag::Compound as u8 => {
                self.phase = Phase::Root;
                Ok(true)
            }
            Some(byte) => Err(self.unexpected(self.at, "a compound or the end of input", format!("byte 0x{byte:02x}"))),
            None if self.part.last => {
                self.leave();
                Ok(false)
            }
            None => Err(self.ended("a compound")),
        }
    }
}

impl<'a> Source<'a> for NbtSource<'a> {
    fn peek(&mut self) -> Result<Kind> {
        let (tag, _) = self.head()?;
        if tag == Tag::Compound && self.is_at_root() && self.is_sequence()? {
            return Ok(Kind::List);
        }
        Ok(kind_of(tag))
    }

    fn null(&mut self) -> Result<bool> {
        let null = self.phase == Phase::Absent;
        if null {
            self.phase = Phase::Value;
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
        self.read_float()
    }

    fn float32(&mut self) -> Result<f32> {
        self.read_float32()
    }

    fn text(&mut self) -> Result<Text<'a, '_>> {
        let (tag, at) = self.head()?;
        if tag != Tag::String {
            return Err(self.other_kind(tag, "text"));
        }
        let (text, end) = self.text_at(at)?;
        (self.at, self.phase) = (end, Phase::Value);
        Ok(match text {
            Cow::Borrowed(text) => Text::Input(text),
            Cow::Owned(text) => {
                self.scratch = text;
                Text::Scratch(&self.scratch)
            }
        })
    }

    fn bytes(&mut self) -> Result<Cow<'a, [u8]>> {
        self.read_bytes()
    }

    fn decimal(&mut self) -> Result<Decimal<'a>> {
        self.read_decimal()
    }

    fn uuid(&mut self) -> Result<Uuid> {
        self.read_uuid()
    }

    /// Returns no length for the outermost list. A copy may omit items, so a sink must not rely on the length.
    fn list(&mut self) -> Result<Option<usize>> {
        let outermost = self.depth == 0;
        let (tag, at) = self.head()?;
        let (item, count, end, within) = match tag {
            Tag::List => {
                let (item, count, end) = self.list_at(at)?;
                (item, count, end, Within::List)
            }
            Tag::ByteArray | Tag::IntArray | Tag::LongArray => {
                let (count, end) = self.count_at(at)?;
                (tag.item().unwrap_or(Tag::Byte), count, end, Within::Array)
            }
            Tag::Compound if self.is_at_root() && self.form.root != Root::Entry => {
                let at = self.at;
                self.enter(at, Frame::new(Within::Sequence, Tag::Compound, 0))?;
                return Ok(None);
            }
            _ => return Err(self.other_kind(tag, "list")),
        };
        self.enter(end, Frame::new(within, item, count))?;
        Ok(if outermost { None } else { self.known(count, item) })
    }

    #[inline]
    fn item(&mut self) -> Result<bool> {
        let Some(frame) = self.innermost() else {
            return Err(Error::new(ErrorKind::Internal, "an item was asked for outside of all lists"));
        };
        if frame.within == Within::Sequence {
            return self.next_of_sequence();
        }
        if let Some(left) = frame.left.checked_sub(1) {
            frame.left = left;
            let tag = frame.tag;
            (self.tag, self.phase) = (tag, Phase::Value);
            return Ok(true);
        }
        self.leave();
        Ok(false)
    }

    #[inline]
    fn record(&mut self, record: &Record) -> Result<()> {
        verify_notes::<NbtCodec>(record)?;
        self.map().map(drop)
    }

    fn map(&mut self) -> Result<Option<usize>> {
        let (tag, at) = self.head()?;
        if tag != Tag::Compound {
            return Err(self.other_kind(tag, "record"));
        }
        let is_root = self.phase == Phase::Root && self.form.root == Root::Entry;
        let (within, left) = if is_root { (Within::Root, 1) } else { (Within::Compound, 0) };
        self.enter(at, Frame::new(within, Tag::End, left))?;
        Ok(None)
    }

    #[inline]
    fn entry(&mut self) -> Result<bool> {
        let more = self.next_key()?;
        if !more {
            self.leave();
        }
        Ok(more)
    }

    #[inline]
    fn value(&mut self) -> Result<()> {
        Ok(())
    }

    fn field(&mut self, record: &Record, _: usize) -> Result<Option<usize>> {
        self.next_field(record)
    }

    fn skip(&mut self) -> Result<()> {
        match self.phase {
            Phase::Key => return self.text().map(drop),
            Phase::Absent => return self.null().map(drop),
            Phase::Root if self.form.root == Root::Entry => {
                self.map()?;
                while self.entry()? {
                    self.text()?;
                    self.skip()?;
                }
                return Ok(());
            }
            Phase::Root | Phase::Value => {}
        }
        let (tag, at) = self.head()?;
        if self.is_at_root() && self.is_sequence()? {
            self.list()?;
            while self.item()? {
                let (tag, at) = self.head()?;
                self.at = self.end_of(tag, at)?;
            }
            return Ok(());
        }
        self.at = self.end_of(tag, at)?;
        self.phase = Phase::Value;
        Ok(())
    }

    /// Returns a value of SNBT as SNBT. Returns any other value as a Java document with an empty name.
    fn span(&mut self) -> Result<Cow<'a, [u8]>> {
        let (tag, begin) = self.head()?;
        if let Some(Places::Text(_)) = self.places
            && self.phase != Phase::Absent
        {
            let mut text = String::new();
            print(self, None, &mut text)?;
            return Ok(Cow::Owned(text.into_bytes()));
        }
        let is_whole = self.phase == Phase::Root;
        let form = self.form;
        if form.variant == Variant::Java && (!is_whole || form.root == Root::Named) && self.phase != Phase::Absent {
            let from = if is_whole { self.at } else { begin };
            self.skip()?;
            let bytes = &self.part.bytes[from..self.at];
            return Ok(if is_whole { Cow::Borrowed(bytes) } else { Cow::Owned([&[tag as u8, 0, 0], bytes].concat()) });
        }
        let mut sink =
            NbtSink::new(Output::new(Vec::new(), Keep), WriteOptions { depth: form.depth, ..WriteOptions::default() });
        copy_any(self, &Shape::Any, &mut sink)?;
        demat_core::Sink::finish(&mut sink)?;
        Ok(Cow::Owned(sink.into_output().into_parts().0))
    }

    fn mark(&self) -> Mark {
        let frame = self.depth.checked_sub(1).and_then(|last| self.frames.get(last)).unwrap_or(&Frame::NOWHERE);
        let first = self.depth as u32
            | (frame.within as u32) << WITHIN
            | u32::from(frame.tag as u8) << ITEM
            | u32::from(self.tag as u8) << TAG
            | (self.phase as u32) << PHASE;
        let counted = if frame.is_counted() { frame.left.into() } else { frame.seen };
        let (offset, position) = if self.held { (0, self.at as u32) } else { (self.at, 0) };
        Mark { offset, state: [first, counted as u32, position, (counted >> 32) as u32] }
    }

    fn reset(&mut self, mark: Mark) {
        let [first, low, position, high] = mark.state;
        self.at = if self.held { position as usize } else { mark.offset };
        self.start = self.at;
        self.depth = (first & 0xffff) as usize;
        self.phase = Phase::ALL[(first >> PHASE & 3) as usize];
        self.tag = Tag::of((first >> TAG & 15) as u8).unwrap_or(Tag::End);
        if self.frames.len() < self.depth {
            // The mark is from another reader, so the remaining counts of the outer lists are unknown. Their ends are
            // never reached.
            self.frames.resize(self.depth, Frame::NOWHERE);
        }
        let (within, tag) = (Within::of(first >> WITHIN & 7), Tag::of((first >> ITEM & 15) as u8));
        if let Some(frame) = self.innermost() {
            *frame = Frame::new(within, tag.unwrap_or(Tag::End), 0);
            if frame.is_counted() {
                frame.left = low;
            } else {
                frame.seen = u64::from(high) << 32 | u64::from(low);
            }
        }
    }

    fn position(&self) -> Position {
        self.position_of(self.start)
    }

    fn end(&mut self) -> Result<()> {
        self.check_ready()?;
        match self.part.bytes.get(self.at) {
            None if self.part.last => Ok(()),
            None => Err(self.ended("end of input")),
            Some(byte) => Err(self.unexpected(self.at, "end of input", format!("byte 0x{byte:02x}"))),
        }
    }

    fn repeated(&mut self, key: &str) -> Result<()> {
        if self.form.repeated_keys == RepeatedKeys::LastWins {
            return Ok(());
        }
        let error = Error::new(ErrorKind::Constraint, format!("the key `{key}` stands here again"));
        Err(error.at(self.position()))
    }

    fn stated(&mut self) -> Result<Option<Shape>> {
        let (tag, at) = self.head()?;
        if self.phase == Phase::Key {
            return Ok(None);
        }
        let item = if tag == Tag::List { self.tag_at(at)?.0 } else { Tag::End };
        Ok(stated::shape_of(tag, item))
    }

    #[cold]
    fn mismatch(&mut self, expected: &'static str) -> Error {
        match self.head() {
            Ok((tag, _)) => self.other_kind(tag, expected),
            Err(error) => error,
        }
    }
}
