//! Fields of records: finds the next field, with a prediction for the common order.

use super::JsonSource;
use crate::scan::{indent_end, json_short_text, padded16, prefetch_ahead, prefix16, space_end};
use crate::text::short_number;
use demat_core::{Field, KeyPattern, Record, Result, Source, Unknown};

/// Cache of the unknown keys at one place in a record.
///
/// Records of one list usually have the same keys. The keys that were skipped here in the last record are expected
/// again; then one comparison recognises each of them.
#[derive(Debug, Clone, Default)]
pub(super) struct Passed {
    record: u64,
    expected: usize,
    /// Whether the first of them was the first key of its record. Then it has no comma before it.
    fresh: bool,
    count: usize,
    keys: [Key; KEYS],
}

/// A key as it was written, from the comma to the colon, and its first value.
#[derive(Debug, Clone, Copy, Default)]
struct Key {
    head: u128,
    mask: u128,
    len: usize,
    value: u128,
    value_mask: u128,
    value_len: usize,
}

/// The number of keys to remember for one place in a record.
const KEYS: usize = 8;
/// The number of places to remember; a power of two.
const PLACES: usize = 8;

fn place(record: &Record, expected: usize) -> usize {
    (record.identity() as usize / 8 + expected) % PLACES
}

impl JsonSource<'_> {
    #[inline(always)]
    pub(super) fn read_field(&mut self, record: &Record, expected: usize) -> Result<Option<usize>> {
        if expected < record.fields().len() {
            if let Some(found) = self.predicted(record, expected) {
                return Ok(Some(found));
            }
        } else if self.bytes.get(self.at) == Some(&b'}') {
            self.close();
            return Ok(None);
        } else if self.pass_rest(record, expected) {
            return Ok(None);
        }
        self.other_field(record, expected)
    }

    /// Skips the rest of the record, if all of it was skipped in the last one. Otherwise it moves nothing.
    #[inline(always)]
    fn pass_rest(&mut self, record: &Record, expected: usize) -> bool {
        let Some(keys) = self.passed_here(record, expected) else { return false };
        let Plain { at, count, at_value } = pass_plain(self.wide.bytes(), self.at, keys);
        if count == 0 || at_value || self.bytes.get(at) != Some(&b'}') {
            return false;
        }
        self.at = at;
        self.close();
        true
    }

    /// Returns the keys that were skipped at this place of the last such record.
    #[inline(always)]
    fn passed_here(&self, record: &Record, expected: usize) -> Option<&[Key]> {
        let passed = self.passed.get(place(record, expected))?;
        let here = passed.record == record.identity()
            && (passed.expected, passed.fresh) == (expected, self.fresh)
            && record.unknown() == Unknown::Ignore;
        here.then(|| &passed.keys[..passed.count.min(KEYS)])
    }

    /// Returns the expected field if its key is next, in compact form (`,"key":`): one masked comparison.
    #[inline(always)]
    fn predicted(&mut self, record: &Record, expected: usize) -> Option<usize> {
        self.pass_token(record.fields().get(expected)?.token()).then_some(expected)
    }

    /// Steps past the key pattern, if it is next and the comma before it is as it must be.
    #[inline(always)]
    fn pass_token(&mut self, token: &KeyPattern) -> bool {
        if !token.whole || (!self.fresh && self.bytes.get(self.at) != Some(&b',')) {
            return false;
        }
        let at = self.at + usize::from(!self.fresh);
        let Some(word) = prefix16(self.wide.bytes(), at) else { return false };
        if (word ^ token.head) & token.mask != 0 {
            return false;
        }
        self.at = at + token.len;
        self.fresh = false;
        true
    }

    /// Steps past a key and its colon, if they are next: compact, on a line of their own, or after a space.
    #[inline(always)]
    pub(super) fn pass_key(&mut self, key: &str, token: &KeyPattern) -> bool {
        prefetch_ahead(self.bytes, self.at);
        token.plain && (self.pass_long_key(key, token) || self.pass_token(token))
    }

    /// As [`pass_key`](Self::pass_key), for keys after whitespace or longer than their pattern.
    #[inline(always)]
    fn pass_long_key(&mut self, key: &str, token: &KeyPattern) -> bool {
        let Some(block) = self.wide.block(self.at) else { return false };
        let mut at = 0;
        if !self.fresh {
            if block[0] != b',' {
                return false;
            }
            at = 1;
        }
        if matches!(block[at], b'\n' | b' ') {
            // `indent_end` returns one more than it looks at if it finds no end.
            at += block[at..].first_chunk().map_or(0, indent_end);
        }
        let quoted = &block[at..];
        let word = quoted.first_chunk().map_or(0, |word| u128::from_le_bytes(*word));
        if (word ^ token.head) & token.mask != 0 {
            return false;
        }
        if !token.whole && !quoted.get(14..).is_some_and(|rest| starts_with_rest(rest, key)) {
            return false;
        }
        let end = self.at + at + token.len;
        // Bytes behind the slice do not belong to it.
        if end > self.bytes.len() {
            return false;
        }
        self.at = end;
        self.fresh = false;
        true
    }

    /// Finds a field other than the expected one. Tries the keys that were skipped here before first.
    #[inline(never)]
    fn other_field(&mut self, record: &Record, expected: usize) -> Result<Option<usize>> {
        if let Some(field) = record.fields().get(expected)
            && field.token().plain
            && self.pass_long_key(field.key(), field.token())
        {
            return Ok(Some(expected));
        }
        let Some(keys) = self.passed_here(record, expected) else {
            return self.find_field(record, expected, 0);
        };
        let Plain { at, count, at_value } = pass_plain(self.wide.bytes(), self.at, keys);
        self.fresh &= count == 0 && !at_value;
        self.at = at;
        if at_value {
            // The key is one to skip, but its value is not a plain one.
            self.skip_value()?;
            return self.find_field(record, expected, count + 1);
        }
        if count > 0 {
            if self.bytes.get(at) == Some(&b'}') {
                self.close();
                return Ok(None);
            }
            if let Some(found) = self.predicted(record, expected) {
                return Ok(Some(found));
            }
        }
        self.find_field(record, expected, count)
    }

    /// Finds the next field that the record has, after `count` unknown ones.
    #[inline(never)]
    fn find_field(&mut self, record: &Record, expected: usize, mut count: usize) -> Result<Option<usize>> {
        loop {
            let (start, fresh) = (self.at, self.fresh);
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
                    // For a record that keeps unknown fields, the caller reads the key itself.
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
                    let colon = self.at;
                    self.skip_value()?;
                    self.remember(record, (expected, fresh), count, start, colon);
                    count += 1;
                }
                Err(error) => return Err(error.at(self.counter.position(&self.base, self.bytes, quote))),
            }
        }
    }

    /// Remembers the unknown key between `start` and `colon`, with its value up to the current position, as number
    /// `count` at this place.
    fn remember(
        &mut self,
        record: &Record,
        (expected, fresh): (usize, bool),
        count: usize,
        start: usize,
        colon: usize,
    ) {
        let (key, value) = (&self.bytes[start..colon], &self.bytes[colon..self.at]);
        if count >= KEYS || key.len() > 16 || record.unknown() != Unknown::Ignore {
            return;
        }
        if self.passed.is_empty() {
            self.passed.resize_with(PLACES, Passed::default);
        }
        let passed = &mut self.passed[place(record, expected)];
        let same = passed.record == record.identity() && passed.expected == expected;
        if !same || (count == 0 && passed.fresh != fresh) {
            *passed = Passed { record: record.identity(), expected, fresh, ..Passed::default() };
        }
        if count > passed.count {
            return;
        }
        let short = value.len() <= 16 && matches!(value[0], b'"' | b't' | b'f' | b'n');
        passed.count = count + 1;
        passed.keys[count] = Key {
            head: padded16(key, 0),
            mask: KeyPattern::mask(key.len()),
            len: key.len(),
            value: padded16(value, 0),
            // An empty mask with a value other than zero never matches.
            value_mask: if short { KeyPattern::mask(value.len()) } else { 0 },
            value_len: value.len(),
        };
    }

    /// Returns the position of the colon if the next key is the field's, written without escapes.
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

