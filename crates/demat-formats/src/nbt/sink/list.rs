//! Lists and arrays: their counts, and the width of their ints.

use super::super::Tag;
use super::super::variant::Variant;
use super::NbtSink;
use super::edit::Edit;
use super::expect::Expect;
use super::fault::{mixed, no_int, no_item, no_key, too_long, wrong_count};
use super::frame::{Frame, Within};
use crate::Drain;
use demat_core::{Error, Record, Result, Shape, Unknown};

impl<D: Drain> NbtSink<D> {
    /// Begins a list. `expect` is what is known about it.
    pub(super) fn open_list(&mut self, expect: &Expect, item: &Shape, len: Option<usize>) -> Result<()> {
        if self.is_key {
            return Err(no_key("list"));
        }
        let own = match (expect, item) {
            (Expect::Noted(_), _) | (_, Shape::Any) => expect.items(),
            (_, item) => Expect::items_of(item),
        };
        let (items, array) = own;
        if self.options.sequence && self.frames.is_empty() && self.is_valued() {
            self.frames.push(Frame::new(Within::Sequence, items));
            return Ok(());
        }
        let announced = len.map(i32::try_from).transpose().map_err(|_| too_long("list", i32::MAX as usize))?;
        let mut frame = if let Some(array) = array {
            self.start(array)?;
            Frame { tag: array.item(), ..Frame::new(Within::Array, items) }
        } else {
            self.check_depth()?;
            self.start(Tag::List)?;
            Frame::new(Within::List, items)
        };
        let at = self.output.buffer.len();
        write_header(self.options.variant, &frame, announced.unwrap_or(0), &mut self.output.buffer);
        frame.announced = announced.map(i32::cast_unsigned);
        (frame.at, frame.reserved) = (Some(at), self.output.buffer.len() - at);
        self.frames.push(frame);
        Ok(())
    }

    pub(super) fn close_list(&mut self) -> Result<()> {
        let Some(mut frame) = self.frames.pop() else { return Ok(()) };
        if !matches!(frame.within, Within::List | Within::Array) {
            return Ok(());
        }
        let Some(at) = frame.at else {
            let announced = frame.announced.unwrap_or(0);
            return if frame.count == u64::from(announced) { Ok(()) } else { Err(wrong_count(announced, frame.count)) };
        };
        let count = i32::try_from(frame.count).map_err(|_| too_long("list", i32::MAX as usize))?;
        if frame.tag.is_none() {
            frame.tag = frame.items.at(0).tag(self.options.uuid_ints).or(Some(Tag::End));
        }
        let (variant, from) = (self.options.variant, at + frame.reserved);
        let narrows = frame.is_loose && frame.is_narrow;
        if narrows {
            frame.tag = Some(Tag::Int);
        }
        let buffer = &mut self.output.buffer;
        // The header is written behind the list, and moved if it has the length of the one that is there.
        let end = buffer.len();
        write_header(variant, &frame, count, buffer);
        if !narrows && buffer.len() - end == frame.reserved {
            buffer.copy_within(end.., at);
            buffer.truncate(end);
            return Ok(());
        }
        let mut by = buffer.split_off(end);
        if narrows && variant != Variant::BedrockNetwork {
            by.reserve(4 * frame.count as usize);
            let mut next = from;
            while let Ok((value, end)) = variant.int(Tag::Long, buffer, next) {
                variant.write_int(Tag::Int, value, &mut by);
                next = end;
            }
            self.edits.push(Edit { from: at, to: buffer.len(), by });
        } else if by.len() == frame.reserved {
            buffer[at..from].copy_from_slice(&by);
        } else {
            self.edits.push(Edit { from: at, to: from, by });
        }
        Ok(())
    }

    /// Records the tag of an item, if the innermost container is a list or an array.
    pub(super) fn item_of(&mut self, tag: Tag) -> Result<()> {
        let Some(frame) = self.frames.last_mut() else { return Ok(()) };
        match (frame.within, frame.tag) {
            (_, Some(own)) if own == tag => Ok(()),
            (Within::Array, own) => Err(no_item(own.and_then(Tag::array).unwrap_or(Tag::List), tag)),
            (_, Some(own)) => Err(mixed(if frame.is_loose { Tag::Int } else { own }, tag)),
            (_, None) => {
                frame.tag = Some(tag);
                // The list's bytes are still in memory: a list with an unknown tag is held.
                if let Some(place) = frame.at.and_then(|at| self.output.buffer.get_mut(at)) {
                    *place = tag as u8;
                }
                Ok(())
            }
        }
    }

    /// Writes an int.
    pub(super) fn write_int(&mut self, value: i64, expect: &Expect) -> Result<()> {
        if self.is_key {
            self.key.set_of(value);
            return Ok(());
        }
        let known = expect.int();
        let is_item = |frame: &&mut Frame| matches!(frame.within, Within::List | Within::Array);
        let tag = match (known, self.frames.last_mut().filter(is_item)) {
            (Some(tag), frame) => {
                // A long that was declared as one keeps the items longs.
                if let Some(frame) = frame.filter(|_| tag == Tag::Long) {
                    frame.is_narrow = false;
                }
                tag
            }
            (None, Some(frame)) if frame.within == Within::Array => frame.tag.unwrap_or(Tag::Int),
            (None, Some(frame)) if frame.tag.is_none() || frame.is_loose => {
                frame.is_loose = true;
                frame.is_narrow &= fits(value, Tag::Int);
                Tag::Long
            }
            (None, Some(frame)) if frame.tag == Some(Tag::Long) => Tag::Long,
            (None, _) if fits(value, Tag::Int) => Tag::Int,
            _ => Tag::Long,
        };
        if !fits(value, tag) {
            return Err(out_of(tag, value));
        }
        self.start(tag)?;
        self.options.variant.write_int(tag, value, &mut self.output.buffer);
        Ok(())
    }
}

fn fits(value: i64, tag: Tag) -> bool {
    matches!(value >> (tag.bits() - 1), 0 | -1)
}

/// Appends the item tag and the count of a list.
fn write_header(variant: Variant, frame: &Frame, count: i32, buffer: &mut Vec<u8>) {
    if frame.within == Within::List {
        buffer.push(frame.tag.unwrap_or(Tag::End) as u8);
    }
    variant.write_int(Tag::Int, count.into(), buffer);
}

#[cold]
fn out_of(tag: Tag, value: i64) -> Error {
    let expected = match tag {
        Tag::Byte => "an int of 8 bits",
        Tag::Short => "an int of 16 bits",
        Tag::Int => "an int of 32 bits",
        _ => "an int of 64 bits",
    };
    no_int(expected, &value)
}

/// Returns what is known about the unknown fields that a record keeps.
pub(super) fn of_rest(record: &Record) -> Expect {
    match record.unknown() {
        Unknown::Keep(index) => Expect::of_field(record, index).values(),
        _ => Expect::Nothing,
    }
}
