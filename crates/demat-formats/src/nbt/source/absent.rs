//! Optional fields that a compound omits. NBT has no null, so an omitted field is null.

use super::frame::Within;
use super::{NbtSource, Phase};
use demat_core::{Record, Result, Source};

/// The maximum number of such fields in one record.
const MOST: usize = 32;

/// Returns the indices of the required fields that may be null. An omitted one is null.
fn nullable(record: &Record) -> impl Iterator<Item = usize> {
    let fields = record.fields().iter().enumerate();
    let nullable = fields.filter(|(_, field)| field.required() && field.default().is_none());
    nullable.filter(|(_, field)| field.shape().allows_null()).map(|(index, _)| index).take(MOST)
}

impl NbtSource<'_> {
    /// Records that a field was present.
    fn see(&mut self, record: &Record, index: usize) {
        let field = &record.fields()[index];
        if field.required()
            && let Some(place) = nullable(record).position(|own| own == index)
            && let Some(frame) = self.innermost()
        {
            frame.seen |= 1 << place;
        }
    }

    /// Returns the next omitted field, whose value is null. Leaves the record after the last one.
    fn absent(&mut self, record: &Record) -> Option<usize> {
        let seen = self.innermost().map_or(u32::MAX, |frame| frame.seen);
        let absent = nullable(record).enumerate().find(|(place, _)| seen & 1 << place == 0);
        if let (Some((place, index)), Some(frame)) = (absent, self.innermost()) {
            frame.seen |= 1 << place;
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
