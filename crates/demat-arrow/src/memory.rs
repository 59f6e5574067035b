//! A callback for reserved memory.

use std::sync::OnceLock;

static TOLD: OnceLock<fn(usize, usize)> = OnceLock::new();

/// The minimum size in bytes to report.
const WORTH: usize = 1 << 20;

/// Registers a callback that runs before column buffers are filled, with their address and size in bytes. Only the
/// first callback is used.
///
/// Getting memory page by page costs as much as filling it. Some systems can provide larger pages on request, before
/// the memory is touched. Such system calls need `unsafe` code, so they are left to the callback.
///
/// ```
/// demat_arrow::on_reserve(|address, len| assert!(address > 0 && len > 0));
/// ```
pub fn on_reserve(told: fn(usize, usize)) {
    let _ = TOLD.set(told); // another callback may have been first
}

/// Reports reserved memory.
pub(crate) fn tell(address: usize, len: usize) {
    if len >= WORTH
        && let Some(told) = TOLD.get()
    {
        told(address, len);
    }
}
