//! Raw fields: splits a message into tags and values without its record.
//!
//! ```
//! use demat_formats::proto::raw;
//! let message = b"\x08\x96\x01\x12\x04Room";
//! let id = raw::read(message, 0).ok_or("no field")?;
//! assert_eq!((id.number, id.wire, &message[id.at..id.end]), (1, raw::VARINT, &b"\x96\x01"[..]));
//! let title = raw::read(message, id.end).ok_or("no field")?;
//! assert_eq!((title.number, title.wire, &message[title.at..title.end]), (2, raw::LEN, &b"\x04Room"[..]));
//! assert!(raw::read(message, title.end).is_none());
//! # Ok::<(), &str>(())
//! ```

use super::tag::LONGEST;
use super::varint::read_varint;

/// Wire type of a varint.
pub const VARINT: u8 = 0;
/// Wire type of eight bytes.
pub const EIGHT: u8 = 1;
/// Wire type of a length-prefixed value.
pub const LEN: u8 = 2;
/// Wire type of the tag that begins a group.
pub const BEGIN: u8 = 3;
/// Wire type of the tag that ends a group.
pub const END: u8 = 4;
/// Wire type of four bytes.
pub const FOUR: u8 = 5;

/// The maximum nesting depth of groups that are skipped.
const DEEPEST: u32 = 100;

/// A field of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RawField {
    /// The field number.
    pub number: u32,
    /// The wire type, which determines how the value is delimited.
    pub wire: u8,
    /// The offset of the tag.
    pub tag: usize,
    /// The offset of the value, or of its length if it has one.
    pub at: usize,
    /// The offset behind the value; of a group, behind its end tag.
    pub end: usize,
}

/// Reads the field whose tag is at this offset. Returns `None` if it is malformed or does not end within the message.
#[inline(always)]
pub fn read(bytes: &[u8], tag: usize) -> Option<RawField> {
    let byte = *bytes.get(tag)?;
    let (key, at) = if byte < 0x80 { (u32::from(byte), tag + 1) } else { long_tag(bytes, tag)? };
    let wire = (key & 7) as u8;
    let number = key >> 3;
    let end = match wire {
        LEN => {
            let (len, at) = length(bytes, at)?;
            at.checked_add(len)?
        }
        VARINT => varint_end(bytes, at)?,
        FOUR => at + 4,
        EIGHT => at + 8,
        BEGIN => group_end(bytes, at, number, 0)?,
        _ => return None,
    };
    (end <= bytes.len() && number != 0).then_some(RawField { number, wire, tag, at, end })
}

/// Counts the fields directly behind this one that have the same tag and length, of one byte each.
///
/// List items often have the same length as the one before. Comparing at a predicted offset does not wait for the
/// length to be read, as a normal step does; and eight comparisons are made at once.
#[inline(always)]
pub fn repeats(bytes: &[u8], one: RawField) -> usize {
    let stride = one.end - one.tag;
    let Some([tag, len]) = bytes.get(one.tag..).and_then(<[u8]>::first_chunk) else { return 0 };
    let is_short = one.wire == LEN && *tag < 0x80 && *len < 0x80 && stride == 2 + usize::from(*len);
    let rest = bytes.get(one.end..).unwrap_or_default();
    if !is_short || rest.len() < stride || rest[0] != *tag || rest[1] != *len {
        return 0;
    }
    let mut count = if stride <= SHORT { repeats_short(rest, *tag, *len, stride) } else { 0 };
    for eight in rest[count * stride..].chunks_exact(8 * stride) {
        let differ = |at: usize| (eight[at * stride] ^ tag) | (eight[at * stride + 1] ^ len);
        if (0..8).fold(0, |differs, at| differs | differ(at)) != 0 {
            break;
        }
        count += 8;
    }
    let left = rest[count * stride..].chunks_exact(stride);
    count + left.take_while(|next| next[0] == *tag && next[1] == *len).count()
}

/// Items of up to this size, with tag and length, are compared many at a time.
const SHORT: usize = 16;

/// Counts the first of them in steps of sixteen: compares tags and lengths at the offsets of a pattern, and ignores all
/// other bytes.
#[inline(never)]
fn repeats_short(rest: &[u8], tag: u8, len: u8, stride: usize) -> usize {
    if rest.len() < 64 * stride {
        return 0;
    }
    let (mut wanted, mut counts) = ([[0_u8; 16]; SHORT], [[0_u8; 16]; SHORT]);
    for at in (0..16).map(|item| item * stride) {
        for (at, byte) in [(at, tag), (at + 1, len)] {
            wanted[at / 16][at % 16] = byte;
            counts[at / 16][at % 16] = u8::MAX;
        }
    }
    let (wanted, counts) = (wanted.map(u128::from_ne_bytes), counts.map(u128::from_ne_bytes));
    let mut count = 0;
    for sixteen in rest.chunks_exact(16 * stride) {
        let blocks = sixteen.as_chunks::<16>().0.iter().zip(wanted.iter().zip(&counts));
        let differs =
            blocks.fold(0, |all, (own, (wanted, counts))| all | (u128::from_ne_bytes(*own) ^ wanted) & counts);
        if differs != 0 {
            break;
        }
        count += 16;
    }
    count
}

#[inline(never)]
fn long_tag(bytes: &[u8], tag: usize) -> Option<(u32, usize)> {
    let (key, len) = read_varint(bytes.get(tag..)?)?;
    (len <= LONGEST).then_some((u32::try_from(key).ok()?, tag + len))
}

/// Reads a length. Returns it and the offset behind it; `None` if it is malformed.
#[inline(always)]
pub fn length(bytes: &[u8], at: usize) -> Option<(usize, usize)> {
    let byte = *bytes.get(at)?;
    if byte < 0x80 {
        return Some((usize::from(byte), at + 1));
    }
    let (len, count) = read_varint(&bytes[at..])?;
    Some((usize::try_from(len).ok()?, at + count))
}

#[inline(always)]
fn varint_end(bytes: &[u8], at: usize) -> Option<usize> {
    if *bytes.get(at)? < 0x80 {
        return Some(at + 1);
    }
    let count = bytes[at..].iter().take(10).position(|byte| *byte < 0x80)?;
    Some(at + count + 1)
}

/// Returns the end of a group, behind its end tag.
#[inline(never)]
fn group_end(bytes: &[u8], mut at: usize, number: u32, depth: u32) -> Option<usize> {
    if depth > DEEPEST {
        return None;
    }
    loop {
        let (key, next) = long_tag(bytes, at)?;
        at = match (key & 7) as u8 {
            END if key >> 3 == number => return Some(next),
            BEGIN => group_end(bytes, next, key >> 3, depth + 1)?,
            END => return None,
            _ => read(bytes, at)?.end,
        };
    }
}

/// Returns begin and end of a group's content, without its end tag.
pub fn group_content(bytes: &[u8], group: RawField) -> (usize, usize) {
    let tag = u64::from(group.number) << 3 | u64::from(END);
    let len = (64 - tag.leading_zeros() as usize).div_ceil(7);
    debug_assert!(bytes.len() >= group.end);
    (group.at, group.end.saturating_sub(len).max(group.at))
}

#[cfg(test)]
mod tests;
