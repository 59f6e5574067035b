//! Memory that decoders leave for those after them: of a small document, to get it would be a good part of the time.

use super::any::Frame;
use super::cached::Guarded;
use crate::object::Object;

static SPARE: Guarded<Spare> = Guarded::new(Spare { values: Vec::new(), frames: Vec::new() });

/// Vectors without items.
pub(super) struct Spare {
    pub(super) values: Vec<Object>,
    pub(super) frames: Vec<Frame>,
}

/// More is not worth keeping: whoever needs so much does not wait for the allocator.
const MANY: usize = 4096;

impl Spare {
    /// What the last decoder left, if it is not in use.
    #[inline]
    pub(super) fn take() -> Self {
        // SAFETY: the GIL is held by every engine, and nothing is run while the reference is there.
        let spare = unsafe { SPARE.get() };
        Self { values: std::mem::take(&mut spare.values), frames: std::mem::take(&mut spare.frames) }
    }

    /// Leaves vectors for the next decoder.
    #[inline]
    pub(super) fn leave(self) {
        if self.values.capacity() <= MANY && self.frames.capacity() <= MANY && self.values.is_empty() {
            // SAFETY: as above; what was there has no items whose end could run code.
            unsafe { *SPARE.get() = self };
        }
    }
}
