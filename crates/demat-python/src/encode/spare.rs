//! The memory that sinks write to first, used again and again.

use std::cell::Cell;

thread_local! {
    /// One for each thread: whoever encodes takes it out, so that a hook that encodes finds none and makes its own.
    static SPARE: Cell<Vec<u8>> = const { Cell::new(Vec::new()) };
}

/// What a sink drains at, and room for what it appends before it looks.
const ROOM: usize = 80 * 1024;
/// More than this is given back to the system: one long text was in it, or keys were sorted.
const MOST: usize = 1024 * 1024;

/// A buffer with room, and nothing in it.
#[inline]
pub(super) fn take() -> Vec<u8> {
    let buffer = SPARE.with(Cell::take);
    if buffer.capacity() == 0 { Vec::with_capacity(ROOM) } else { buffer }
}

/// Gives a buffer back.
#[inline]
pub(super) fn give(buffer: Vec<u8>) {
    if buffer.capacity() <= MOST {
        SPARE.with(|spare| spare.set(buffer));
    }
}
