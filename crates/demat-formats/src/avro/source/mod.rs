//! Reading Avro.

mod blocks;
mod children;
mod fault;
mod frame;
mod scalar;
mod skip;
mod state;
mod variant;

pub(super) use state::State;

use super::ReadOptions;
use super::schema::Node;
use crate::stream::Part;
use demat_core::scalar::{Date, DateTime, Decimal, Duration, Instant, Int, Time, Uuid};
use demat_core::{Enum, Error, ErrorKind, Kind, Mark, Position, Record, Result, Shape, Source, Text, Union, excerpt};
use fault::astray;
use frame::{Frame, Stand, Within};
use state::Block;
use std::borrow::Cow;

/// A [`Source`] of an Avro file in a slice: the list of its values, or its only one.
///
/// Text and bytes are borrowed from the slice, unless the blocks are compressed.
///
/// ```
/// use demat_core::Source;
/// use demat_formats::avro::{Avro, ReadOptions, encode};
/// use demat_formats::stream::Part;
/// let bytes = encode(&vec!["a", "b"])?;
/// let mut format = Avro::new(ReadOptions::default());
/// let mut source = format.whole(Part::whole(&bytes));
/// source.list()?;
/// assert!(source.item()?);
/// assert_eq!(&*source.text()?, "a");
/// source.item()?;
/// source.skip()?;
/// assert!(!source.item()?);
/// source.end()?;
/// # Ok::<(), demat_core::Error>(())
/// ```
#[derive(Debug)]
pub struct AvroSource<'a, 's> {
    part: Part<'a>,
    options: ReadOptions,
    state: &'s mut State,
    /// The current block, if there is one.
    block: Option<Block>,
    /// Where the block begins that a mark stands in, until it is loaded again.
    lost: Option<usize>,
    /// Where the next block begins, if there is no current one.
    next: usize,
    /// The offset in the data of the current block.
    at: usize,
    /// The start of the last value that was read.
    start: usize,
    depth: usize,
    stand: Stand,
}

/// The value or key at the current position.
#[derive(Debug, Clone, Copy)]
enum Found {
    /// The key of a field.
    Key(u32),
    /// A value. Its node is no union.
    Node(Node),
}

/// A flag in a mark's first word, whose other bits are the depth: the mark is in a block.
const IN_BLOCK: u32 = 1 << 31;

impl<'a, 's> AvroSource<'a, 's> {
    pub(super) fn new(part: Part<'a>, options: ReadOptions, state: &'s mut State) -> Self {
        let (block, lost, stand) = (None, None, Stand::Start);
        Self { part, options, state, block, lost, next: 0, at: 0, start: 0, depth: 0, stand }
    }

    /// Whether a mark stands in a block.
    pub(super) fn is_in_block(mark: Mark) -> bool {
        mark.state[0] & IN_BLOCK != 0
    }

    /// Returns the data of the current block.
    #[inline]
    fn data(&self) -> &[u8] {
        match self.block {
            Some(block) if block.packed => &self.state.unpacked,
            Some(block) => self.part.bytes.get(block.data.0..block.data.1).unwrap_or_default(),
            None => &[],
        }
    }

    /// Returns bytes of the data, if they are part of the input.
    fn input_at(&self, (begin, end): (usize, usize)) -> Option<&'a [u8]> {
        let block = self.block.filter(|block| !block.packed)?;
        self.part.bytes.get(block.data.0 + begin..block.data.0 + end)
    }

    /// Moves past a value.
    #[inline]
    fn done(&mut self, end: usize) {
        self.at = end;
        self.stand = Stand::Nothing;
    }

    /// Returns the value at the current position, inside of a union.
    #[inline]
    fn found(&mut self) -> Result<Found> {
        self.reload()?;
        if self.stand == Stand::Start {
            self.begin_single()?;
        }
        self.start = self.at;
        let id = match self.stand {
            Stand::Value(id) => id,
            Stand::Key(field) => return Ok(Found::Key(field)),
            Stand::MapKey => return Ok(Found::Node(Node::Text(Kind::Text))),
            Stand::Start | Stand::Nothing => return Err(astray()),
        };
        let schema = &self.header()?.schema;
        let node = schema.node(id);
        let Node::Union(union) = node else { return Ok(Found::Node(node)) };
        let branches = schema.union(union).map_or(0, |union| union.branches.len());
        let (index, end) = self.index(branches, "the index of a branch")?;
        let schema = &self.header()?.schema;
        let branch = schema.union(union).and_then(|union| union.branches.get(index)).copied().ok_or_else(astray)?;
        let node = schema.node(branch);
        self.at = end;
        self.stand = Stand::Value(branch);
        Ok(Found::Node(node))
    }

    /// Calls `look` with the current value, and goes back to where it was.
    fn looked_at<T>(&mut self, look: impl FnOnce(&mut Self, Found) -> T) -> Result<T> {
        let before = self.mark();
        let found = self.found();
        let result = found.map(|found| look(self, found));
        self.reset(before);
        result
    }

    /// Whether the source is at the list of the file's values.
    fn is_at_list(&mut self) -> Result<bool> {
        Ok(self.stand == Stand::Start && !self.is_single()?)
    }

    fn is_at_key(&self) -> bool {
        self.stand == Stand::MapKey
    }
}

