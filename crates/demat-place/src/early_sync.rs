//! Writing a file to the disk while it is still being made.

use std::fs::File;
use std::io;
use std::sync::mpsc::{SyncSender, sync_channel};
use std::thread::{self, JoinHandle};

/// A thread that makes what was written so far last on the disk, each time it is asked to.
///
/// Making a file last costs as long as the disk takes for all of it. Begun at the end, that comes on top of everything
/// else; begun early, the disk works while the rest is still being made, and at the end little is left to wait for.
#[derive(Debug)]
pub(crate) struct EarlySync {
    /// There until it is joined.
    thread: Option<(SyncSender<()>, JoinHandle<io::Result<()>>)>,
    unasked: usize,
}

/// So many bytes are worth asking.
const ENOUGH: usize = 4 << 20;

impl EarlySync {
    /// No thread yet: most files are small.
    pub(crate) fn new() -> Self {
        Self { thread: None, unasked: 0 }
    }

    /// So many bytes more were written to the file.
    ///
    /// # Errors
    /// What the system says of another handle to the file, or of a thread.
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
        // Where this fails it is at work and asked already, or it has failed, and `finish` says how.
        let _ = ask.try_send(());
        Ok(())
    }

    /// Waits for the thread.
    ///
    /// # Errors
    /// What the system said when a part could not be made to last: it says so once, so it must not get lost here.
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
        // A pipe can't be made to last.
        let (_reader, writer) = std::io::pipe().unwrap();
        let file = std::fs::File::from(std::os::fd::OwnedFd::from(writer));
        let mut sync = EarlySync::new();
        sync.written(ENOUGH, &file).unwrap();
        assert!(sync.finish().is_err());
    }
}
