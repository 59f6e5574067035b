//! The header of a file: the schema, the compression, and the marker behind each block.

use super::Compression;
use super::schema::Schema;
use crate::binary::Input;
use crate::proto::varint::{LONGEST, read_varint, unzigzag, write_varint, zigzag};
use crate::stream::Part;
use demat_core::{Error, ErrorKind, Result, excerpt};

/// The first bytes of a file.
const MAGIC: &[u8] = b"Obj\x01";
/// The bytes of a marker.
pub(super) const SYNC: usize = 16;
const SCHEMA: &str = "avro.schema";
const CODEC: &str = "avro.codec";
/// Present in files that hold one value and no list of values.
const SINGLE: &str = "demat.single";

/// The maximum length of a header.
const LONGEST_HEADER: usize = 16 << 20;
/// The maximum length of a schema, which takes much more memory than its text.
const LONGEST_SCHEMA: usize = 4 << 20;

/// What the header of a file says.
#[derive(Debug, Clone)]
pub(super) struct Header {
    pub(super) schema: Schema,
    pub(super) compression: Compression,
    pub(super) sync: [u8; SYNC],
    /// Whether the whole is the only value of the file, and not the list of them.
    pub(super) single: bool,
    /// The length in bytes.
    pub(super) len: usize,
}

/// Reads the number at the start of the bytes, as [`read_varint`], but refuses more than 64 bits.
#[inline]
pub(super) fn read_exactly(bytes: &[u8]) -> Option<(u64, usize)> {
    read_varint(bytes).filter(|(_, len)| *len < LONGEST || bytes.get(LONGEST - 1).is_none_or(|last| *last <= 1))
}

/// Reads a number of the file, outside of blocks. Returns it and its end.
pub(super) fn number(input: Input<'_>, at: usize, expected: &'static str) -> Result<(i64, usize)> {
    let rest = input.bytes().get(at..).unwrap_or_default();
    match read_exactly(rest) {
        Some((number, len)) => Ok((unzigzag(number), at + len)),
        None if rest.len() < LONGEST => Err(input.ended(expected)),
        None => Err(input.unexpected(at, expected, "a longer number")),
    }
}

/// Reads a length that is not negative. Returns it and its end.
pub(super) fn length(input: Input<'_>, at: usize, expected: &'static str) -> Result<(u64, usize)> {
    let (number, end) = number(input, at, expected)?;
    match u64::try_from(number) {
        Ok(len) => Ok((len, end)),
        Err(_) => Err(input.unexpected(at, expected, number.to_string())),
    }
}

/// Writes a number.
pub(super) fn write_number(buffer: &mut Vec<u8>, number: i64) {
    write_varint(buffer, zigzag(number));
}

/// Writes a length, a count or an index.
pub(super) fn write_len(buffer: &mut Vec<u8>, len: usize) {
    write_varint(buffer, (len as u64) << 1);
}

/// Writes bytes behind their length.
pub(super) fn write_sized(buffer: &mut Vec<u8>, bytes: &[u8]) {
    write_len(buffer, bytes.len());
    buffer.extend_from_slice(bytes);
}

/// Reads bytes behind their length, which end before `limit`. Returns them and their end.
fn sized<'a>(input: Input<'a>, at: usize, limit: usize, expected: &'static str) -> Result<(&'a [u8], usize)> {
    let (len, begin) = length(input, at, expected)?;
    if len > limit.saturating_sub(begin) as u64 {
        let error = Error::limit("the length of the header", format_args!("{limit} bytes"));
        return Err(error.at(input.position_of(at)));
    }
    let content = input.content(begin, len, expected)?;
    Ok((content, begin + content.len()))
}

impl Header {
    /// Reads the header at the start of a file.
    ///
    /// # Errors
    /// If it is none, if the schema is invalid, or if the compression is unknown.
    pub(super) fn read(part: Part<'_>, limit: usize) -> Result<Self> {
        let (input, limit) = (Input::new(part), limit.min(LONGEST_HEADER));
        let start = &part.bytes[..part.bytes.len().min(MAGIC.len())];
        if !MAGIC.starts_with(start) {
            return Err(input.unexpected(0, "the first bytes of an Avro file, `Obj` and 1", excerpt::bytes(start)));
        }
        if start.len() < MAGIC.len() {
            return Err(input.ended("an Avro file"));
        }
        let (mut schema, mut codec, mut single, mut at) = (None, None, false, MAGIC.len());
        loop {
            let (count, end) = number(input, at, "the number of entries in the header")?;
            at = end;
            if count == 0 {
                break;
            }
            if count < 0 {
                // The size of the block in bytes: a reader may skip the block by it.
                at = length(input, at, "the length of the entries in the header")?.1;
            }
            for _ in 0..count.unsigned_abs() {
                let (key, end) = sized(input, at, limit, "a key of the header")?;
                let begin = end;
                let (value, end) = sized(input, begin, limit, "a value of the header")?;
                at = end;
                match key {
                    key if key == SCHEMA.as_bytes() => schema = Some((begin, value)),
                    key if key == SINGLE.as_bytes() => single = true,
                    key if key == CODEC.as_bytes() => codec = Some((begin, value)),
                    _ => {}
                }
            }
        }
        let sync = input.content(at, SYNC as u64, "a marker")?;
        let sync = sync.first_chunk().copied().unwrap_or_default();
        let Some((begin, text)) = schema else {
            return Err(Error::expected("`avro.schema` in the header", "nothing").at(input.position_of(at)));
        };
        if text.len() > LONGEST_SCHEMA {
            let error = Error::limit("the length of the schema", format_args!("{LONGEST_SCHEMA} bytes"));
            return Err(error.at(input.position_of(begin)));
        }
        let schema = Schema::parse(text).map_err(|error| error.at(input.position_of(begin)))?;
        let compression = match codec {
            None => Compression::Null,
            Some((begin, name)) => Compression::of_name(name).ok_or_else(|| {
                let (known, name) = (Compression::NAMES.join(", "), String::from_utf8_lossy(name));
                let message = format!("the codec is one of {known}, and not {}", excerpt::name(&name));
                Error::new(ErrorKind::Constraint, message).at(input.position_of(begin))
            })?,
        };
        Ok(Self { schema, compression, sync, single, len: at + SYNC })
    }

    /// Writes a header.
    pub(super) fn write(schema: &str, compression: Compression, single: bool, sync: &[u8; SYNC], buffer: &mut Vec<u8>) {
        buffer.extend_from_slice(MAGIC);
        let entries = [(SCHEMA, schema), (CODEC, compression.name()), (SINGLE, "true")];
        let entries = &entries[..if single { 3 } else { 2 }];
        write_len(buffer, entries.len());
        for (key, value) in entries {
            write_sized(buffer, key.as_bytes());
            write_sized(buffer, value.as_bytes());
        }
        write_len(buffer, 0);
        buffer.extend_from_slice(sync);
    }
}

/// Returns the marker of a file: a hash of its schema and its first block. So equal values give equal files, and no value
/// in the first block can contain the marker on purpose.
pub(super) fn sync_of(schema: &str, block: &[u8]) -> [u8; SYNC] {
    // FNV-1a of 128 bits.
    let mut hash: u128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d;
    for byte in schema.bytes().chain(block.iter().copied()) {
        hash = (hash ^ u128::from(byte)).wrapping_mul(0x0000_0000_0100_0000_0000_0000_0000_013b);
    }
    hash.to_be_bytes()
}
