//! Files that are read by several threads at once.

use demat_core::Result;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::thread;

/// All bytes of a file, each thread its part: to be given memory takes as long as to copy what the file holds into it.
///
/// # Errors
/// What the system says.
pub(super) fn file(path: &Path, threads: usize) -> Result<Vec<u8>> {
    let mut file = File::open(path)?;
    let size = usize::try_from(file.metadata()?.len()).unwrap_or(usize::MAX);
    // The system gives zeros, and the memory only where it is written to.
    let mut bytes = vec![0; size];
    crate::fresh::in_large_pages(bytes.as_ptr().addr(), size);
    let part = size.div_ceil(threads.max(1)).max(1);
    let read: io::Result<Vec<usize>> = thread::scope(|scope| {
        let file = &file;
        let parts = bytes.chunks_mut(part).enumerate();
        let readers: Vec<_> = parts.map(|(at, bytes)| scope.spawn(move || fill(file, at * part, bytes))).collect();
        readers.into_iter().map(|one| one.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))).collect()
    });
    // A file that has become shorter ends where the first part did that could not be filled.
    let read = read?;
    let short = read.iter().enumerate().find(|(at, read)| **read < part.min(size - at * part));
    if let Some((at, read)) = short {
        bytes.truncate(at * part + read);
        return Ok(bytes);
    }
    // And one that has grown has more.
    io::Seek::seek(&mut file, io::SeekFrom::Start(size as u64))?;
    file.read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Fills a part from an offset of the file on; gives how many bytes there were.
fn fill(file: &File, offset: usize, bytes: &mut [u8]) -> io::Result<usize> {
    let mut read = 0;
    while read < bytes.len() {
        match read_at(file, &mut bytes[read..], (offset + read) as u64) {
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
