//! Writing raw.

mod block;
mod fault;
mod fields;
mod frame;

mod scalar;
mod variant;

use super::WriteOptions;
use super::schema::{ANY, Node, NodeId, Schema};
use super::varint;
use crate::binary::moves::{self, Move};
use crate::{Drain, Output};
use block::Block;
use demat_core::scalar::{Date, DateTime, Decimal, Duration, Int, Offset, Time, Uuid};
use demat_core::{Enum, Error, ErrorKind, Kind, Record, Result, Shape, Sink, Union};
use fault::{astray, no_shape, other};
use frame::{Fields, Frame, Part, Stand};
use std::sync::Arc;

/// Raw, as a [`Sink`]. Call [`begin`](Sink::begin) with the shape before the first value.
///
/// Lists of unknown length are written as they come. A record stays in memory until it ends if it has optional fields,
/// or if its fields came in another order.
///
/// ```
/// use demat_core::Sink;
/// use demat_formats::{Keep, Output, raw::{RawSink, WriteOptions}};
/// let mut sink = RawSink::new(Output::new(Vec::new(), Keep), WriteOptions::default());
/// sink.begin(&"[text]".parse()?)?;
/// sink.begin_list(None)?;
/// sink.item()?;
/// sink.text("a")?;
/// sink.end_list()?;
/// sink.finish()?;
/// assert_eq!(&sink.into_output().into_parts().0[8..], b"\x01\x01a");
/// # Ok::<(), demat_core::Error>(())
/// ```
#[derive(Debug)]
pub struct RawSink<D> {
    output: Output<D>,
    options: WriteOptions,
    schema: Option<Arc<Schema>>,
    frames: Vec<Frame>,
    /// The starts of the fields of open records.
    parts: Vec<Part>,
    /// The records whose fields are not yet in order.
    moves: Vec<Move>,
    stand: Stand,
    /// The length of the buffer when open blocks were last ended to drain it.
    sealed: usize,
    saved: Saved,
}

/// The state at the last commit.
#[derive(Debug, Default)]
struct Saved {
    frames: Vec<Frame>,
    parts: Vec<Part>,
    stand: Stand,
}

/// The number of bytes in memory from which open blocks are ended to drain them.
const WORTH_SEALING: usize = 64 * 1024;

/// Returns the node with this index.
#[inline]
fn node_of(schema: Option<&Arc<Schema>>, id: NodeId) -> &Node {
    schema.map_or(&Node::Any, |schema| schema.node(id))
}

impl<D: Drain> RawSink<D> {
    /// Returns a sink that writes to an output.
    pub fn new(output: Output<D>, options: WriteOptions) -> Self {
        let saved = Saved::default();
        let (frames, parts, moves) = (Vec::new(), Vec::new(), Vec::new());
        Self { output, options, schema: None, frames, parts, moves, stand: Stand::Start, sealed: 0, saved }
    }

    /// Returns the output.
    pub fn into_output(self) -> Output<D> {
        self.output
    }

    #[inline]
    fn is_empty(&self, node: NodeId) -> bool {
        self.schema.as_ref().is_some_and(|schema| schema.is_empty(node))
    }

    /// Returns the node of the next value. Sets the presence bit of a field.
    #[inline]
    fn standing(&mut self) -> Result<NodeId> {
        match self.stand {
            Stand::Value(node) => Ok(node),
            Stand::Field { node, presence, bit } => {
                if let Some(Frame::Record(fields)) = self.frames.last_mut() {
                    (bit..bit + presence.bits()).for_each(|bit| fields.bits.set(bit));
                }
                Ok(node)
            }
            Stand::Start => {
                let schema = self.schema.as_ref().ok_or_else(no_shape)?;
                self.output.buffer.extend_from_slice(&schema.fingerprint);
                Ok(schema.root)
            }
            Stand::Key | Stand::Nothing => Err(astray()),
        }
    }

