//! The binary form: objects, a table of their offsets, and a trailer with the offset of the table.

use super::super::date;
use super::super::document::{Document, Id, Object, Span};
use super::{Fault, unexpected};
use core::cell::Cell;
use demat_core::{Error, ErrorKind};

const HEADER: &[u8] = b"bplist";
const TRAILER: usize = 32;

/// Returns whether a document is binary, of any version.
pub(super) fn is_binary(input: &[u8]) -> bool {
    input.starts_with(HEADER)
}

/// The contents of the trailer.
struct Table<'i> {
    input: &'i [u8],
    /// The sizes in bytes of an offset, and of a reference to an object.
    offset_size: usize,
    ref_size: usize,
    /// The offset of the table of offsets. Objects end before it.
    at: usize,
    count: usize,
    /// The total size of the objects so far. Overlapping objects could be far larger than the document.
    used: Cell<usize>,
}

/// Parses a document.
pub(super) fn read(input: &[u8], document: &mut Document) -> Result<(), Fault> {
    if !input.starts_with(b"bplist0") {
        return Err(unexpected("version 00 of a binary property list", "another one", HEADER.len()));
    }
    let (table, root) = trailer(input)?;
    // Each object has an offset in the table, which is in memory.
    document.objects.reserve_exact(table.count);
    document.offsets.reserve_exact(table.count);
    for index in 0..table.count {
        let at = table.offset(index)?;
        let object = table.object(at, document)?;
        document.push(object, at);
    }
    document.root = root;
    Ok(())
}

/// Reads an unsigned big-endian number.
#[inline]
fn number(bytes: &[u8]) -> u128 {
    if bytes.len() <= 8 { small(bytes).into() } else { fold(bytes) }
}

/// Reads an unsigned big-endian number of at most eight bytes.
#[inline]
fn small(bytes: &[u8]) -> u64 {
    match *bytes {
        [a] => a.into(),
        [a, b] => u16::from_be_bytes([a, b]).into(),
        [a, b, c, d] => u32::from_be_bytes([a, b, c, d]).into(),
        _ => fold(bytes) as u64,
    }
}

/// The slow twin of both.
fn fold(bytes: &[u8]) -> u128 {
    bytes.iter().fold(0, |number, byte| number << 8 | u128::from(*byte))
}

fn trailer(input: &[u8]) -> Result<(Table<'_>, Id), Fault> {
    let begin = input.len().checked_sub(TRAILER).filter(|begin| *begin >= HEADER.len() + 2);
    let Some(begin) = begin else {
        return Err(unexpected("a trailer of 32 bytes", "end of input", input.len()));
    };
    let field = |from: usize, to: usize| number(input.get(begin + from..begin + to).unwrap_or_default());
    let sizes = [field(6, 7), field(7, 8)].map(|size| usize::try_from(size).unwrap_or(0));
    let [offset_size, ref_size] = sizes;
    if !(1..=8).contains(&offset_size) || !(1..=8).contains(&ref_size) {
        return Err(unexpected("sizes of offsets and references from 1 to 8", "other ones", begin + 6));
    }
    let [count, root, at] = [field(8, 16), field(16, 24), field(24, 32)];
    let end = count.checked_mul(offset_size as u128).and_then(|len| len.checked_add(at));
    let fits = end.is_some_and(|end| end <= begin as u128) && at >= (HEADER.len() + 2) as u128;
    if count == 0 || !fits {
        return Err(unexpected("a table of offsets within the document", "one beyond", begin + 8));
    }
    if root >= count {
        return Err(unexpected("the number of an object", root.to_string(), begin + 16));
    }
    let (at, count) = (at as usize, count as usize); // both are within the document
    Ok((Table { input, offset_size, ref_size, at, count, used: Cell::new(0) }, root as Id))
}

impl<'i> Table<'i> {
    /// Returns `len` bytes at `at`, which must be in front of the table of offsets.
    fn part(&self, at: usize, len: usize, expected: &'static str) -> Result<&'i [u8], Fault> {
        let end = at.checked_add(len).filter(|end| *end <= self.at);
        let part = end.and_then(|end| self.input.get(at..end));
        self.used.set(self.used.get().saturating_add(part.map_or(0, <[u8]>::len)));
        if self.used.get() > self.at {
            return Err((Error::new(ErrorKind::Constraint, "objects overlap"), at));
        }
        part.ok_or_else(|| {
            let found = format!("{} bytes up to the table of offsets", self.at.saturating_sub(at));
            (Error::mismatch(ErrorKind::Syntax, format!("{expected} of {len} bytes"), found), at)
        })
    }

    /// Returns the offset of an object.
    fn offset(&self, index: usize) -> Result<usize, Fault> {
        let at = self.at + index * self.offset_size;
        let offset = small(self.input.get(at..at + self.offset_size).unwrap_or_default());
        match usize::try_from(offset) {
            Ok(offset) if (HEADER.len()..self.at).contains(&offset) => Ok(offset),
            _ => Err(unexpected("the offset of an object", offset.to_string(), at)),
        }
    }

    /// Reads a count from an object's first byte, or from the int that follows it. Also returns the offset after it.
    fn count(&self, first: u8, at: usize) -> Result<(usize, usize), Fault> {
        if first & 0x0f != 0x0f {
            return Ok((usize::from(first & 0x0f), at + 1));
        }
        let size = self.part(at + 1, 1, "a count")?[0];
        if size & 0xf0 != 0x10 || size & 0x0f > 3 {
            return Err(unexpected("a count", format!("byte 0x{size:02x}"), at + 1));
        }
        let len = 1_usize << (size & 0x0f);
        let count = number(self.part(at + 2, len, "a count")?);
        match usize::try_from(count) {
            Ok(count) if count <= self.at => Ok((count, at + 2 + len)),
            _ => Err(unexpected("a count that the document has room for", count.to_string(), at + 2)),
        }
    }

    /// Returns the bytes of references to objects.
    fn refs(&self, at: usize, count: usize) -> Result<&'i [u8], Fault> {
        self.part(at, count.saturating_mul(self.ref_size), "references")
    }

