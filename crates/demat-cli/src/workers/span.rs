//! Byte ranges of files whose records are lines.

use demat_core::{Error, ErrorKind, Result};
use std::fs::{File, Metadata};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::SystemTime;

#[cfg(test)]
mod tests;

/// The number of bytes that are read at once while a line feed is looked for.
const PIECE: usize = 1 << 16;

/// What the first bytes of a source can mean: a byte order mark, or a compression. No range begins with one of them, so
/// that each is read as it is in the whole.
const SIGNS: [&[u8]; 5] = [b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff", b"\x1f\x8b", b"\x28\xb5\x2f\xfd"];

/// The length of the longest of these.
const LONGEST: usize = 4;

/// The bytes of a file from `start` to `end`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Span {
    pub(super) start: u64,
    pub(super) end: u64,
}

/// What tells a file from one that replaces it, and from itself after a change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Mark {
    /// The device and the number of the file, where the system has them.
    file: (u64, u64),
    changed: Option<SystemTime>,
    size: u64,
}

impl Mark {
    /// Returns the mark of a file; `None` for a pipe or a device.
    pub(super) fn of(about: &Metadata) -> Option<Self> {
        #[cfg(unix)]
        let file = {
            use std::os::unix::fs::MetadataExt;
            (about.dev(), about.ino())
        };
        #[cfg(not(unix))]
        let file = (0, 0);
        about.is_file().then(|| Self { file, changed: about.modified().ok(), size: about.len() })
    }

    /// # Errors
    /// [`Io`](ErrorKind::Io) if the file at this path is another one now, or has changed.
    pub(super) fn check(&self, path: &Path) -> Result<()> {
        let now = path.metadata().ok().as_ref().and_then(Self::of);
        if now.as_ref() == Some(self) { Ok(()) } else { Err(changed().in_place(path.display().to_string())) }
    }
}

#[cold]
fn changed() -> Error {
    Error::new(ErrorKind::Io, "it has changed while it was read: copy it when no program writes to it")
}

/// Whether a file is neither packed nor in UTF-16, as far as its first bytes tell.
pub(super) fn is_plain(file: &mut File) -> io::Result<bool> {
    let mut first = Vec::with_capacity(LONGEST);
    file.rewind()?;
    file.take(LONGEST as u64).read_to_end(&mut first)?;
    Ok(!SIGNS[1..].iter().any(|sign| first.starts_with(sign)))
}

/// Returns the position of the first line that begins at `offset` or behind it; `end` if there is none before that.
pub(super) fn border(file: &mut File, offset: u64, end: u64) -> io::Result<u64> {
    if offset == 0 {
        return Ok(0);
    }
    let mut at = offset - 1;
    let mut piece = Vec::with_capacity(PIECE + LONGEST);
    while at < end {
        let wanted = usize::try_from(end - at).unwrap_or(PIECE).min(PIECE);
        piece.clear();
        file.seek(SeekFrom::Start(at))?;
        file.take((wanted + LONGEST) as u64).read_to_end(&mut piece)?;
        let within = &piece[..piece.len().min(wanted)];
        let begins = |index: &usize| !SIGNS.iter().any(|sign| piece[index + 1..].starts_with(sign));
        let feeds = within.iter().enumerate().filter(|(_, byte)| **byte == b'\n').map(|(index, _)| index);
        if let Some(found) = { feeds }.find(begins) {
            return Ok((at + found as u64 + 1).min(end));
        }
        if piece.len() < wanted {
            break;
        }
        at += wanted as u64;
    }
    Ok(end)
}

/// Counts the line feeds.
pub(super) fn feeds(bytes: &[u8]) -> u64 {
    bytes.iter().map(|byte| u64::from(*byte == b'\n')).sum()
}

/// Counts the line feeds of a range.
pub(super) fn line_feeds(path: &Path, span: Span) -> io::Result<u64> {
    let mut file = File::open(path)?;
    file.seek(SeekFrom::Start(span.start))?;
    let (mut left, mut found, mut piece) = (span.end - span.start, 0, vec![0; PIECE]);
    while left > 0 {
        let wanted = usize::try_from(left).unwrap_or(PIECE).min(PIECE);
        let read = file.read(&mut piece[..wanted])?;
        if read == 0 {
            break;
        }
        found += feeds(&piece[..read]);
        left -= read as u64;
    }
    Ok(found)
}

/// Reads the bytes of a range, behind those of a header.
#[derive(Debug)]
pub(super) struct SpanReader {
    file: File,
    path: PathBuf,
    header: io::Cursor<Arc<[u8]>>,
    left: u64,
    stopped: Arc<AtomicBool>,
}

impl SpanReader {
    /// Opens a range. After `stopped` is set, reading fails.
    ///
    /// # Errors
    /// [`Io`](ErrorKind::Io) if the file can't be opened, or is not the one with this mark.
    pub(super) fn open(
        path: &Path,
        span: Span,
        header: Arc<[u8]>,
        mark: Option<&Mark>,
        stopped: Arc<AtomicBool>,
    ) -> Result<Self> {
        let failed = |cause: io::Error| {
            Error::new(ErrorKind::Io, "can't be opened").because(cause).in_place(path.display().to_string())
        };
        let mut file = File::open(path).map_err(failed)?;
        let now = Mark::of(&file.metadata().map_err(failed)?);
        if mark.is_some() && now.as_ref() != mark {
            return Err(changed().in_place(path.display().to_string()));
        }
        file.seek(SeekFrom::Start(span.start)).map_err(failed)?;
        let (header, left) = (io::Cursor::new(header), span.end - span.start);
        Ok(Self { file, path: path.to_path_buf(), header, left, stopped })
    }
}

impl Read for SpanReader {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        if self.stopped.load(Ordering::Relaxed) {
            return Err(io::Error::other("the copy has ended"));
        }
        let begun = self.header.read(into)?;
        if begun > 0 || self.left == 0 || into.is_empty() {
            return Ok(begun);
        }
        let most = usize::try_from(self.left).unwrap_or(into.len()).min(into.len());
        let read = self.file.read(&mut into[..most])?;
        if read == 0 {
            let message = format!("{} has become shorter while it was read", self.path.display());
            return Err(io::Error::other(message));
        }
        self.left -= read as u64;
        Ok(read)
    }
}