    /// Steps into options. Of a union whose variant was not chosen, steps into the only variant of this kind.
    #[inline]
    fn target(&mut self, kind: Kind) -> Result<NodeId> {
        let mut id = self.standing()?;
        loop {
            match node_of(self.schema.as_ref(), id) {
                Node::Option(inner) => {
                    self.output.buffer.push(1);
                    id = *inner;
                }
                Node::Union(_) => id = self.only_variant(id, kind)?,
                _ => return Ok(id),
            }
        }
    }

    /// Returns the error for a value of another kind.
    #[cold]
    fn unfit(&self, node: NodeId, found: Kind) -> Error {
        other(node_of(self.schema.as_ref(), node), found.name())
    }

    /// Ends a value.
    #[inline]
    fn finished(&mut self) {
        self.stand = Stand::Nothing;
        let is_padded = match self.frames.last() {
            Some(Frame::List { padded, .. }) => *padded,
            Some(Frame::Map { padded, at_value, .. }) => *padded && *at_value,
            _ => false,
        };
        if is_padded {
            self.output.buffer.push(0);
        }
    }

    fn push(&mut self, frame: Frame) -> Result<()> {
        if self.frames.len() >= self.options.depth as usize {
            return Err(Error::limit("the depth of nesting", self.options.depth));
        }
        self.frames.push(frame);
        self.stand = Stand::Nothing;
        Ok(())
    }

    fn open_items(&mut self, item: NodeId, len: Option<usize>) -> Result<()> {
        let (padded, block) = (self.is_empty(item), Block::open(&mut self.output.buffer, len));
        self.push(Frame::List { item, padded, block })
    }

    fn open_entries(&mut self, key: NodeId, value: NodeId, len: Option<usize>) -> Result<()> {
        let padded = self.is_empty(key) && self.is_empty(value);
        let block = Block::open(&mut self.output.buffer, len);
        self.push(Frame::Map { key, value, padded, at_value: false, block })
    }

    /// Ends the innermost container, of any kind.
    fn close(&mut self) -> Result<()> {
        match self.frames.pop() {
            Some(Frame::List { mut block, .. } | Frame::Map { mut block, .. }) => {
                block.close(&mut self.output.buffer)?;
            }
            Some(Frame::Tuple { node, next }) => {
                if let Node::Tuple(items) = node_of(self.schema.as_ref(), node)
                    && next != items.len()
                {
                    let (expected, found) = (format!("a `tuple` of {}", items.len()), format!("one of {next}"));
                    return Err(Error::mismatch(ErrorKind::Encode, expected, found));
                }
            }
            Some(Frame::Record(fields)) => self.close_record(fields)?,
            Some(Frame::Variant) | None => return Err(astray()),
        }
        self.finished();
        Ok(())
    }

    /// Whether bytes of an open record may still change.
    fn is_pending(&self) -> bool {
        self.frames.iter().any(|frame| match frame {
            Frame::Record(fields) => {
                let bits = self.schema.as_ref().and_then(|schema| schema.record(fields.node)).map(|record| record.bits);
                !fields.ordered || bits != Some(0)
            }
            _ => false,
        })
    }

    /// Ends the open blocks, so that all bytes may leave the memory.
    fn seal(&mut self) {
        let buffer = &mut self.output.buffer;
        for frame in &mut self.frames {
            match frame {
                Frame::List { block, .. } | Frame::Map { block, .. } => block.seal(buffer),
                Frame::Record(fields) => {
                    fields.flushed = true;
                    fields.parts = 0;
                    if let Some(rest) = &mut fields.rest {
                        rest.seal(buffer);
                    }
                }
                Frame::Tuple { .. } | Frame::Variant => {}
            }
        }
        self.parts.clear();
    }
}

impl<D: Drain> Sink for RawSink<D> {
    fn begin(&mut self, shape: &Shape) -> Result<()> {
        if self.stand == Stand::Start {
            self.schema = Some(Schema::of(shape)?);
        }
        Ok(())
    }

    fn null(&mut self) -> Result<()> {
        self.write_null()
    }

