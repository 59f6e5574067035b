//! The tables of a document: TOML defines them in pieces, in any order.
//!
//! All values are in one list and refer to each other by index, so nesting does not use the call stack, and no container
//! has memory of its own.

use super::index::Index;
use crate::whole::{Content, Slice, Tape};
use demat_core::{Result, interrupt};

/// The index of a value.
pub(super) type Id = usize;

/// A key and its range in the input.
#[derive(Debug, Clone, Copy)]
pub(super) struct Key {
    pub(super) slice: Slice,
    pub(super) begin: usize,
    pub(super) end: usize,
}

/// A value and its range in the input.
#[derive(Debug)]
struct Value {
    what: What,
    begin: usize,
    end: usize,
    /// The depth of the value, counting itself if it is a container.
    depth: u32,
    /// Its key, if it is in a table.
    key: Option<Key>,
    /// The next value of its container. The root is in no container, so 0 is none.
    next: Id,
    /// The first and the last value in it, or 0.
    first: Id,
    last: Id,
    /// The number of values in it.
    count: usize,
}

#[derive(Debug, Clone, Copy)]
enum What {
    Scalar(Content),
    Array,
    /// An array of tables.
    Tables,
    Table(Defined),
}

/// How a table was defined, which decides what may be added to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Defined {
    /// By a header of its own.
    Header,
    /// By the longer header of a table inside it.
    Implicit,
    /// By a dotted key.
    Dotted,
    /// As an inline table, to which nothing may be added.
    Inline,
}

/// Why a key or a header is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Refused {
    /// The key exists already.
    Repeated,
    /// A part of the path is not a table, or is a table that can't be extended.
    Closed,
    /// The depth exceeds the limit.
    Depth,
}

/// The values of a document.
#[derive(Debug)]
pub(super) struct Tables<'i> {
    /// The input of the keys' slices.
    input: &'i str,
    /// The text of keys with escapes. The values are appended to it at the end.
    pub(super) tape: Tape,
    values: Vec<Value>,
    /// The values of large tables, by table and key.
    index: Index,
    limit: u32,
}

/// The outermost table.
pub(super) const ROOT: Id = 0;
/// Up to this number of keys, comparing all of them is faster than hashing one.
const FEW: usize = 8;

impl<'i> Tables<'i> {
    /// Returns an empty document.
    pub(super) fn new(input: &'i str, limit: u32) -> Self {
        let mut own = Self { input, tape: Tape::new(), values: Vec::with_capacity(32), index: Index::default(), limit };
        own.values.push(value(What::Table(Defined::Header), None, 0, 0, 1));
        own
    }

    /// Returns the text of a key.
    pub(super) fn text(&self, key: Key) -> &str {
        self.tape.text(key.slice, self.input.as_bytes())
    }

    fn bytes(&self, key: Key) -> &[u8] {
        self.tape.bytes(key.slice, self.input.as_bytes())
    }

    fn add(&mut self, what: What, key: Option<Key>, within: Id, (begin, end): (usize, usize)) -> Result<Id, Refused> {
        let is_container = !matches!(what, What::Scalar(_));
        let depth = self.values[within].depth + u32::from(is_container);
        if is_container && depth > self.limit {
            return Err(Refused::Depth);
        }
        let id = self.values.len();
        self.values.push(value(what, key, begin, end, depth));
        let outer = &mut self.values[within];
        let last = core::mem::replace(&mut outer.last, id);
        outer.count += 1;
        if last == 0 {
            outer.first = id;
        } else {
            self.values[last].next = id;
        }
        if let Some(key) = key {
            self.enter(within, key, id);
        }
        Ok(id)
    }

    /// Adds a value to the index, if its table is large. All values of a table that has just become large are added.
    fn enter(&mut self, table: Id, key: Key, id: Id) {
        let count = self.values[table].count;
        if count <= FEW {
            return;
        }
        if count > FEW + 1 {
            let hash = self.index.hash(table, self.tape.bytes(key.slice, self.input.as_bytes()));
            self.index.insert(hash, id);
            return;
        }
        let mut at = self.values[table].first;
        while at != 0 {
            let Value { key, next, .. } = self.values[at];
            if let Some(key) = key {
                let hash = self.index.hash(table, self.tape.bytes(key.slice, self.input.as_bytes()));
                self.index.insert(hash, at);
            }
            at = next;
        }
    }

    /// Returns the value under a key of a table.
    fn find(&mut self, table: Id, key: Key) -> Option<Id> {
        if self.values[table].count <= FEW {
            let wanted = self.bytes(key);
            let mut at = self.values[table].first;
            while at != 0 {
                let value = &self.values[at];
                if value.key.is_some_and(|own| self.bytes(own) == wanted) {
                    return Some(at);
                }
                at = value.next;
            }
            return None;
        }
        let hash = self.index.hash(table, self.tape.bytes(key.slice, self.input.as_bytes()));
        let wanted = self.bytes(key);
        self.index.find(hash, |id| self.values[id].key.is_some_and(|own| self.bytes(own) == wanted))
    }