impl<'a> Source<'a> for AvroSource<'a, '_> {
    fn peek(&mut self) -> Result<Kind> {
        if self.is_at_list()? {
            return Ok(Kind::List);
        }
        self.looked_at(|_, found| match found {
            Found::Key(_) => Kind::Text,
            Found::Node(node) => node.kind().unwrap_or(Kind::Null),
        })
    }

    fn null(&mut self) -> Result<bool> {
        if self.is_at_list()? {
            return Ok(false);
        }
        if self.stand == Stand::Start {
            self.begin_single()?;
        }
        let before = (self.at, self.stand);
        if let Found::Node(Node::Null) = self.found()? {
            self.done(self.at);
            return Ok(true);
        }
        (self.at, self.stand) = before;
        Ok(false)
    }

    fn bool(&mut self) -> Result<bool> {
        match self.found()? {
            Found::Node(Node::Bool) => {
                let value = self.flag()?;
                self.done(self.at + 1);
                Ok(value)
            }
            Found::Node(Node::Text(_)) if self.is_at_key() => self.parsed("bool", |text| text.parse().ok()),
            other => Err(self.other("bool", other)),
        }
    }

    fn int(&mut self) -> Result<Int<'a>> {
        if self.is_at_key() {
            self.start = self.at;
            return self.parsed("int", |text| Int::from_digits(text).map(Int::into_owned));
        }
        self.i64().map(Int::I64)
    }

    fn i64(&mut self) -> Result<i64> {
        if self.is_at_key() {
            return self.int()?.to_i64().ok_or_else(|| Error::expected("int64", "a larger number").at(self.position()));
        }
        match self.found()? {
            Found::Node(node @ (Node::Int | Node::Long)) => {
                let (number, end) = self.number(node)?;
                self.done(end);
                Ok(number)
            }
            other => Err(self.other("int", other)),
        }
    }

    #[allow(clippy::cast_precision_loss)] // the caller asked for a float
    fn float(&mut self) -> Result<f64> {
        let (value, end) = match self.found()? {
            Found::Node(Node::Double) => (f64::from_le_bytes(self.array("a float of 8 bytes")?), self.at + 8),
            Found::Node(Node::Float) => (f32::from_le_bytes(self.array("a float of 4 bytes")?).into(), self.at + 4),
            Found::Node(node @ (Node::Int | Node::Long)) => {
                let (number, end) = self.number(node)?;
                (number as f64, end)
            }
            Found::Node(Node::Decimal(digits)) => return Ok(self.decimal_of(digits)?.to_f64()),
            other => return Err(self.other("float", other)),
        };
        self.done(end);
        Ok(value)
    }

    fn float32(&mut self) -> Result<f32> {
        let before = (self.at, self.stand);
        if let Found::Node(Node::Float) = self.found()? {
            let value = f32::from_le_bytes(self.array("a float of 4 bytes")?);
            self.done(self.at + 4);
            return Ok(value);
        }
        (self.at, self.stand) = before;
        let wide = self.float()?;
        crate::binary::narrow(wide).map_err(|error| error.at(self.position()))
    }

    fn text(&mut self) -> Result<Text<'a, '_>> {
        let found = self.found()?;
        let range = match found {
            Found::Key(_) => return self.name(found).map(Text::Scratch).ok_or_else(astray),
            Found::Node(Node::Enum(names)) => {
                let (index, end) = self.symbol(names)?;
                self.done(end);
                let names = self.header()?.schema.names(names).ok_or_else(astray)?;
                return Ok(Text::Scratch(names.name_at(index)));
            }
            Found::Node(Node::Text(_)) => self.sized("text")?,
            // Avro reads bytes as a string if they are one.
            Found::Node(Node::Bytes) => self.sized("bytes")?,
            other @ Found::Node(_) => return Err(self.other("text", other)),
        };
        self.utf8(range)?;
        self.done(range.1);
        match self.input_at(range) {
            Some(bytes) => Ok(Text::Input(core::str::from_utf8(bytes).map_err(|_| astray())?)),
            None => self.utf8(range).map(Text::Scratch),
        }
    }

    fn bytes(&mut self) -> Result<Cow<'a, [u8]>> {
        let range = match self.found()? {
            Found::Node(Node::Bytes | Node::Text(_)) => self.sized("bytes")?,
            Found::Node(Node::Fixed(len, _)) => (self.at, self.bytes_end(self.at, len as u64, "bytes")?),
            Found::Node(Node::Uuid) => (self.at, self.bytes_end(self.at, 16, "a uuid of 16 bytes")?),
            other => return Err(self.other("bytes", other)),
        };
        self.done(range.1);
        Ok(match self.input_at(range) {
            Some(bytes) => Cow::Borrowed(bytes),
            None => Cow::Owned(self.data()[range.0..range.1].to_vec()),
        })
    }

    fn decimal(&mut self) -> Result<Decimal<'a>> {
        match self.found()? {
            Found::Node(Node::Decimal(digits)) => self.decimal_of(digits),
            Found::Node(Node::Text(_)) => self.parsed("decimal", |text| Decimal::parse(text).map(Decimal::into_owned)),
            Found::Node(node @ (Node::Int | Node::Long)) => {
                let (number, end) = self.number(node)?;
                self.done(end);
                Ok(Decimal::from_int(Int::I64(number)))
            }
            other => Err(self.other("decimal", other)),
        }
    }

    fn date(&mut self) -> Result<Date> {
        match self.found()? {
            Found::Node(Node::Date) => self.date_of(),
            Found::Node(Node::Text(_)) => self.parsed("`date` as YYYY-MM-DD", Date::parse),
            other => Err(self.other("date", other)),
        }
    }

    fn time(&mut self) -> Result<Time> {
        match self.found()? {
            Found::Node(Node::Time(unit)) => self.time_of(unit),
            Found::Node(Node::Text(_)) => self.parsed("`time` as HH:MM:SS", Time::parse),
            other => Err(self.other("time", other)),
        }
    }

    fn date_time(&mut self) -> Result<DateTime> {
        match self.found()? {
            Found::Node(Node::Local(unit)) => self.local_of(unit),
            Found::Node(Node::Text(_)) => {
                let range = self.sized("text")?;
                let text = self.utf8(range)?;
                let at = DateTime::parse(text);
                let at = at.ok_or_else(|| Error::no_date_time(text).at(self.position()))?;
                self.done(range.1);
                Ok(at)
            }
            Found::Node(Node::Timestamp(unit)) => {
                let instant = self.instant_of(unit)?;
                Err(Error::no_date_time(&instant.to_string()).at(self.position()))
            }
            other => Err(self.other("datetime", other)),
        }
    }

    fn instant(&mut self) -> Result<Instant> {
        match self.found()? {
            Found::Node(Node::Timestamp(unit)) => self.instant_of(unit),
            Found::Node(Node::Local(unit)) => self.local_of(unit).map(Instant::from),
            Found::Node(Node::Text(_)) => self.parsed("`instant` as RFC 3339", Instant::parse),
            other => Err(self.other("instant", other)),
        }
    }

    fn duration(&mut self) -> Result<Duration> {
        match self.found()? {
            Found::Node(Node::Duration) => self.duration_of(),
            Found::Node(Node::Text(_)) => self.parsed("`duration` as ISO 8601", Duration::parse),
            other => Err(self.other("duration", other)),
        }
    }

    fn uuid(&mut self) -> Result<Uuid> {
        match self.found()? {
            Found::Node(Node::Uuid | Node::Fixed(16, _)) => {
                let uuid = Uuid(self.array("a uuid of 16 bytes")?);
                self.done(self.at + 16);
                Ok(uuid)
            }
            Found::Node(Node::Text(_)) => self.parsed("uuid", Uuid::parse),
            other => Err(self.other("uuid", other)),
        }
    }

    fn variant(&mut self, names: &Enum) -> Result<usize> {
        let text = self.text()?;
        if let Some(index) = names.index_of(&text) {
            return Ok(index);
        }
        let error = Error::mismatch(ErrorKind::Constraint, names.names(), excerpt::name(&text));
        Err(error.at(self.position()))
    }

    fn list(&mut self) -> Result<Option<usize>> {
        self.enter_list()
    }

    fn item(&mut self) -> Result<bool> {
        self.next_item()
    }

    fn map(&mut self) -> Result<Option<usize>> {
        self.enter_map()
    }

    fn entry(&mut self) -> Result<bool> {
        self.next_entry()
    }

    fn value(&mut self) -> Result<()> {
        self.step_to_value()
    }

    fn field(&mut self, record: &Record, expected: usize) -> Result<Option<usize>> {
        self.next_wanted(record, expected)
    }

    fn choose(&mut self, union: &Union) -> Result<usize> {
        self.choose_variant(union)
    }

    fn tells_variants(&self) -> bool {
        true
    }

    fn chosen(&mut self, _: &Union, _: usize, _: bool) -> Result<()> {
        self.leave_variant()
    }

    fn lists_records(&mut self, _: Option<&Record>) -> Result<bool> {
        self.is_single().map(|single| !single)
    }

    fn stated(&mut self) -> Result<Option<Shape>> {
        if self.is_at_list()? {
            return Ok(None);
        }
        self.looked_at(|_, found| match found {
            Found::Key(_) => None,
            Found::Node(node) => node.stated().cloned(),
        })
    }

    fn skip(&mut self) -> Result<()> {
        self.pass()
    }

    /// Returns the bytes of a value as they are in its block, unpacked; of a whole file, all of it.
    fn span(&mut self) -> Result<Cow<'a, [u8]>> {
        if self.stand == Stand::Start {
            self.pass()?;
            return Ok(Cow::Borrowed(self.part.bytes));
        }
        self.reload()?;
        let begin = self.at;
        self.pass()?;
        let range = (begin, self.at);
        Ok(match self.input_at(range) {
            Some(bytes) => Cow::Borrowed(bytes),
            None => Cow::Owned(self.data().get(range.0..range.1).unwrap_or_default().to_vec()),
        })
    }

    fn mark(&self) -> Mark {
        let cursor = self.top().map_or(0, |frame| frame.cursor);
        let lost = self.lost.or(self.block.map(|block| block.begin));
        let flags = if lost.is_some() { IN_BLOCK } else { 0 };
        let state = [self.depth as u32 | flags, self.stand.to_word(), self.at as u32, cursor];
        Mark { offset: lost.unwrap_or(self.next), state }
    }

    fn reset(&mut self, mark: Mark) {
        let [depth, stand, at, cursor] = mark.state;
        self.depth = (depth & !IN_BLOCK) as usize;
        self.stand = Stand::of_word(stand);
        (self.at, self.start) = (at as usize, at as usize);
        if self.state.frames.len() < self.depth {
            // A mark of another reader. The outer containers are unknown, so reading past the innermost one fails.
            self.state.frames.resize_with(self.depth, Frame::default);
        }
        self.set_cursor(cursor);
        if Self::is_in_block(mark) {
            let is_current = self.block.is_some_and(|block| block.begin == mark.offset);
            self.lost = Some(mark.offset).filter(|_| !is_current);
        } else {
            (self.block, self.lost, self.next) = (None, None, mark.offset);
        }
    }

    fn position(&self) -> Position {
        self.position_of(self.start)
    }

    fn end(&mut self) -> Result<()> {
        self.reload()?;
        // The only value of a file was read, and not the list of them.
        if self.depth == 1 && self.top().is_some_and(|frame| frame.within == Within::File) && self.next_value()? {
            return Err(Error::expected("one value", "an Avro file of several").at(self.position()));
        }
        Ok(())
    }

    /// The last one wins.
    fn repeated(&mut self, _: &str) -> Result<()> {
        Ok(())
    }

    #[cold]
    fn mismatch(&mut self, expected: &'static str) -> Error {
        match self.is_at_list() {
            Ok(true) => return Error::expected(expected, "list").at(self.position()),
            Ok(false) => {}
            Err(error) => return error,
        }
        match self.looked_at(|own, found| own.other(expected, found)) {
            Ok(error) | Err(error) => error,
        }
    }
}
