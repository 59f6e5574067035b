//! A push buffer: bytes are fed before they are read.

use std::collections::VecDeque;
use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A shared buffer of bytes not yet read.
#[derive(Debug, Clone, Default)]
pub(crate) struct Fed(Arc<Mutex<FeedBuffer>>);

#[derive(Debug, Default)]
struct FeedBuffer {
    bytes: VecDeque<u8>,
    ended: bool,
    /// Whether a read found the buffer empty.
    starved: bool,
}

impl Fed {
    fn buffered(&self) -> MutexGuard<'_, FeedBuffer> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds bytes.
    pub(crate) fn give(&self, bytes: &[u8]) {
        self.buffered().bytes.extend(bytes);
    }

    /// Ends the input.
    pub(crate) fn end(&self) {
        self.buffered().ended = true;
    }

    /// Returns whether a read found the buffer empty since the last call.
    pub(crate) fn starved(&self) -> bool {
        std::mem::take(&mut self.buffered().starved)
    }

    pub(crate) fn read(&self, buffer: &mut [u8]) -> io::Result<usize> {
        let mut fed = self.buffered();
        if fed.bytes.is_empty() && !fed.ended {
            fed.starved = true;
            return Err(io::ErrorKind::WouldBlock.into());
        }
        io::Read::read(&mut fed.bytes, buffer)
    }
}
