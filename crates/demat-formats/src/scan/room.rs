//! Room at the end of a buffer.

/// A buffer to which small parts are appended: a vector, or the [`Tail`] of one.
///
/// # Safety
/// There is the room that [`room`](Self::room) promises.
pub(crate) unsafe trait Room {
    /// Reserves room for `bytes` bytes, and returns a pointer to it.
    ///
    /// Up to `bytes` bytes may be written there, until the next use of the buffer.
    fn room(&mut self, bytes: usize) -> *mut u8;

    /// Counts the next `bytes` bytes as part of the buffer.
    ///
    /// # Safety
    /// They were stored in the room that was reserved last.
    unsafe fn count(&mut self, bytes: usize);

    /// Appends to the vector itself.
    fn append(&mut self, append: impl FnOnce(&mut Vec<u8>));
}

// SAFETY: a vector has the capacity that it says, and more after `reserve`.
unsafe impl Room for Vec<u8> {
    #[inline(always)]
    fn room(&mut self, bytes: usize) -> *mut u8 {
        if self.capacity() - self.len() < bytes {
            grow(self, bytes);
        }
        // SAFETY: the length is at most the capacity, so this is inside of the allocation or at its end.
        unsafe { self.as_mut_ptr().add(self.len()) }
    }

    #[inline(always)]
    unsafe fn count(&mut self, bytes: usize) {
        // SAFETY: as the caller guarantees.
        unsafe { self.set_len(self.len() + bytes) };
    }

    #[inline(always)]
    fn append(&mut self, append: impl FnOnce(&mut Vec<u8>)) {
        append(self);
    }
}

#[cold]
#[inline(never)]
fn grow(out: &mut Vec<u8>, bytes: usize) {
    out.reserve(bytes);
}

/// The end of a vector to which many small parts are appended, one behind the other.
///
/// Where the end is stands in a register. Of a vector that is part of a sink, each part would load it from where the last
/// one has just stored it, which takes longer than storing the part. [`finish`](Self::finish) tells the vector how long it
/// is; without it, the parts are lost.
#[derive(Debug)]
pub(crate) struct Tail<'b> {
    out: &'b mut Vec<u8>,
    /// The next byte that is stored.
    to: *mut u8,
    /// The end of the allocation.
    end: *mut u8,
}

impl<'b> Tail<'b> {
    /// Returns the end of a vector.
    #[inline(always)]
    pub(crate) fn of(out: &'b mut Vec<u8>) -> Self {
        let (to, end) = ends(out);
        Self { out, to, end }
    }

    /// Returns the position of the next byte in the vector.
    #[inline(always)]
    pub(crate) fn len(&self) -> usize {
        self.to.addr() - self.out.as_ptr().addr()
    }

    /// Replaces the last byte, if there is one.
    #[inline(always)]
    pub(crate) fn set_last(&mut self, byte: u8) {
        if self.len() > 0 {
            // SAFETY: there is a byte before the end.
            unsafe { self.to.sub(1).write(byte) };
        }
    }

