//! Appends a few bytes by storing a whole block and counting only some of it.
//!
//! A copy of unknown length is a call; one of a fixed length is an instruction. So these functions reserve room for the
//! whole block, store all of it, and add only the length that counts.

use super::room::Room;

/// Appends a comma, if `comma` is set, and the first `len` bytes of the block.
///
/// # Panics
/// If the block is shorter than `len`.
#[inline(always)]
pub(crate) fn append_block<const N: usize>(out: &mut impl Room, comma: bool, block: [u8; N], len: usize) {
    assert!(len <= N);
    let comma = usize::from(comma);
    let to = out.room(N + 1);
    // SAFETY: there is room for `N + 1` bytes. Both stores stay inside, as `comma` is 0 or 1, and where it is 0 the
    // block covers the comma, `N` being at least 1. Of what was stored, the first `comma + len <= N + 1` bytes count.
    unsafe {
        const { assert!(N > 0) };
        to.write(b',');
        to.add(comma).cast::<[u8; N]>().write(block);
        out.count(comma + len);
    }
}

/// Appends the first `len` bytes of some words, the first byte lowest, in quotes, and another byte.
///
/// # Panics
/// If there are fewer bytes.
#[inline(always)]
pub(crate) fn append_quoted_words<const N: usize>(out: &mut impl Room, words: [u64; N], len: usize, behind: u8) {
    assert!(len <= 8 * N);
    let to = out.room(8 * N + 3);
    // SAFETY: there is room for `8 * N + 3` bytes, and the stores end at `1 + 8 * N` and at `len + 3`. Of what was stored,
    // the first `len + 3` bytes count.
    unsafe {
        to.write(b'"');
        store_words(to.add(1), words);
        to.add(1 + len).cast::<[u8; 2]>().write([b'"', behind]);
        out.count(len + 3);
    }
}

/// Appends bytes; up to 16 of them without a call.
#[inline(always)]
pub(crate) fn append_bytes(out: &mut impl Room, bytes: &[u8]) {
    let len = bytes.len();
    if let (Some(first), Some(last), 8..=16) = (bytes.first_chunk(), bytes.last_chunk(), len) {
        // Where both halves overlap, they are equal.
        let word = u128::from(u64::from_le_bytes(*first)) | u128::from(u64::from_le_bytes(*last)) << (8 * (len - 8));
        append_block(out, false, word.to_le_bytes(), len);
    } else if let (Some(first), Some(last), 4..8) = (bytes.first_chunk(), bytes.last_chunk(), len) {
        let word = u64::from(u32::from_le_bytes(*first)) | u64::from(u32::from_le_bytes(*last)) << (8 * (len - 4));
        append_block(out, false, word.to_le_bytes(), len);
    } else {
        out.append(|out| out.extend_from_slice(bytes));
    }
}

/// Appends a byte, and up to 32 others behind it without a call.
#[inline(always)]
pub(crate) fn append_headed(out: &mut impl Room, head: u8, bytes: &[u8]) {
    let len = bytes.len();
    if len > 32 {
        return out.append(|out| append_long(out, head, bytes));
    }
    let to = out.room(33);
    // SAFETY: there is room for 33 bytes. Both stores of a pair are within the `len` bytes behind the first one, and
    // together they cover them; of 0 to 3 bytes each is stored by itself.
    unsafe {
        to.write(head);
        let to = to.add(1);
        if let (Some(first), Some(last)) = (bytes.first_chunk::<16>(), bytes.last_chunk::<16>()) {
            to.cast::<[u8; 16]>().write(*first);
            to.add(len - 16).cast::<[u8; 16]>().write(*last);
        } else if let (Some(first), Some(last)) = (bytes.first_chunk::<8>(), bytes.last_chunk::<8>()) {
            to.cast::<[u8; 8]>().write(*first);
            to.add(len - 8).cast::<[u8; 8]>().write(*last);
        } else if let (Some(first), Some(last)) = (bytes.first_chunk::<4>(), bytes.last_chunk::<4>()) {
            to.cast::<[u8; 4]>().write(*first);
            to.add(len - 4).cast::<[u8; 4]>().write(*last);
        } else if let [first, .., last] = *bytes {
            // Of two or three bytes, the middle one is the last of two, or stands between them.
            to.write(first);
            to.add(1).write(bytes[len / 2]);
            to.add(len - 1).write(last);
        } else if let [only] = *bytes {
            to.write(only);
        }
        out.count(1 + len);
    }
}

#[inline(never)]
fn append_long(out: &mut Vec<u8>, head: u8, bytes: &[u8]) {
    out.reserve(bytes.len() + 1);
    out.push(head);
    out.extend_from_slice(bytes);
}

/// Appends a byte and a fixed number of others. They are stored apart: an array of all of them would be loaded again
/// while its parts are still being stored, which stalled each number by 4 ns.
#[inline(always)]
pub(crate) fn append_number<const N: usize>(out: &mut impl Room, head: u8, bytes: [u8; N]) {
    append_both(out, [head], bytes);
}

