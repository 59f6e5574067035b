//! Recycles the buffer that sinks write to.

use std::cell::UnsafeCell;

/// An encoder takes the buffer out. A nested encoder in a hook, or another thread meanwhile, finds it empty and
/// allocates its own.
struct Spare(UnsafeCell<Vec<u8>>);

// SAFETY: only used with the GIL held, and no user code runs meanwhile.
unsafe impl Sync for Spare {}

static SPARE: Spare = Spare(UnsafeCell::new(Vec::new()));

/// The initial capacity in bytes: the size at which sinks drain, and room for what they append before the check.
const ROOM: usize = 80 * 1024;
/// A larger buffer, in bytes, is freed: a long text or sorted keys have enlarged it.
const MOST: usize = 8 * 1024 * 1024;

/// Takes an empty buffer with some capacity. The GIL must be held.
#[inline]
pub(super) fn take() -> Vec<u8> {
    // SAFETY: as above; the old buffer is moved out, and none is dropped.
    let buffer = core::mem::take(unsafe { &mut *SPARE.0.get() });
    if buffer.capacity() == 0 { Vec::with_capacity(ROOM) } else { buffer }
}

/// Returns a buffer for reuse. The GIL must be held.
#[inline]
pub(super) fn give(buffer: Vec<u8>) {
    if buffer.capacity() <= MOST {
        // SAFETY: as above; if another buffer was returned meanwhile, it is dropped, which runs no user code.
        unsafe { *SPARE.0.get() = buffer };
    }
}
