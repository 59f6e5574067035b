//! Writing Avro.

mod blocks;
mod fault;
mod fields;
mod frame;
mod run;
mod scalar;

use super::WriteOptions;
use super::schema::{Node, NodeId, Schema};
use crate::binary::moves::{self, Move};
use crate::{Drain, Output};
use blocks::Blocks;
use demat_core::scalar::{Date, DateTime, Decimal, Duration, Int, Offset, Time, Uuid};
use demat_core::{Enum, Error, ErrorKind, Kind, Record, Result, Shape, Sink, Union};
use fault::{astray, no_shape, other};
use frame::{Frame, Part, Stand};
use run::Run;

/// Avro files, as a [`Sink`]. Call [`begin`](Sink::begin) with the shape before the first value: it becomes the schema.
///
/// A block stays in memory until it ends, with the first value behind 64 KiB.
///
/// ```
/// use demat_core::Sink;
/// use demat_formats::{Keep, Output, avro::{self, AvroSink, WriteOptions}};
/// let mut sink = AvroSink::new(Output::new(Vec::new(), Keep), WriteOptions::default());
/// sink.begin(&"[text]".parse()?)?;
/// sink.begin_list(None)?;
/// sink.item()?;
/// sink.text("a")?;
/// sink.end_list()?;
/// sink.finish()?;
/// let bytes = sink.into_output().into_parts().0;
/// assert_eq!(avro::decode::<Vec<String>>(&bytes)?, ["a"]);
/// # Ok::<(), demat_core::Error>(())
/// ```
#[derive(Debug)]
pub struct AvroSink<D> {
    output: Output<D>,
    options: WriteOptions,
    schema: Schema,
    /// Whether the shape is known, and if so whether it is that of a list of values.
    listed: Option<bool>,
    blocks: Blocks,
    frames: Vec<Frame>,
    /// The starts of the fields of open records.
    parts: Vec<Part>,
    /// The records whose fields are not yet in order.
    moves: Vec<Move>,
    stand: Stand,
    saved: Saved,
}

/// The state at the last commit.
#[derive(Debug, Default)]
struct Saved {
    frames: Vec<Frame>,
    parts: Vec<Part>,
    stand: Stand,
}

impl<D: Drain> AvroSink<D> {
    /// Returns a sink that writes to an output.
    pub fn new(output: Output<D>, options: WriteOptions) -> Self {
        Self {
            output,
            options,
            schema: Schema::default(),
            listed: None,
            blocks: Blocks::default(),
            frames: Vec::new(),
            parts: Vec::new(),
            moves: Vec::new(),
            stand: Stand::Start,
            saved: Saved::default(),
        }
    }

    /// Returns the output.
    pub fn into_output(self) -> Output<D> {
        self.output
    }

    /// Returns the node of the next value.
    fn standing(&self) -> Result<NodeId> {
        match self.stand {
            Stand::Value(node) => Ok(node),
            Stand::Start => match self.listed {
                Some(false) => Ok(self.schema.root),
                Some(true) => Err(Error::mismatch(ErrorKind::Encode, "list", "a value that is none")),
                None => Err(no_shape()),
            },
            Stand::Key | Stand::MapKey | Stand::Nothing => Err(astray()),
        }
    }

    /// Returns the node of the next value, which has this kind. Writes the branch of a union.
    fn target(&mut self, kind: Kind) -> Result<NodeId> {
        let id = self.standing()?;
        match self.schema.node(id) {
            Node::Union(union) => self.pick(union, kind),
            _ => Ok(id),
        }
    }

