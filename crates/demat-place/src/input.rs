//! Places open for reading.

use crate::lift::{is_ours, lift, lower, refused};
use crate::{Compression, Place, Unpacked};
use core::fmt;
use demat_core::{Error, ErrorKind, Result};
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

#[cfg(test)]
mod tests;

/// How far reading has come, in bytes as they stand in the place: packed ones, where it is packed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// Bytes read.
    pub read: u64,
    /// Bytes that there are, where that is known: of files.
    pub total: Option<u64>,
}

/// What wants to know of the progress; an error ends the reading.
pub(crate) type OnProgress<'j> = Box<dyn FnMut(Progress) -> Result<()> + Send + 'j>;

/// A reader of the program's own.
pub(crate) type Reader<'j> = Box<dyn Read + Send + 'j>;

/// A place open for reading, unpacked.
pub struct Input<'j> {
    reader: Unpacked<Counted<'j>>,
    place: String,
    total: Option<u64>,
    /// Whether it is not packed.
    #[cfg(feature = "arrow")]
    plain: bool,
}

impl<'j> Input<'j> {
    /// Opens a place.
    ///
    /// # Errors
    /// [`Io`](ErrorKind::Io), and [`Syntax`](ErrorKind::Syntax) where the suffix tells of a compression and the first
    /// bytes don't.
    pub fn open(place: &Place) -> Result<Self> {
        Self::open_with(place, None, None)
    }

    /// A reader of the program's own, unpacked; errors call it by this name.
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
    /// What the reader says when it is asked for its first bytes.
    pub fn over(reader: impl Read + Send + 'j, name: impl Into<String>) -> Result<Self> {
        Self::open_with(&Place::Given(name.into()), Some(Box::new(reader)), None)
    }

    /// `given` is what is read where the place is one that is [given](Place::Given).
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
            Place::Given(_) => given.map(|reader| (Raw::Given(reader), None)).ok_or_else(|| not_given("reader")),
        };
        let (raw, total) = opened.map_err(|cause| refused("can't be opened", &name, cause))?;
        let counted = Counted { raw, read: 0, total, progress: None, place: name.clone() };
        let mut reader = Unpacked::new(counted);
        let found = reader.sniff().map_err(|cause| refused("can't be read", &name, cause))?;
        // The first bytes are no progress to tell of.
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
            place: name,
            total,
            #[cfg(feature = "arrow")]
            plain: found.is_none(),
        })
    }

    /// The place as a file that can be read from any byte on: the file itself, where it is one and not packed;
    /// otherwise one without a name that all of it is written to first.
    #[cfg(feature = "arrow")]
    pub(crate) fn into_file(mut self, place: &Place) -> Result<File> {
        let name = self.place.clone();
        let file = match place.path() {
            Some(path) if self.plain && path.is_file() => File::open(path),
            _ => tempfile::tempfile().and_then(|mut file| io::copy(&mut self, &mut file).map(|_| file)),
        };
        file.map_err(|cause| refused("can't be read", name, cause))
    }

    /// How the place is packed.
    pub fn compression(&self) -> Option<Compression> {
        self.reader.compression()
    }

    /// How far reading has come.
    pub fn progress(&self) -> Progress {
        Progress { read: self.reader.inner().map_or(0, |counted| counted.read), total: self.total }
    }
}

impl Read for Input<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.reader.read(buffer).map_err(|cause| {
            if !is_ours(&cause) {
                return cause;
            }
            lower(lift(Error::from(cause)).in_place(&self.place))
        })
    }
}

/// A place that the program has open, without what it has open.
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

/// The bytes as they stand in the place.
enum Raw<'j> {
    File(File),
    Standard(io::Stdin),
    Given(Reader<'j>),
}

/// Counts what is read and says so.
struct Counted<'j> {
    raw: Raw<'j>,
    read: u64,
    total: Option<u64>,
    progress: Option<OnProgress<'j>>,
    place: String,
}

impl Read for Counted<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
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
