//! Optional fields that a compound omits. NBT has no null, so an omitted field is null.

use super::frame::Within;
use super::{NbtSource, Phase};
use demat_core::{Field, Layout, Record, Result, Source};

/// The maximum number of such fields in one record: one bit each in a frame.
const MOST: usize = 64;

/// The required fields of a record that may be null. A compound omits those that are.
#[derive(Debug)]
struct Nullable {
    /// Their indices.
    indices: Vec<usize>,
    /// The bit of each field of the record; `None` for the others.
    bits: Vec<Option<u8>>,
}

impl Layout<Field> for Nullable {
    fn compile(fields: &[Field]) -> Self {
        let is_nullable = |field: &Field| field.required() && field.default().is_none() && field.shape().allows_null();
        let mut nullable = Self { indices: Vec::new(), bits: Vec::with_capacity(fields.len()) };
        for (index, field) in fields.iter().enumerate() {
            let bit = nullable.indices.len();
            let has_bit = bit < MOST && is_nullable(field);
            nullable.bits.push(has_bit.then_some(bit as u8));
            nullable.indices.extend(has_bit.then_some(index));
        }
        nullable
    }
}

impl NbtSource<'_> {
    /// Records that a field was present.
    fn see(&mut self, record: &Record, index: usize) {
        if let Some(bit) = record.layout::<Nullable>().bits[index]
            && let Some(frame) = self.innermost()
        {
            frame.seen |= 1 << bit;
        }
    }

    /// Returns the next omitted field, whose value is null. Leaves the record after the last one.
    fn absent(&mut self, record: &Record) -> Option<usize> {
        let seen = self.innermost().map_or(u64::MAX, |frame| frame.seen);
        let bit = (!seen).trailing_zeros() as usize;
        if let (Some(&index), Some(frame)) = (record.layout::<Nullable>().indices.get(bit), self.innermost()) {
            frame.seen |= 1 << bit;
            self.phase = Phase::Absent;
            return Some(index);
        }
        self.leave();
        None
    }

    /// Moves to the next field that the record has.
    pub(super) fn next_field(&mut self, record: &Record) -> Result<Option<usize>> {
        loop {
            if self.innermost().is_some_and(|frame| frame.within == Within::Ended) {
                return Ok(self.absent(record));
            }
            if !self.next_key()? {
                match self.innermost() {
                    Some(frame) if frame.within == Within::Compound => frame.within = Within::Ended,
                    _ => {
                        self.leave();
                        return Ok(None);
                    }
                }
                continue;
            }
            let mark = self.mark();
            let key = self.text()?;
            let known = record.index_of(&key);
            let kept = if known.is_none() { record.unknown_key(&key) } else { Ok(None) };
            match (known, kept) {
                (Some(index), _) => {
                    self.see(record, index);
                    return Ok(Some(index));
                }
                (None, Ok(Some(rest))) => {
                    self.reset(mark);
                    return Ok(Some(rest));
                }
                (None, Ok(None)) => self.skip()?,
                (None, Err(error)) => return Err(error.at(self.position())),
            }
        }
    }
}
