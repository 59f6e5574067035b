//! Record boundaries: where a message in a stream of messages may begin.

use super::{Proto, read_varint};
use crate::stream::Bordered;
use demat_core::Record;

/// The number of consecutive length-prefixed messages that are accepted as evidence of a boundary.
const ROW: usize = 16;
/// The number of bytes in which to search for a boundary, and the number of fields to look at.
const FAR: usize = 1 << 20;
const WORK: usize = 1 << 20;

impl Bordered for Proto {
    const MESSAGES: bool = true;

    fn anew(&self) -> Self {
        *self
    }

    /// Nothing in the bytes of a message marks its beginning. But bytes that parse as a row of messages from one offset
    /// hardly ever do so from another.
    fn border(&self, bytes: &[u8], from: usize, _: &Record) -> Option<usize> {
        begin(bytes, from)
    }
}

/// Returns an offset behind `from` where a message seems to begin: the end of the first row that is found. The first
/// message of that row may be a false match at the end of a message, where a byte happens to equal the remaining
/// length. The later ones in the row are not.
fn begin(bytes: &[u8], from: usize) -> Option<usize> {
    let mut work = WORK;
    let far = bytes.len().min(from.saturating_add(FAR));
    for at in from..far {
        match row_end(bytes, at, &mut work) {
            Some(end) => return (end < bytes.len()).then_some(end),
            // Enough work was done.
            None if work == 0 => return None,
            None => {}
        }
    }
    None
}

/// Returns the end of the row of messages that begins at `at`, if there is one.
fn row_end(bytes: &[u8], mut at: usize, work: &mut usize) -> Option<usize> {
    for _ in 0..ROW {
        at = message_end(bytes, at, work)?;
    }
    Some(at)
}

/// Returns the end of the length-prefixed message at `at`. It must have fields and be well-formed, without groups. An
/// empty message does not count, since zero bytes would be a row of those.
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

/// Returns the varint at `at`, and its end.
fn number(bytes: &[u8], at: usize) -> Option<(u64, usize)> {
    let (value, len) = read_varint(bytes.get(at..)?)?;
    Some((value, at + len))
}
