//! Fields of records and keys of maps: finds the next one, with a prediction for the usual order.

use super::CborSource;
use crate::binary::{Frame, Left, Within, end_of_key};
use demat_core::{KeyPattern, Record, Result, Source};

/// The first byte of a text of up to 23 bytes, without its length.
const SHORT_TEXT: u8 = 0x60;
/// The longest text whose length is in its first byte.
const LONGEST: usize = 23;

impl CborSource<'_> {
    /// Steps to the next field. Skips unknown keys as the record says.
    #[inline]
    pub(super) fn read_field(&mut self, record: &Record, expected: usize) -> Result<Option<usize>> {
        if !self.next_child()? {
            return Ok(None);
        }
        if let Some(field) = record.fields().get(expected)
            && let Some(end) = self.end_of_key(field.key(), field.token())
        {
            (self.start, self.at) = (self.at, end);
            return Ok(Some(expected));
        }
        self.find_field(record)
    }

    /// Steps over the key if it is the next one of a map.
    #[inline]
    pub(super) fn pass_key(&mut self, key: &str, token: &KeyPattern) -> bool {
        let Some(end) = self.end_of_key(key, token) else { return false };
        match self.stack.top() {
            Some(Frame { left: Left::Count(left @ 1..), .. }) => *left -= 1,
            // A key is no break.
            Some(Frame { within: Within::Map, left: Left::Mark }) => {}
            _ => return false,
        }
        (self.start, self.at) = (self.at, end);
        true
    }

    /// Returns the end of the key, if it is next and in its usual form.
    #[inline(always)]
    fn end_of_key(&self, key: &str, token: &KeyPattern) -> Option<usize> {
        end_of_key::<SHORT_TEXT, LONGEST>(self.input.bytes(), self.at, key, token)
    }

    /// Finds the field of the key that is next, or of one after it.
    #[inline(never)]
    fn find_field(&mut self, record: &Record) -> Result<Option<usize>> {
        loop {
            let mark = self.mark();
            let key = self.text()?;
            let known = record.index_of(&key);
            let kept = if known.is_none() { record.unknown_key(&key) } else { Ok(None) };
            match (known, kept) {
                (Some(index), _) => return Ok(Some(index)),
                // The caller reads the key itself.
                (None, Ok(Some(rest))) => {
                    self.reset(mark);
                    return Ok(Some(rest));
                }
                (None, Ok(None)) => self.skip()?,
                (None, Err(error)) => return Err(error.at(self.position())),
            }
            if !self.next_child()? {
                return Ok(None);
            }
        }
    }
}
