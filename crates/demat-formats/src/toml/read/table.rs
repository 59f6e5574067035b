//! The tables of a document: TOML defines them in pieces, in any order.
//!
//! All values are in one list and refer to each other by index, so nesting does not use the call stack.

use crate::whole::{Content, Slice, Tape};
use demat_core::{Result, interrupt};
use std::borrow::Cow;
use std::collections::HashMap;

/// The index of a value.
pub(super) type Id = usize;

/// A key and its range in the input.
#[derive(Debug, Clone)]
pub(super) struct Key<'i> {
    pub(super) text: Cow<'i, str>,
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
}

#[derive(Debug)]
enum What {
    Scalar(Content),
    Array(Vec<Id>),
    /// An array of tables.
    Tables(Vec<Id>),
    Table(Defined, Vec<Entry>),
}

#[derive(Debug)]
struct Entry {
    key: Slice,
    begin: usize,
    end: usize,
    value: Id,
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
    values: Vec<Value>,
    /// The index of each value, by table and key.
    index: HashMap<(Id, Cow<'i, str>), Id>,
    limit: u32,
}

/// The outermost table.
pub(super) const ROOT: Id = 0;

impl<'i> Tables<'i> {
    /// Returns an empty document.
    pub(super) fn new(limit: u32) -> Self {
        let root = Value { what: What::Table(Defined::Header, Vec::new()), begin: 0, end: 0, depth: 1 };
        Self { values: vec![root], index: HashMap::new(), limit }
    }

    fn add(&mut self, what: What, within: Id, begin: usize, end: usize) -> Result<Id, Refused> {
        let is_container = !matches!(what, What::Scalar(_));
        let depth = self.values[within].depth + u32::from(is_container);
        if is_container && depth > self.limit {
            return Err(Refused::Depth);
        }
        self.values.push(Value { what, begin, end, depth });
        Ok(self.values.len() - 1)
    }

    /// Adds an entry with a new key.
    fn enter(&mut self, table: Id, key: Key<'i>, value: Id) {
        if let What::Table(_, entries) = &mut self.values[table].what {
            entries.push(Entry { key: key.slice, begin: key.begin, end: key.end, value });
            self.index.insert((table, key.text), value);
        }
    }