    /// Ends a value.
    fn finished(&mut self) {
        self.stand = Stand::Nothing;
        match *self.frames {
            [] if self.listed == Some(false) => self.blocks.ended(),
            [Frame::File] => self.blocks.ended(),
            _ => {}
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

    /// Ends the innermost container, of any kind.
    fn close(&mut self) -> Result<()> {
        // What stands for missing fields is written within the record.
        if let Some(Frame::Record(fields)) = self.frames.last() {
            let fields = fields.clone();
            self.close_record(&fields)?;
        }
        match self.frames.pop() {
            Some(Frame::File) => {
                self.stand = Stand::Nothing;
                return Ok(());
            }
            Some(Frame::List { mut run, .. } | Frame::Map { mut run, .. }) => run.close(&mut self.blocks.bytes)?,
            Some(Frame::Record(_)) => {}
            Some(Frame::Variant { .. }) | None => return Err(astray()),
        }
        self.finished();
        Ok(())
    }

    /// Writes the blocks.
    fn flush(&mut self) -> Result<()> {
        let how = (self.options.compression, self.listed == Some(false));
        self.blocks.write(&self.schema, how, &mut self.output)
    }
}

impl<D: Drain> Sink for AvroSink<D> {
    fn begin(&mut self, shape: &Shape) -> Result<()> {
        if self.stand == Stand::Start {
            let (value, listed) = match shape.inner() {
                Shape::List(item) => (&**item, true),
                _ => (shape, false),
            };
            self.schema = Schema::compile(value, &self.options)?;
            self.listed = Some(listed);
        }
        Ok(())
    }

    fn null(&mut self) -> Result<()> {
        self.write_null()
    }

    fn bool(&mut self, value: bool) -> Result<()> {
        self.write_bool(value)
    }

    fn int(&mut self, value: &Int<'_>) -> Result<()> {
        self.write_int(value)
    }

    fn float(&mut self, value: f64) -> Result<()> {
        self.write_f64(value)
    }

    fn text(&mut self, value: &str) -> Result<()> {
        self.write_text(value)
    }

    fn bytes(&mut self, value: &[u8]) -> Result<()> {
        self.write_bytes(value)
    }

    fn decimal(&mut self, value: &Decimal<'_>) -> Result<()> {
        self.write_decimal(value)
    }

    fn date(&mut self, value: Date) -> Result<()> {
        self.write_date_of(value)
    }

    fn time(&mut self, value: Time) -> Result<()> {
        self.write_time_of(value)
    }

    fn date_time(&mut self, at: DateTime) -> Result<()> {
        self.write_at(at, None)
    }

    fn instant(&mut self, at: DateTime, offset: Offset) -> Result<()> {
        self.write_at(at, Some(offset))
    }

    fn duration(&mut self, value: Duration) -> Result<()> {
        self.write_duration(value)
    }

    fn uuid(&mut self, value: Uuid) -> Result<()> {
        self.write_uuid(value)
    }

    fn variant(&mut self, names: &Enum, index: usize) -> Result<()> {
        self.text(names.name_at(index))
    }

    fn begin_list(&mut self, len: Option<usize>) -> Result<()> {
        if self.stand == Stand::Start && self.listed == Some(true) {
            return self.push(Frame::File);
        }
        let id = self.target(Kind::List)?;
        match self.schema.node(id) {
            Node::Array(item) => {
                let run = Run::open(&mut self.blocks.bytes, len);
                self.push(Frame::List { item, run })
            }
            // A tuple.
            Node::Record(record) => self.open_record(record),
            node => Err(other(node, Kind::List.name())),
        }
    }

    fn item(&mut self) -> Result<()> {
        match self.frames.last_mut() {
            Some(Frame::File) => self.stand = Stand::Value(self.schema.root),
            Some(Frame::List { item, run }) => {
                run.item(&mut self.blocks.bytes);
                self.stand = Stand::Value(*item);
            }
            Some(Frame::Record(_)) => return self.next_field(),
            _ => return Err(astray()),
        }
        Ok(())
    }

    fn end_list(&mut self) -> Result<()> {
        self.close()
    }

    fn begin_map(&mut self, len: Option<usize>) -> Result<()> {
        let id = self.target(Kind::Map)?;
        match self.schema.node(id) {
            Node::Map(value) => {
                let run = Run::open(&mut self.blocks.bytes, len);
                self.push(Frame::Map { value, run })
            }
            Node::Record(record) => self.open_record(record),
            node => Err(other(node, Kind::Map.name())),
        }
    }

    fn entry(&mut self) -> Result<()> {
        match self.frames.last_mut() {
            Some(Frame::Map { run, .. }) => {
                run.item(&mut self.blocks.bytes);
                self.stand = Stand::MapKey;
            }
            Some(Frame::Record(_)) => self.stand = Stand::Key,
            _ => return Err(astray()),
        }
        Ok(())
    }

    fn value(&mut self) -> Result<()> {
        match self.frames.last() {
            Some(Frame::Map { value, .. }) => self.stand = Stand::Value(*value),
            // The key has chosen the field.
            Some(Frame::Record(_)) => {}
            _ => return Err(astray()),
        }
        Ok(())
    }

    fn end_map(&mut self) -> Result<()> {
        self.close()
    }

    fn field(&mut self, record: &Record, index: usize) -> Result<()> {
        let key = record.fields()[index].key();
        match self.frames.last() {
            Some(Frame::Record(_)) => self.named_field(key, Some(index)),
            _ => self.key(key),
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
        moves::apply(&mut self.blocks.bytes, &mut self.moves);
        // A record that has not ended stays, since counts and fields in front of it may still change.
        let between = matches!(*self.frames, [] | [Frame::File]) && self.stand == Stand::Nothing;
        if between && (self.blocks.is_worth_writing() || self.output.is_prompt()) {
            self.flush()?;
            self.output.commit()?;
        }
        self.blocks.save();
        self.saved.frames.clone_from(&self.frames);
        self.saved.parts.clone_from(&self.parts);
        self.saved.stand = self.stand;
        Ok(())
    }

    fn rollback(&mut self) -> Result<()> {
        self.blocks.restore();
        self.frames.clone_from(&self.saved.frames);
        self.parts.clone_from(&self.saved.parts);
        self.moves.clear();
        self.stand = self.saved.stand;
        Ok(())
    }

    fn finish(&mut self) -> Result<()> {
        if !self.frames.is_empty() || self.stand != Stand::Nothing {
            return Err(match self.listed {
                None => no_shape(),
                Some(_) => Error::new(ErrorKind::Encode, "the value has not ended"),
            });
        }
        moves::apply(&mut self.blocks.bytes, &mut self.moves);
        self.flush()?;
        self.output.finish()
    }
}
