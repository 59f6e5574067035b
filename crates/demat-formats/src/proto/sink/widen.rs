//! Length prefixes that need more than one byte.

use super::ProtoSink;
use super::frame::Length;
use super::number;
use crate::Drain;
use crate::proto::varint::{varint_bytes, varint_len};

impl<D: Drain> ProtoSink<D> {
    /// Writes the tag of the next value, if it has one, and reserves one byte for its length.
    #[inline]
    pub(super) fn open_delimited(&mut self) -> Length {
        number::put(&mut self.output.buffer, self.slot.tag(), number::varint(0));
        Length { at: self.output.buffer.len() - 1, wide: self.wide.len() }
    }

    /// Ends the content that the length counts.
    #[inline]
    pub(super) fn close_length(&mut self, length: Length) {
        let mut len = (self.output.buffer.len() - length.at - 1) as u64;
        if len < 0x80 && self.wide.len() == length.wide {
            self.output.buffer[length.at] = len as u8;
            return;
        }
        // Wide lengths within the content will make it longer by this.
        let before = length.wide.checked_sub(1).map_or(0, |last| self.wide[last].2);
        let all = self.wide.last().map_or(0, |last| last.2);
        len += all - before;
        self.wide.push((length.at, len, all + varint_len(len) as u64 - 1));
    }

    /// Writes all lengths of several bytes, in one pass from the back that moves the content behind them.
    pub(super) fn widen(&mut self) {
        if self.wide.is_empty() {
            return;
        }
        // They were recorded when their contents ended, inner ones first.
        self.wide.sort_unstable_by_key(|(at, ..)| *at);
        let more: usize = self.wide.iter().map(|(_, len, _)| varint_len(*len) - 1).sum();
        let buffer = &mut self.output.buffer;
        let mut from = buffer.len();
        buffer.resize(from + more, 0);
        let mut to = buffer.len();
        while let Some((at, len, _)) = self.wide.pop() {
            let moved = from - (at + 1);
            buffer.copy_within(at + 1..from, to - moved);
            to -= moved;
            from = at;
            let (bytes, count) = varint_bytes(len);
            buffer[to - count..to].copy_from_slice(&bytes[..count]);
            to -= count;
        }
        debug_assert_eq!(from, to);
    }
}
