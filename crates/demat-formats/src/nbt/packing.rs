//! gzip and zlib. NBT files may be packed with either, and the file's name does not show it.

use super::options::Packing;
use crate::Drain;
use core::fmt;
use demat_core::{Error, ErrorKind, Result};
use flate2::Compression;
use flate2::bufread::{MultiGzDecoder, ZlibDecoder};
use flate2::write::{GzEncoder, ZlibEncoder};
use std::io::{Read, Write};

impl Packing {
    /// Detects the packing from the first two bytes. No NBT document begins with them.
    pub(crate) fn of(bytes: &[u8]) -> Option<Self> {
        match bytes {
            [0x1f, 0x8b, ..] => Some(Self::Gzip),
            [0x78, flags, ..] if (0x7800 | u16::from(*flags)).is_multiple_of(31) => Some(Self::Zlib),
            _ => None,
        }
    }

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Gzip => "gzip",
            Self::Zlib => "zlib",
        }
    }

    /// Returns the unpacked data.
    ///
    /// # Errors
    /// If the data is damaged, truncated or followed by other data, or if the unpacked data would exceed the limit.
    pub(crate) fn unpack(self, bytes: &[u8], limit: usize) -> Result<Vec<u8>> {
        let mut rest = bytes;
        let mut unpacked = Vec::new();
        let more = (limit as u64).saturating_add(1);
        let read = match self {
            Self::Gzip => MultiGzDecoder::new(&mut rest).take(more).read_to_end(&mut unpacked),
            Self::Zlib => ZlibDecoder::new(&mut rest).take(more).read_to_end(&mut unpacked),
        };
        read.map_err(|cause| {
            let message = format!("the {} data is damaged or cut off", self.name());
            Error::new(ErrorKind::Syntax, message).because(cause)
        })?;
        if unpacked.len() > limit {
            return Err(Error::limit("the length of the unpacked document", format_args!("{limit} bytes")));
        }
        if !rest.is_empty() {
            return Err(Error::new(ErrorKind::Syntax, format!("{} bytes follow the {} data", rest.len(), self.name())));
        }
        Ok(unpacked)
    }
}

/// A drain that packs, in front of another drain.
pub(crate) struct Packed<D> {
    encoder: Option<Encoder>,
    drain: D,
}

enum Encoder {
    Gzip(GzEncoder<Vec<u8>>),
    Zlib(ZlibEncoder<Vec<u8>>),
}

impl<D: Drain> Packed<D> {
    pub(crate) fn new(packing: Packing, drain: D) -> Self {
        let encoder = match packing {
            Packing::Gzip => Encoder::Gzip(GzEncoder::new(Vec::new(), Compression::default())),
            Packing::Zlib => Encoder::Zlib(ZlibEncoder::new(Vec::new(), Compression::default())),
        };
        Self { encoder: Some(encoder), drain }
    }

    fn take(&mut self, buffer: &mut Vec<u8>) -> Result<()> {
        match &mut self.encoder {
            Some(Encoder::Gzip(encoder)) => encoder.write_all(buffer)?,
            Some(Encoder::Zlib(encoder)) => encoder.write_all(buffer)?,
            None => {}
        }
        buffer.clear();
        Ok(())
    }
}

impl<D: Drain> Drain for Packed<D> {
    fn drain(&mut self, buffer: &mut Vec<u8>) -> Result<()> {
        self.take(buffer)?;
        let packed = match &mut self.encoder {
            Some(Encoder::Gzip(encoder)) => encoder.get_mut(),
            Some(Encoder::Zlib(encoder)) => encoder.get_mut(),
            None => return Ok(()),
        };
        // Bytes that stay in the drain's buffer would be packed twice.
        let mut packed = core::mem::take(packed);
        self.drain.drain(&mut packed)?;
        match &mut self.encoder {
            Some(Encoder::Gzip(encoder)) => *encoder.get_mut() = packed,
            Some(Encoder::Zlib(encoder)) => *encoder.get_mut() = packed,
            None => {}
        }
        Ok(())
    }

    fn flush(&mut self) -> Result<()> {
        self.drain.flush()
    }

    fn finish(&mut self, buffer: &mut Vec<u8>) -> Result<()> {
        self.take(buffer)?;
        let mut packed = match self.encoder.take() {
            Some(Encoder::Gzip(encoder)) => encoder.finish()?,
            Some(Encoder::Zlib(encoder)) => encoder.finish()?,
            None => Vec::new(),
        };
        self.drain.finish(&mut packed)?;
        buffer.append(&mut packed);
        Ok(())
    }
}

impl<D> fmt::Debug for Packed<D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Packed").finish_non_exhaustive()
    }
}
