//! Appending a few bytes, as many as one store has and not as many as there are.
//!
//! A copy of a length that is not known beforehand is a call, one of a fixed length an instruction. So the room for the
//! whole block is made, all of it is stored, and only what counts is taken into the length.

/// Makes room for so many bytes and gives the place where they go.
///
/// Up to the given number of bytes may be written there, until the next use of `out`.
#[inline(always)]
pub(super) fn room(out: &mut Vec<u8>, bytes: usize) -> *mut u8 {
    if out.capacity() - out.len() < bytes {
        grow(out, bytes);
    }
    // SAFETY: the length is at most the capacity, so this is inside of the allocation or at its end.
    unsafe { out.as_mut_ptr().add(out.len()) }
}

#[cold]
#[inline(never)]
fn grow(out: &mut Vec<u8>, bytes: usize) {
    out.reserve(bytes);
}

/// Appends a comma, if there is to be one, and the first `len` bytes of the block.
///
/// # Panics
/// Where the block has fewer.
#[inline(always)]
pub(crate) fn append_block<const N: usize>(out: &mut Vec<u8>, comma: bool, block: [u8; N], len: usize) {
    assert!(len <= N);
    let comma = usize::from(comma);
    let to = room(out, N + 1);
    // SAFETY: there is room for `N + 1` bytes. Both stores stay inside, as `comma` is 0 or 1, and where it is 0 the
    // block covers the comma, `N` being at least 1. Of what was stored, the first `comma + len <= N + 1` bytes count.
    unsafe {
        const { assert!(N > 0) };
        to.write(b',');
        to.add(comma).cast::<[u8; N]>().write(block);
        out.set_len(out.len() + comma + len);
    }
}

/// Appends bytes; of those that are few, without a call.
#[inline(always)]
pub(crate) fn append_bytes(out: &mut Vec<u8>, bytes: &[u8]) {
    let len = bytes.len();
    if let (Some(first), Some(last), 8..=16) = (bytes.first_chunk(), bytes.last_chunk(), len) {
        // Where both overlap they are the same.
        let word = u128::from(u64::from_le_bytes(*first)) | u128::from(u64::from_le_bytes(*last)) << (8 * (len - 8));
        append_block(out, false, word.to_le_bytes(), len);
    } else if let (Some(first), Some(last), 4..8) = (bytes.first_chunk(), bytes.last_chunk(), len) {
        let word = u64::from(u32::from_le_bytes(*first)) | u64::from(u32::from_le_bytes(*last)) << (8 * (len - 4));
        append_block(out, false, word.to_le_bytes(), len);
    } else {
        out.extend_from_slice(bytes);
    }
}

/// Appends a byte, if there is to be one, the first `len` bytes of the block, and another byte.
///
/// # Panics
/// Where the block has fewer.
#[inline(always)]
pub(crate) fn append_framed<const N: usize>(
    out: &mut Vec<u8>,
    front: Option<u8>,
    block: [u8; N],
    len: usize,
    behind: u8,
) {
    assert!(len <= N);
    let before = usize::from(front.is_some());
    let to = room(out, N + 2);
    // SAFETY: there is room for `N + 2` bytes. All stores stay inside, as `before` is 0 or 1, and where it is 0 the block
    // covers the byte in front, `N` being at least 1. Of what was stored, the first `before + len + 1 <= N + 2` bytes count.
    unsafe {
        const { assert!(N > 0) };
        to.write(front.unwrap_or_default());
        to.add(before).cast::<[u8; N]>().write(block);
        to.add(before + len).write(behind);
        out.set_len(out.len() + before + len + 1);
    }
}

/// Appends a sign, if there is one, the first `len` bytes of the block, eight more, and another byte.
///
/// # Panics
/// Where the block has fewer.
#[inline(always)]
pub(crate) fn append_two(
    out: &mut Vec<u8>,
    sign: Option<u8>,
    (block, len): ([u8; 8], usize),
    then: [u8; 8],
    behind: u8,
) {
    assert!(len <= 8);
    let before = usize::from(sign.is_some());
    let to = room(out, 18);
    // SAFETY: there is room for 18 bytes, and `before` is 0 or 1, `len` at most 8: so all stores stay inside, and of what
    // was stored the first `before + len + 9` bytes count.
    unsafe {
        to.write(sign.unwrap_or_default());
        to.add(before).cast::<[u8; 8]>().write(block);
        to.add(before + len).cast::<[u8; 8]>().write(then);
        to.add(before + len + 8).write(behind);
        out.set_len(out.len() + before + len + 9);
    }
}

/// Appends the text of a number: a sign, if there is one, so many bytes before the point and so many behind it, of which
/// the last stands apart, and another byte, if there is to be one.
///
/// # Panics
/// Where there are fewer bytes than so many.
#[inline(always)]
pub(crate) fn append_parts(
    out: &mut Vec<u8>,
    sign: Option<u8>,
    (whole, whole_len): ([u8; 8], usize),
    (digits, last, len): ([u8; 16], u8, usize),
    behind: Option<u8>,
) {
    assert!(whole_len <= 8 && len <= 17);
    let to = room(out, 28);
    // SAFETY: there is room for 28 bytes: at most one for the sign, eight before the point, the point, 17 behind it and one
    // more byte. Each store begins where the last one's bytes that count end, so all of these were stored.
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
        out.set_len(out.len() + at + usize::from(behind.is_some()));
    }
}

/// Puts the two bytes at the end, in place of the last one, if that is the first byte given.
#[inline(always)]
pub(crate) fn append_over(out: &mut Vec<u8>, last: u8, bytes: [u8; 2]) {
    // Which of both it is can be foreseen; a position that is calculated would have to wait for the last byte.
    if let Some(end) = out.last_mut()
        && *end == last
    {
        *end = bytes[0];
        append_block(out, false, [bytes[1]], 1);
    } else {
        append_block(out, false, bytes, 2);
    }
}

/// Appends the text that is made in a buffer, which is put where the text is to go: so it is made in place, if it begins
/// where the buffer does.
///
/// A byte comes behind it, if there is to be one.
#[inline(always)]
pub(crate) fn append_made<B>(
    out: &mut Vec<u8>,
    buffer: B,
    make: impl for<'b> FnOnce(&'b mut B) -> &'b str,
    behind: Option<u8>,
) {
    const { assert!(align_of::<B>() == 1 && !std::mem::needs_drop::<B>()) };
    let to = room(out, size_of::<B>() + 1);
    // SAFETY: there is room for a buffer, which may stand at any address; the one reference to it is this.
    let made = unsafe {
        to.cast::<B>().write(buffer);
        make(&mut *to.cast::<B>())
    };
    let len = made.len();
    if std::ptr::eq(made.as_ptr(), to) && len <= size_of::<B>() {
        // SAFETY: there is room for so many bytes and one more, and text stands there.
        unsafe {
            to.add(len).write(behind.unwrap_or_default());
            out.set_len(out.len() + len + usize::from(behind.is_some()));
        }
    } else {
        let made = made.to_owned();
        append_elsewhere(out, &made, behind);
    }
}

#[cold]
#[inline(never)]
fn append_elsewhere(out: &mut Vec<u8>, made: &str, behind: Option<u8>) {
    out.extend_from_slice(made.as_bytes());
    out.extend(behind);
}
