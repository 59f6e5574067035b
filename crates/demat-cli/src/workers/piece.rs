//! What a worker has made of a part.

use crate::failure::Failure;
use demat_core::{Error, ErrorKind};
use demat_place::{RejectedRecord, Summary};
use std::io::{self, BufReader, BufWriter, Read, Seek, Write};
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tempfile::{SpooledTempFile, spooled_tempfile_in};

/// The number of bytes that wait in memory; more of them wait in an unnamed file.
const HELD: usize = 1 << 21;

/// Bytes that were put aside, to be read once they are all there.
#[derive(Debug, Clone)]
pub(super) struct Spool(Arc<Mutex<SpooledTempFile>>);

impl Spool {
    /// Returns an empty one. Its file, if it needs one, is in this folder, and has no name.
    pub(super) fn new(folder: &Path) -> Self {
        Self(Arc::new(Mutex::new(spooled_tempfile_in(HELD, folder))))
    }

    fn lock(&self) -> MutexGuard<'_, SpooledTempFile> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns a reader of all bytes.
    pub(super) fn read(&self) -> io::Result<impl Read + '_> {
        let mut file = self.lock();
        file.rewind()?;
        Ok(Reader(file))
    }

    /// The number of bytes.
    pub(super) fn len(&self) -> io::Result<u64> {
        self.lock().seek(io::SeekFrom::End(0))
    }
}

impl Write for Spool {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.lock().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

struct Reader<'s>(MutexGuard<'s, SpooledTempFile>);

impl Read for Reader<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        self.0.read(into)
    }
}

/// What a worker has made of a part.
#[derive(Debug)]
pub(super) struct Piece {
    pub(super) result: Result<Summary, Failure>,
    /// What it wrote; `None` if it did not begin.
    pub(super) output: Option<Spool>,
    pub(super) refused: Kept,
}

impl Piece {
    pub(super) fn failed(failure: Failure) -> Self {
        Self { result: Err(failure), output: None, refused: Kept::default() }
    }

    /// Whether the part ended within a quoted cell.
    pub(super) fn ends_in_cell(&self) -> bool {
        let Err(Failure::Error { error, .. }) = &self.result else { return false };
        error.kind() == ErrorKind::Syntax && error.found() == Some("end of input")
    }
}

/// The refused records of a part.
#[derive(Debug, Default)]
pub(super) struct Kept {
    /// The first errors, which are shown.
    pub(super) first: Vec<Error>,
    pub(super) count: u64,
    /// All of them, if they are written anywhere.
    all: Option<BufWriter<Spool>>,
    failure: Option<io::Error>,
}

impl Kept {
    /// `all`: where they are put aside.
    pub(super) fn new(all: Option<Spool>) -> Self {
        Self { all: all.map(BufWriter::new), ..Self::default() }
    }

    /// Keeps a record and its error; of the errors, only the first ones.
    pub(super) fn keep(&mut self, error: &Error, data: &[u8], most: usize) {
        self.count += 1;
        if self.first.len() < most {
            self.first.push(error.copied());
        }
        if let (Some(all), None) = (&mut self.all, &self.failure) {
            self.failure = RejectedRecord::of(error, data).write_to(all).err();
        }
    }

    /// Passes all records on, if they were put aside.
    pub(super) fn each(self, mut told: impl FnMut(RejectedRecord) -> demat_core::Result<()>) -> demat_core::Result<()> {
        if let Some(cause) = self.failure {
            return Err(aside(cause));
        }
        let Some(all) = self.all else { return Ok(()) };
        let spool = all.into_inner().map_err(|error| aside(error.into_error()))?;
        let mut from = BufReader::new(spool.read().map_err(aside)?);
        while let Some(record) = RejectedRecord::read_from(&mut from).map_err(aside)? {
            told(record)?;
        }
        Ok(())
    }
}

/// Returns the error for what can't be put aside.
#[cold]
pub(super) fn aside(cause: io::Error) -> Error {
    Error::new(ErrorKind::Io, "what was read can't be put aside").because(cause)
}
