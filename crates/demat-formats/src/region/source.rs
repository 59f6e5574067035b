//! Reading region files.

use super::chunk::Chunk;
use super::header::{CHUNKS, Entry, SIDE, check, entry};
use crate::nbt::{Form, NbtSource};
use crate::stream::Part;
use demat_core::scalar::{Decimal, Int, Uuid};
use demat_core::{Error, Kind, Mark, Position, Record, Result, Shape, Signal, Source, Text};
use std::borrow::Cow;

/// A [`Source`] of the chunks of a region file.
#[derive(Debug)]
pub struct RegionSource<'a> {
    part: Part<'a>,
    /// The index of the current chunk's entry, or the index from which to search for the next chunk.
    index: usize,
    /// The index of the current field of the record.
    field: usize,
    phase: Phase,
    chunk: Chunk,
    /// The last text that was read.
    scratch: String,
}

/// What is at the source's position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    /// The list of all chunks.
    List,
    /// A record, or the end of the list.
    Between,
    Record,
    /// A key, or the end of the record.
    Fields,
    Key,
    Value,
    /// A value inside the chunk.
    Chunk,
    End,
}

impl Phase {
    const ALL: [Self; 8] =
        [Self::List, Self::Between, Self::Record, Self::Fields, Self::Key, Self::Value, Self::Chunk, Self::End];
}

const NAMES: [&str; 4] = ["x", "z", "timestamp", "chunk"];
/// The field that is NBT.
const CHUNK: usize = 3;
/// The shifts of the parts of a mark's last word, above the index.
const FIELD: u32 = 11;
const PHASE: u32 = 14;

impl<'a> RegionSource<'a> {
    pub(super) fn over(part: Part<'a>, form: Form, limit: usize) -> Self {
        let chunk = Chunk::new(form, limit);
        Self { part, index: 0, field: 0, phase: Phase::List, chunk, scratch: String::new() }
    }

    /// Checks that the whole file is in memory.
    fn check(&self) -> Result<()> {
        if self.part.last { check(self.part.bytes) } else { Err(Error::signalled(Signal::Incomplete)) }
    }

    fn entry_here(&self) -> Entry {
        entry(self.part.bytes, self.index).unwrap_or(Entry { start: 0, len: 0, timestamp: 0 })
    }

    /// Returns whether the current value is NBT.
    fn is_nbt(&self) -> bool {
        self.phase == Phase::Chunk || self.phase == Phase::Value && self.field == CHUNK
    }

    /// Calls `ask` with the source of the current chunk.
    fn ask<T>(&mut self, ask: impl for<'c> FnOnce(&mut NbtSource<'c>) -> Result<T>) -> Result<T> {
        if self.phase == Phase::Value {
            (self.phase, self.chunk.mark) = (Phase::Chunk, Mark::default());
        }
        let entry = (self.index, self.entry_here());
        let (answer, is_done) = self.chunk.ask(self.part.bytes, entry, ask)?;
        if is_done {
            (self.phase, self.field) = (Phase::Fields, CHUNK + 1);
        }
        Ok(answer)
    }

    /// Returns the current number.
    fn number(&self) -> Option<i64> {
        let number = (self.phase == Phase::Value && self.field < CHUNK).then(|| match self.field {
            0 => (self.index % SIDE) as u32,
            1 => (self.index / SIDE) as u32,
            _ => self.entry_here().timestamp,
        });
        number.map(i64::from)
    }

    /// Reads the current number.
    fn take_number(&mut self, expected: &'static str) -> Result<i64> {
        let number = self.number().ok_or_else(|| self.mismatch(expected))?;
        (self.phase, self.field) = (Phase::Fields, self.field + 1);
        Ok(number)
    }

    fn kind(&self) -> Kind {
        match self.phase {
            Phase::List | Phase::Between | Phase::End => Kind::List,
            Phase::Record | Phase::Fields => Kind::Map,
            Phase::Key => Kind::Text,
            Phase::Value | Phase::Chunk => Kind::Int,
        }
    }
}

