//! Memory that was asked for and not touched yet.

use std::sync::OnceLock;

static TOLD: OnceLock<fn(usize, usize)> = OnceLock::new();

/// Of less it is not worth to tell.
const WORTH: usize = 1 << 20;

/// Wants to know of memory that columns will soon be written to: its address, and how many bytes it has. The first who
/// asks is told.
///
/// To be given memory page by page costs as much as to fill it. Some systems can be asked for larger pages before it is
/// touched, and only programs that may call the system as it is can do so.
///
/// ```
/// demat_arrow::on_reserve(|address, len| assert!(address > 0 && len > 0));
/// ```
pub fn on_reserve(told: fn(usize, usize)) {
    let _ = TOLD.set(told); // another may have been first
}

/// Room was made.
pub(crate) fn tell(address: usize, len: usize) {
    if len >= WORTH
        && let Some(told) = TOLD.get()
    {
        told(address, len);
    }
}
