//! Writing pages while the next ones are made.

use demat_core::{Error, ErrorKind, Result};
use std::fs::File;
use std::io;
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::thread::{Builder, JoinHandle};

/// A thread that writes chunks of pages to their file. Their memory comes back, and is used again.
#[derive(Debug)]
pub(super) struct Behind {
    /// Gone when the thread is to end.
    orders: Option<SyncSender<Chunk>>,
    back: Receiver<Vec<u8>>,
    thread: Option<JoinHandle<io::Result<()>>>,
    spare: Vec<Vec<u8>>,
    /// So many chunks were not written yet, or did not come back.
    out: usize,
}

#[derive(Debug)]
struct Chunk {
    bytes: Vec<u8>,
    len: usize,
    start: u64,
}

/// So many chunks may be on their way: one is written while the next waits.
const CHUNKS: usize = 3;

impl Behind {
    /// A thread for a file.
    pub(super) fn new(file: &File) -> Result<Self> {
        let file = file.try_clone()?;
        let (orders, ordered) = sync_channel(CHUNKS);
        let (give, back) = channel();
        let work = move || write_all(&file, &ordered, &give);
        let thread = Builder::new().name("demat-sqlite".to_string()).spawn(work)?;
        Ok(Self { orders: Some(orders), back, thread: Some(thread), spare: Vec::new(), out: 0 })
    }

    /// Has so many bytes of a chunk written from a place in the file on, and puts other memory in its stead.
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

    /// Waits until all is written.
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

    /// What the thread has failed with; it ends with the first error.
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
        // What it has to say was asked for by whoever wants to know.
        drop(self.thread.take().map(JoinHandle::join));
    }
}

fn write_all(file: &File, orders: &Receiver<Chunk>, back: &Sender<Vec<u8>>) -> io::Result<()> {
    for Chunk { bytes, len, start } in orders {
        write_at(file, &bytes[..len], start)?;
        // Nobody may want it any more.
        let _ = back.send(bytes);
    }
    Ok(())
}

#[cfg(unix)]
fn write_at(file: &File, bytes: &[u8], start: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::write_all_at(file, bytes, start)
}

/// Elsewhere a clone of a file shares its place with it; but as long as this thread writes, nobody else does.
#[cfg(not(unix))]
fn write_at(mut file: &File, bytes: &[u8], start: u64) -> io::Result<()> {
    use std::io::{Seek, SeekFrom, Write};
    file.seek(SeekFrom::Start(start))?;
    file.write_all(bytes)
}
