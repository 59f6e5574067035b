//! Places open for reading.

use crate::encoding::Decoding;
use crate::lift::{is_ours, lift, lower, refused};
use crate::target::Flusher;
use crate::{Compression, Encoding, Place, Unpacked};
use core::fmt;
use demat_core::{Error, ErrorKind, Result};
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

#[cfg(test)]
mod tests;

/// The progress of reading, in bytes of the place: compressed ones, if it is compressed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// The number of bytes read.
    pub read: u64,
    /// The size of the place in bytes, if it is known, as for files.
    pub total: Option<u64>,
}

/// A progress callback. Its error ends the reading.
pub(crate) type OnProgress<'j> = Box<dyn FnMut(Progress) -> Result<()> + Send + 'j>;

/// A reader that the program provides.
pub(crate) type Reader<'j> = Box<dyn Read + Send + 'j>;

/// A place open for reading, decompressed.
pub struct Input<'j> {
    reader: Unpacked<Counted<'j>>,
    decoding: Option<Decoding>,
    place: String,
    total: Option<u64>,
    /// Whether it is not compressed.
    #[cfg(feature = "arrow")]
    plain: bool,
}

impl<'j> Input<'j> {
    /// Opens a place.
    ///
    /// # Errors
    /// [`Io`](ErrorKind::Io); [`Syntax`](ErrorKind::Syntax) if the suffix announces a compression and the first bytes
    /// differ.
    pub fn open(place: &Place) -> Result<Self> {
        Self::open_with(place, None, None)
    }

    /// Decompresses a reader that the program provides. `name` is its name in errors.
    ///
    /// ```
    /// use std::io::Read;
    /// let mut text = String::new();
    /// demat_place::Input::over(&b"[1, 2]"[..], "numbers")?.read_to_string(&mut text)?;
    /// assert_eq!(text, "[1, 2]");
    /// # Ok::<(), demat_core::Error>(())
    /// ```
    ///
    /// # Errors
    /// Errors of the reader at its first bytes.
    pub fn over(reader: impl Read + Send + 'j, name: impl Into<String>) -> Result<Self> {
        Self::open_with(&Place::Given(name.into()), Some(Box::new(reader)), None)
    }

    /// `given`: the reader of a place that the program [provides](Place::Given).
    pub(crate) fn open_with(
        place: &Place,
        given: Option<Reader<'j>>,
        progress: Option<OnProgress<'j>>,
    ) -> Result<Self> {
        let name = place.name_as_source();
        let opened = match place {
            Place::File(path) => open_file(path),
            Place::Standard => Ok((Raw::Standard(io::stdin()), None)),
            Place::Database(database) => open_file(&database.path),
            Place::Collection(_) | Place::Server(_) => Err(io::ErrorKind::IsADirectory.into()),
            Place::Given(_) => given.map(|reader| (Raw::Given(reader), None)).ok_or_else(|| not_given("reader")),
        };
        let (raw, total) = opened.map_err(|cause| refused("can't be opened", &name, cause))?;
        let counted = Counted { raw, read: 0, total, progress: None, flusher: None, place: name.clone() };
        let mut reader = Unpacked::new(counted);
        let found = reader.sniff().map_err(|cause| refused("can't be read", &name, cause))?;
        // The first bytes do not count as progress.
        if let Some(counted) = reader.inner_mut() {
            counted.progress = progress;
        }
        if let Some(promised) = place.compression()
            && found != Some(promised)
        {
            let error = Error::mismatch(ErrorKind::Syntax, format!("{promised} data"), "other bytes");
            return Err(error.in_place(name));
        }
        Ok(Self {
            reader,
            decoding: None,
            place: name,
            total,
            #[cfg(feature = "arrow")]
            plain: found.is_none(),
        })
    }

    /// Whether reading may have to wait for bytes, which a file never has to.
    pub(crate) fn may_wait(&self) -> bool {
        self.total.is_none()
    }

    /// Passes on what was written to a target before each wait for bytes.
    #[must_use]
    pub(crate) fn flushing(mut self, flusher: Option<Flusher>) -> Self {
        if let Some(counted) = self.reader.inner_mut() {
            counted.flusher = flusher;
        }
        self
    }

    /// Decodes the text from an encoding.
    #[must_use]
    pub fn encoded(mut self, encoding: Option<Encoding>) -> Self {
        self.decoding = encoding.map(Decoding::new);
        self
    }

    /// Returns the place as a file with random access: the file itself if it is an uncompressed file, otherwise an
    /// unnamed temporary copy.
    #[cfg(feature = "arrow")]
    pub(crate) fn into_file(mut self, place: &Place) -> Result<File> {
        let name = self.place.clone();
        let file = match place.path() {
            Some(path) if self.plain && path.is_file() => File::open(path),
            _ => tempfile::tempfile().and_then(|mut file| io::copy(&mut self, &mut file).map(|_| file)),
        };
        file.map_err(|cause| refused("can't be read", name, cause))
    }

    /// The compression of the place.
    pub fn compression(&self) -> Option<Compression> {
        self.reader.compression()
    }

    /// The progress of reading.
    pub fn progress(&self) -> Progress {
        Progress { read: self.reader.inner().map_or(0, |counted| counted.read), total: self.total }
    }
}

impl Read for Input<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = match &mut self.decoding {
            Some(decoding) => decoding.read(&mut self.reader, buffer),
            None => self.reader.read(buffer),
        };
        read.map_err(|cause| {
            if !is_ours(&cause) {
                return cause;
            }
            lower(lift(Error::from(cause)).in_place(&self.place))
        })
    }
}

/// Returns the error for a [`Place::Given`] without its reader or writer.
pub(crate) fn not_given(what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, format!("no {what} was given for it"))
}

fn open_file<'j>(path: &Path) -> io::Result<(Raw<'j>, Option<u64>)> {
    let file = File::open(path)?;
    let about = file.metadata()?;
    if about.is_dir() {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    Ok((Raw::File(file), about.is_file().then_some(about.len())))
}

/// The bytes of the place, before decompression.
enum Raw<'j> {
    File(File),
    Standard(io::Stdin),
    Given(Reader<'j>),
}

/// Counts the bytes read, and reports them.
struct Counted<'j> {
    raw: Raw<'j>,
    read: u64,
    total: Option<u64>,
    progress: Option<OnProgress<'j>>,
    /// Passes on what was written, before it waits for bytes.
    flusher: Option<Flusher>,
    place: String,
}

impl Read for Counted<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if let Some(flusher) = &self.flusher {
            flusher.flush()?;
        }
        let read = match &mut self.raw {
            Raw::File(file) => file.read(buffer),
            Raw::Standard(stdin) => stdin.read(buffer),
            Raw::Given(reader) => reader.read(buffer),
        };
        match read {
            Ok(read) => {
                self.read += read as u64;
                if let Some(progress) = &mut self.progress {
                    progress(Progress { read: self.read, total: self.total }).map_err(lower)?;
                }
                Ok(read)
            }
            Err(cause) if cause.kind() == io::ErrorKind::Interrupted => Err(cause),
            Err(cause) => Err(lower(refused("can't be read", &self.place, cause))),
        }
    }
}

impl fmt::Debug for Input<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Input").field("place", &self.place).field("progress", &self.progress()).finish_non_exhaustive()
    }
}
