//! The source for Protocol Buffers in a slice.

mod any;
mod choice;
mod fault;
mod field;
mod frame;
mod group;
mod known;
mod list;
mod map;
mod mark;
mod message;
mod overruled;
mod pass;
mod scalar;
mod scatter;
pub(super) mod slot;

use super::ReadOptions;
use crate::proto::layout::{Cardinality, Form, LayoutCache};
use crate::small_stack::SmallStack;
use crate::stream::{Base, Part};
use demat_core::scalar::{Duration, Instant, Int, Uuid};
use demat_core::{Enum, Error, Kind, Mark, Position, Record, Result, Source, Text, Union};
use frame::{Frame, Within};
use slot::{At, Slot};
use std::borrow::Cow;

/// A [`Source`] that reads a message, or a stream of length-prefixed messages, from a slice.
///
/// The caller decides which: a record is a message, a list is a stream. The source builds no tree. For fields with
/// scattered occurrences it searches the message once, and then jumps between the occurrences.
#[derive(Debug)]
pub struct ProtoSource<'a> {
    bytes: &'a [u8],
    /// The current offset.
    at: usize,
    /// The start of the last value that was read.
    start: usize,
    /// The end of the innermost container, or of its current piece.
    end: usize,
    slot: Slot,
    /// The offset of the current field's tag.
    tag: usize,
    frames: SmallStack<Frame>,
    layouts: LayoutCache,
    /// The pieces of the next message, if it has several.
    pieces: Vec<(usize, usize)>,
    /// The number of the current variant or unknown field.
    number: u32,
    /// Whether the input ends with the slice.
    last: bool,
    options: ReadOptions,
    base: Base,
    /// Text that is not in the input as such.
    scratch: String,
}

impl<'a> ProtoSource<'a> {
    /// Returns a source over a whole input.
    ///
    /// ```
    /// use demat_core::{Shape, Source};
    /// use demat_formats::proto::ProtoSource;
    /// let Shape::Record(task) = "id:int, title:text".parse()? else { unreachable!() };
    /// let task = task.own();
    /// let mut source = ProtoSource::new(b"\x08\x96\x01\x12\x04Room");
    /// source.record(&task)?;
    /// assert_eq!(source.field(&task, 0)?, Some(0));
    /// assert_eq!(source.i64()?, 150);
    /// assert_eq!(source.field(&task, 1)?, Some(1));
    /// assert_eq!(&*source.text()?, "Room");
    /// assert_eq!(source.field(&task, 2)?, None);
    /// # Ok::<(), demat_core::Error>(())
    /// ```
    pub fn new(bytes: &'a [u8]) -> Self {
        Self::over(Part::whole(bytes), ReadOptions::default())
    }

    /// Returns a source over a part of an input.
    pub fn over(part: Part<'a>, options: ReadOptions) -> Self {
        Self {
            bytes: part.bytes,
            at: 0,
            start: 0,
            end: part.bytes.len(),
            slot: Slot::WHOLE,
            tag: 0,
            frames: SmallStack::new(),
            layouts: LayoutCache::default(),
            pieces: Vec::new(),
            number: 0,
            last: part.last,
            options,
            base: part.base,
            scratch: String::new(),
        }
    }

    /// Enters a container.
    #[inline]
    fn push(&mut self, frame: Frame) -> Result<()> {
        if self.frames.len() > self.options.depth as usize {
            return Err(self.too_deep());
        }
        self.end = frame.end;
        self.frames.push(frame);
        Ok(())
    }

    /// Leaves the innermost container.
    #[inline]
    fn pop(&mut self) {
        if let Some(frame) = self.frames.leave() {
            self.at = frame.after;
        }
        self.end = self.frames.last().map_or(self.bytes.len(), |frame| frame.end);
    }
}