/// Whether the text continues with the key from its 14th byte on, then a quote and a colon.
#[inline(always)]
fn starts_with_rest(text: &[u8], key: &str) -> bool {
    let Some(rest) = key.as_bytes().get(13..) else { return false };
    let Some(text) = text.get(..rest.len() + 2) else { return false };
    text.starts_with(rest) && text.ends_with(b"\":")
}

/// Progress of [`pass_plain`].
struct Plain {
    at: usize,
    count: usize,
    /// Whether the position is at the value of a key to skip.
    at_value: bool,
}

/// Skips keys with plain values: values equal to the first ones, short numbers, and plain strings.
#[inline(always)]
fn pass_plain(bytes: &[u8], from: usize, keys: &[Key]) -> Plain {
    let mut at = from;
    for (count, key) in keys.iter().enumerate() {
        // One bounds check covers the key and the inspected part of the value.
        let Some(block) = bytes.get(at..).and_then(|rest| rest.first_chunk::<64>()) else {
            return Plain { at, count, at_value: false };
        };
        if (word16(block, 0) ^ key.head) & key.mask != 0 {
            return Plain { at, count, at_value: false };
        }
        // A key has up to 16 bytes. The mask tells the compiler so.
        let value = key.len & 31;
        let word = word16(block, value);
        if word & key.value_mask == key.value {
            at += value + key.value_len;
        } else if let Some((_, len)) = short_number(word as u64) {
            at += value + len;
        } else {
            at += value;
            let text = if word as u8 == b'"' { json_short_text(bytes, at + 1) } else { None };
            let Some(text) = text else { return Plain { at, count, at_value: true } };
            at += text.len() + 2;
        }
    }
    Plain { at, count: keys.len(), at_value: false }
}

/// Returns 16 bytes from the first half of a block.
#[inline(always)]
fn word16(block: &[u8; 64], at: usize) -> u128 {
    let mut word = [0; 16];
    word.copy_from_slice(&block[at..at + 16]);
    u128::from_le_bytes(word)
}
