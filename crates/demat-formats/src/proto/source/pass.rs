//! Skips values.

use super::slot::At;
use super::{ProtoSource, Within};
use crate::proto::layout::Cardinality;
use crate::proto::tag::{HIGHEST, LONGEST, WireType};
use crate::proto::varint::read_varint;
use demat_core::{Error, Result};
use std::borrow::Cow;

impl<'a> ProtoSource<'a> {
    /// Returns the varint at `at` and its end. It must lie before `end`.
    #[inline(always)]
    pub(super) fn varint_at(&self, at: usize, end: usize) -> Result<(u64, usize)> {
        match read_varint(&self.bytes[at..end]) {
            Some((value, len)) => Ok((value, at + len)),
            None => Err(self.bad_varint(at)),
        }
    }

    /// Returns the field number and wire type of the tag at `at`, and its end.
    #[inline]
    pub(super) fn tag_at(&self, at: usize, end: usize) -> Result<(u32, WireType, usize)> {
        let (tag, next) = self.varint_at(at, end)?;
        match WireType::of_tag(tag) {
            // A tag has at most five bytes, even if it encodes a small number.
            Some(wire) if tag >= 8 && tag >> 3 <= HIGHEST && next - at <= LONGEST => {
                Ok(((tag >> 3) as u32, wire, next))
            }
            _ => Err(self.bad_tag(at, tag, next - at)),
        }
    }

    /// Returns begin and end of the length-prefixed content at `at`.
    #[inline(always)]
    pub(super) fn content_at(&self, at: usize, end: usize) -> Result<(usize, usize)> {
        let (len, begin) = self.varint_at(at, end)?;
        match usize::try_from(len).ok().and_then(|len| begin.checked_add(len)) {
            Some(close) if close <= end => Ok((begin, close)),
            _ => Err(self.too_long(at, len, end - begin)),
        }
    }

    #[cold]
    fn too_long(&self, at: usize, len: u64, left: usize) -> Error {
        Error::expected(format!("{len} bytes"), format!("{left}")).at(self.position_of(at))
    }

    /// Returns the end of a value whose tag was read.
    #[inline]
    pub(super) fn pass(&self, at: usize, wire: WireType, number: u32, end: usize) -> Result<usize> {
        match wire {
            WireType::Varint => self.varint_at(at, end).map(|(_, next)| next),
            WireType::Eight if end - at >= 8 => Ok(at + 8),
            WireType::Four if end - at >= 4 => Ok(at + 4),
            WireType::Eight => Err(self.cut_off(at, "eight bytes")),
            WireType::Four => Err(self.cut_off(at, "four bytes")),
            WireType::Len => self.content_at(at, end).map(|(_, close)| close),
            WireType::Begin => self.group_at(at, number, end).map(|(_, next)| next),
            WireType::End => Err(Error::expected("a field", "the end of a group").at(self.position_of(at))),
        }
    }

    /// Returns the ends of a group whose begin tag was read: the end of its content, and the end of its end tag.
    pub(super) fn group_at(&self, mut at: usize, number: u32, end: usize) -> Result<(usize, usize)> {
        let mut open = vec![number];
        while let Some(innermost) = open.last().copied() {
            if open.len() + self.frames.len() > self.options.depth as usize + 1 {
                return Err(self.too_deep());
            }
            if at >= end {
                return Err(self.cut_off(at, "the end of a group"));
            }
            let (number, wire, next) = self.tag_at(at, end)?;
            match wire {
                WireType::Begin => open.push(number),
                WireType::End if number == innermost => {
                    open.pop();
                    if open.is_empty() {
                        return Ok((at, next));
                    }
                }
                WireType::End => {
                    let expected = format!("the end of group {innermost}");
                    return Err(Error::expected(expected, format!("that of {number}")).at(self.position_of(at)));
                }
                _ => {
                    at = self.pass(next, wire, number, end)?;
                    continue;
                }
            }
            at = next;
        }
        Ok((at, at))
    }

    /// Skips the next value; of a list or map, all of it.
    pub(super) fn skip_value(&mut self) -> Result<()> {
        self.start = self.at;
        match self.slot.at {
            At::Zero | At::Number => Ok(()),
            At::Rest => self.read_bytes().map(drop),
            At::Whole => {
                if !self.last {
                    return Err(self.incomplete(self.at, "a message"));
                }
                while self.at < self.end {
                    let (number, wire, next) = self.tag_at(self.at, self.end)?;
                    self.at = self.pass(next, wire, number, self.end)?;
                }
                Ok(())
            }
            At::Wire(_) if self.slot.cardinality == Cardinality::List => {
                self.open_list()?;
                while self.next_item()? {
                    self.skip_value()?;
                }
                Ok(())
            }
            At::Wire(_) if self.slot.cardinality == Cardinality::Map => {
                self.open_map()?;
                while self.next_entry()? {
                    self.begin_value()?;
                    self.skip_value()?;
                }
                Ok(())
            }
            At::Wire(wire) => {
                self.pieces.clear();
                self.at = self.pass(self.at, wire, self.number, self.end)?;
                Ok(())
            }
        }
    }

    /// Skips the next value and returns its bytes: of a length-prefixed value, those behind the length; of a list or
    /// map, all fields with their tags.
    pub(super) fn span_value(&mut self) -> Result<Cow<'a, [u8]>> {
        let bytes = self.bytes;
        match self.slot.at {
            At::Zero | At::Number => Ok(Cow::Borrowed(&[])),
            At::Rest => self.read_bytes(),
            At::Wire(WireType::Len) if !matches!(self.slot.cardinality, Cardinality::List | Cardinality::Map) => {
                let pieces = core::mem::take(&mut self.pieces);
                let (begin, close) = self.content_at(self.at, self.end)?;
                self.start = self.at;
                self.at = close;
                if pieces.is_empty() {
                    return Ok(Cow::Borrowed(&bytes[begin..close]));
                }
                // Concatenated pieces of a message are one merged message.
                Ok(Cow::Owned(pieces.iter().flat_map(|(begin, close)| &bytes[*begin..*close]).copied().collect()))
            }
            _ => {
                let many = matches!(self.slot.cardinality, Cardinality::List | Cardinality::Map);
                let begin = if many { self.tag } else { self.at };
                self.skip_value()?;
                Ok(Cow::Borrowed(&bytes[begin..self.at]))
            }
        }
    }

    /// The kind of the innermost container.
    #[inline]
    pub(super) fn within(&self) -> Option<Within> {
        self.frames.last().map(|frame| frame.kind)
    }
}
