//! The source: reads the tape of a document by the shape.

mod any;
mod choice;
mod container;
mod fault;
mod field;
mod frame;
mod scalar;

use super::layout::Names;
use super::tape::{Content, Node, Slice, Tape};
use super::{ReadOptions, read};
use crate::codec::verify_notes;
use crate::proto::ProtoCodec;
use crate::stream::{Counter, Part};
use demat_core::scalar::{Duration, Instant, Int, Uuid};
use demat_core::{Enum, Error, ErrorKind, Kind, Mark, Position, Record, Result, Signal, Source, Text, Union};
use frame::{Frame, State};
use std::borrow::Cow;
use std::sync::Arc;

/// A [`Source`] of a message in the text format.
///
/// It parses the whole document at the first question, if the input ends with the part. Strings are borrowed from the
/// input where they stand there as they are.
#[derive(Debug)]
pub struct TxtpbSource<'a> {
    part: Part<'a>,
    options: ReadOptions,
    tape: Option<Arc<Tape>>,
    frames: Vec<Frame>,
    /// Where the format keeps the tape and the frames for its next source.
    kept: Option<&'a mut Kept>,
    /// The index of the next node.
    at: usize,
    /// The index of the node that was read last.
    start: usize,
    state: State,
    /// Whether a field was entered last, and not an entry of a map.
    in_field: bool,
    /// The layout of the record that was asked for last, with the record's identity.
    last: Option<(u64, Arc<Names>)>,
    /// The absent fields of the record that ends at a node.
    zeros: Option<((usize, u64), Vec<u32>)>,
    scratch: String,
    counter: Counter,
    /// The number of enclosing expanded `google.protobuf.Any`.
    nested: u32,
}

/// The maximum nesting depth of messages, whatever the options say: marks count no more.
const DEEPEST: u32 = 30_000;

/// What a source leaves to the next one over the same document.
#[derive(Debug, Default)]
pub(super) struct Kept {
    tape: Option<Arc<Tape>>,
    frames: Vec<Frame>,
}

impl Drop for TxtpbSource<'_> {
    fn drop(&mut self) {
        if let Some(kept) = &mut self.kept {
            kept.frames = core::mem::take(&mut self.frames);
        }
    }
}

impl<'a> TxtpbSource<'a> {
    /// Returns a source of a whole message.
    pub fn new(bytes: &'a [u8], options: ReadOptions) -> Self {
        Self::over(Part::whole(bytes), options, None)
    }

    /// Returns a source that continues with the tape of an earlier one, if it is reset to a mark of that.
    pub(super) fn continued(part: Part<'a>, options: ReadOptions, kept: &'a mut Kept) -> Self {
        Self::over(part, options, Some(kept))
    }

    fn over(part: Part<'a>, options: ReadOptions, kept: Option<&'a mut Kept>) -> Self {
        Self {
            part,
            options,
            tape: None,
            frames: Vec::new(),
            kept,
            at: 0,
            start: 0,
            state: State::START,
            in_field: false,
            last: None,
            zeros: None,
            scratch: String::new(),
            counter: Counter::default(),
            nested: 0,
        }
    }

    /// Parses the document, unless that is done.
    fn ready(&mut self) -> Result<()> {
        if self.tape.is_none() { self.parse() } else { Ok(()) }
    }

    #[cold]
    fn parse(&mut self) -> Result<()> {
        if !self.part.last {
            return Err(Error::signalled(Signal::Incomplete));
        }
        let tape = Arc::new(read::parse(&self.part, self.options.depth.min(DEEPEST))?);
        if let Some(kept) = &mut self.kept {
            kept.tape = Some(Arc::clone(&tape));
        }
        self.tape = Some(tape);
        Ok(())
    }

    fn node(&self, index: usize) -> Option<Node> {
        self.tape.as_ref()?.nodes.get(index).copied()
    }

    /// Returns the next node.
    fn here(&mut self) -> Result<Node> {
        self.ready()?;
        self.start = self.at;
        let node = self.node(self.at);
        node.ok_or_else(|| Error::mismatch(ErrorKind::Syntax, "a value", "end of input").at(self.place()))
    }

    fn slice(&self, slice: Slice) -> &[u8] {
        self.tape.as_ref().map_or(&[], |tape| tape.bytes(slice, self.part.bytes))
    }

    /// Returns a name or the text of a number.
    fn ascii(&self, slice: Slice) -> &str {
        self.tape.as_ref().map_or("", |tape| tape.ascii(slice, self.part.bytes))
    }

    /// Returns the name at a node; an empty text if there is another one.
    fn key_at(&self, index: usize) -> &str {
        match self.node(index).map(|node| node.content) {
            Some(Content::Key(name)) => self.ascii(name),
            _ => "",
        }
    }

    /// Returns the index of the name behind a field's values.
    fn after_field(&self, key: usize) -> usize {
        key + 1 + self.node(key + 1).map_or(1, |values| values.len as usize)
    }

