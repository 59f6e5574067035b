//! Compression of single records, with dictionaries that they share.
//!
//! A packed record is a byte, and what it says: `00`, and the record as it is; `01`, its length as 4 bytes,
//! little-endian, and the record packed; from `02` on, the same with the dictionary of that number less one.

use crate::environment::locked;
use crate::failure::refused;
use core::fmt;
use core::str::FromStr;
use demat_core::{Error, ErrorKind, Result};
use std::borrow::Cow;
use std::sync::{Arc, Mutex};

/// How records are compressed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Compression {
    /// Zstandard, level 3.
    Zstd,
    /// LZ4's block format.
    Lz4,
}

impl Compression {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Zstd => "zstd",
            Self::Lz4 => "lz4",
        }
    }
}

impl FromStr for Compression {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self> {
        match name {
            "zstd" => Ok(Self::Zstd),
            "lz4" => Ok(Self::Lz4),
            _ => Err(refused(format!("records can be compressed by zstd or lz4, and not by {name:?}"))),
        }
    }
}

impl fmt::Display for Compression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

const PLAIN: u8 = 0;
/// The length of the byte and the length before packed bytes.
const HEAD: usize = 5;
const LEVEL: i32 = 3;
/// The size of a dictionary that is trained, at most: as much as LZ4 looks back.
const DICTIONARY: usize = 64 << 10;
/// The largest record that is unpacked. LMDB's own limit is 4 GiB.
const MOST: usize = 1 << 30;
/// The greatest number of a dictionary.
pub(crate) const MOST_DICTIONARIES: u8 = u8::MAX - 1;

/// Packs and unpacks records by one dictionary, or none.
pub(crate) struct Packing {
    compression: Compression,
    /// The number of the dictionary; 0 for none.
    number: u8,
    dictionary: Vec<u8>,
    zstd: Mutex<Option<Zstd>>,
}

struct Zstd {
    pack: zstd::bulk::Compressor<'static>,
    unpack: zstd::bulk::Decompressor<'static>,
}

impl Packing {
    pub(crate) fn new(compression: Compression, number: u8, dictionary: Vec<u8>) -> Arc<Self> {
        Arc::new(Self { compression, number, dictionary, zstd: Mutex::default() })
    }

    /// Packs a record, if that makes it smaller.
    pub(crate) fn pack(&self, record: &[u8]) -> Result<Vec<u8>> {
        let as_it_is = || {
            let mut whole = Vec::with_capacity(record.len() + 1);
            whole.push(PLAIN);
            whole.extend_from_slice(record);
            Ok(whole)
        };
        if record.len() > MOST {
            return as_it_is();
        }
        let mut packed = vec![self.number + 1]; // at most 255
        packed.extend_from_slice(&(record.len() as u32).to_le_bytes()); // at most 2^30
        match self.compression {
            Compression::Zstd => {
                let bytes = self.with_zstd(|zstd| zstd.pack.compress(record));
                packed.extend_from_slice(&bytes.map_err(|cause| cannot("compressed").because(cause))?);
            }
            Compression::Lz4 => {
                packed.extend_from_slice(&lz4_flex::block::compress_with_dict(record, &self.dictionary));
            }
        }
        if packed.len() > record.len() { as_it_is() } else { Ok(packed) }
    }

    fn with_zstd<T>(&self, work: impl FnOnce(&mut Zstd) -> std::io::Result<T>) -> std::io::Result<T> {
        let mut zstd = locked(&self.zstd);
        let zstd = match &mut *zstd {
            Some(zstd) => zstd,
            none => none.insert(Zstd {
                pack: zstd::bulk::Compressor::with_dictionary(LEVEL, &self.dictionary)?,
                unpack: zstd::bulk::Decompressor::with_dictionary(&self.dictionary)?,
            }),
        };
        work(zstd)
    }

    /// Unpacks a record that was packed with this dictionary.
    fn unpack(&self, stored: &[u8]) -> Result<Vec<u8>> {
        let damaged = || Error::new(ErrorKind::Syntax, "the record is damaged: it can't be unpacked");
        let (head, packed) = stored.split_at_checked(HEAD).ok_or_else(damaged)?;
        let len = u32::from_le_bytes([head[1], head[2], head[3], head[4]]) as usize;
        // LZ4 packs by 255 at most, so a longer one is none. Zstandard has no such limit, but this one.
        let most = match self.compression {
            Compression::Lz4 => packed.len().saturating_mul(256).min(MOST),
            Compression::Zstd => MOST,
        };
        if len > most {
            return Err(damaged());
        }
        let record = match self.compression {
            Compression::Zstd => {
                let stated = zstd::zstd_safe::get_frame_content_size(packed).ok().flatten();
                if stated != Some(len as u64) {
                    return Err(damaged());
                }
                self.with_zstd(|zstd| zstd.unpack.decompress(packed, len)).map_err(|_| damaged())?
            }
            Compression::Lz4 => {
                lz4_flex::block::decompress_with_dict(packed, len, &self.dictionary).map_err(|_| damaged())?
            }
        };
        if record.len() == len { Ok(record) } else { Err(damaged()) }
    }
}

/// Unpacks a record. `packing` returns the dictionary of a number.
pub(crate) fn unpacked(stored: &[u8], packing: impl FnOnce(u8) -> Result<Arc<Packing>>) -> Result<Cow<'_, [u8]>> {
    match stored.split_first() {
        Some((&PLAIN, record)) => Ok(Cow::Borrowed(record)),
        Some((tag, _)) => packing(tag - 1)?.unpack(stored).map(Cow::Owned),
        None => Err(Error::new(ErrorKind::Syntax, "the record is damaged: it is empty")),
    }
}

/// Makes a dictionary from records.
pub(crate) fn train(compression: Compression, samples: &[Vec<u8>]) -> Result<Vec<u8>> {
    match compression {
        Compression::Zstd => zstd::dict::from_samples(samples, DICTIONARY).map_err(|cause| {
            refused("the records are too few, or too short, to make a dictionary from").because(cause)
        }),
        // What LZ4 knows best is what it has seen last.
        Compression::Lz4 => {
            let mut dictionary = Vec::new();
            for sample in samples {
                if dictionary.len() + sample.len() > DICTIONARY {
                    break;
                }
                dictionary.extend_from_slice(sample);
            }
            Ok(dictionary)
        }
    }
}

#[cold]
fn cannot(what: &str) -> Error {
    Error::new(ErrorKind::Encode, format!("the record can't be {what}"))
}

impl fmt::Debug for Packing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = (self.compression, self.number);
        f.debug_tuple("Packing").field(&name).finish()
    }
}
