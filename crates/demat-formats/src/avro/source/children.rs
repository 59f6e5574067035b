//! Stepping through arrays, maps and records.

use super::super::schema::{Node, NodeId, RecordNode};
use super::fault::astray;
use super::frame::{Frame, Stand, Within};
use super::{AvroSource, Found};
use demat_core::{Error, Record, Result, Unknown};

impl AvroSource<'_, '_> {
    /// Returns the innermost container.
    #[inline]
    pub(super) fn top(&self) -> Option<Frame> {
        self.state.frames.get(self.depth.checked_sub(1)?).copied()
    }

    #[inline]
    pub(super) fn set_cursor(&mut self, cursor: u32) {
        if let Some(frame) = self.depth.checked_sub(1).and_then(|top| self.state.frames.get_mut(top)) {
            frame.cursor = cursor;
        }
    }

    /// Steps into a container.
    pub(super) fn enter(&mut self, frame: Frame) -> Result<()> {
        // The list of the file's values counts as one.
        if self.depth >= self.options.depth as usize {
            return Err(Error::limit("the depth of nesting", self.options.depth).at(self.position_of(self.start)));
        }
        match self.state.frames.get_mut(self.depth) {
            Some(place) => *place = frame,
            None => self.state.frames.push(frame),
        }
        self.depth += 1;
        self.stand = Stand::Nothing;
        Ok(())
    }

    pub(super) fn leave(&mut self) {
        self.depth -= 1;
        self.start = self.at;
        self.stand = Stand::Nothing;
    }

    /// Reads the count of the next block of an array, which has items of this node, or of a map, whose keys have bytes.
    /// A negative count is followed by the block's length.
    fn count(&mut self, node: Option<NodeId>) -> Result<u32> {
        let (count, mut end) = self.long(self.at, "a count")?;
        if count < 0 {
            let (len, behind) = self.long(end, "the length of items")?;
            let len = u64::try_from(len).map_err(|_| self.unexpected(end, "the length of items", len.to_string()))?;
            self.bytes_end(behind, len, "items")?;
            end = behind;
        }
        self.at = end;
        self.counted(count.unsigned_abs(), node, "items")
    }

    /// Steps to the next item or entry of the innermost container. Returns how many follow it; `None` at the end, which
    /// it leaves.
    fn next_child(&mut self, left: u32, node: Option<NodeId>) -> Result<Option<u32>> {
        let left = if left == 0 { self.count(node)? } else { left };
        if left == 0 {
            self.leave();
            return Ok(None);
        }
        Ok(Some(left - 1))
    }

    pub(super) fn next_item(&mut self) -> Result<bool> {
        self.reload()?;
        let Some(frame) = self.top() else { return Err(astray()) };
        match frame.within {
            Within::File => self.next_value(),
            Within::Array => {
                let Some(left) = self.next_child(frame.cursor, Some(frame.node))? else { return Ok(false) };
                self.set_cursor(left);
                self.stand = Stand::Value(frame.node);
                Ok(true)
            }
            Within::Fields => {
                let Some(field) = self.next_field(frame)? else { return Ok(false) };
                self.stand = Stand::Value(self.field_node(frame, field)?);
                Ok(true)
            }
            Within::Map | Within::Record | Within::Variant => Err(astray()),
        }
    }

    /// Steps into a record, which is read as a list if it is `Within::Fields`. Returns the number of its fields.
    pub(super) fn enter_record(&mut self, within: Within, record: u32) -> Result<usize> {
        let own = self.header()?.schema.record(record).ok_or_else(astray)?;
        let (count, empty) = (own.fields.len(), own.empty);
        self.spend(empty.into())?;
        self.enter(Frame { within, node: record, cursor: 0 })?;
        Ok(count)
    }

    /// Steps to the next field of the innermost record. Returns its index; `None` at the end, which it leaves.
    fn next_field(&mut self, frame: Frame) -> Result<Option<u32>> {
        let count = self.header()?.schema.record(frame.node).map_or(0, |record| record.fields.len());
        if frame.cursor as usize >= count {
            self.leave();
            return Ok(None);
        }
        self.set_cursor(frame.cursor + 1);
        Ok(Some(frame.cursor))
    }

    fn field_node(&self, frame: Frame, field: u32) -> Result<NodeId> {
        let record = self.header()?.schema.record(frame.node);
        record.and_then(|record| record.fields.get(field as usize)).map(|field| field.node).ok_or_else(astray)
    }

