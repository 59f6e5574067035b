//! Fields of records: predicted, or found.

use super::JsonSource;
use crate::scan::{indent_end, json_short_text, padded16, prefetch_ahead, prefix16, space_end};
use crate::text::short_number;
use demat_core::{Field, KeyPattern, Record, Result, Source, Unknown};

/// Keys that nobody wanted, and where in which record that was.
///
/// Records of one place are mostly alike: what was passed over here in the last one is expected again, and then known by
/// one comparison to be unwanted.
#[derive(Debug, Clone, Default)]
pub(super) struct Passed {
    record: u64,
    expected: usize,
    /// Whether the first of them was the first of its record: then no comma stood before it, and none may.
    fresh: bool,
    count: usize,
    keys: [Key; KEYS],
}

/// A key as it stood, from the comma to the colon, and the value that it had the first time.
#[derive(Debug, Clone, Copy, Default)]
struct Key {
    head: u128,
    mask: u128,
    len: usize,
    value: u128,
    value_mask: u128,
    value_len: usize,
}

/// So many keys are remembered for one place in a record.
const KEYS: usize = 8;
/// So many places are remembered; a power of two.
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

    /// Passes over the rest of the record, if all of it was passed over in the last one; otherwise it stays here.
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

    /// The keys that were passed over here in the last such record.
    #[inline(always)]
    fn passed_here(&self, record: &Record, expected: usize) -> Option<&[Key]> {
        let passed = self.passed.get(place(record, expected))?;
        let here = passed.record == record.identity()
            && (passed.expected, passed.fresh) == (expected, self.fresh)
            && record.unknown() == Unknown::Ignore;
        here.then(|| &passed.keys[..passed.count.min(KEYS)])
    }

    /// The expected field, if it comes as machines write it, `,"key":` with no blanks: one comparison under a mask.
    #[inline(always)]
    fn predicted(&mut self, record: &Record, expected: usize) -> Option<usize> {
        self.pass_token(record.fields().get(expected)?.token()).then_some(expected)
    }

    /// Steps past the token, if it stands here behind the comma that must.
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

    /// Steps past the key and its colon, if they stand here: compact, on a line of their own, or behind a space.
    #[inline(always)]
    pub(super) fn pass_key(&mut self, key: &str, token: &KeyPattern) -> bool {
        prefetch_ahead(self.bytes, self.at);
        token.plain && (self.pass_long_key(key, token) || self.pass_token(token))
    }

    /// The same for keys that are behind blanks, or that a token does not hold.
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
            // One more than can be the end of what is looked at means that there is none.
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
        // What lies behind the slice is no part of it.
        if end > self.bytes.len() {
            return false;
        }
        self.at = end;
        self.fresh = false;
        true
    }

    /// Another field than the expected one, or one that nobody wants: first what was passed over here before.
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
            // The key is one that is passed over, its value none of the plain ones.
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

    /// The next field that is wanted, after `count` that were not.
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
                    let colon = self.at;
                    self.skip_value()?;
                    self.remember(record, (expected, fresh), count, start, colon);
                    count += 1;
                }
                Err(error) => return Err(error.at(self.base.position(self.bytes, quote))),
            }
        }
    }

    /// Remembers the key that stood from `start` up to `colon`, and its value up to here, as the one that came after
    /// so many others.
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
            // A mask of nothing with a value of something never fits.
            value_mask: if short { KeyPattern::mask(value.len()) } else { 0 },
            value_len: value.len(),
        };
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

/// Whether the text goes on as the key does from its 14th byte on, and then with a quote and a colon.
#[inline(always)]
fn starts_with_rest(text: &[u8], key: &str) -> bool {
    let Some(rest) = key.as_bytes().get(13..) else { return false };
    let Some(text) = text.get(..rest.len() + 2) else { return false };
    text.starts_with(rest) && text.ends_with(b"\":")
}

/// How far [`pass_plain`] came.
struct Plain {
    at: usize,
    count: usize,
    /// Whether it stands at the value of a key that is passed over.
    at_value: bool,
}

/// Passes over keys and their plain values: those that are the same as the first time, short numbers, plain strings.
#[inline(always)]
fn pass_plain(bytes: &[u8], from: usize, keys: &[Key]) -> Plain {
    let mut at = from;
    for (count, key) in keys.iter().enumerate() {
        // One check of the bounds for the key and what of the value is looked at.
        let Some(block) = bytes.get(at..).and_then(|rest| rest.first_chunk::<64>()) else {
            return Plain { at, count, at_value: false };
        };
        if (word16(block, 0) ^ key.head) & key.mask != 0 {
            return Plain { at, count, at_value: false };
        }
        // A key has up to 16 bytes; the mask says so to the compiler.
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

/// 16 bytes from the first half of a block.
#[inline(always)]
fn word16(block: &[u8; 64], at: usize) -> u128 {
    let mut word = [0; 16];
    word.copy_from_slice(&block[at..at + 16]);
    u128::from_le_bytes(word)
}
