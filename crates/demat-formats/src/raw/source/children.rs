//! Stepping through lists, tuples and maps.

use super::super::schema::{ANY, Bits, Node, NodeId};
use super::fault::astray;
use super::fields::Step;
use super::frame::{Cursor, Frame, Within};
use super::stand::Stand;
use super::{Found, RawSource};
use demat_core::Result;

/// A header below this is a count.
const LONG: u8 = 127;

impl RawSource<'_, '_> {
    /// Returns the innermost container.
    #[inline]
    pub(super) fn top(&self) -> Option<&Frame> {
        self.state.frames.get(self.depth.checked_sub(1)?)
    }

    #[inline]
    pub(super) fn top_mut(&mut self) -> Option<&mut Frame> {
        self.state.frames.get_mut(self.depth.checked_sub(1)?)
    }

    /// Steps into a container.
    #[inline]
    pub(super) fn enter(&mut self, frame: Frame) -> Result<()> {
        if self.depth >= self.plan.depth as usize {
            return Err(self.too_deep(self.start));
        }
        match self.state.frames.get_mut(self.depth) {
            Some(place) => *place = frame,
            None => self.state.frames.push(frame),
        }
        self.depth += 1;
        self.stand = Stand::Nothing;
        Ok(())
    }

    #[inline]
    pub(super) fn leave(&mut self) {
        self.depth -= 1;
        self.start = self.at;
        self.stand = Stand::Nothing;
    }

    /// Reads the header of a block: the number of its children, and whether another block follows.
    fn header(&mut self) -> Result<(u32, bool)> {
        let first = self.byte("a count")?;
        match first {
            ..LONG => {
                self.at += 1;
                Ok((first.into(), false))
            }
            LONG => {
                self.at += 1;
                let (above, end) = self.varint()?;
                let count = above.checked_add(LONG.into()).and_then(|count| u32::try_from(count).ok());
                let count = count.ok_or_else(|| self.unexpected(self.at, "a count of 32 bits", "a larger one"))?;
                self.at = end;
                Ok((count, false))
            }
            128 => Err(self.unexpected(self.at, "a block with items", "one without")),
            _ => {
                self.at += 1;
                Ok(((first - 128).into(), true))
            }
        }
    }

    /// Returns a count if the rest of the part can hold so many children of at least one byte each.
    fn plausible(&self, (count, more): (u32, bool)) -> Option<usize> {
        let left = self.part.bytes.len() - self.at;
        usize::try_from(count).ok().filter(|count| !more && *count <= left)
    }

    pub(super) fn enter_list(&mut self) -> Result<Option<usize>> {
        let outermost = self.depth == 0;
        let node = self.value_node()?;
        let before = self.at;
        match self.found()? {
            Found::Node(Node::List(item)) => self.enter_items(*item).map(|count| count.filter(|_| !outermost)),
            Found::Node(Node::Tuple(items)) => self.enter_tuple().map(|()| Some(items.len())),
            // The writer had a single value here, the reader has a list.
            Found::Node(_) if !self.exact && node.is_some_and(|node| node != ANY) => {
                self.at = before;
                let cursor = Cursor { left: 1, ..Cursor::default() };
                let node = node.ok_or_else(astray)?;
                self.enter(Frame { within: Within::Single, node, cursor, ..Frame::default() })?;
                Ok(Some(1))
            }
            other => Err(self.other("list", &other)),
        }
    }

    /// Steps into a list at its header.
    pub(super) fn enter_items(&mut self, item: NodeId) -> Result<Option<usize>> {
        let header = self.header()?;
        let known = self.plausible(header);
        let cursor = Cursor { left: header.0, more: header.1, ..Cursor::default() };
        let padded = self.known()?.is_empty(item);
        self.enter(Frame { node: item, padded, cursor, ..Frame::default() })?;
        Ok(known)
    }

    /// Steps into a tuple.
    pub(super) fn enter_tuple(&mut self) -> Result<()> {
        let Stand::Value(node) = self.stand else { return Err(astray()) };
        self.enter(Frame { within: Within::Tuple, node, ..Frame::default() })
    }