    pub(super) fn enter_list(&mut self) -> Result<Option<usize>> {
        if self.stand == Stand::Start && !(self.is_single()? && self.is_list()?) {
            return self.begin().map(|()| None);
        }
        match self.found()? {
            Found::Node(Node::Array(item)) => {
                self.enter(Frame { within: Within::Array, node: item, cursor: 0 }).map(|()| None)
            }
            // A tuple.
            Found::Node(Node::Record(record)) => self.enter_record(Within::Fields, record).map(Some),
            other => Err(self.other("list", other)),
        }
    }

    /// Whether the current value is a list or a tuple. Consumes nothing.
    fn is_list(&mut self) -> Result<bool> {
        self.looked_at(|own, found| match found {
            Found::Node(Node::Array(_)) => true,
            Found::Node(Node::Record(record)) => {
                own.header().is_ok_and(|header| header.schema.record(record).is_some_and(RecordNode::is_tuple))
            }
            _ => false,
        })
    }

    pub(super) fn enter_map(&mut self) -> Result<Option<usize>> {
        match self.found()? {
            Found::Node(Node::Map(value)) => {
                self.enter(Frame { within: Within::Map, node: value, cursor: 0 }).map(|()| None)
            }
            Found::Node(Node::Record(record)) => self.enter_record(Within::Record, record).map(Some),
            other => Err(self.other("record", other)),
        }
    }

    pub(super) fn next_entry(&mut self) -> Result<bool> {
        self.reload()?;
        let Some(frame) = self.top() else { return Err(astray()) };
        match frame.within {
            Within::Map => {
                let Some(left) = self.next_child(frame.cursor >> 1, None)? else { return Ok(false) };
                self.set_cursor(left << 1 | 1);
                self.stand = Stand::MapKey;
                Ok(true)
            }
            Within::Record => {
                let Some(field) = self.next_field(frame)? else { return Ok(false) };
                self.stand = Stand::Key(field);
                Ok(true)
            }
            _ => Err(astray()),
        }
    }

    pub(super) fn step_to_value(&mut self) -> Result<()> {
        let Some(frame) = self.top() else { return Err(astray()) };
        let node = match (self.stand, frame.within) {
            (Stand::Key(field), _) => self.field_node(frame, field)?,
            (_, Within::Map) => {
                self.set_cursor(frame.cursor & !1);
                frame.node
            }
            _ => return Err(astray()),
        };
        self.stand = Stand::Value(node);
        Ok(())
    }

    /// Steps to the next field that the reader's record has. Returns its index there; `None` at the end.
    pub(super) fn next_wanted(&mut self, record: &Record, expected: usize) -> Result<Option<usize>> {
        while self.next_entry()? {
            let before = (self.at, self.stand);
            let wanted = if let Stand::Key(field) = self.stand {
                wanted(record, expected, self.name(Found::Key(field)).ok_or_else(astray)?)
            } else {
                self.start = self.at;
                let range = self.sized("text")?;
                let wanted = wanted(record, expected, self.utf8(range)?);
                self.at = range.1;
                wanted
            };
            let kept = wanted.map_err(|error| error.at(self.position_of(before.0)))?;
            match kept {
                Wanted::Kept(rest) => {
                    (self.at, self.stand) = before;
                    return Ok(Some(rest));
                }
                Wanted::Field(index) => {
                    self.step_to_value()?;
                    let field = &record.fields()[index];
                    // Null stands for a field that is not there.
                    let is_absent = !field.required() && !field.shape().allows_null() && self.is_null()?;
                    if !is_absent {
                        return Ok(Some(index));
                    }
                    self.pass()?;
                }
                Wanted::Skipped => {
                    self.step_to_value()?;
                    self.pass()?;
                }
            }
        }
        Ok(None)
    }

    /// Whether the current value is null. Consumes nothing.
    fn is_null(&mut self) -> Result<bool> {
        let before = (self.at, self.stand);
        let found = self.found()?;
        (self.at, self.stand) = before;
        Ok(matches!(found, Found::Node(Node::Null)))
    }
}

/// What becomes of a field.
enum Wanted {
    /// It is this one of the record.
    Field(usize),
    /// This one keeps it.
    Kept(usize),
    Skipped,
}

fn wanted(record: &Record, expected: usize, key: &str) -> Result<Wanted> {
    let predicted = record.fields().get(expected).is_some_and(|field| field.key() == key);
    if predicted && record.unknown() != Unknown::Keep(expected) {
        return Ok(Wanted::Field(expected));
    }
    match record.index_of(key) {
        Some(index) => Ok(Wanted::Field(index)),
        None => Ok(record.unknown_key(key)?.map_or(Wanted::Skipped, Wanted::Kept)),
    }
}
