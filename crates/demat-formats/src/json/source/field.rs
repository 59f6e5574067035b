//! Fields of records: predicted, or found.

use super::JsonSource;
use crate::scan::{prefix16, space_end};
use demat_core::{Field, Record, Result, Source};

impl JsonSource<'_> {
    #[inline(always)]
    pub(super) fn read_field(&mut self, record: &Record, expected: usize) -> Result<Option<usize>> {
        let here = self.bytes.get(self.at).copied();
        if let Some(field) = record.fields().get(expected) {
            // `,"key":` with no blanks, as machines write it: one comparison under a mask.
            let token = field.token();
            if token.whole && (self.fresh || here == Some(b',')) {
                let at = self.at + usize::from(!self.fresh);
                if let Some(word) = prefix16(self.bytes, at)
                    && (word ^ token.head) & token.mask == 0
                {
                    self.at = at + token.len;
                    self.fresh = false;
                    return Ok(Some(expected));
                }
            }
        } else if here == Some(b'}') {
            self.close();
            return Ok(None);
        }
        self.find_field(record, expected)
    }

    #[inline(never)]
    fn find_field(&mut self, record: &Record, expected: usize) -> Result<Option<usize>> {
        loop {
            if !self.next_child(b'}')? {
                return Ok(None);
            }
            if self.next() != Some(b'"') {
                return Err(self.no_key());
            }
            if let Some(field) = record.fields().get(expected)
                && let Some(colon) = self.is_key(field)
            {
                self.at = colon + 1;
                return Ok(Some(expected));
            }
            let quote = self.at;
            let key = self.quoted()?;
            let found = match record.index_of(&key) {
                Some(index) => Ok(Some(index)),
                None => match record.unknown_key(&key) {
                    // The one who keeps unknown fields wants to ask for the key.
                    Ok(Some(rest)) => {
                        self.at = quote;
                        self.key = true;
                        return Ok(Some(rest));
                    }
                    Ok(None) => Ok(None),
                    Err(error) => Err(error),
                },
            };
            match found {
                Ok(found) => {
                    self.value()?;
                    if found.is_some() {
                        return Ok(found);
                    }
                    self.skip_value()?;
                }
                Err(error) => return Err(error.at(self.base.position(self.bytes, quote))),
            }
        }
    }

    /// Whether the key here is the field's, as it is written without escapes; gives the colon.
    #[inline(always)]
    fn is_key(&self, field: &Field) -> Option<usize> {
        let key = field.key().as_bytes();
        let rest = self.bytes.get(self.at + 1..)?;
        if !field.token().plain || !rest.starts_with(key) || rest.get(key.len()) != Some(&b'"') {
            return None;
        }
        let colon = space_end(self.bytes, self.at + key.len() + 2);
        (self.bytes.get(colon) == Some(&b':')).then_some(colon)
    }
}
