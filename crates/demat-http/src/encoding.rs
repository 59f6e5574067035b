//! Packing what is sent.

use crate::negotiate::weighed;
use bytes::Bytes;
use flate2::Compression;
use flate2::write::GzEncoder;
use http::HeaderMap;
use http::header::ACCEPT_ENCODING;
use std::io::{self, Write};

/// How what is sent is packed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Encoding {
    Gzip,
    Zstd,
}

/// Less than this is sent as it is.
pub(crate) const WORTH: usize = 1024;
/// Packed while others wait: better quick than small.
const GZIP_LEVEL: u32 = 3;
const ZSTD_LEVEL: i32 = 1;

impl Encoding {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Gzip => "gzip",
            Self::Zstd => "zstd",
        }
    }

    /// The one that is accepted most; nothing where as it is is wanted, or nothing is said.
    pub(crate) fn wanted(headers: &HeaderMap) -> Option<Self> {
        let mut best = None;
        for value in headers.get_all(ACCEPT_ENCODING) {
            let Ok(value) = value.to_str() else { continue };
            for (name, weight) in value.split(',').map(|part| weighed(part.trim())) {
                // Of two that are wanted alike, the quicker.
                let (own, rank) = match name {
                    "gzip" | "x-gzip" => (Self::Gzip, 0),
                    "zstd" => (Self::Zstd, 1),
                    _ => continue,
                };
                if weight > 0 && best.is_none_or(|(_, than)| (weight, rank) > than) {
                    best = Some((own, (weight, rank)));
                }
            }
        }
        best.map(|(encoding, _)| encoding)
    }

    /// Packs what is there.
    pub(crate) fn packed(self, bytes: &[u8]) -> io::Result<Bytes> {
        let mut packer = Packer::new(self, Vec::with_capacity(bytes.len() / 4))?;
        packer.write_all(bytes)?;
        packer.finish().map(Bytes::from)
    }
}

/// Packs what is written.
pub(crate) enum Packer<W: Write> {
    Gzip(GzEncoder<W>),
    Zstd(zstd::Encoder<'static, W>),
}

impl<W: Write> Packer<W> {
    pub(crate) fn new(encoding: Encoding, writer: W) -> io::Result<Self> {
        Ok(match encoding {
            Encoding::Gzip => Self::Gzip(GzEncoder::new(writer, Compression::new(GZIP_LEVEL))),
            Encoding::Zstd => Self::Zstd(zstd::Encoder::new(writer, ZSTD_LEVEL)?),
        })
    }

    pub(crate) fn finish(self) -> io::Result<W> {
        match self {
            Self::Gzip(encoder) => encoder.finish(),
            Self::Zstd(encoder) => encoder.finish(),
        }
    }
}

impl<W: Write> Write for Packer<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Gzip(encoder) => encoder.write(bytes),
            Self::Zstd(encoder) => encoder.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Gzip(encoder) => encoder.flush(),
            Self::Zstd(encoder) => encoder.flush(),
        }
    }
}
