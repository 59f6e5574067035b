//! The compression of blocks. Avro calls it the codec of a file.

use core::fmt::Display;
use demat_core::{Error, ErrorKind, Result};
use flate2::Crc;
use flate2::bufread::DeflateDecoder;
use flate2::write::DeflateEncoder;
use std::io::{Read, Write};

/// How the blocks of a file are compressed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Compression {
    /// Not at all.
    #[default]
    Null,
    /// Deflate (RFC 1951); writes at level 6.
    Deflate,
    /// Snappy, with the CRC of the unpacked bytes behind each block.
    Snappy,
    /// Zstandard (RFC 8878); writes at level 3.
    Zstandard,
}

/// Writers in Python cut the data out of zlib's form, and leave a part of its checksum behind it.
const REST_OF_ZLIB: usize = 4;
/// Snappy packs at most 64 bytes into three.
const MOST_SNAPPY: usize = 22;

impl Compression {
    /// The names of all.
    pub(super) const NAMES: [&'static str; 4] = ["null", "deflate", "snappy", "zstandard"];

    /// The name in a file's header.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Null => Self::NAMES[0],
            Self::Deflate => Self::NAMES[1],
            Self::Snappy => Self::NAMES[2],
            Self::Zstandard => Self::NAMES[3],
        }
    }

    /// Returns the compression with this name.
    pub(super) fn of_name(name: &[u8]) -> Option<Self> {
        [Self::Null, Self::Deflate, Self::Snappy, Self::Zstandard].into_iter().find(|own| own.name().as_bytes() == name)
    }

    /// Unpacks a block, which replaces the content of `out`.
    ///
    /// # Errors
    /// If the data is damaged, or is longer than `limit` when unpacked.
    pub(super) fn unpack(self, packed: &[u8], limit: usize, out: &mut Vec<u8>) -> Result<()> {
        out.clear();
        let more = (limit as u64).saturating_add(1);
        match self {
            Self::Null => out.extend_from_slice(packed),
            Self::Deflate => {
                let mut rest = packed;
                let read = DeflateDecoder::new(&mut rest).take(more).read_to_end(out);
                read.map_err(|cause| self.damaged(cause))?;
                if out.len() <= limit && rest.len() > REST_OF_ZLIB {
                    return Err(self.damaged("data follows its end"));
                }
            }
            Self::Snappy => self.unpack_snappy(packed, limit, out)?,
            Self::Zstandard => {
                let decoder = zstd::stream::read::Decoder::with_buffer(packed).map_err(|cause| self.damaged(cause))?;
                decoder.take(more).read_to_end(out).map_err(|cause| self.damaged(cause))?;
            }
        }
        if out.len() > limit { Err(too_long(limit)) } else { Ok(()) }
    }

    fn unpack_snappy(self, packed: &[u8], limit: usize, out: &mut Vec<u8>) -> Result<()> {
        let Some((packed, crc)) = packed.split_last_chunk::<4>() else {
            return Err(self.damaged("a block ends with a CRC of 4 bytes"));
        };
        let len = snap::raw::decompress_len(packed).map_err(|cause| self.damaged(cause))?;
        if len > limit {
            return Err(too_long(limit));
        }
        // The memory is reserved before the data is read.
        if len > packed.len().saturating_mul(MOST_SNAPPY) {
            return Err(self.damaged("it declares more bytes than it can hold"));
        }
        out.resize(len, 0);
        let written = snap::raw::Decoder::new().decompress(packed, out).map_err(|cause| self.damaged(cause))?;
        out.truncate(written);
        if crc_of(out) != u32::from_be_bytes(*crc) {
            return Err(self.damaged("its CRC is another one"));
        }
        Ok(())
    }

    /// Appends a packed block.
    ///
    /// # Errors
    /// If the packer fails.
    pub(super) fn pack(self, block: &[u8], out: &mut Vec<u8>) -> Result<()> {
        match self {
            Self::Null => out.extend_from_slice(block),
            Self::Deflate => {
                let mut encoder = DeflateEncoder::new(&mut *out, flate2::Compression::default());
                encoder.write_all(block)?;
                encoder.finish()?;
            }
            Self::Snappy => {
                let begin = out.len();
                out.resize(begin + snap::raw::max_compress_len(block.len()), 0);
                let packed = snap::raw::Encoder::new().compress(block, &mut out[begin..]);
                let packed = packed.map_err(|cause| Error::new(ErrorKind::Encode, cause.to_string()))?;
                out.truncate(begin + packed);
                out.extend_from_slice(&crc_of(block).to_be_bytes());
            }
            Self::Zstandard => zstd::stream::copy_encode(block, out, 3)?,
        }
        Ok(())
    }

    #[cold]
    fn damaged(self, why: impl Display) -> Error {
        Error::new(ErrorKind::Syntax, format!("the {} data of a block is damaged or cut off: {why}", self.name()))
    }
}

#[cold]
pub(super) fn too_long(limit: usize) -> Error {
    Error::limit("the length of a block", format_args!("{limit} bytes"))
}

fn crc_of(bytes: &[u8]) -> u32 {
    let mut crc = Crc::new();
    crc.update(bytes);
    crc.sum()
}
