//! Stepping from block to block of a file.

use super::super::compression::too_long;
use super::super::format;
use super::super::header::Header;
use super::super::schema::NodeId;
use super::AvroSource;
use super::fault::astray;
use super::frame::{Frame, Stand, Within};
use super::state::{Block, most_empty};
use crate::binary::Input;
use demat_core::{Error, ErrorKind, Result};

impl<'a> AvroSource<'a, '_> {
    /// Reads the header, if it was not read. Returns whether the whole is the only value of the file.
    pub(super) fn is_single(&mut self) -> Result<bool> {
        if self.state.header.is_none() {
            self.state.header = Some(Header::read(self.part, self.options.block)?);
        }
        Ok(self.header()?.single)
    }

    /// Reads the header, and steps into the list of values.
    pub(super) fn begin(&mut self) -> Result<()> {
        self.is_single()?;
        let header = self.header()?;
        let (root, len) = (header.schema.root, header.len);
        self.next = len;
        self.enter(Frame { within: Within::File, node: root, cursor: 0 })
    }

    /// Reads the header, and steps to the only value of the file.
    pub(super) fn begin_single(&mut self) -> Result<()> {
        self.begin()?;
        if self.next_value()? {
            return Ok(());
        }
        Err(self.input().unexpected(self.part.bytes.len(), "a value", "an Avro file without any"))
    }

    pub(super) fn header(&self) -> Result<&Header> {
        self.state.header.as_ref().ok_or_else(astray)
    }

    /// Steps to the next value of the file. Returns false at the end, and leaves the list.
    pub(super) fn next_value(&mut self) -> Result<bool> {
        loop {
            let Some(frame) = self.top() else { return Err(astray()) };
            if frame.cursor > 0 {
                self.set_cursor(frame.cursor - 1);
                self.stand = Stand::Value(frame.node);
                return Ok(true);
            }
            self.leave_block()?;
            if self.next >= self.part.bytes.len() {
                if !self.part.last {
                    return Err(self.input().ended("a block"));
                }
                self.leave();
                return Ok(false);
            }
            let count = self.load(self.next)?;
            self.set_cursor(count);
        }
    }

    /// Steps out of a block whose values were read.
    fn leave_block(&mut self) -> Result<()> {
        let Some(block) = self.block else { return Ok(()) };
        if self.at < self.data().len() {
            let left = self.data().len() - self.at;
            let message = format!("{left} bytes follow the last value of a block");
            return Err(Error::new(ErrorKind::Syntax, message).at(self.position_of(self.at)));
        }
        self.next = block.end;
        self.block = None;
        self.at = 0;
        Ok(())
    }

    /// Loads the block that begins at `begin`, if all of it is in the part. Returns the number of its values.
    pub(super) fn load(&mut self, begin: usize) -> Result<u32> {
        let input: Input<'a> = self.input();
        let limit = self.options.block;
        let (count, data, data_end, end) = format::block(input, begin)?;
        if data_end - data > limit {
            return Err(too_long(limit).at(input.position_of(begin)));
        }
        let Some(packed) = self.part.bytes.get(data..data_end).filter(|_| end <= self.part.bytes.len()) else {
            return Err(input.cut_short(data, end - data, "a block"));
        };
        let header = self.state.header.as_ref().ok_or_else(astray)?;
        if self.part.bytes[data_end..end] != header.sync {
            return Err(input.unexpected(data_end, "the marker at the end of a block", "other bytes"));
        }
        let is_packed = header.compression != super::super::Compression::Null;
        let offset = self.part.base.offset + begin as u64;
        if self.state.block != Some(offset) {
            self.state.block = None;
            if is_packed {
                let unpacked = header.compression.unpack(packed, limit, &mut self.state.unpacked);
                unpacked.map_err(|error| error.at(input.position_of(begin)))?;
            }
            let len = if is_packed { self.state.unpacked.len() } else { packed.len() };
            self.state.spare = most_empty(len);
            self.state.block = Some(offset);
        }
        self.block = Some(Block { begin, data: (data, data_end), end, packed: is_packed });
        self.at = 0;
        let root = self.header()?.schema.root;
        self.counted(count, Some(root), "values")
    }

    /// Loads the block again that a mark stands in, if another source had it.
    #[inline]
    pub(super) fn reload(&mut self) -> Result<()> {
        if let Some(block) = self.lost.take() {
            let (at, spare, loaded) = (self.at, self.state.spare, self.state.block);
            self.load(block)?;
            self.at = at;
            if self.state.block == loaded {
                // What is loaded again counts once.
                self.state.spare = spare;
            }
        }
        Ok(())
    }

    /// Checks that the rest of the block can hold so many values of a node.
    pub(super) fn counted(&mut self, count: u64, node: Option<NodeId>, what: &'static str) -> Result<u32> {
        let left = (self.data().len() - self.at) as u64;
        let schema = &self.header()?.schema;
        if node.is_some_and(|node| schema.is_empty(node)) {
            self.spend(count)?;
        } else if count > left {
            let expected = format!("at most {left} {what}, one for each byte of the block");
            return Err(Error::mismatch(ErrorKind::Syntax, expected, count.to_string()).at(self.position_of(self.at)));
        }
        match u32::try_from(count) {
            // A map has a bit more in its cursor.
            Ok(count) if count <= u32::MAX >> 1 => Ok(count),
            _ => Err(Error::limit("the number of values in a block", u32::MAX >> 1).at(self.position_of(self.at))),
        }
    }

    /// Counts values without bytes.
    pub(super) fn spend(&mut self, count: u64) -> Result<()> {
        if let Some(spare) = self.state.spare.checked_sub(count) {
            self.state.spare = spare;
            return Ok(());
        }
        let limit = most_empty(self.data().len());
        Err(Error::limit("the number of values without bytes in a block", limit).at(self.position_of(self.at)))
    }
}