impl<'a> Source<'a> for RegionSource<'a> {
    fn peek(&mut self) -> Result<Kind> {
        if self.is_nbt() {
            return self.ask(|chunk| chunk.peek());
        }
        self.check()?;
        Ok(self.kind())
    }

    fn null(&mut self) -> Result<bool> {
        if self.is_nbt() { self.ask(|chunk| chunk.null()) } else { Ok(false) }
    }

    fn bool(&mut self) -> Result<bool> {
        if self.is_nbt() { self.ask(|chunk| chunk.bool()) } else { Err(self.mismatch("bool")) }
    }

    fn int(&mut self) -> Result<Int<'a>> {
        if self.is_nbt() {
            return self.ask(|chunk| chunk.int().map(Int::into_owned));
        }
        self.take_number("int").map(Int::I64)
    }

    #[allow(clippy::cast_precision_loss)] // these numbers are small, so the conversion is exact
    fn float(&mut self) -> Result<f64> {
        if self.is_nbt() {
            self.ask(|chunk| chunk.float())
        } else {
            self.take_number("float").map(|value| value as f64)
        }
    }

    #[allow(clippy::cast_precision_loss)] // the caller asked for a float
    fn float32(&mut self) -> Result<f32> {
        if self.is_nbt() {
            return self.ask(|chunk| chunk.float32());
        }
        self.take_number("float").map(|value| value as f32)
    }

    fn text(&mut self) -> Result<Text<'a, '_>> {
        if self.is_nbt() {
            self.scratch = self.ask(|chunk| chunk.text().map(|text| text.to_string()))?;
            return Ok(Text::Scratch(&self.scratch));
        }
        if self.phase != Phase::Key {
            return Err(self.mismatch("text"));
        }
        self.phase = Phase::Value;
        Ok(Text::Input(NAMES[self.field]))
    }

    fn bytes(&mut self) -> Result<Cow<'a, [u8]>> {
        if !self.is_nbt() {
            return Err(self.mismatch("bytes"));
        }
        self.ask(|chunk| chunk.bytes().map(|bytes| Cow::Owned(bytes.into_owned())))
    }

    fn decimal(&mut self) -> Result<Decimal<'a>> {
        if self.is_nbt() {
            return self.ask(|chunk| chunk.decimal().map(Decimal::into_owned));
        }
        let number = self.take_number("decimal")?;
        let decimal = Decimal::parse(&number.to_string()).map(Decimal::into_owned);
        decimal.ok_or_else(|| Error::expected("decimal", "int"))
    }

    fn uuid(&mut self) -> Result<Uuid> {
        if self.is_nbt() { self.ask(|chunk| chunk.uuid()) } else { Err(self.mismatch("uuid")) }
    }

    fn list(&mut self) -> Result<Option<usize>> {
        if self.is_nbt() {
            return self.ask(|chunk| chunk.list());
        }
        self.check()?;
        if self.phase != Phase::List {
            return Err(self.mismatch("list"));
        }
        self.phase = Phase::Between;
        Ok(None)
    }

    fn item(&mut self) -> Result<bool> {
        if self.is_nbt() {
            return self.ask(|chunk| chunk.item());
        }
        let next = (self.index..CHUNKS).find(|index| entry(self.part.bytes, *index).is_some());
        self.index = next.unwrap_or(CHUNKS);
        self.phase = if next.is_some() { Phase::Record } else { Phase::End };
        Ok(next.is_some())
    }

    fn map(&mut self) -> Result<Option<usize>> {
        if self.is_nbt() {
            return self.ask(|chunk| chunk.map());
        }
        if self.phase != Phase::Record {
            return Err(self.mismatch("record"));
        }
        (self.phase, self.field) = (Phase::Fields, 0);
        Ok(Some(NAMES.len()))
    }

    fn entry(&mut self) -> Result<bool> {
        if self.is_nbt() {
            return self.ask(|chunk| chunk.entry());
        }
        if self.field < NAMES.len() {
            self.phase = Phase::Key;
            return Ok(true);
        }
        (self.phase, self.index) = (Phase::Between, self.index + 1);
        Ok(false)
    }

    fn value(&mut self) -> Result<()> {
        if self.phase == Phase::Chunk { self.ask(|chunk| chunk.value()) } else { Ok(()) }
    }

    fn field(&mut self, record: &Record, expected: usize) -> Result<Option<usize>> {
        if self.is_nbt() {
            return self.ask(|chunk| chunk.field(record, expected));
        }
        loop {
            if !self.entry()? {
                return Ok(None);
            }
            let mark = self.mark();
            let key = NAMES[self.field];
            self.phase = Phase::Value;
            if let Some(index) = record.index_of(key) {
                return Ok(Some(index));
            }
            match record.unknown_key(key) {
                Ok(Some(rest)) => {
                    self.reset(mark);
                    return Ok(Some(rest));
                }
                Ok(None) => self.skip()?,
                Err(error) => return Err(error.at(self.position())),
            }
        }
    }

    fn skip(&mut self) -> Result<()> {
        if self.is_nbt() {
            return self.ask(|chunk| chunk.skip());
        }
        match self.phase {
            Phase::List => {
                self.list()?;
                while self.item()? {
                    self.skip()?;
                }
                Ok(())
            }
            Phase::Record => {
                self.map()?;
                while self.entry()? {
                    self.text()?;
                    self.skip()?;
                }
                Ok(())
            }
            Phase::Key => self.text().map(drop),
            _ => self.take_number("value").map(drop),
        }
    }

    /// Returns a record as the bytes of its chunk in the file, packed and unchecked. Returns a part of a chunk as NBT.
    fn span(&mut self) -> Result<Cow<'a, [u8]>> {
        if self.is_nbt() {
            return self.ask(|chunk| chunk.span().map(|bytes| Cow::Owned(bytes.into_owned())));
        }
        match self.phase {
            Phase::Record => {
                let Entry { start, len, .. } = self.entry_here();
                (self.phase, self.index) = (Phase::Between, self.index + 1);
                let bytes = self.part.bytes;
                let start = start.min(bytes.len());
                Ok(Cow::Borrowed(&bytes[start..start.saturating_add(len).min(bytes.len())]))
            }
            Phase::List => {
                self.skip()?;
                Ok(Cow::Borrowed(self.part.bytes))
            }
            _ => {
                let number = self.take_number("value")?;
                Ok(Cow::Owned(crate::nbt::encode(&number)?))
            }
        }
    }

    fn mark(&self) -> Mark {
        let last = self.index as u32 | (self.field as u32) << FIELD | (self.phase as u32) << PHASE;
        let [first, counted, position, _] = self.chunk.mark.state;
        Mark { offset: 0, state: [first, counted, position, last] }
    }

    fn reset(&mut self, mark: Mark) {
        let [first, counted, position, last] = mark.state;
        self.index = (last & 0x7ff) as usize;
        self.field = (last >> FIELD & 7) as usize;
        self.phase = Phase::ALL[(last >> PHASE & 7) as usize];
        self.chunk.mark = Mark { offset: 0, state: [first, counted, position, 0] };
    }

    fn position(&self) -> Position {
        let offset = match self.phase {
            Phase::List | Phase::Between | Phase::End => 0,
            _ => self.entry_here().start as u64,
        };
        Position { offset: Some(offset), ..Position::default() }
    }

    fn end(&mut self) -> Result<()> {
        self.check()
    }

    fn repeated(&mut self, key: &str) -> Result<()> {
        if self.is_nbt() { self.ask(|chunk| chunk.repeated(key)) } else { Ok(()) }
    }

    fn stated(&mut self) -> Result<Option<Shape>> {
        if self.is_nbt() { self.ask(|chunk| chunk.stated()) } else { Ok(None) }
    }

    #[cold]
    fn mismatch(&mut self, expected: &'static str) -> Error {
        if self.is_nbt() {
            return match self.ask(|chunk| Ok(chunk.mismatch(expected))) {
                Ok(error) | Err(error) => error,
            };
        }
        match self.check() {
            Ok(()) => Error::expected(expected, self.kind().name()).at(self.position()),
            Err(error) => error,
        }
    }
}
