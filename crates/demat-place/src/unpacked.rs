//! Readers whose data may be packed.

use crate::Compression;
use crate::lift::{is_ours, lower};
use crate::magic::Sniffed;
use core::fmt;
use demat_core::{Error, ErrorKind};
use flate2::bufread::MultiGzDecoder;
use std::io::{self, BufReader, Read};

#[cfg(test)]
mod tests;

/// A reader of any kind, unpacked: what it holds is told by its first bytes, or by who made it.
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
/// A reader that has nothing yet (`WouldBlock`) can be asked again. Data that is damaged is a
/// [`Syntax`](ErrorKind::Syntax) error on its way through `std::io::Error`; [`lift`](crate::lift) takes it out again.
pub struct Unpacked<R: Read> {
    decoder: Decoder<R>,
}

enum Decoder<R: Read> {
    /// Of the first bytes too few were seen.
    Unknown(Sniffed<R>),
    Plain(Sniffed<R>),
    Gzip(Box<MultiGzDecoder<BufReader<Sniffed<R>>>>),
    Zstd(Box<zstd::Decoder<'static, BufReader<Sniffed<R>>>>),
    /// Making a decoder failed.
    Broken,
}

/// So much is read at once of what is packed.
const PACKED: usize = 128 * 1024;

impl<R: Read> Unpacked<R> {
    /// Unpacks what the first bytes say is packed.
    pub fn new(reader: R) -> Self {
        Self { decoder: Decoder::Unknown(Sniffed::before(reader)) }
    }

    /// Reads the bytes as they stand.
    pub fn plain(reader: R) -> Self {
        Self { decoder: Decoder::Plain(Sniffed::before(reader)) }
    }

    /// Unpacks what is known to be packed so.
    ///
    /// # Errors
    /// Where no decoder can be made, for want of memory.
    pub fn packed(reader: R, compression: Compression) -> io::Result<Self> {
        Ok(Self { decoder: Decoder::packed(Sniffed::before(reader), compression)? })
    }

    /// Reads as few bytes as tell how the data is packed, and says so; nothing of data that is not.
    ///
    /// # Errors
    /// What the reader says. It can be asked again where that is that it has nothing yet.
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

    /// How the data is packed, as far as the first bytes were seen.
    pub fn compression(&self) -> Option<Compression> {
        match &self.decoder {
            Decoder::Gzip(_) => Some(Compression::Gzip),
            Decoder::Zstd(_) => Some(Compression::Zstd),
            Decoder::Unknown(_) | Decoder::Plain(_) | Decoder::Broken => None,
        }
    }

    /// The reader; none where making a decoder failed.
    pub fn inner(&self) -> Option<&R> {
        Some(match &self.decoder {
            Decoder::Unknown(sniffed) | Decoder::Plain(sniffed) => sniffed.inner(),
            Decoder::Gzip(decoder) => decoder.get_ref().get_ref().inner(),
            Decoder::Zstd(decoder) => decoder.get_ref().get_ref().inner(),
            Decoder::Broken => return None,
        })
    }

    /// The reader, to be told something.
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

/// Damaged data is the data's fault and not the system's.
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