    fn bool(&mut self, value: bool) -> Result<()> {
        let id = self.target(Kind::Bool)?;
        match node_of(self.schema.as_ref(), id) {
            Node::Bool => self.output.buffer.push(value.into()),
            Node::Any => self.output.buffer.extend_from_slice(&[scalar::BOOL, value.into()]),
            _ => return Err(self.unfit(id, Kind::Bool)),
        }
        self.finished();
        Ok(())
    }

    fn int(&mut self, value: &Int<'_>) -> Result<()> {
        match value.to_i64() {
            Some(value) => self.write_i64(value),
            None => self.write_int(value),
        }
    }

    fn i64(&mut self, value: i64) -> Result<()> {
        self.write_i64(value)
    }

    fn float(&mut self, value: f64) -> Result<()> {
        self.write_float(value)
    }

    fn float32(&mut self, value: f32) -> Result<()> {
        self.write_float32(value)
    }

    fn text(&mut self, value: &str) -> Result<()> {
        if self.stand == Stand::Key { self.named_field(value) } else { self.write_text(value) }
    }

    fn bytes(&mut self, value: &[u8]) -> Result<()> {
        let id = self.target(Kind::Bytes)?;
        match node_of(self.schema.as_ref(), id) {
            Node::Bytes => {}
            Node::Any => self.output.buffer.push(scalar::BYTES),
            _ => return Err(self.unfit(id, Kind::Bytes)),
        }
        varint::write(&mut self.output.buffer, value.len() as u64);
        self.output.buffer.extend_from_slice(value);
        self.finished();
        Ok(())
    }

    fn decimal(&mut self, value: &Decimal<'_>) -> Result<()> {
        self.write_decimal(value)
    }

    fn date(&mut self, value: Date) -> Result<()> {
        self.write_parts(Kind::Date, |buffer| super::wire::write_date(buffer, value))
    }

    fn time(&mut self, value: Time) -> Result<()> {
        self.write_parts(Kind::Time, |buffer| super::wire::write_time(buffer, value))
    }

    fn date_time(&mut self, at: DateTime) -> Result<()> {
        self.write_at(at, None)
    }

    fn instant(&mut self, at: DateTime, offset: Offset) -> Result<()> {
        self.write_at(at, Some(offset))
    }

    fn duration(&mut self, value: Duration) -> Result<()> {
        self.write_parts(Kind::Duration, |buffer| super::wire::write_duration(buffer, value))
    }

    fn uuid(&mut self, value: Uuid) -> Result<()> {
        self.write_parts(Kind::Uuid, |buffer| buffer.extend_from_slice(&value.0))
    }

    fn variant(&mut self, names: &Enum, index: usize) -> Result<()> {
        self.text(names.name_at(index))
    }

    fn begin_list(&mut self, len: Option<usize>) -> Result<()> {
        let id = self.target(Kind::List)?;
        match node_of(self.schema.as_ref(), id) {
            Node::List(item) => {
                let item = *item;
                self.open_items(item, len)
            }
            Node::Any => {
                self.output.buffer.push(scalar::LIST);
                self.open_items(ANY, len)
            }
            Node::Tuple(_) => self.push(Frame::Tuple { node: id, next: 0 }),
            // A named tuple.
            Node::Record(_) => self.open_record(id),
            _ => Err(self.unfit(id, Kind::List)),
        }
    }

    fn item(&mut self) -> Result<()> {
        match self.frames.last_mut() {
            Some(Frame::List { item, block, .. }) => {
                block.child(&mut self.output.buffer);
                self.stand = Stand::Value(*item);
                Ok(())
            }
            Some(Frame::Tuple { node, next }) => {
                let Node::Tuple(items) = node_of(self.schema.as_ref(), *node) else { return Err(astray()) };
                let item = items.get(*next);
                *next += 1;
                let message =
                    || Error::mismatch(ErrorKind::Encode, format!("a `tuple` of {}", items.len()), "more items");
                self.stand = Stand::Value(*item.ok_or_else(message)?);
                Ok(())
            }
            Some(Frame::Record(fields)) => {
                let next = fields.last.map_or(0, |last| last + 1);
                self.begin_field(next)
            }
            _ => Err(astray()),
        }
    }

    fn end_list(&mut self) -> Result<()> {
        self.close()
    }

