//! Shares the bytes of a Python object with the HTTP server, without a copy.

use bytes::Bytes;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

/// Borrowed bytes, with a reference that keeps them in place.
struct Held {
    start: *const u8,
    len: usize,
    /// Released by the thread that drops the last use.
    owner: Option<Py<PyBytes>>,
}

// SAFETY: the bytes never change, and the reference is released with the GIL held.
unsafe impl Send for Held {}
// SAFETY: as above.
unsafe impl Sync for Held {}

impl AsRef<[u8]> for Held {
    fn as_ref(&self) -> &[u8] {
        // SAFETY: a `bytes` object's contents stay in place unchanged as long as there is a reference to it.
        unsafe { core::slice::from_raw_parts(self.start, self.len) }
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        if let Some(owner) = self.owner.take() {
            // If the interpreter has ended, there is nothing to release.
            let _ = Python::try_attach(|_| drop(owner));
        }
    }
}

/// Wraps a `bytes` object without a copy.
pub(super) fn shared(bytes: &Bound<'_, PyBytes>) -> Bytes {
    let own = bytes.as_bytes();
    Bytes::from_owner(Held { start: own.as_ptr(), len: own.len(), owner: Some(bytes.clone().unbind()) })
}