    /// Returns the table under a key, which is a part of a path. Creates it if it does not exist.
    fn descend(&mut self, table: Id, key: &Key<'i>, dotted: bool) -> Result<Id, Refused> {
        let made = if dotted { Defined::Dotted } else { Defined::Implicit };
        let Some(found) = self.index.get(&(table, key.text.clone())).copied() else {
            let inner = self.add(What::Table(made, Vec::new()), table, key.begin, key.end)?;
            self.enter(table, key.clone(), inner);
            return Ok(inner);
        };
        match &mut self.values[found].what {
            // A header may extend the last table of an array, and any table that is not inline.
            What::Tables(items) if !dotted => items.last().copied().ok_or(Refused::Closed),
            What::Table(defined, _) if *defined != Defined::Inline => match (dotted, *defined) {
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
    fn walk(&mut self, from: Id, path: &[Key<'i>], dotted: bool) -> Result<Id, (Refused, usize)> {
        let mut table = from;
        for (index, key) in path.iter().enumerate() {
            table = self.descend(table, key, dotted).map_err(|refused| (refused, index))?;
        }
        Ok(table)
    }

    /// Opens the table of a header at this range. The header of an array of tables adds a table to the array.
    pub(super) fn header(
        &mut self,
        path: &[Key<'i>],
        last: Key<'i>,
        array: bool,
        (begin, end): (usize, usize),
    ) -> Result<Id, (Refused, usize)> {
        let at_last = |refused| (refused, path.len());
        let parent = self.walk(ROOT, path, false)?;
        let found = self.index.get(&(parent, last.text.clone())).copied();
        let table = What::Table(Defined::Header, Vec::new());
        if !array {
            let Some(found) = found else {
                let made = self.add(table, parent, begin, end).map_err(at_last)?;
                self.enter(parent, last, made);
                return Ok(made);
            };
            let value = &mut self.values[found];
            let What::Table(defined @ Defined::Implicit, _) = &mut value.what else {
                return Err(at_last(Refused::Repeated));
            };
            *defined = Defined::Header;
            (value.begin, value.end) = (begin, end);
            return Ok(found);
        }
        let list = if let Some(found) = found {
            found
        } else {
            let list = self.add(What::Tables(Vec::new()), parent, begin, end).map_err(at_last)?;
            self.enter(parent, last, list);
            list
        };
        if !matches!(self.values[list].what, What::Tables(_)) {
            return Err(at_last(Refused::Repeated));
        }
        let item = self.add(table, list, begin, end).map_err(at_last)?;
        if let What::Tables(items) = &mut self.values[list].what {
            items.push(item);
        }
        Ok(item)
    }

    /// Adds a value under a key of a table, or of the table that a dotted key leads to.
    pub(super) fn insert(
        &mut self,
        table: Id,
        path: &[Key<'i>],
        last: Key<'i>,
        content: Content,
        (begin, end): (usize, usize),
    ) -> Result<Id, (Refused, usize)> {
        let at_last = |refused| (refused, path.len());
        let table = self.walk(table, path, true)?;
        if self.index.contains_key(&(table, last.text.clone())) {
            return Err(at_last(Refused::Repeated));
        }
        let value = self.add(what(content), table, begin, end).map_err(at_last)?;
        self.enter(table, last, value);
        Ok(value)
    }

    /// Adds an item to an array.
    pub(super) fn push(&mut self, array: Id, content: Content, (begin, end): (usize, usize)) -> Result<Id, Refused> {
        let value = self.add(what(content), array, begin, end)?;
        if let What::Array(items) = &mut self.values[array].what {
            items.push(value);
        }
        Ok(value)
    }

    /// Sets the end of an array or an inline table.
    pub(super) fn ends(&mut self, id: Id, end: usize) {
        self.values[id].end = end;
    }

    /// Appends the values to a tape in reading order.
    pub(super) fn flatten(self, tape: &mut Tape) -> Result<()> {
        /// An open container.
        struct Open {
            at: usize,
            id: Id,
            child: usize,
            end: usize,
        }
        let mut open: Vec<Open> = Vec::new();
        let mut next = Some(ROOT);
        for step in 0_u32.. {
            if step.is_multiple_of(4096) {
                interrupt::check()?;
            }
            if let Some(id) = next.take() {
                let Value { what, begin, end, .. } = &self.values[id];
                let content = match what {
                    What::Scalar(content) => *content,
                    What::Array(_) | What::Tables(_) => Content::List,
                    What::Table(..) => Content::Map,
                };
                let at = tape.push(content, *begin, *end)?;
                match (what, open.last_mut()) {
                    (What::Scalar(_), Some(outer)) => outer.end = outer.end.max(*end),
                    (What::Scalar(_), None) => {}
                    _ => open.push(Open { at, id, child: 0, end: *end }),
                }
            }
            let Some(last) = open.last_mut() else { break };
            next = match &self.values[last.id].what {
                What::Scalar(_) => None,
                What::Array(items) | What::Tables(items) => items.get(last.child).copied(),
                What::Table(_, entries) => match entries.get(last.child) {
                    Some(entry) => {
                        tape.push(Content::Key(entry.key), entry.begin, entry.end)?;
                        Some(entry.value)
                    }
                    None => None,
                },
            };
            last.child += 1;
            if next.is_none() {
                let (at, end) = (last.at, last.end);
                tape.close(at, end)?;
                open.pop();
                if let Some(outer) = open.last_mut() {
                    outer.end = outer.end.max(end);
                }
            }
        }
        Ok(())
    }
}

fn what(content: Content) -> What {
    match content {
        Content::List => What::Array(Vec::new()),
        Content::Map => What::Table(Defined::Inline, Vec::new()),
        scalar => What::Scalar(scalar),
    }
}