/// As [`append_number`], with a longer head.
#[inline(always)]
pub(crate) fn append_both<const H: usize, const N: usize>(out: &mut impl Room, head: [u8; H], bytes: [u8; N]) {
    let to = out.room(H + N);
    // SAFETY: there is room for `H + N` bytes.
    unsafe {
        to.cast::<[u8; H]>().write(head);
        to.add(H).cast::<[u8; N]>().write(bytes);
        out.count(H + N);
    }
}

/// Appends a byte and the first `len` bytes of words.
///
/// # Panics
/// If there are fewer bytes.
#[inline(always)]
pub(crate) fn append_headed_words<const N: usize>(out: &mut impl Room, head: u8, words: [u64; N], len: usize) {
    assert!(len <= 8 * N);
    let to = out.room(8 * N + 1);
    // SAFETY: there is room for `8 * N + 1` bytes. Of what was stored, the first `len + 1` bytes count.
    unsafe {
        to.write(head);
        store_words(to.add(1), words);
        out.count(len + 1);
    }
}

/// Stores words one behind the other.
///
/// # Safety
/// There is room for `8 * N` bytes.
#[inline(always)]
unsafe fn store_words<const N: usize>(to: *mut u8, words: [u64; N]) {
    for (at, word) in words.iter().enumerate() {
        // SAFETY: as the caller guarantees.
        unsafe { to.add(8 * at).cast::<[u8; 8]>().write(word.to_le_bytes()) };
    }
}

/// Appends a byte and the first `len` of eight others.
///
/// # Panics
/// If `len` is more than 8.
#[inline(always)]
pub(crate) fn append_part(out: &mut impl Room, head: u8, bytes: [u8; 8], len: usize) {
    assert!(len <= 8);
    let to = out.room(9);
    // SAFETY: there is room for nine bytes, of which the first `1 + len` count.
    unsafe {
        to.write(head);
        to.add(1).cast::<[u8; 8]>().write(bytes);
        out.count(1 + len);
    }
}

/// Appends a fixed number of bytes.
#[inline(always)]
pub(crate) fn append_fixed<const N: usize>(out: &mut impl Room, bytes: [u8; N]) {
    let to = out.room(N);
    // SAFETY: there is room for `N` bytes.
    unsafe {
        to.cast::<[u8; N]>().write(bytes);
        out.count(N);
    }
}

/// Appends items of a fixed number of bytes each, with one look for room.
#[inline(always)]
pub(crate) fn append_array<const N: usize>(out: &mut impl Room, items: impl ExactSizeIterator<Item = [u8; N]>) {
    // An iterator may give more items than it said.
    let count = items.len();
    let begin = out.room(count * N);
    let mut end = begin;
    for item in items.take(count) {
        // SAFETY: there is room for `N` bytes of each item.
        unsafe {
            end.cast::<[u8; N]>().write(item);
            end = end.add(N);
        }
    }
    // SAFETY: `end` is in the room, and all bytes before it were stored.
    unsafe { out.count(end.offset_from_unsigned(begin)) };
}

/// Appends `front`, if there is one, the first `len` bytes of the block, and another byte.
///
/// # Panics
/// If the block is shorter than `len`.
#[inline(always)]
pub(crate) fn append_framed<const N: usize>(
    out: &mut impl Room,
    front: Option<u8>,
    block: [u8; N],
    len: usize,
    behind: u8,
) {
    assert!(len <= N);
    let before = usize::from(front.is_some());
    let to = out.room(N + 2);
    // SAFETY: there is room for `N + 2` bytes. All stores stay inside, as `before` is 0 or 1, and where it is 0 the
    // block covers the byte in front, `N` being at least 1. Of what was stored, the first `before + len + 1 <= N + 2`
    // bytes count.
    unsafe {
        const { assert!(N > 0) };
        to.write(front.unwrap_or_default());
        to.add(before).cast::<[u8; N]>().write(block);
        to.add(before + len).write(behind);
        out.count(before + len + 1);
    }
}

/// Appends a sign, if there is one, the first `len` bytes of the block, `N` more bytes, and another byte.
///
/// # Panics
/// If the block is shorter than `len`.
#[inline(always)]
pub(crate) fn append_two<const N: usize>(
    out: &mut impl Room,
    sign: Option<u8>,
    (block, len): ([u8; 8], usize),
    then: [u8; N],
    behind: u8,
) {
    assert!(len <= 8);
    let before = usize::from(sign.is_some());
    let to = out.room(N + 10);
    // SAFETY: there is room for `N + 10` bytes, and `before` is 0 or 1, `len` at most 8: so all stores stay inside, and of
    // what was stored the first `before + len + N + 1` bytes count.
    unsafe {
        to.write(sign.unwrap_or_default());
        to.add(before).cast::<[u8; 8]>().write(block);
        to.add(before + len).cast::<[u8; N]>().write(then);
        to.add(before + len + N).write(behind);
        out.count(before + len + N + 1);
    }
}