    /// Returns the layout of a record.
    fn names(&mut self, record: &Record) -> Arc<Names> {
        let id = record.identity();
        if let Some((last, names)) = &self.last
            && *last == id
        {
            return Arc::clone(names);
        }
        let names = Arc::clone(Names::of(record));
        self.last = Some((id, Arc::clone(&names)));
        names
    }

    fn place(&self) -> Position {
        let begin = self.node(self.start).map_or(0, |node| node.begin as usize);
        self.counter.position(&self.part.base, self.part.bytes, begin)
    }
}

impl<'a> Source<'a> for TxtpbSource<'a> {
    fn peek(&mut self) -> Result<Kind> {
        self.kind()
    }

    fn null(&mut self) -> Result<bool> {
        self.read_null()
    }

    fn bool(&mut self) -> Result<bool> {
        self.read_bool()
    }

    fn int(&mut self) -> Result<Int<'a>> {
        self.read_int()
    }

    fn float(&mut self) -> Result<f64> {
        self.read_f64()
    }

    fn float32(&mut self) -> Result<f32> {
        #[allow(clippy::cast_possible_truncation)] // of infinities and what is no number
        self.read_float(|value| value as f32)
    }

    fn text(&mut self) -> Result<Text<'a, '_>> {
        self.read_text()
    }

    fn bytes(&mut self) -> Result<Cow<'a, [u8]>> {
        self.read_bytes()
    }

    fn instant(&mut self) -> Result<Instant> {
        self.read_instant()
    }

    fn duration(&mut self) -> Result<Duration> {
        self.read_duration()
    }

    fn uuid(&mut self) -> Result<Uuid> {
        self.read_uuid()
    }

    fn variant(&mut self, names: &Enum) -> Result<usize> {
        self.read_variant(names)
    }

    fn list(&mut self) -> Result<Option<usize>> {
        self.open_list()
    }

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

    fn record(&mut self, record: &Record) -> Result<()> {
        verify_notes::<ProtoCodec>(record)?;
        self.open_record(record)
    }

    fn field(&mut self, record: &Record, expected: usize) -> Result<Option<usize>> {
        self.next_field(record, expected)
    }

    fn tells_variants(&self) -> bool {
        true
    }

    fn choose(&mut self, union: &Union) -> Result<usize> {
        self.choose_variant(union)
    }

    fn chosen(&mut self, _: &Union, _: usize, _: bool) -> Result<()> {
        if let Some(Frame::Choice { after }) = self.frames.pop() {
            self.at = after;
        }
        Ok(())
    }

    fn skip(&mut self) -> Result<()> {
        self.skip_value().map(drop)
    }

    fn span(&mut self) -> Result<Cow<'a, [u8]>> {
        let Some(node) = self.skip_value()? else { return Ok(Cow::Borrowed(&[])) };
        let bytes = self.part.bytes;
        let of = |node: Node| bytes.get(node.begin as usize..node.end as usize).unwrap_or_default();
        let Content::Values { .. } = node.content else { return Ok(Cow::Borrowed(of(node))) };
        // The values of a field may stand apart.
        let mut all = Vec::new();
        let mut at = self.start + 1;
        while let Some(value) = self.node(at)
            && at < self.start + node.len as usize - 1
        {
            all.extend_from_slice(of(value));
            all.push(b'\n');
            at += value.len as usize;
        }
        Ok(Cow::Owned(all))
    }

    fn mark(&self) -> Mark {
        let id = self.tape.as_ref().map_or(0, |tape| tape.id);
        let [state, rest] = self.state.packed(self.frames.len());
        Mark { offset: 0, state: [self.at as u32, id, state, rest] }
    }

    fn reset(&mut self, mark: Mark) {
        let [at, id, state, rest] = mark.state;
        if self.tape.is_none()
            && let Some(kept) = &self.kept
            && let Some(tape) = kept.tape.as_ref().filter(|tape| tape.id == id)
        {
            self.tape = Some(Arc::clone(tape));
            self.frames.clone_from(&kept.frames);
        }
        if mark == Mark::default() {
            (self.at, self.state) = (0, State::START);
            self.frames.clear();
        } else {
            let depth;
            self.at = at as usize;
            (self.state, depth) = State::unpacked([state, rest]);
            self.frames.truncate(depth);
        }
        self.start = self.at;
    }

    fn position(&self) -> Position {
        self.place()
    }

    fn end(&mut self) -> Result<()> {
        self.ready()
    }

    #[cold]
    fn repeated(&mut self, key: &str) -> Result<()> {
        // The last entry of a map with a key wins.
        if !self.in_field {
            return Ok(());
        }
        let message = format!("the field `{key}` stands here again, or another one of its `oneof`");
        Err(Error::new(ErrorKind::Constraint, message).at(self.position()))
    }

    #[cold]
    fn mismatch(&mut self, expected: &'static str) -> Error {
        match self.here() {
            Ok(node) => self.other_kind(node, expected),
            Err(error) => error,
        }
    }
}
