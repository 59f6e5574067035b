//! Readers of data that may be compressed.

use crate::Compression;
use crate::lift::{is_ours, lower};
use crate::magic::Sniffed;
use core::fmt;
use demat_core::{Error, ErrorKind};
use flate2::bufread::MultiGzDecoder;
use std::io::{self, BufReader, Read};

#[cfg(test)]
mod tests;

/// Decompresses a reader. The compression is detected from the first bytes, or set by the caller.
///
/// ```
/// # fn main() -> std::io::Result<()> {
/// use demat_place::Unpacked;
/// use std::io::Read;
/// let mut text = String::new();
/// Unpacked::new(&b"[1, 2]"[..]).read_to_string(&mut text)?;
/// assert_eq!(text, "[1, 2]");
/// # Ok(())
/// # }
/// ```
///
/// After `WouldBlock`, read again. Damaged data is a [`Syntax`](ErrorKind::Syntax) error inside an `std::io::Error`;
/// [`lift`](crate::lift) unwraps it.
pub struct Unpacked<R: Read> {
    decoder: Decoder<R>,
}

enum Decoder<R: Read> {
    /// Not detected yet.
    Unknown(Sniffed<R>),
    Plain(Sniffed<R>),
    Gzip(Box<MultiGzDecoder<BufReader<Sniffed<R>>>>),
    Zstd(Box<zstd::Decoder<'static, BufReader<Sniffed<R>>>>),
    /// Creating a decoder failed.
    Broken,
}

/// The buffer size for compressed data.
const PACKED: usize = 128 * 1024;

impl<R: Read> Unpacked<R> {
    /// Detects the compression from the first bytes.
    pub fn new(reader: R) -> Self {
        Self { decoder: Decoder::Unknown(Sniffed::before(reader)) }
    }

    /// Reads the bytes unchanged.
    pub fn plain(reader: R) -> Self {
        Self { decoder: Decoder::Plain(Sniffed::before(reader)) }
    }

    /// Decompresses data of a known compression.
    ///
    /// # Errors
    /// If the decoder can't be created, for lack of memory.
    pub fn packed(reader: R, compression: Compression) -> io::Result<Self> {
        Ok(Self { decoder: Decoder::packed(Sniffed::before(reader), compression)? })
    }

    /// Detects the compression from as few bytes as possible. Returns `None` for uncompressed data.
    ///
    /// # Errors
    /// What the reader reports. After `WouldBlock`, call it again.
    pub fn sniff(&mut self) -> io::Result<Option<Compression>> {
        let Decoder::Unknown(sniffed) = &mut self.decoder else { return Ok(self.compression()) };
        let found = sniffed.sniff()?;
        let Decoder::Unknown(sniffed) = std::mem::replace(&mut self.decoder, Decoder::Broken) else { return Ok(found) };
        self.decoder = match found {
            None => Decoder::Plain(sniffed),
            Some(compression) => Decoder::packed(sniffed, compression)?,
        };
        Ok(found)
    }

    /// Returns the compression, if it has been detected.
    pub fn compression(&self) -> Option<Compression> {
        match &self.decoder {
            Decoder::Gzip(_) => Some(Compression::Gzip),
            Decoder::Zstd(_) => Some(Compression::Zstd),
            Decoder::Unknown(_) | Decoder::Plain(_) | Decoder::Broken => None,
        }
    }

    /// Returns the inner reader; `None` if creating a decoder failed.
    pub fn inner(&self) -> Option<&R> {
        Some(match &self.decoder {
            Decoder::Unknown(sniffed) | Decoder::Plain(sniffed) => sniffed.inner(),
            Decoder::Gzip(decoder) => decoder.get_ref().get_ref().inner(),
            Decoder::Zstd(decoder) => decoder.get_ref().get_ref().inner(),
            Decoder::Broken => return None,
        })
    }

    /// Returns the inner reader, mutably.
    pub fn inner_mut(&mut self) -> Option<&mut R> {
        Some(match &mut self.decoder {
            Decoder::Unknown(sniffed) | Decoder::Plain(sniffed) => sniffed.inner_mut(),
            Decoder::Gzip(decoder) => decoder.get_mut().get_mut().inner_mut(),
            Decoder::Zstd(decoder) => decoder.get_mut().get_mut().inner_mut(),
            Decoder::Broken => return None,
        })
    }
}

impl<R: Read> Decoder<R> {
    fn packed(sniffed: Sniffed<R>, compression: Compression) -> io::Result<Self> {
        let buffered = BufReader::with_capacity(PACKED, sniffed);
        Ok(match compression {
            Compression::Gzip => Self::Gzip(Box::new(MultiGzDecoder::new(buffered))),
            Compression::Zstd => Self::Zstd(Box::new(zstd::Decoder::with_buffer(buffered)?)),
        })
    }
}

impl<R: Read> Read for Unpacked<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if matches!(self.decoder, Decoder::Unknown(_)) {
            self.sniff()?;
        }
        let (read, compression) = match &mut self.decoder {
            Decoder::Unknown(sniffed) | Decoder::Plain(sniffed) => return sniffed.read(buffer),
            Decoder::Gzip(decoder) => (decoder.read(buffer), Compression::Gzip),
            Decoder::Zstd(decoder) => (decoder.read(buffer), Compression::Zstd),
            Decoder::Broken => return Err(io::ErrorKind::OutOfMemory.into()),
        };
        read.map_err(|cause| fault(compression, cause))
    }
}

/// Converts the error of a decoder: damaged data is a syntax error, not an I/O error.
#[cold]
fn fault(compression: Compression, cause: io::Error) -> io::Error {
    if is_ours(&cause) || matches!(cause.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted) {
        return cause;
    }
    let error = Error::new(ErrorKind::Syntax, format!("the {compression} data is damaged or cut off"));
    lower(error.because(cause))
}

impl<R: Read> fmt::Debug for Unpacked<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Unpacked").field("compression", &self.compression()).finish_non_exhaustive()
    }
}
