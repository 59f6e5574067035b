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

/// Appends the text that is made in a buffer, which is put where the text is to go: so it is made in place, if it begins
/// where the buffer does.
#[inline(always)]
pub(crate) fn append_made<B>(out: &mut Vec<u8>, buffer: B, make: impl for<'b> FnOnce(&'b mut B) -> &'b str) {
    const { assert!(align_of::<B>() == 1 && !std::mem::needs_drop::<B>()) };
    let to = room(out, size_of::<B>());
    // SAFETY: there is room for a buffer, which may stand at any address; the one reference to it is this.
    let made = unsafe {
        to.cast::<B>().write(buffer);
        make(&mut *to.cast::<B>())
    };
    let len = made.len();
    if std::ptr::eq(made.as_ptr(), to) && len <= size_of::<B>() {
        // SAFETY: there is room for so many bytes, and text stands there.
        unsafe { out.set_len(out.len() + len) };
    } else {
        let made = made.to_owned();
        out.extend_from_slice(made.as_bytes());
    }
}
