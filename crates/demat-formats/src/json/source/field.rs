//! Fields of records: predicted, or found.

use super::JsonSource;
use crate::scan::{json_plain, prefix16, space_end};
use demat_core::{Field, Record, Result, Source, Token, Unknown};

/// A key that nobody wanted, and where in which record that was.
///
/// Records of one place are mostly alike: what was passed over here in the last one is expected again, and then known by
/// one comparison to be unwanted.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Passed {
    record: u64,
    expected: usize,
    head: u128,
    mask: u128,
    len: usize,
}

/// So many passed keys are remembered; a power of two.
const PASSED: usize = 32;

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
        let mut passed = 0;
        if !self.passed.is_empty() && record.unknown() == Unknown::Ignore {
            passed = self.pass_again(record, expected)?;
            if passed > 0 {
                if self.bytes.get(self.at) == Some(&b'}') {
                    self.close();
                    return Ok(None);
                }
                if let Some(field) = record.fields().get(expected)
                    && let Some(word) = prefix16(self.bytes, self.at + 1)
                    && self.bytes[self.at] == b','
                    && field.token().whole
                    && (word ^ field.token().head) & field.token().mask == 0
                {
                    self.at += 1 + field.token().len;
                    return Ok(Some(expected));
                }
            }
        }
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
                    self.remember(record, expected, passed, quote);
                    passed += 1;
                    self.skip_value()?;
                }
                Err(error) => return Err(error.at(self.base.position(self.bytes, quote))),
            }
        }
    }

    /// Remembers the key from `quote` up to and with the colon, if it was written as machines write it.
    fn remember(&mut self, record: &Record, expected: usize, passed: usize, quote: usize) {
        let bytes = &self.bytes[quote..self.at];
        if bytes.len() > 16 || record.unknown() != Unknown::Ignore || bytes.contains(&b' ') {
            return;
        }
        if self.passed.is_empty() {
            self.passed.resize(PASSED, Passed::default());
        }
        let mut head = [0; 16];
        head[..bytes.len()].copy_from_slice(bytes);
        self.passed[(expected + passed) % PASSED] = Passed {
            record: record.identity(),
            expected,
            head: u128::from_le_bytes(head),
            mask: Token::mask(bytes.len()),
            len: bytes.len(),
        };
    }

    /// Passes over the keys and values that were passed over here the last time, for as long as they are the same; says
    /// how many.
    #[inline]
    fn pass_again(&mut self, record: &Record, expected: usize) -> Result<usize> {
        let identity = record.identity();
        let mut count = 0;
        loop {
            let comma = usize::from(!self.fresh);
            let passed = &self.passed[(expected + count) % PASSED];
            let Some(word) = prefix16(self.bytes, self.at + comma) else { return Ok(count) };
            if (word ^ passed.head) & passed.mask != 0
                || passed.record != identity
                || passed.expected != expected
                || (comma == 1 && self.bytes[self.at] != b',')
            {
                return Ok(count);
            }
            self.at += comma + passed.len;
            self.fresh = false;
            count += 1;
            match self.bytes.get(self.at) {
                Some(b'"') => {
                    let end = json_plain(self.bytes, self.at + 1);
                    if self.bytes.get(end) == Some(&b'"') {
                        self.at = end + 1;
                        continue;
                    }
                }
                Some(b'1'..=b'9') => {
                    // Byte by byte: numbers here are about as long as in the last record, so that the branches are
                    // foreseen, and what follows does not wait for the length.
                    let mut end = self.at + 1;
                    while self.bytes.get(end).is_some_and(u8::is_ascii_digit) {
                        end += 1;
                    }
                    if matches!(self.bytes.get(end), Some(b',' | b'}')) {
                        self.at = end;
                        continue;
                    }
                }
                _ => {}
            }
            self.skip_value()?;
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
