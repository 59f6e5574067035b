//! Offsets of a document's text, and what they are in the input.

use super::utf16;
use crate::stream::Base;
use demat_core::Position;

/// The longest segment of copied text: an offset in it is found by counting its characters.
const LONGEST: usize = 512;

/// Maps offsets of the text to offsets of the input and back.
#[derive(Debug, Default)]
pub(super) struct Offsets {
    /// Whether the input is UTF-16.
    wide: bool,
    segments: Vec<Segment>,
    /// The end of the text.
    end: Point,
    /// The offset of the first byte of text that is still there.
    begin: u64,
}

/// A part of the text.
#[derive(Debug, Clone, Copy)]
struct Segment {
    begin: Point,
    /// Whether it stands for a reference in the input; otherwise it is a copy of the input.
    replaced: bool,
}

/// A place in the text, and in the input.
#[derive(Debug, Clone, Copy, Default)]
struct Point {
    /// The offset in the text, with the line and column in the input.
    text: Base,
    input: u64,
}

impl Point {
    fn position(&self) -> Position {
        let Base { lines, columns, .. } = self.text;
        Position { offset: Some(self.input), line: Some(lines + 1), column: Some(columns + 1), record: None }
    }
}

impl Offsets {
    pub(super) fn new(wide: bool) -> Self {
        Self { wide, ..Self::default() }
    }

    /// The offset of the first byte of text that is still there.
    pub(super) fn begin(&self) -> u64 {
        self.begin
    }

    /// Appends a copy of the input, given as UTF-8.
    pub(super) fn copy(&mut self, text: &mut Vec<u8>, bytes: &[u8]) {
        text.extend_from_slice(bytes);
        let mut rest = bytes;
        while !rest.is_empty() {
            let mut len = rest.len().min(LONGEST);
            while len < rest.len() && rest[len] & 0xC0 == 0x80 && len < LONGEST + 4 {
                len += 1;
            }
            let (chunk, after) = rest.split_at(len);
            self.segments.push(Segment { begin: self.end, replaced: false });
            self.end = self.after(self.end, chunk);
            rest = after;
        }
    }

    /// Appends the text that a reference stands for.
    pub(super) fn replace(&mut self, text: &mut Vec<u8>, bytes: &[u8], reference: &[u8]) {
        text.extend_from_slice(bytes);
        self.segments.push(Segment { begin: self.end, replaced: true });
        let offset = self.end.text.offset + bytes.len() as u64;
        self.end = self.after(self.end, reference);
        self.end.text.offset = offset;
    }

    fn after(&self, point: Point, bytes: &[u8]) -> Point {
        let len = if self.wide { utf16::len(bytes) } else { bytes.len() as u64 };
        Point { text: point.text.after(bytes), input: point.input + len }
    }

    /// The position behind the text.
    pub(super) fn end(&self) -> Position {
        self.end.position()
    }

    /// Forgets the text before an offset, up to the segment that has it. Returns the number of bytes to remove.
    pub(super) fn discard(&mut self, before: u64) -> usize {
        let kept = self.segments.partition_point(|segment| segment.begin.text.offset <= before).saturating_sub(1);
        self.segments.drain(..kept);
        let begin = self.segments.first().map_or(self.end, |first| first.begin).text.offset;
        let removed = begin - self.begin;
        self.begin = begin;
        removed as usize
    }

    /// The segment that has an index, and where it ends.
    fn segment(&self, index: usize) -> Option<(Segment, Point)> {
        let segment = *self.segments.get(index)?;
        Some((segment, self.segments.get(index + 1).map_or(self.end, |next| next.begin)))
    }

    fn slice<'t>(&self, text: &'t [u8], begin: u64, end: u64) -> &'t [u8] {
        text.get((begin - self.begin) as usize..(end - self.begin) as usize).unwrap_or_default()
    }

    /// The place in the input of an offset of the text, and how far it is in a text that stands for a reference.
    fn point(&self, at: u64, text: &[u8]) -> (Point, u32) {
        let index = self.segments.partition_point(|segment| segment.begin.text.offset <= at);
        let Some((segment, end)) = self.segment(index.wrapping_sub(1)) else { return (self.end, 0) };
        let begin = segment.begin.text.offset;
        if at >= end.text.offset {
            return (end, 0);
        }
        if segment.replaced {
            return (segment.begin, (at - begin) as u32);
        }
        (self.after(segment.begin, self.slice(text, begin, at)), 0)
    }

    pub(super) fn to_input(&self, at: u64, text: &[u8]) -> (u64, u32) {
        let (point, inside) = self.point(at, text);
        (point.input, inside)
    }

    pub(super) fn position(&self, at: u64, text: &[u8]) -> Position {
        self.point(at, text).0.position()
    }

    pub(super) fn to_text(&self, input: u64, inside: u32, text: &[u8]) -> u64 {
        let index = self.segments.partition_point(|segment| segment.begin.input <= input);
        let Some((segment, end)) = self.segment(index.wrapping_sub(1)) else { return self.begin };
        let begin = segment.begin.text.offset;
        if input >= end.input {
            return end.text.offset;
        }
        if segment.replaced {
            return (begin + u64::from(inside)).min(end.text.offset);
        }
        let wanted = input - segment.begin.input;
        if !self.wide {
            return begin + wanted;
        }
        let bytes = self.slice(text, begin, end.text.offset);
        let mut seen = 0;
        let at = bytes.iter().position(|byte| {
            let reached = seen >= wanted && byte & 0xC0 != 0x80;
            seen += utf16::len(core::slice::from_ref(byte));
            reached
        });
        begin + at.unwrap_or(bytes.len()) as u64
    }
}
