//! Reads a file with several threads.

use demat_core::{Result, interrupt};
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

/// Bytes read between two checks for signals.
const PIECE: usize = 4 << 20;

/// Reads a whole file with several threads: providing the memory takes the system as long as copying the file into it.
///
/// # Errors
/// An I/O error, or an interruption.
pub(super) fn file(path: &Path, threads: usize) -> Result<Vec<u8>> {
    let mut file = File::open(path)?;
    let size = usize::try_from(file.metadata()?.len()).unwrap_or(usize::MAX);
    // The system provides zeroed memory page by page, at the first write.
    let mut bytes = vec![0; size];
    crate::fresh::in_large_pages(bytes.as_ptr().addr(), size);
    let part = size.div_ceil(threads.max(1)).max(1);
    let stops = AtomicBool::new(false);
    let read: Result<Vec<usize>> = thread::scope(|scope| {
        let (file, stops) = (&file, &stops);
        let mut parts = bytes.chunks_mut(part).enumerate();
        let first = parts.next();
        let go_on = || !stops.load(Ordering::Relaxed);
        let readers: Vec<_> =
            parts.map(|(at, bytes)| scope.spawn(move || fill(file, at * part, bytes, go_on))).collect();
        // Only this thread handles signals. It reads the first part, and stops the other threads.
        let mut heard = Ok(());
        let first = first.map(|(_, bytes)| {
            fill(file, 0, bytes, || {
                heard = interrupt::check();
                stops.store(heard.is_err(), Ordering::Relaxed);
                heard.is_ok()
            })
        });
        let others = readers.into_iter().map(|one| one.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        let read = first.into_iter().chain(others).collect::<io::Result<_>>();
        heard?;
        Ok(read?)
    });
    // If the file has shrunk, the data ends with the first part that could not be filled.
    let read = read?;
    let short = read.iter().enumerate().find(|(at, read)| **read < part.min(size - at * part));
    if let Some((at, read)) = short {
        bytes.truncate(at * part + read);
        return Ok(bytes);
    }
    // If the file has grown, reads the rest.
    io::Seek::seek(&mut file, io::SeekFrom::Start(size as u64))?;
    file.read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Fills a part from an offset of the file, until `go_on` returns false. Returns the number of bytes read.
fn fill(file: &File, offset: usize, bytes: &mut [u8], mut go_on: impl FnMut() -> bool) -> io::Result<usize> {
    let mut read = 0;
    while read < bytes.len() && go_on() {
        let piece = bytes.len().min(read + PIECE);
        match read_at(file, &mut bytes[read..piece], (offset + read) as u64) {
            Ok(0) => break,
            Ok(more) => read += more,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(read)
}

#[cfg(unix)]
fn read_at(file: &File, bytes: &mut [u8], offset: u64) -> io::Result<usize> {
    std::os::unix::fs::FileExt::read_at(file, bytes, offset)
}

#[cfg(windows)]
fn read_at(file: &File, bytes: &mut [u8], offset: u64) -> io::Result<usize> {
    std::os::windows::fs::FileExt::seek_read(file, bytes, offset)
}
