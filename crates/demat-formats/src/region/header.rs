//! The header of a region file: the locations of its chunks.

use crate::nbt::Packing;
use demat_core::{Error, ErrorKind, Position, Result};

/// The size of a sector in bytes. The header has two sectors: locations and timestamps.
pub(super) const SECTOR: usize = 4096;
/// The number of chunks along each side of a region.
pub(super) const SIDE: usize = 32;
/// The number of chunks in a region.
pub(super) const CHUNKS: usize = SIDE * SIDE;

/// The header's entry for a chunk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Entry {
    /// The offset of the chunk's first byte.
    pub(super) start: usize,
    /// The size of its sectors in bytes.
    pub(super) len: usize,
    /// Seconds since 1970.
    pub(super) timestamp: u32,
}

fn number(file: &[u8], at: usize) -> Option<u32> {
    file.get(at..).and_then(<[u8]>::first_chunk).map(|four| u32::from_be_bytes(*four))
}

fn fault(at: usize, expected: &str, found: String) -> Error {
    let position = Position { offset: Some(at as u64), ..Position::default() };
    Error::mismatch(ErrorKind::Syntax, expected.to_string(), found).at(position)
}

/// Checks that the file has a header. An empty file is a region without chunks.
pub(super) fn check(file: &[u8]) -> Result<()> {
    if file.is_empty() || file.len() >= 2 * SECTOR {
        return Ok(());
    }
    Err(fault(file.len(), "the 8192 bytes of a region file's header", "end of input".to_string()))
}

/// Returns the entry of a chunk, or `None` if the region does not have the chunk.
pub(super) fn entry(file: &[u8], index: usize) -> Option<Entry> {
    let place = number(file, 4 * index)?;
    let timestamp = number(file, SECTOR + 4 * index)?;
    let (start, len) = ((place >> 8) as usize * SECTOR, (place & 0xff) as usize * SECTOR);
    (place != 0).then_some(Entry { start, len, timestamp })
}

/// Returns the unpacked NBT of a chunk.
pub(super) fn unpack(file: &[u8], entry: Entry, limit: usize) -> Result<Vec<u8>> {
    let Entry { start, len, .. } = entry;
    if start < 2 * SECTOR {
        return Err(fault(start, "a chunk behind the header", format!("one at byte {start}")));
    }
    let (Some(length), Some(scheme)) = (number(file, start), file.get(start + 4)) else {
        return Err(fault(file.len(), "a chunk", "end of input".to_string()));
    };
    let length = length as usize;
    if length == 0 || length.saturating_add(4) > len {
        let expected = format!("a length of 1 to {}, which the chunk's sectors have", len.saturating_sub(4));
        return Err(fault(start, &expected, length.to_string()));
    }
    let Some(content) = file.get(start + 5..start + 4 + length) else {
        let there = file.len() - (start + 5);
        return Err(fault(
            file.len(),
            &format!("a chunk of length {length}"),
            format!("{there} bytes and the end of input"),
        ));
    };
    let at = |error: Error| error.at(Position { offset: Some(start as u64 + 5), ..Position::default() });
    match scheme {
        1 => Packing::Gzip.unpack(content, limit).map_err(at),
        2 => Packing::Zlib.unpack(content, limit).map_err(at),
        3 => Ok(content.to_vec()),
        4 => Err(fault(start + 4, "gzip, zlib or no compression", "LZ4, which Demat does not unpack".to_string())),
        128.. => Err(fault(start + 4, "a chunk in the region file", "one in a file of its own (.mcc)".to_string())),
        scheme => Err(fault(start + 4, "compression 1, 2 or 3", format!("compression {scheme}"))),
    }
}
