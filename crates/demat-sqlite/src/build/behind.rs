//! Write-behind: writes pages on a thread while the next ones are created.

use demat_core::{Error, ErrorKind, Result};
use std::fs::File;
use std::io;
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::thread::{Builder, JoinHandle};

/// A thread that writes chunks of pages to a file. It returns their memory for reuse.
#[derive(Debug)]
pub(super) struct Behind {
    /// `None` tells the thread to end.
    orders: Option<SyncSender<Chunk>>,
    back: Receiver<Vec<u8>>,
    thread: Option<JoinHandle<io::Result<()>>>,
    spare: Vec<Vec<u8>>,
    /// The number of chunks that the thread has not returned yet.
    out: usize,
}

#[derive(Debug)]
struct Chunk {
    bytes: Vec<u8>,
    len: usize,
    start: u64,
}

/// The maximum number of chunks in flight: one is being written while the next waits.
const CHUNKS: usize = 3;

impl Behind {
    /// Starts a thread for a file.
    pub(super) fn new(file: &File) -> Result<Self> {
        let file = file.try_clone()?;
        let (orders, ordered) = sync_channel(CHUNKS);
        let (give, back) = channel();
        let work = move || write_all(&file, &ordered, &give);
        let thread = Builder::new().name("demat-sqlite".to_string()).spawn(work)?;
        Ok(Self { orders: Some(orders), back, thread: Some(thread), spare: Vec::new(), out: 0 })
    }

    /// Sends a chunk to the thread, which writes `len` bytes at an offset. Replaces the chunk's memory.
    pub(super) fn write(&mut self, chunk: &mut Vec<u8>, len: usize, start: u64) -> Result<()> {
        let mut bytes = match self.spare.pop() {
            Some(bytes) => bytes,
            None if self.out < CHUNKS => vec![0; chunk.len()],
            None => self.take_back()?,
        };
        core::mem::swap(chunk, &mut bytes);
        let sent = self.orders.as_ref().is_some_and(|orders| orders.send(Chunk { bytes, len, start }).is_ok());
        if !sent {
            return Err(self.failed());
        }
        self.out += 1;
        Ok(())
    }

    /// Waits until all chunks are written.
    pub(super) fn settle(&mut self) -> Result<()> {
        while self.out > 0 {
            let bytes = self.take_back()?;
            self.spare.push(bytes);
        }
        Ok(())
    }

    fn take_back(&mut self) -> Result<Vec<u8>> {
        let Ok(bytes) = self.back.recv() else { return Err(self.failed()) };
        self.out -= 1;
        Ok(bytes)
    }

    /// Returns the error of the thread, which ends with its first one.
    #[cold]
    fn failed(&mut self) -> Error {
        self.orders = None;
        match self.thread.take().map(JoinHandle::join) {
            Some(Ok(Err(error))) => error.into(),
            _ => Error::new(ErrorKind::Io, "the thread that writes pages has ended"),
        }
    }
}

impl Drop for Behind {
    fn drop(&mut self) {
        self.orders = None;
        // Its result is ignored: callers that need it have called `settle`.
        drop(self.thread.take().map(JoinHandle::join));
    }
}

fn write_all(file: &File, orders: &Receiver<Chunk>, back: &Sender<Vec<u8>>) -> io::Result<()> {
    for Chunk { bytes, len, start } in orders {
        write_at(file, &bytes[..len], start)?;
        // Fails if the receiver is gone.
        let _ = back.send(bytes);
    }
    Ok(())
}

#[cfg(unix)]
fn write_at(file: &File, bytes: &[u8], start: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::write_all_at(file, bytes, start)
}

/// On other systems, a clone of a file shares its position; but only this thread uses the file while it writes.
#[cfg(not(unix))]
fn write_at(mut file: &File, bytes: &[u8], start: u64) -> io::Result<()> {
    use std::io::{Seek, SeekFrom, Write};
    file.seek(SeekFrom::Start(start))?;
    file.write_all(bytes)
}