    /// Reads a reference to an object.
    #[inline]
    fn id(&self, bytes: &[u8], at: usize) -> Result<Id, Fault> {
        let id = small(bytes);
        if id < self.count as u64 {
            return Ok(id as Id);
        }
        Err(unexpected("the number of an object", id.to_string(), at))
    }

    fn object(&self, at: usize, document: &mut Document) -> Result<Object, Fault> {
        let first = self.part(at, 1, "an object")?[0];
        Ok(match first >> 4 {
            0x0 if first == 0x08 => Object::Bool(false),
            0x0 if first == 0x09 => Object::Bool(true),
            0x1 if first & 0x0f <= 4 => {
                let len = 1_usize << (first & 0x0f);
                let bits = number(self.part(at + 1, len, "an int")?);
                // An int is unsigned up to 4 bytes, and signed from 8.
                Object::Int(match len {
                    8 => (bits as u64).cast_signed().into(),
                    _ => bits.cast_signed(),
                })
            }
            0x2 if first & 0x0f == 2 => {
                let bits = number(self.part(at + 1, 4, "a real")?);
                Object::Real(f32::from_bits(bits as u32).into())
            }
            0x2 if first & 0x0f == 3 => Object::Real(f64::from_bits(number(self.part(at + 1, 8, "a real")?) as u64)),
            0x3 if first == 0x33 => {
                let seconds = f64::from_bits(number(self.part(at + 1, 8, "a date")?) as u64);
                let date = date::of_seconds(seconds);
                Object::Date(date.ok_or_else(|| {
                    let expected = "a date in the years 1 to 9999";
                    (Error::mismatch(ErrorKind::Constraint, expected, "another one"), at)
                })?)
            }
            0x4 => {
                let (len, begin) = self.count(first, at)?;
                self.part(begin, len, "data")?;
                Object::Data(Span { begin: begin as u32, end: (begin + len) as u32, in_scratch: false })
            }
            0x5 => {
                let (len, begin) = self.count(first, at)?;
                let text = self.part(begin, len, "text")?;
                if !text.is_ascii()
                    && let Some(bad) = text.iter().position(|byte| !byte.is_ascii())
                {
                    return Err(unexpected("text in ASCII", format!("byte 0x{:02x}", text[bad]), begin + bad));
                }
                Object::Text(Span { begin: begin as u32, end: (begin + len) as u32, in_scratch: false })
            }
            0x6 => {
                let (len, begin) = self.count(first, at)?;
                let bytes = self.part(begin, len.saturating_mul(2), "text")?;
                let units = bytes.chunks_exact(2).map(|unit| u16::from_be_bytes([unit[0], unit[1]]));
                let text: Result<String, _> = char::decode_utf16(units).collect();
                let text = text.map_err(|_| unexpected("text in UTF-16", "half a character", begin))?;
                Object::Text(document.keep(text.as_bytes()))
            }
            0x7 => {
                // UTF-8, as newer writers encode text; the count is in bytes.
                let (len, begin) = self.count(first, at)?;
                let text = self.part(begin, len, "text")?;
                core::str::from_utf8(text)
                    .map_err(|error| unexpected("text in UTF-8", "other bytes", begin + error.valid_up_to()))?;
                Object::Text(Span { begin: begin as u32, end: (begin + len) as u32, in_scratch: false })
            }
            0x8 => {
                let len = usize::from(first & 0x0f) + 1;
                let uid = number(self.part(at + 1, len, "a UID")?);
                let uid = u64::try_from(uid).map_err(|_| unexpected("a UID of at most 64 bits", "a larger one", at))?;
                Object::Uid(uid)
            }
            // Sets are read as arrays.
            0xa..=0xc => {
                let (count, begin) = self.count(first, at)?;
                let from = document.children.len();
                let ids = self.refs(begin, count)?.chunks_exact(self.ref_size);
                document.children.reserve(count);
                for (index, bytes) in ids.enumerate() {
                    document.children.push(self.id(bytes, begin + index * self.ref_size)?);
                }
                Object::Array(document.adopted(from))
            }
            0xd => {
                let (count, begin) = self.count(first, at)?;
                let from = document.children.len();
                let middle = begin + count * self.ref_size;
                let [keys, values] = [self.refs(begin, count)?, self.refs(middle, count)?];
                let both = keys.chunks_exact(self.ref_size).zip(values.chunks_exact(self.ref_size));
                document.children.reserve(count * 2);
                for (index, (key, value)) in both.enumerate() {
                    let key = self.id(key, begin + index * self.ref_size)?;
                    let value = self.id(value, middle + index * self.ref_size)?;
                    document.children.extend_from_slice(&[key, value]);
                }
                Object::Dict(document.adopted(from))
            }
            _ => {
                let found = match first {
                    0 => "null".to_string(),
                    other => format!("byte 0x{other:02x}"),
                };
                return Err(unexpected("an object", found, at));
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::{fold, number, small};

    #[test]
    fn numbers_of_all_lengths() {
        let bytes: Vec<u8> = (0..16).map(|at: u8| at.wrapping_mul(67).wrapping_add(0x81)).collect();
        for len in 0..=16 {
            assert_eq!(number(&bytes[..len]), fold(&bytes[..len]), "{len}");
            if len <= 8 {
                assert_eq!(u128::from(small(&bytes[..len])), fold(&bytes[..len]), "{len}");
            }
        }
    }
}
