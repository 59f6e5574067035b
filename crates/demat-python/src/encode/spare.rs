//! The memory that sinks write to first, used again and again.

use std::cell::UnsafeCell;

/// Whoever encodes takes it out, so that a hook that encodes, or another thread that comes in between, finds none and makes
/// its own.
struct Spare(UnsafeCell<Vec<u8>>);

// SAFETY: it is only used with the GIL held, and nothing of the user's runs while it is.
unsafe impl Sync for Spare {}

static SPARE: Spare = Spare(UnsafeCell::new(Vec::new()));

/// What a sink drains at, and room for what it appends before it looks.
const ROOM: usize = 80 * 1024;
/// More than this is given back to the system: one long text was in it, or keys were sorted.
const MOST: usize = 8 * 1024 * 1024;

/// A buffer with room, and nothing in it. The GIL is held.
#[inline]
pub(super) fn take() -> Vec<u8> {
    // SAFETY: as above; the old content is moved out, and none is dropped.
    let buffer = core::mem::take(unsafe { &mut *SPARE.0.get() });
    if buffer.capacity() == 0 { Vec::with_capacity(ROOM) } else { buffer }
}

/// Gives a buffer back. The GIL is held.
#[inline]
pub(super) fn give(buffer: Vec<u8>) {
    if buffer.capacity() <= MOST {
        // SAFETY: as above; another buffer that was given back meanwhile is dropped, which runs no code of the user's.
        unsafe { *SPARE.0.get() = buffer };
    }
}