    /// Calls a function with a copy, which can be in registers even if this is part of a sink.
    #[inline(always)]
    pub(crate) fn locally(&mut self, append: impl FnOnce(&mut Tail<'_>)) {
        let mut tail = Tail { out: &mut *self.out, to: self.to, end: self.end };
        append(&mut tail);
        let Tail { to, end, .. } = tail;
        (self.to, self.end) = (to, end);
    }

    /// Replaces the bytes at an offset. Returns whether there are so many.
    #[inline(always)]
    pub(crate) fn set(&mut self, at: usize, bytes: &[u8]) -> bool {
        if at > self.len() || bytes.len() > self.len() - at {
            return false;
        }
        // SAFETY: so many bytes were stored behind the offset.
        unsafe { self.to.sub(self.len() - at).copy_from_nonoverlapping(bytes.as_ptr(), bytes.len()) };
        true
    }

    /// Takes back the last bytes, or all if there are fewer.
    #[inline(always)]
    pub(crate) fn take_back(&mut self, bytes: usize) {
        let bytes = bytes.min(self.len());
        // SAFETY: there are so many bytes before the end.
        self.to = unsafe { self.to.sub(bytes) };
    }

    /// Makes what was appended part of the vector.
    #[inline(always)]
    pub(crate) fn finish(mut self) {
        self.store();
    }

    /// As [`finish`](Self::finish), and more can be appended.
    #[inline(always)]
    pub(crate) fn store(&mut self) {
        let len = self.len();
        // SAFETY: all bytes up to here were stored, in the allocation.
        unsafe { self.out.set_len(len) };
    }
}

// SAFETY: the end is that of the allocation of the vector, which nobody else changes.
unsafe impl Room for Tail<'_> {
    #[inline(always)]
    fn room(&mut self, bytes: usize) -> *mut u8 {
        if self.end.addr() - self.to.addr() < bytes {
            // By value: were the tail's own address passed, it could not stay in registers.
            (self.to, self.end) = grow_at(self.out, self.to, bytes);
        }
        self.to
    }

    #[inline(always)]
    unsafe fn count(&mut self, bytes: usize) {
        // SAFETY: as the caller guarantees, so many bytes are left in the allocation.
        self.to = unsafe { self.to.add(bytes) };
    }

    #[inline(always)]
    fn append(&mut self, append: impl FnOnce(&mut Vec<u8>)) {
        let len = self.len();
        // SAFETY: all bytes up to here were stored, in the allocation.
        unsafe { self.out.set_len(len) };
        append(self.out);
        (self.to, self.end) = ends(self.out);
    }
}

/// Returns the ends of the bytes of a vector, and of its allocation.
#[inline(always)]
fn ends(out: &mut Vec<u8>) -> (*mut u8, *mut u8) {
    let (len, capacity, begin) = (out.len(), out.capacity(), out.as_mut_ptr());
    // SAFETY: both are inside of the allocation or at its end.
    unsafe { (begin.add(len), begin.add(capacity)) }
}

/// Makes room behind what was appended up to `to`.
#[cold]
#[inline(never)]
fn grow_at(out: &mut Vec<u8>, to: *mut u8, bytes: usize) -> (*mut u8, *mut u8) {
    // SAFETY: all bytes up to `to` were stored, in the allocation.
    unsafe { out.set_len(to.addr() - out.as_ptr().addr()) };
    out.reserve(bytes);
    ends(out)
}

#[cfg(test)]
mod tests {
    use super::super::append::{append_block, append_headed};
    use super::{Room, Tail};

    #[test]
    fn appends_to_the_end_of_a_vector() {
        let mut plain: Vec<u8> = b"begin".to_vec();
        let mut tailed = plain.clone();
        let mut tail = Tail::of(&mut tailed);
        for count in 0..2_000 {
            let text = vec![b'a' + (count % 26) as u8; count % 40];
            append_headed(&mut plain, b'-', &text);
            append_headed(&mut tail, b'-', &text);
            append_block(&mut plain, count % 2 == 0, [b'x'; 16], count % 17);
            append_block(&mut tail, count % 2 == 0, [b'x'; 16], count % 17);
            assert_eq!(tail.len(), plain.len());
        }
        tail.append(|out| out.extend_from_slice(b"all"));
        append_block(&mut tail, false, *b"!?", 2);
        append_block(&mut tail, false, *b"wrong", 5);
        tail.take_back(5);
        tail.set_last(b'.');
        tail.finish();
        plain.extend_from_slice(b"all!.");
        assert_eq!(tailed, plain);
    }

    #[test]
    fn loses_what_is_not_finished() {
        let mut out = b"kept".to_vec();
        append_block(&mut Tail::of(&mut out), false, *b"lost", 4);
        assert_eq!(out, b"kept");
    }
}
