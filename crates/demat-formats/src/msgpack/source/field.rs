//! Fields of records: finds the next field, with a prediction for the usual order.

use super::MsgpackSource;
use crate::scan::prefix16;
use demat_core::{Field, KeyPattern, Record, Result, Source};

/// The first byte of a text of up to 31 bytes, without its length.
const SHORT_TEXT: u8 = 0xa0;
/// The longest text whose length is in its first byte.
const LONGEST: usize = 31;

impl MsgpackSource<'_> {
    /// Steps to the next field. Skips unknown keys as the record says.
    #[inline(always)]
    pub(super) fn read_field(&mut self, record: &Record, expected: usize) -> Result<Option<usize>> {
        if !self.next_child()? {
            return Ok(None);
        }
        if let Some(field) = record.fields().get(expected)
            && let Some(end) = self.end_of_field(field)
        {
            self.start = self.at;
            self.at = end;
            return Ok(Some(expected));
        }
        self.find_field(record)
    }

    /// Returns the end of the field's key, if it is next.
    #[inline(always)]
    fn end_of_field(&self, field: &Field) -> Option<usize> {
        self.end_of_key(field.key(), field.token())
    }

    /// Returns the end of the key, if it is next.
    #[inline(always)]
    pub(super) fn end_of_key(&self, key: &str, token: &KeyPattern) -> Option<usize> {
        let len = key.len();
        // An empty key is that of a field for unknown keys.
        if len == 0 || len > LONGEST {
            return None;
        }
        let first = SHORT_TEXT | len as u8;
        if token.whole
            && let Some(word) = prefix16(self.input.bytes(), self.at)
        {
            // The pattern has a quote before the key, where MessagePack has the length, and two bytes after it.
            let mask = token.mask >> 16;
            let pattern = (token.head & mask & !0xff) | u128::from(first);
            return (word & mask == pattern).then_some(self.at + 1 + len);
        }
        let found = self.input.bytes().get(self.at..)?.get(..=len)?;
        (found[0] == first && &found[1..] == key.as_bytes()).then_some(self.at + 1 + len)
    }

    /// Finds the field of the key that is next, or of one after it.
    #[inline(never)]
    fn find_field(&mut self, record: &Record) -> Result<Option<usize>> {
        loop {
            let mark = self.mark();
            let key = self.read_text()?;
            if let Some(index) = record.index_of(key) {
                return Ok(Some(index));
            }
            match record.unknown_key(key) {
                // The caller reads the key itself.
                Ok(Some(rest)) => {
                    self.reset(mark);
                    return Ok(Some(rest));
                }
                Ok(None) => self.skip()?,
                Err(error) => return Err(error.at(self.position())),
            }
            if !self.next_child()? {
                return Ok(None);
            }
        }
    }
}
