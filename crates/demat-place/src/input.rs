//! Places open for reading.

use crate::lift::{is_ours, lower, refused};
use crate::magic::Sniffed;
use crate::{Compression, Place};
use core::fmt;
use demat_core::{Error, ErrorKind, Result};
use flate2::bufread::MultiGzDecoder;
use std::fs::File;
use std::io::{self, BufReader, Read};
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
pub(crate) type OnProgress<'j> = Box<dyn FnMut(Progress) -> Result<()> + 'j>;

/// A place open for reading, unpacked.
pub struct Input<'j> {
    reader: Unpacked<'j>,
    place: String,
}

enum Unpacked<'j> {
    Plain(Sniffed<Counted<'j>>),
    Gzip(Box<MultiGzDecoder<BufReader<Sniffed<Counted<'j>>>>>),
    Zstd(Box<zstd::Decoder<'static, BufReader<Sniffed<Counted<'j>>>>>),
}

/// So much is read at once of what is packed.
const PACKED: usize = 128 * 1024;

impl<'j> Input<'j> {
    /// Opens a place.
    ///
    /// # Errors
    /// [`Io`](ErrorKind::Io), and [`Syntax`](ErrorKind::Syntax) where the suffix tells of a compression and the first
    /// bytes don't.
    pub fn open(place: &Place) -> Result<Self> {
        Self::open_with(place, None)
    }

    pub(crate) fn open_with(place: &Place, progress: Option<OnProgress<'j>>) -> Result<Self> {
        let name = place.name_as_source();
        let opened = match place {
            Place::File(path) => open_file(path),
            Place::Standard => Ok((Raw::Standard(io::stdin()), None)),
            Place::Database(database) => open_file(&database.path),
        };
        let (raw, total) = opened.map_err(|cause| refused("can't be opened", &name, cause))?;
        let counted = Counted { raw, read: 0, total, progress: None, place: name.clone() };
        let (mut sniffed, found) = Sniffed::new(counted).map_err(|cause| refused("can't be read", &name, cause))?;
        // The first bytes are no progress to tell of.
        sniffed.inner_mut().progress = progress;
        if let Some(promised) = place.compression()
            && found != Some(promised)
        {
            let error = Error::mismatch(ErrorKind::Syntax, format!("{promised} data"), "other bytes");
            return Err(error.in_place(name));
        }
        let reader = match found {
            None => Unpacked::Plain(sniffed),
            Some(Compression::Gzip) => {
                let buffered = BufReader::with_capacity(PACKED, sniffed);
                Unpacked::Gzip(Box::new(MultiGzDecoder::new(buffered)))
            }
            Some(Compression::Zstd) => {
                let decoder = zstd::Decoder::with_buffer(BufReader::with_capacity(PACKED, sniffed));
                Unpacked::Zstd(Box::new(decoder.map_err(|cause| refused("can't be read", &name, cause))?))
            }
        };
        Ok(Self { reader, place: name })
    }

    /// How far reading has come.
    pub fn progress(&self) -> Progress {
        let counted = match &self.reader {
            Unpacked::Plain(sniffed) => sniffed.inner(),
            Unpacked::Gzip(decoder) => decoder.get_ref().get_ref().inner(),
            Unpacked::Zstd(decoder) => decoder.get_ref().get_ref().inner(),
        };
        Progress { read: counted.read, total: counted.total }
    }

    /// Damaged data is the data's fault and not the system's.
    #[cold]
    fn fault(&self, compression: Compression, cause: io::Error) -> io::Error {
        if is_ours(&cause) {
            return cause;
        }
        let error = Error::new(ErrorKind::Syntax, format!("the {compression} data is damaged or cut off"));
        lower(error.because(cause).in_place(&self.place))
    }
}

impl Read for Input<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let (read, compression) = match &mut self.reader {
            Unpacked::Plain(sniffed) => return sniffed.read(buffer),
            Unpacked::Gzip(decoder) => (decoder.read(buffer), Compression::Gzip),
            Unpacked::Zstd(decoder) => (decoder.read(buffer), Compression::Zstd),
        };
        read.map_err(|cause| self.fault(compression, cause))
    }
}

fn open_file(path: &Path) -> io::Result<(Raw, Option<u64>)> {
    let file = File::open(path)?;
    let about = file.metadata()?;
    if about.is_dir() {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    Ok((Raw::File(file), about.is_file().then_some(about.len())))
}

/// The bytes as they stand in the place.
enum Raw {
    File(File),
    Standard(io::Stdin),
}

/// Counts what is read and says so.
struct Counted<'j> {
    raw: Raw,
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