    fn begin_map(&mut self, len: Option<usize>) -> Result<()> {
        let id = self.target(Kind::Map)?;
        match node_of(self.schema.as_ref(), id) {
            Node::Map(key, value) => {
                let (key, value) = (*key, *value);
                self.open_entries(key, value, len)
            }
            Node::Any => {
                self.output.buffer.push(scalar::MAP);
                self.open_entries(ANY, ANY, len)
            }
            Node::Record(_) => self.open_record(id),
            // A named tuple as a record.
            Node::Tuple(_) => self.push(Frame::Tuple { node: id, next: 0 }),
            _ => Err(self.unfit(id, Kind::Map)),
        }
    }

    fn entry(&mut self) -> Result<()> {
        match self.frames.last_mut() {
            Some(Frame::Map { key, at_value, block, .. }) => {
                block.child(&mut self.output.buffer);
                *at_value = false;
                self.stand = Stand::Value(*key);
                Ok(())
            }
            Some(Frame::Record(_)) => {
                self.stand = Stand::Key;
                Ok(())
            }
            _ => Err(astray()),
        }
    }

    fn value(&mut self) -> Result<()> {
        match self.frames.last_mut() {
            Some(Frame::Map { value, at_value, .. }) => {
                *at_value = true;
                self.stand = Stand::Value(*value);
                Ok(())
            }
            // `key` has chosen the field.
            Some(Frame::Record(_)) => Ok(()),
            _ => Err(astray()),
        }
    }

    fn end_map(&mut self) -> Result<()> {
        self.close()
    }

    fn field(&mut self, record: &Record, index: usize) -> Result<()> {
        let key = record.fields()[index].key();
        match self.frames.last() {
            Some(Frame::Record(fields)) => {
                let own = self.schema.as_ref().and_then(|schema| schema.record(fields.node));
                let found = own.and_then(|own| own.index_of(key, index));
                self.begin_field(found.ok_or_else(|| fault::no_field(key))?)
            }
            Some(Frame::Tuple { next, .. }) if *next == index => self.item(),
            Some(Frame::Map { .. }) => {
                self.entry()?;
                self.write_text(key)?;
                self.value()
            }
            _ => Err(astray()),
        }
    }

    fn rest(&mut self, _: &Record, key: &str) -> Result<()> {
        match self.frames.last() {
            Some(Frame::Record(_)) => self.begin_rest(key),
            Some(Frame::Map { .. }) => {
                self.entry()?;
                self.write_text(key)?;
                self.value()
            }
            _ => Err(fault::no_field(key)),
        }
    }

    fn end_record(&mut self, _: &Record) -> Result<()> {
        self.close()
    }

    fn begin_variant(&mut self, union: &Union, index: usize) -> Result<()> {
        self.open_variant(union, index)
    }

    fn end_variant(&mut self, _: &Union, _: usize) -> Result<()> {
        self.close_variant()
    }

    fn commit(&mut self) -> Result<()> {
        moves::apply(&mut self.output.buffer, &mut self.moves);
        if self.output.buffer.len().saturating_sub(self.sealed) < WORTH_SEALING || self.is_pending() {
            self.output.hold()?;
        } else {
            self.seal();
            self.output.commit()?;
            self.sealed = self.output.buffer.len();
        }
        self.saved.frames.clone_from(&self.frames);
        self.saved.parts.clone_from(&self.parts);
        self.saved.stand = self.stand;
        Ok(())
    }

    fn rollback(&mut self) -> Result<()> {
        self.output.rollback();
        self.frames.clone_from(&self.saved.frames);
        self.parts.clone_from(&self.saved.parts);
        self.moves.clear();
        self.stand = self.saved.stand;
        Ok(())
    }

    fn finish(&mut self) -> Result<()> {
        if !self.frames.is_empty() || self.stand != Stand::Nothing {
            return Err(if self.schema.is_none() {
                no_shape()
            } else {
                Error::new(ErrorKind::Encode, "the value has not ended")
            });
        }
        moves::apply(&mut self.output.buffer, &mut self.moves);
        self.output.finish()
    }
}
