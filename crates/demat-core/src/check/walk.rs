//! Where in a shape's checks what is told stands.

use super::bound::Scalar;
use super::checks::{Checks, Node, Parts, Place};
use crate::{Error, ErrorKind, Kind, Record, Result, Union};
use std::sync::Arc;

/// Follows what is told, and holds each value to its rules.
#[derive(Debug)]
pub(super) struct Walk {
    checks: Arc<Checks>,
    /// The place of the value that is next.
    next: Place,
    /// The containers around it that something is checked in.
    stack: Vec<Frame>,
    /// How many containers deep it stands in one that nothing is checked in.
    free: usize,
    saved: Saved,
    /// For records that were told: of each of their fields the place.
    known: Vec<(u32, u64, Box<[Place]>)>,
}

/// A container that is open.
#[derive(Debug, Clone, Copy)]
struct Frame {
    node: u32,
    /// How many items or entries it has so far.
    count: usize,
    at: At,
}

/// What the next scalar is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum At {
    Value,
    Key,
    /// It says which variant of a union the record is.
    Tag,
}

/// The state at the last commit; containers that were open then are open still.
#[derive(Debug, Default)]
struct Saved {
    next: Place,
    depth: usize,
    top: Option<Frame>,
    free: usize,
}

impl Walk {
    pub(super) fn new(checks: Arc<Checks>) -> Self {
        let next = checks.root;
        let saved = Saved { next, ..Saved::default() };
        Self { checks, next, stack: Vec::new(), free: 0, saved, known: Vec::new() }
    }

    pub(super) fn commit(&mut self) {
        self.saved =
            Saved { next: self.next, depth: self.stack.len(), top: self.stack.last().copied(), free: self.free };
    }

    pub(super) fn rollback(&mut self) {
        self.stack.truncate(self.saved.depth);
        if let (Some(top), Some(saved)) = (self.stack.last_mut(), self.saved.top) {
            *top = saved;
        }
        self.next = self.saved.next;
        self.free = self.saved.free;
    }

    /// A scalar is told.
    #[inline]
    pub(super) fn scalar(&mut self, value: Scalar<'_>) -> Result<()> {
        match self.next {
            None => Ok(()),
            Some(place) => self.checked(place, value),
        }
    }

    #[inline(never)]
    fn checked(&mut self, place: u32, value: Scalar<'_>) -> Result<()> {
        match (self.stack.last(), value) {
            (Some(Frame { at: At::Key | At::Tag, .. }), Scalar::Text(text)) => self.named(text),
            (Some(Frame { at: At::Key, node, .. }), _) => match &self.checks.nodes[*node as usize].parts {
                Parts::Map { key: Some(key), .. } => hold(&self.checks, &self.checks.nodes[*key as usize], value),
                _ => Ok(()),
            },
            _ => hold(&self.checks, &self.checks.nodes[place as usize], value),
        }
    }

    /// A key, or the tag of a union, is told.
    fn named(&mut self, text: &str) -> Result<()> {
        let Self { checks, stack, .. } = self;
        let Some(top) = stack.last_mut() else { return Ok(()) };
        let parts = &checks.nodes[top.node as usize].parts;
        match (top.at, parts) {
            (At::Tag, Parts::Union { variants, .. }) => {
                top.at = At::Value;
                self.next = None;
                if let Some((.., Some(place))) = variants.iter().find(|(name, ..)| **name == *text) {
                    top.node = *place;
                } else {
                    // Nothing is checked in the rest of it.
                    stack.pop();
                    self.free += 1;
                }
                Ok(())
            }
            (At::Key, Parts::Record { .. }) => {
                top.at = At::Value;
                self.next = field(parts, text);
                Ok(())
            }
            (At::Key, Parts::Map { key, value }) => {
                top.at = At::Value;
                self.next = *value;
                match key {
                    Some(key) => hold(checks, &checks.nodes[*key as usize], Scalar::Text(text)),
                    None => Ok(()),
                }
            }
            (At::Key, Parts::Union { tag, .. }) => {
                top.at = if tag.as_deref() == Some(text) { At::Tag } else { At::Value };
                if top.at == At::Value {
                    return Err(late_tag());
                }
                self.next = Some(top.node);
                Ok(())
            }
            // A named tuple, told as a record.
            (At::Key, Parts::Tuple(items)) => {
                top.at = At::Value;
                self.next = items.get(top.count - 1).copied().flatten();
                Ok(())
            }
            _ => {
                top.at = At::Value;
                self.next = None;
                Ok(())
            }
        }
    }

    /// A list begins.
    pub(super) fn begin(&mut self, kind: Kind) -> Result<()> {
        let Some(mut place) = self.next else {
            self.free += 1;
            return Ok(());
        };
        let checks = &self.checks;
        // Of a list one item may be told alone.
        if let (Kind::Map, true, Parts::List(item)) = (kind, self.stack.is_empty(), &checks.nodes[place as usize].parts)
        {
            let Some(item) = item else {
                self.next = None;
                self.free += 1;
                return Ok(());
            };
            place = *item;
        }
        // Of an untagged union the variant that such a thing can be, if there is one only.
        if let Parts::Union { tag: None, variants } = &checks.nodes[place as usize].parts {
            let mut fitting = variants.iter().filter(|(_, shape, _)| shape.accepts(kind));
            let (Some((.., Some(own))), None) = (fitting.next(), fitting.next()) else {
                self.next = None;
                self.free += 1;
                return Ok(());
            };
            place = *own;
        }
        let node = &checks.nodes[place as usize];
        let what = if kind == Kind::List { "list" } else { "map" };
        node.rules.iter().try_for_each(|rule| rule.holds_container(what))?;
        self.stack.push(Frame { node: place, count: 0, at: At::Value });
        self.next = None;
        Ok(())
    }