impl<'a> Source<'a> for ProtoSource<'a> {
    fn peek(&mut self) -> Result<Kind> {
        self.start = self.at;
        Ok(match (self.slot.at, self.slot.cardinality) {
            (At::Number, _) => Kind::Text,
            (At::Rest, _) => Kind::Bytes,
            (At::Whole, _) => return Err(self.shapeless()),
            (_, Cardinality::List) => Kind::List,
            (_, Cardinality::Map) => Kind::Map,
            _ => match self.slot.form {
                Form::Bool => Kind::Bool,
                Form::Float | Form::Double => Kind::Float,
                Form::Text | Form::Enum | Form::Ipv4 | Form::Ip | Form::IpPort => Kind::Text,
                Form::Bytes => Kind::Bytes,
                Form::Timestamp => Kind::Instant,
                Form::Duration => Kind::Duration,
                Form::Message | Form::Group | Form::Union => Kind::Map,
                Form::Any => return self.any_kind(),
                Form::Null => Kind::Null,
                Form::None => return Err(self.formless()),
                _ => Kind::Int,
            },
        })
    }

    #[inline]
    fn null(&mut self) -> Result<bool> {
        match (self.slot.form, self.slot.cardinality) {
            // The form is that of the items: a list whose first item is null is not null.
            (_, Cardinality::List | Cardinality::Map) => Ok(false),
            (Form::Null | Form::Any, _) => self.read_null(),
            _ => Ok(false),
        }
    }

    #[inline(always)]
    fn bool(&mut self) -> Result<bool> {
        self.read_bool()
    }

    #[inline]
    fn int(&mut self) -> Result<Int<'a>> {
        self.read_int()
    }

    #[inline(always)]
    fn i64(&mut self) -> Result<i64> {
        self.read_i64()
    }

    #[inline(always)]
    fn u64(&mut self) -> Result<u64> {
        self.read_u64()
    }

    #[inline(always)]
    fn float(&mut self) -> Result<f64> {
        self.read_f64()
    }

    #[inline(always)]
    fn float32(&mut self) -> Result<f32> {
        self.read_f32()
    }

    #[inline(always)]
    fn text(&mut self) -> Result<Text<'a, '_>> {
        self.read_text()
    }

    fn bytes(&mut self) -> Result<Cow<'a, [u8]>> {
        self.read_bytes()
    }

    fn uuid(&mut self) -> Result<Uuid> {
        self.read_uuid()
    }

    fn instant(&mut self) -> Result<Instant> {
        self.read_instant()
    }

    fn duration(&mut self) -> Result<Duration> {
        self.read_duration()
    }

    fn variant(&mut self, names: &Enum) -> Result<usize> {
        self.read_variant(names)
    }

    fn list(&mut self) -> Result<Option<usize>> {
        self.open_list()
    }

    #[inline]
    fn item(&mut self) -> Result<bool> {
        self.next_item()
    }

    fn map(&mut self) -> Result<Option<usize>> {
        self.open_map()
    }

    fn entry(&mut self) -> Result<bool> {
        self.next_entry()
    }

    fn value(&mut self) -> Result<()> {
        self.begin_value()
    }

    #[inline]
    fn record(&mut self, record: &Record) -> Result<()> {
        self.layouts.verify(record)?;
        self.open_message()
    }

    #[inline(always)]
    fn field(&mut self, record: &Record, expected: usize) -> Result<Option<usize>> {
        match self.expected_field(record, expected) {
            None => self.next_field(record, expected),
            found => Ok(found),
        }
    }

    fn choose(&mut self, union: &Union) -> Result<usize> {
        self.choose_variant(union)
    }

    /// Variants have numbers. Only a `google.protobuf.Value` does not identify the variant.
    fn tells_variants(&self) -> bool {
        self.slot.form != Form::Any
    }

    fn chosen(&mut self, _: &Union, _: usize, _: bool) -> Result<()> {
        self.leave_variant();
        Ok(())
    }

    fn skip(&mut self) -> Result<()> {
        self.skip_value()
    }

    fn span(&mut self) -> Result<Cow<'a, [u8]>> {
        self.span_value()
    }

    fn mark(&self) -> Mark {
        self.marked()
    }

    fn reset(&mut self, mark: Mark) {
        self.go_back(mark);
    }

    fn position(&self) -> Position {
        Position { offset: Some(self.base.offset + self.start as u64), ..Position::default() }
    }

    fn end(&mut self) -> Result<()> {
        if self.at == self.bytes.len() && self.last {
            return Ok(());
        }
        self.start = self.at;
        Err(Error::expected("end of input", "another byte").at(self.position()))
    }

    /// The format says that the last occurrence of a field wins, so this is no error.
    fn repeated(&mut self, _: &str) -> Result<()> {
        Ok(())
    }

    #[cold]
    fn mismatch(&mut self, expected: &'static str) -> Error {
        self.start = self.at;
        self.other(expected)
    }
}