/// Appends the text of a number: a sign if there is one, the digits before the point and those behind it, of which the
/// last is passed separately, and another byte if there is one.
///
/// # Panics
/// If the blocks are shorter than their lengths.
#[inline(always)]
pub(crate) fn append_parts(
    out: &mut impl Room,
    sign: Option<u8>,
    (whole, whole_len): ([u8; 8], usize),
    (digits, last, len): ([u8; 16], u8, usize),
    behind: Option<u8>,
) {
    assert!(whole_len <= 8 && len <= 17);
    let to = out.room(28);
    // SAFETY: there is room for 28 bytes: at most one for the sign, eight before the point, the point, 17 behind it and
    // one more byte. Each store begins where the last one's bytes that count end, so all of these were stored.
    unsafe {
        let mut at = usize::from(sign.is_some());
        to.write(sign.unwrap_or_default());
        to.add(at).cast::<[u8; 8]>().write(whole);
        at += whole_len;
        to.add(at).write(b'.');
        at += 1;
        to.add(at).cast::<[u8; 16]>().write(digits);
        to.add(at + 16).write(last);
        at += len;
        to.add(at).write(behind.unwrap_or_default());
        out.count(at + usize::from(behind.is_some()));
    }
}

/// Appends two bytes. If the first of them equals the last byte of `out`, it overwrites that one.
#[inline(always)]
pub(crate) fn append_over(out: &mut Vec<u8>, last: u8, bytes: [u8; 2]) {
    // A branch here is predictable; a computed position would have to wait for the last byte.
    if let Some(end) = out.last_mut()
        && *end == last
    {
        *end = bytes[0];
        append_block(out, false, [bytes[1]], 1);
    } else {
        append_block(out, false, bytes, 2);
    }
}

/// A short text in two pieces of which each is in registers, the first byte lowest.
#[derive(Clone, Copy)]
pub(crate) struct Pieces {
    /// The bytes that come first, and how many of them count.
    pub(crate) first: u64,
    pub(crate) len: usize,
    /// The bytes behind them, and how many of them count.
    pub(crate) rest: [u64; 2],
    pub(crate) more: usize,
}

/// Appends items, each after a minus sign if it says so, and with a comma behind it.
///
/// # Panics
/// If more bytes count than there are.
#[inline(always)]
pub(crate) fn append_items(out: &mut impl Room, items: impl ExactSizeIterator<Item = (bool, Pieces)>) {
    const LONGEST: usize = 1 + 8 + 16 + 1;
    // An iterator may give more items than it said.
    let count = items.len();
    let begin = out.room(count * LONGEST);
    let mut end = begin;
    for (negative, Pieces { first, len, rest, more }) in items.take(count) {
        assert!(len <= 8 && more <= 16);
        // SAFETY: there is room for `LONGEST` bytes of each item. The stores end at `1 + 8`, at `1 + 8 + 16` and at
        // `1 + 8 + 16 + 1`. Of what was stored, all bytes before the comma, and the comma, count.
        unsafe {
            // A branch would go the wrong way for half of the numbers of any sign.
            end.write(b'-');
            let to = end.add(usize::from(negative));
            to.cast::<[u8; 8]>().write(first.to_le_bytes());
            if more > 0 {
                store_words(to.add(len), rest);
            }
            to.add(len + more).write(b',');
            end = to.add(len + more + 1);
        }
    }
    // SAFETY: `end` is in the room, and all bytes before it were stored.
    unsafe { out.count(end.offset_from_unsigned(begin)) };
}

/// Appends text that `make` formats in a buffer. The buffer is in the spare room of `out`, so the text needs no copy if
/// it begins where the buffer does.
///
/// Then appends the byte `behind`, if there is one.
#[inline(always)]
pub(crate) fn append_made<B>(
    out: &mut impl Room,
    buffer: B,
    make: impl for<'b> FnOnce(&'b mut B) -> &'b str,
    behind: Option<u8>,
) {
    const { assert!(align_of::<B>() == 1 && !std::mem::needs_drop::<B>()) };
    let to = out.room(size_of::<B>() + 1);
    // SAFETY: there is room for a buffer, and its type needs no alignment; this is the only reference to it.
    let made = unsafe {
        to.cast::<B>().write(buffer);
        make(&mut *to.cast::<B>())
    };
    let len = made.len();
    if std::ptr::eq(made.as_ptr(), to) && len <= size_of::<B>() {
        // SAFETY: there is room for this many bytes and one more, and the text was written there.
        unsafe {
            to.add(len).write(behind.unwrap_or_default());
            out.count(len + usize::from(behind.is_some()));
        }
    } else {
        let made = made.to_owned();
        out.append(|out| append_elsewhere(out, &made, behind));
    }
}

#[cold]
#[inline(never)]
fn append_elsewhere(out: &mut Vec<u8>, made: &str, behind: Option<u8>) {
    out.extend_from_slice(made.as_bytes());
    out.extend(behind);
}