    /// The next item of the list.
    #[inline]
    pub(super) fn item(&mut self) {
        if self.free > 0 {
            return;
        }
        let Some(top) = self.stack.last_mut() else { return };
        self.next = match &self.checks.nodes[top.node as usize].parts {
            Parts::List(item) => *item,
            Parts::Tuple(items) => items.get(top.count).copied().flatten(),
            _ => None,
        };
        top.count += 1;
    }

    /// A key is told next.
    pub(super) fn entry(&mut self) {
        if self.free > 0 {
            return;
        }
        let Some(top) = self.stack.last_mut() else { return };
        top.count += 1;
        top.at = At::Key;
        // So that the scalar is looked at.
        self.next = Some(top.node);
    }

    /// The value of the key that was told.
    pub(super) fn value(&mut self) {
        if self.free > 0 {
            return;
        }
        if let Some(top) = self.stack.last_mut()
            && top.at == At::Key
        {
            // The key was no text.
            top.at = At::Value;
            self.next = match &self.checks.nodes[top.node as usize].parts {
                Parts::Map { value, .. } => *value,
                _ => None,
            };
        }
    }

    /// A key that is text, and its value next.
    pub(super) fn key(&mut self, key: &str) -> Result<()> {
        if self.free > 0 {
            return Ok(());
        }
        self.entry();
        self.named(key)
    }

    /// The value of a record's field is next.
    #[inline]
    pub(super) fn field(&mut self, record: &Record, index: usize) -> Result<()> {
        if self.free > 0 {
            return Ok(());
        }
        let Some(top) = self.stack.last_mut() else { return Ok(()) };
        let (node, identity) = (top.node, record.identity());
        if let Some((.., places)) = self.known.iter().find(|(own, id, _)| *own == node && *id == identity) {
            top.count += 1;
            top.at = At::Value;
            self.next = places[index];
            return Ok(());
        }
        self.learn(node, record, index)
    }

    #[cold]
    fn learn(&mut self, node: u32, record: &Record, index: usize) -> Result<()> {
        if let parts @ Parts::Record { .. } = &self.checks.nodes[node as usize].parts {
            let places = record.fields().iter().map(|own| field(parts, own.key())).collect();
            if self.known.len() >= 64 {
                self.known.clear();
            }
            self.known.push((node, record.identity(), places));
            return self.field(record, index);
        }
        self.key(record.fields()[index].key())
    }

    /// A container ends.
    pub(super) fn end(&mut self) -> Result<()> {
        if self.free > 0 {
            self.free -= 1;
            self.next = None;
            return Ok(());
        }
        let Some(top) = self.stack.pop() else { return Ok(()) };
        self.next = None;
        let node = &self.checks.nodes[top.node as usize];
        node.rules.iter().filter(|rule| rule.is_length()).try_for_each(|rule| rule.holds_length(top.count))
    }

    /// The value is of this variant.
    pub(super) fn variant(&mut self, union: &Union, index: usize) {
        let Some(place) = self.next else { return };
        if let Parts::Union { variants, .. } = &self.checks.nodes[place as usize].parts {
            let name = union.variants()[index].name();
            let own = variants.get(index).filter(|(own, ..)| **own == *name);
            self.next = own.or_else(|| variants.iter().find(|(own, ..)| **own == *name)).and_then(|(.., place)| *place);
        }
    }
}

fn field(parts: &Parts, key: &str) -> Place {
    match parts {
        Parts::Record { fields, rest } => fields.get(key).copied().unwrap_or(*rest),
        _ => None,
    }
}

/// Holds a scalar to the rules of its place.
fn hold(checks: &Checks, node: &Node, value: Scalar<'_>) -> Result<()> {
    if let Parts::Union { variants, .. } = &node.parts {
        let kind = value.kind();
        let mut refused = None;
        for (_, shape, place) in variants {
            if !shape.accepts(kind) {
                continue;
            }
            let Some(place) = place else { return Ok(()) };
            match hold(checks, &checks.nodes[*place as usize], value) {
                Ok(()) => return Ok(()),
                Err(error) => refused = refused.or(Some(error)),
            }
        }
        return refused.map_or(Ok(()), Err);
    }
    if matches!(value, Scalar::Null) {
        return node.rules.iter().filter(|rule| rule.takes_null()).try_for_each(|rule| rule.holds(value));
    }
    node.rules.iter().try_for_each(|rule| rule.holds(value))
}

#[cold]
fn late_tag() -> Error {
    Error::new(ErrorKind::Encode, "a union's tag must come before what is checked by it")
}
