//! Syncs a file to the disk while it is still being written.

use std::fs::File;
use std::io;
use std::sync::mpsc::{SyncSender, sync_channel};
use std::thread::{self, JoinHandle};

/// A thread that syncs the written part of a file on request.
///
/// Syncing takes as long as the disk needs for all of the data. At the end, that adds to everything else. Started
/// early, the disk works while the rest is produced, and at the end little is left to wait for.
#[derive(Debug)]
pub(crate) struct EarlySync {
    /// `None` before it starts and after it was joined.
    thread: Option<(SyncSender<()>, JoinHandle<io::Result<()>>)>,
    unasked: usize,
}

/// The number of bytes after which a sync is requested.
const ENOUGH: usize = 4 << 20;

impl EarlySync {
    /// Returns it without a thread, since most files are small.
    pub(crate) fn new() -> Self {
        Self { thread: None, unasked: 0 }
    }

    /// Records that `bytes` more bytes were written. Requests a sync if there are enough.
    ///
    /// # Errors
    /// Errors of the system, for another handle to the file or for a thread.
    pub(crate) fn written(&mut self, bytes: usize, file: &File) -> io::Result<()> {
        self.unasked += bytes;
        if self.unasked < ENOUGH {
            return Ok(());
        }
        self.unasked = 0;
        let (ask, _) = match &mut self.thread {
            Some(thread) => thread,
            none => none.insert(begin(file.try_clone()?)?),
        };
        // If this fails, a request is pending already, or the thread has failed, and `finish` returns its error.
        let _ = ask.try_send(());
        Ok(())
    }

    /// Waits for the thread.
    ///
    /// # Errors
    /// The system's error of a sync. The system reports it only once, so it must not get lost here.
    pub(crate) fn finish(&mut self) -> io::Result<()> {
        let Some((ask, thread)) = self.thread.take() else { return Ok(()) };
        drop(ask);
        thread.join().unwrap_or_else(|_| Err(io::Error::other("the thread that writes to the disk panicked")))
    }
}

fn begin(file: File) -> io::Result<(SyncSender<()>, JoinHandle<io::Result<()>>)> {
    let (ask, asked) = sync_channel(1);
    let work = move || asked.iter().try_for_each(|()| file.sync_data());
    Ok((ask, thread::Builder::new().name("early-sync".to_string()).spawn(work)?))
}

#[cfg(test)]
mod tests {
    use super::{ENOUGH, EarlySync};
    use std::io::Write;

    #[test]
    fn a_large_file_is_whole_and_the_thread_ends() {
        let mut file = tempfile::tempfile().unwrap();
        let mut sync = EarlySync::new();
        let part = vec![7; ENOUGH / 2];
        for _ in 0..9 {
            file.write_all(&part).unwrap();
            sync.written(part.len(), &file).unwrap();
        }
        assert!(sync.thread.is_some());
        sync.finish().unwrap();
        assert!(sync.thread.is_none());
        assert_eq!(file.metadata().unwrap().len(), 9 * part.len() as u64);
    }

    #[test]
    fn a_small_file_takes_no_thread() {
        let mut sync = EarlySync::new();
        sync.written(ENOUGH - 1, &tempfile::tempfile().unwrap()).unwrap();
        assert!(sync.thread.is_none());
    }

    #[test]
    #[cfg(unix)]
    fn what_the_disk_refuses_is_said_at_the_end() {
        // A pipe can't be synced.
        let (_reader, writer) = std::io::pipe().unwrap();
        let file = std::fs::File::from(std::os::fd::OwnedFd::from(writer));
        let mut sync = EarlySync::new();
        sync.written(ENOUGH, &file).unwrap();
        assert!(sync.finish().is_err());
    }
}
