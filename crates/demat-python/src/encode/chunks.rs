//! Buffers of encoded bytes between a sink and a place.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Collects the bytes that a sink writes, until they are written to a place. That happens between two values: then no
/// Python object is borrowed, and the GIL can be released.
#[derive(Debug, Clone, Default)]
pub(super) struct Chunks(Arc<Mutex<Waiting>>);

#[derive(Debug, Default)]
struct Waiting {
    full: Vec<Vec<u8>>,
    /// Empty buffers for reuse.
    empty: Vec<Vec<u8>>,
    bytes: usize,
    /// How many bytes came in all.
    total: u64,
    /// Bytes that overwrite what came before, from these offsets on.
    patches: Vec<(u64, Vec<u8>)>,
    can_patch: bool,
    /// Whether bytes are taken when they are [wanted](Chunks::want), or many.
    on_demand: bool,
    is_wanted: bool,
}

/// The number of bytes that are taken without being wanted.
const MANY: usize = 64 * 1024;

/// The maximum number of empty buffers to keep, each about as large as the size at which a sink drains.
const KEPT: usize = 8;
/// A larger buffer, in bytes, is freed: a long text has enlarged it.
const LARGEST: usize = 1024 * 1024;

impl Chunks {
    /// For a place where what was written can be overwritten, or not.
    pub(super) fn new(can_patch: bool) -> Self {
        Self(Arc::new(Mutex::new(Waiting { can_patch, ..Waiting::default() })))
    }

    /// As [`new`](Self::new); takes bytes when they are [wanted](Self::want), or many.
    pub(super) fn on_demand(can_patch: bool) -> Self {
        Self(Arc::new(Mutex::new(Waiting { can_patch, on_demand: true, ..Waiting::default() })))
    }

    /// Returns whether a sink has to offer its bytes at each commit.
    pub(super) fn is_on_demand(&self) -> bool {
        self.waiting().on_demand
    }

    /// Whether the next commit passes on all bytes.
    pub(super) fn want(&self, is_wanted: bool) {
        self.waiting().is_wanted = is_wanted;
    }

    /// Returns whether so many bytes stay with the sink for now.
    pub(super) fn leaves(&self, len: usize) -> bool {
        let waiting = self.waiting();
        waiting.on_demand && !waiting.is_wanted && len < MANY
    }

    /// Returns whether received bytes can be overwritten.
    pub(super) fn can_patch(&self) -> bool {
        self.waiting().can_patch
    }

    /// Overwrites received bytes. `back` is the distance of the first of them from their end.
    pub(super) fn patch(&self, back: u64, bytes: &[u8]) {
        let mut waiting = self.waiting();
        let offset = waiting.total.saturating_sub(back);
        waiting.patches.push((offset, bytes.to_vec()));
    }

    /// Returns the patches: for each, the distance from the end of all received bytes, and the new bytes. Call it when
    /// all bytes were written.
    pub(super) fn take_patches(&self) -> Vec<(u64, Vec<u8>)> {
        let mut waiting = self.waiting();
        let total = waiting.total;
        let patches = core::mem::take(&mut waiting.patches);
        patches.into_iter().map(|(offset, bytes)| (total - offset, bytes)).collect()
    }

    fn waiting(&self) -> MutexGuard<'_, Waiting> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes a buffer's contents, and leaves an empty one.
    pub(super) fn take_from(&self, buffer: &mut Vec<u8>) {
        let mut waiting = self.waiting();
        waiting.bytes += buffer.len();
        waiting.total += buffer.len() as u64;
        let empty = waiting.empty.pop().unwrap_or_else(|| Vec::with_capacity(buffer.capacity().min(LARGEST)));
        waiting.full.push(core::mem::replace(buffer, empty));
    }

    /// Returns the number of pending bytes.
    pub(super) fn len(&self) -> usize {
        self.waiting().bytes
    }

    /// Takes the pending buffers in their order.
    pub(super) fn take(&self) -> Vec<Vec<u8>> {
        let mut waiting = self.waiting();
        waiting.bytes = 0;
        core::mem::take(&mut waiting.full)
    }

    /// Returns buffers for reuse, after their bytes were written.
    pub(super) fn give(&self, buffers: Vec<Vec<u8>>) {
        let mut waiting = self.waiting();
        for mut buffer in buffers {
            if waiting.empty.len() < KEPT && buffer.capacity() <= LARGEST {
                buffer.clear();
                waiting.empty.push(buffer);
            }
        }
    }
}
