//! Where one of many messages may begin.

use demat_formats::proto::read_varint;

/// So many messages in a row, each behind its length, are no chance.
const ROW: usize = 16;
/// So far the first of them is looked for, and so many fields are looked at.
const FAR: usize = 1 << 20;
const WORK: usize = 1 << 20;

/// The first byte from `from` on where a row of messages seems to begin.
pub(super) fn begin(bytes: &[u8], from: usize) -> Option<usize> {
    let mut work = WORK;
    let far = bytes.len().min(from.saturating_add(FAR));
    for at in from..far {
        if is_row(bytes, at, &mut work)? {
            return Some(at);
        }
    }
    None
}

/// Whether a row of messages begins there, or the last of them; nothing where that was enough work.
fn is_row(bytes: &[u8], mut at: usize, work: &mut usize) -> Option<bool> {
    for _ in 0..ROW {
        if at == bytes.len() {
            return Some(true);
        }
        match message_end(bytes, at, work) {
            Some(end) => at = end,
            None => return (*work > 0).then_some(false),
        }
    }
    Some(true)
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
