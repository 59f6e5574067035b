//! Bytes that Python made, as they are.

use bytes::Bytes;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

/// Bytes that stay where they are, held by a reference to them.
struct Held {
    start: *const u8,
    len: usize,
    /// Given back when nobody reads them any more, by whatever thread.
    owner: Option<Py<PyBytes>>,
}

// SAFETY: the bytes never change, and the reference is given up with the interpreter's lock held.
unsafe impl Send for Held {}
// SAFETY: as above.
unsafe impl Sync for Held {}

impl AsRef<[u8]> for Held {
    fn as_ref(&self) -> &[u8] {
        // SAFETY: bytes of Python's stay where they are, as they are, as long as there is a reference to them.
        unsafe { core::slice::from_raw_parts(self.start, self.len) }
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        if let Some(owner) = self.owner.take() {
            // Where the interpreter has ended there is nothing to give back.
            let _ = Python::try_attach(|_| drop(owner));
        }
    }
}

/// The same bytes, for others to read.
pub(super) fn shared(bytes: &Bound<'_, PyBytes>) -> Bytes {
    let own = bytes.as_bytes();
    Bytes::from_owner(Held { start: own.as_ptr(), len: own.len(), owner: Some(bytes.clone().unbind()) })
}