    /// Reads the zero byte after a child without bytes.
    fn settle(&mut self) -> Result<()> {
        if self.top().is_none_or(|frame| !frame.cursor.owes) {
            return Ok(());
        }
        match self.byte("a zero byte")? {
            0 => self.at += 1,
            other => return Err(self.unexpected(self.at, "a zero byte", format!("byte 0x{other:02x}"))),
        }
        if let Some(frame) = self.top_mut() {
            frame.cursor.owes = false;
        }
        Ok(())
    }

    /// Steps to the next child of a list or map, in this block or the next. Returns false at the end, and leaves it.
    #[inline]
    fn count(&mut self) -> Result<bool> {
        self.settle()?;
        let Some(mut cursor) = self.top().map(|frame| frame.cursor) else { return Err(astray()) };
        if cursor.left == 0 && cursor.more {
            (cursor.left, cursor.more) = self.header()?;
        }
        if cursor.left == 0 {
            self.leave();
            return Ok(false);
        }
        cursor.left -= 1;
        if let Some(frame) = self.top_mut() {
            cursor.owes = frame.padded;
            frame.cursor = cursor;
        }
        Ok(true)
    }

    pub(super) fn next_item(&mut self) -> Result<bool> {
        let Some(frame) = self.top() else { return Err(astray()) };
        let (within, node, next) = (frame.within, frame.node, frame.cursor.next);
        match within {
            Within::List | Within::Single => {
                let more = self.count()?;
                if more {
                    self.stand = Stand::Value(node);
                }
                Ok(more)
            }
            Within::Tuple => {
                let Node::Tuple(items) = self.known()?.node(node) else { return Err(astray()) };
                let Some(item) = items.get(next as usize) else {
                    self.leave();
                    return Ok(false);
                };
                if let Some(frame) = self.top_mut() {
                    frame.cursor.next += 1;
                }
                self.stand = Stand::Value(*item);
                Ok(true)
            }
            Within::Map | Within::Rest | Within::Record | Within::Variant => Err(astray()),
        }
    }

    pub(super) fn enter_map(&mut self) -> Result<Option<usize>> {
        match self.found()? {
            Found::Node(Node::Map(key, value)) => self.enter_entries(Within::Map, *key, *value),
            Found::Node(Node::Record(_)) => self.enter_record().map(|()| None),
            other => Err(self.other("record", &other)),
        }
    }

    /// Steps into a map at its header.
    pub(super) fn enter_entries(&mut self, within: Within, key: NodeId, value: NodeId) -> Result<Option<usize>> {
        let header = self.header()?;
        let known = self.plausible(header);
        let schema = self.known()?;
        let padded = schema.is_empty(key) && schema.is_empty(value);
        let cursor = Cursor { left: header.0, more: header.1, ..Cursor::default() };
        self.enter(Frame { within, node: key, value, padded, cursor, bits: Bits::default() })?;
        Ok(known)
    }

    /// Steps to the next key of a map, which is the innermost container.
    pub(super) fn next_key(&mut self) -> Result<bool> {
        let more = self.count()?;
        if more && let Some(frame) = self.top_mut() {
            frame.cursor.next = 1;
            self.stand = Stand::Value(frame.node);
        }
        Ok(more)
    }

    pub(super) fn next_entry(&mut self) -> Result<bool> {
        loop {
            match self.top().map(|frame| frame.within) {
                Some(Within::Map) => return self.next_key(),
                Some(Within::Rest) => {
                    if self.next_key()? {
                        return Ok(true);
                    }
                }
                Some(Within::Record) => match self.next_field()? {
                    Step::Field(index) => {
                        self.stand = Stand::Key(index as u32);
                        return Ok(true);
                    }
                    Step::Rest => {}
                    Step::End => return Ok(false),
                },
                _ => return Err(astray()),
            }
        }
    }

    pub(super) fn step_to_value(&mut self) -> Result<()> {
        if let Stand::Key(index) = self.stand {
            return self.stand_at_field(index as usize);
        }
        let Some(frame) = self.top_mut() else { return Err(astray()) };
        match frame.within {
            Within::Map | Within::Rest => {
                frame.cursor.next = 0;
                self.stand = Stand::Value(frame.value);
                Ok(())
            }
            _ => Err(astray()),
        }
    }
}
