//! Records: a header of serial types, and the values.

use super::{serial, varint};

/// A value in a record.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Part<'a> {
    Null,
    Int(i64),
    Real(f64),
    Text(&'a [u8]),
    Blob(&'a [u8]),
}

impl<'a> Part<'a> {
    /// Decodes a value of this serial type.
    #[inline]
    pub(crate) fn of(serial: u64, bytes: &'a [u8]) -> Option<Self> {
        Some(match serial {
            serial::NULL => Self::Null,
            serial::REAL => Self::Real(serial::real(bytes)?),
            _ if serial::is_int(serial) => Self::Int(serial::int(serial, bytes)?),
            _ if serial::is_text(serial) => Self::Text(bytes),
            _ if serial::is_blob(serial) => Self::Blob(bytes),
            _ => return None,
        })
    }
}

/// Iterates over the values of a record; ends early if the record is damaged.
#[derive(Debug, Clone)]
pub(crate) struct Parts<'a> {
    record: &'a [u8],
    head: usize,
    end: usize,
    body: usize,
}

impl<'a> Parts<'a> {
    #[inline]
    pub(crate) fn of(record: &'a [u8]) -> Self {
        let (len, head) = varint::read(record).unwrap_or((0, 0));
        let end = usize::try_from(len).unwrap_or(usize::MAX).min(record.len());
        Self { record, head, end, body: end }
    }

    /// Returns the next serial type and the bytes of its value.
    #[inline]
    pub(crate) fn raw(&mut self) -> Option<(u64, &'a [u8])> {
        if self.head >= self.end {
            return None;
        }
        let (serial, len) = varint::read(&self.record[self.head..self.end])?;
        self.head += len;
        let size = usize::try_from(serial::size(serial)?).ok()?;
        let bytes = self.record.get(self.body..self.body.checked_add(size)?)?;
        self.body += size;
        Some((serial, bytes))
    }
}

impl<'a> Iterator for Parts<'a> {
    type Item = Part<'a>;
    #[inline]
    fn next(&mut self) -> Option<Part<'a>> {
        let (serial, bytes) = self.raw()?;
        Part::of(serial, bytes)
    }
}

/// Returns the length of a header whose serial types take `types` bytes.
#[inline(always)]
pub(crate) fn head_len(types: usize) -> usize {
    // The length includes its own bytes.
    let mut len = types + 1;
    while varint::len(len as u64) + types > len {
        len += 1;
    }
    len
}
