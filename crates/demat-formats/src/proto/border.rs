//! Where one of many messages may begin.

use super::{Proto, read_varint};
use crate::stream::Bordered;
use demat_core::Record;

/// So many messages in a row, each behind its length, are no chance.
const ROW: usize = 16;
/// So far the first of them is looked for, and so many fields are looked at.
const FAR: usize = 1 << 20;
const WORK: usize = 1 << 20;

impl Bordered for Proto {
    const MESSAGES: bool = true;

    fn anew(&self) -> Self {
        *self
    }

    /// Nothing in the bytes of a message tells where it begins; but what is a row of messages from one byte on is none from
    /// another, or hardly ever.
    fn border(&self, bytes: &[u8], from: usize, _: &Record) -> Option<usize> {
        begin(bytes, from)
    }
}

/// A byte behind `from` where a message seems to begin: the end of the first row that is found. What is taken for the first of a row
/// may be the end of a message, in which a byte happens to say how much is left of it; what follows that is none of chance.
fn begin(bytes: &[u8], from: usize) -> Option<usize> {
    let mut work = WORK;
    let far = bytes.len().min(from.saturating_add(FAR));
    for at in from..far {
        match row_end(bytes, at, &mut work) {
            Some(end) => return (end < bytes.len()).then_some(end),
            // That was enough.
            None if work == 0 => return None,
            None => {}
        }
    }
    None
}

/// Where the row of messages ends that begins there, if one does.
fn row_end(bytes: &[u8], mut at: usize, work: &mut usize) -> Option<usize> {
    for _ in 0..ROW {
        at = message_end(bytes, at, work)?;
    }
    Some(at)
}

/// Where a message ends that begins there with its length: one that has fields and is well-formed, without groups. Bytes of nothing
/// would be messages without fields.
fn message_end(bytes: &[u8], at: usize, work: &mut usize) -> Option<usize> {
    let (len, mut at) = number(bytes, at)?;
    let end = at.checked_add(usize::try_from(len).ok()?).filter(|end| *end <= bytes.len() && *end > at)?;
    while at < end {
        *work = work.checked_sub(1)?;
        let (tag, next) = number(bytes, at).filter(|(tag, _)| (8..1 << 32).contains(tag))?;
        at = match tag & 7 {
            0 => number(bytes, next)?.1,
            1 => next + 8,
            2 => {
                let (len, next) = number(bytes, next)?;
                next.checked_add(usize::try_from(len).ok()?)?
            }
            5 => next + 4,
            _ => return None,
        };
    }
    (at == end).then_some(end)
}

/// The number at a place, and where it ends.
fn number(bytes: &[u8], at: usize) -> Option<(u64, usize)> {
    let (value, len) = read_varint(bytes.get(at..)?)?;
    Some((value, at + len))
}