    /// Returns the table under a key, which is a part of a path. Creates it if it does not exist.
    fn descend(&mut self, table: Id, key: Key, dotted: bool) -> Result<Id, Refused> {
        let made = if dotted { Defined::Dotted } else { Defined::Implicit };
        let Some(found) = self.find(table, key) else {
            return self.add(What::Table(made), Some(key), table, (key.begin, key.end));
        };
        let last = self.values[found].last;
        match &mut self.values[found].what {
            // A header may extend the last table of an array, and any table that is not inline.
            What::Tables if !dotted => Some(last).filter(|last| *last != 0).ok_or(Refused::Closed),
            What::Table(defined) if *defined != Defined::Inline => match (dotted, *defined) {
                (true, Defined::Header) => Err(Refused::Repeated),
                (true, _) => {
                    *defined = Defined::Dotted;
                    Ok(found)
                }
                (false, _) => Ok(found),
            },
            _ => Err(Refused::Closed),
        }
    }

    /// Follows a path to its table. On failure, returns the reason and the index of the refused key.
    fn walk(&mut self, from: Id, path: &[Key], dotted: bool) -> Result<Id, (Refused, usize)> {
        let mut table = from;
        for (index, key) in path.iter().enumerate() {
            table = self.descend(table, *key, dotted).map_err(|refused| (refused, index))?;
        }
        Ok(table)
    }

    /// Opens the table of a header at this range. The header of an array of tables adds a table to the array.
    pub(super) fn header(
        &mut self,
        path: &[Key],
        last: Key,
        array: bool,
        (begin, end): (usize, usize),
    ) -> Result<Id, (Refused, usize)> {
        let at_last = |refused| (refused, path.len());
        let parent = self.walk(ROOT, path, false)?;
        let found = self.find(parent, last);
        let table = What::Table(Defined::Header);
        if !array {
            let Some(found) = found else {
                return self.add(table, Some(last), parent, (begin, end)).map_err(at_last);
            };
            let value = &mut self.values[found];
            let What::Table(defined @ Defined::Implicit) = &mut value.what else {
                return Err(at_last(Refused::Repeated));
            };
            *defined = Defined::Header;
            (value.begin, value.end) = (begin, end);
            return Ok(found);
        }
        let list = match found {
            Some(found) => found,
            None => self.add(What::Tables, Some(last), parent, (begin, end)).map_err(at_last)?,
        };
        if !matches!(self.values[list].what, What::Tables) {
            return Err(at_last(Refused::Repeated));
        }
        self.add(table, None, list, (begin, end)).map_err(at_last)
    }

    /// Adds a value under a key of a table, or of the table that a dotted key leads to.
    pub(super) fn insert(
        &mut self,
        table: Id,
        path: &[Key],
        last: Key,
        content: Content,
        range: (usize, usize),
    ) -> Result<Id, (Refused, usize)> {
        let at_last = |refused| (refused, path.len());
        let table = self.walk(table, path, true)?;
        if self.find(table, last).is_some() {
            return Err(at_last(Refused::Repeated));
        }
        self.add(what(content), Some(last), table, range).map_err(at_last)
    }

    /// Adds an item to an array.
    pub(super) fn push(&mut self, array: Id, content: Content, range: (usize, usize)) -> Result<Id, Refused> {
        self.add(what(content), None, array, range)
    }

    /// Sets the end of an array or an inline table.
    pub(super) fn ends(&mut self, id: Id, end: usize) {
        self.values[id].end = end;
    }

    /// Returns the tape, with the values in reading order.
    pub(super) fn flatten(self) -> Result<Tape> {
        /// An open container.
        struct Open {
            at: usize,
            next: Id,
            end: usize,
        }
        let Self { mut tape, values, .. } = self;
        // Each value has a node; a key and the end of a container have another one.
        tape.nodes.reserve(values.len() * 2);
        let mut open: Vec<Open> = Vec::new();
        let mut next = Some(ROOT);
        for step in 0_u32.. {
            if step.is_multiple_of(4096) {
                interrupt::check()?;
            }
            if let Some(id) = next.take() {
                let Value { what, key, begin, end, first, .. } = values[id];
                if let Some(Key { slice, begin, end }) = key {
                    tape.push(Content::Key(slice), begin, end)?;
                }
                let content = match what {
                    What::Scalar(content) => content,
                    What::Array | What::Tables => Content::List,
                    What::Table(_) => Content::Map,
                };
                let at = tape.push(content, begin, end)?;
                match (what, open.last_mut()) {
                    (What::Scalar(_), Some(outer)) => outer.end = outer.end.max(end),
                    (What::Scalar(_), None) => {}
                    _ => open.push(Open { at, next: first, end }),
                }
            }
            let Some(last) = open.last_mut() else { break };
            if last.next != 0 {
                next = Some(last.next);
                last.next = values[last.next].next;
                continue;
            }
            let (at, end) = (last.at, last.end);
            tape.close(at, end)?;
            open.pop();
            if let Some(outer) = open.last_mut() {
                outer.end = outer.end.max(end);
            }
        }
        Ok(tape)
    }
}

fn value(what: What, key: Option<Key>, begin: usize, end: usize, depth: u32) -> Value {
    Value { what, begin, end, depth, key, next: 0, first: 0, last: 0, count: 0 }
}

fn what(content: Content) -> What {
    match content {
        Content::List => What::Array,
        Content::Map => What::Table(Defined::Inline),
        scalar => What::Scalar(scalar),
    }
}
