//! Recycles memory between decoders: for a small document, allocating it takes a good part of the time.

use super::any::Frame;
use super::cached::Guarded;
use crate::object::Object;

static SPARE: Guarded<Spare> = Guarded::new(Spare { values: Vec::new(), frames: Vec::new() });

/// Empty vectors with capacity.
pub(super) struct Spare {
    pub(super) values: Vec<Object>,
    pub(super) frames: Vec<Frame>,
}

/// The maximum capacity to keep. Documents that need more are not slowed down by the allocation.
const MANY: usize = 4096;

impl Spare {
    /// Takes the vectors of the last decoder; new ones if those are in use.
    #[inline]
    pub(super) fn take() -> Self {
        // SAFETY: every engine holds the GIL, and no code runs while the reference exists.
        let spare = unsafe { SPARE.get() };
        Self { values: std::mem::take(&mut spare.values), frames: std::mem::take(&mut spare.frames) }
    }

    /// Keeps the vectors for the next decoder.
    #[inline]
    pub(super) fn leave(self) {
        if self.values.capacity() <= MANY && self.frames.capacity() <= MANY && self.values.is_empty() {
            // SAFETY: as above; the replaced vectors are empty, so dropping them runs no code.
            unsafe { *SPARE.get() = self };
        }
    }
}
