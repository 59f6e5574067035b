//! Tracks the current position in a shape's checks while a value is written.

use super::bound::Scalar;
use super::checks::{Checks, Node, NodeRef, Parts};
use crate::{Error, ErrorKind, Kind, Record, Result, Union};
use std::sync::Arc;

/// Follows the calls to a sink, and applies the rules to each value.
#[derive(Debug)]
pub(super) struct Walk {
    checks: Arc<Checks>,
    /// The place of the next value.
    next: NodeRef,
    /// The open containers that have checks.
    stack: Vec<Frame>,
    /// How many unchecked containers are open within them.
    free: usize,
    saved: Saved,
    /// Cache of field places, by node and record.
    known: Vec<(u32, u64, Box<[NodeRef]>)>,
}

/// An open container.
#[derive(Debug, Clone, Copy)]
struct Frame {
    node: u32,
    /// The number of its items or entries so far.
    count: usize,
    role: Role,
}

/// The role of the next scalar.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Role {
    Value,
    Key,
    /// The union's tag, which selects the variant.
    Tag,
}

/// The state at the last commit. Containers that were open then must still be open.
#[derive(Debug, Default)]
struct Saved {
    next: NodeRef,
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

    /// Checks a scalar, in whatever role it has.
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
            (Some(Frame { role: Role::Key | Role::Tag, .. }), Scalar::Text(text)) => self.named(text),
            (Some(Frame { role: Role::Key, node, .. }), _) => match &self.checks.nodes[*node as usize].parts {
                Parts::Map { key: Some(key), .. } => hold(&self.checks, &self.checks.nodes[*key as usize], value),
                _ => Ok(()),
            },
            _ => hold(&self.checks, &self.checks.nodes[place as usize], value),
        }
    }

    /// Handles a text key, or the tag of a union.
    fn named(&mut self, text: &str) -> Result<()> {
        let Self { checks, stack, .. } = self;
        let Some(top) = stack.last_mut() else { return Ok(()) };
        let parts = &checks.nodes[top.node as usize].parts;
        match (top.role, parts) {
            (Role::Tag, Parts::Union { variants, .. }) => {
                top.role = Role::Value;
                self.next = None;
                if let Some((.., Some(place))) = variants.iter().find(|(name, ..)| **name == *text) {
                    top.node = *place;
                } else {
                    // The variant has no checks, so the rest of the container is unchecked.
                    stack.pop();
                    self.free += 1;
                }
                Ok(())
            }
            (Role::Key, Parts::Record { .. }) => {
                top.role = Role::Value;
                self.next = field(parts, text);
                Ok(())
            }
            (Role::Key, Parts::Map { key, value }) => {
                top.role = Role::Value;
                self.next = *value;
                match key {
                    Some(key) => hold(checks, &checks.nodes[*key as usize], Scalar::Text(text)),
                    None => Ok(()),
                }
            }
            (Role::Key, Parts::Union { tag, .. }) => {
                top.role = if tag.as_deref() == Some(text) { Role::Tag } else { Role::Value };
                if top.role == Role::Value {
                    return Err(late_tag());
                }
                self.next = Some(top.node);
                Ok(())
            }
            // A named tuple, written as a record.
            (Role::Key, Parts::Tuple(items)) => {
                top.role = Role::Value;
                self.next = items.get(top.count - 1).copied().flatten();
                Ok(())
            }
            _ => {
                top.role = Role::Value;
                self.next = None;
                Ok(())
            }
        }
    }

    /// Enters a list or a map.
    pub(super) fn begin(&mut self, kind: Kind) -> Result<()> {
        let Some(mut place) = self.next else {
            self.free += 1;
            return Ok(());
        };
        let checks = &self.checks;
        // Checks for a list may also be applied to one item alone.
        if let (Kind::Map, true, Parts::List(item)) = (kind, self.stack.is_empty(), &checks.nodes[place as usize].parts)
        {
            let Some(item) = item else {
                self.next = None;
                self.free += 1;
                return Ok(());
            };
            place = *item;
        }
        // An untagged union: continue with the variant that accepts this kind, if there is exactly one.
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
        self.stack.push(Frame { node: place, count: 0, role: Role::Value });
        self.next = None;
        Ok(())
    }

    /// Moves on to the list's next item.
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

    /// Expects a key next.
    pub(super) fn entry(&mut self) {
        if self.free > 0 {
            return;
        }
        let Some(top) = self.stack.last_mut() else { return };
        top.count += 1;
        top.role = Role::Key;
        // Makes the next scalar reach `checked`.
        self.next = Some(top.node);
    }

    /// Expects the value of the last key.
    pub(super) fn value(&mut self) {
        if self.free > 0 {
            return;
        }
        if let Some(top) = self.stack.last_mut()
            && top.role == Role::Key
        {
            // The key was not text, so `named` did not run.
            top.role = Role::Value;
            self.next = match &self.checks.nodes[top.node as usize].parts {
                Parts::Map { value, .. } => *value,
                _ => None,
            };
        }
    }

    /// Handles a text key, and expects its value.
    pub(super) fn key(&mut self, key: &str) -> Result<()> {
        if self.free > 0 {
            return Ok(());
        }
        self.entry();
        self.named(key)
    }

    /// Expects the value of a record's field.
    #[inline]
    pub(super) fn field(&mut self, record: &Record, index: usize) -> Result<()> {
        if self.free > 0 {
            return Ok(());
        }
        let Some(top) = self.stack.last_mut() else { return Ok(()) };
        let (node, identity) = (top.node, record.identity());
        if let Some((.., places)) = self.known.iter().find(|(own, id, _)| *own == node && *id == identity) {
            top.count += 1;
            top.role = Role::Value;
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

    /// Leaves a container, and checks its length.
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

    /// Selects a union's variant for the next value.
    pub(super) fn variant(&mut self, union: &Union, index: usize) {
        let Some(place) = self.next else { return };
        if let Parts::Union { variants, .. } = &self.checks.nodes[place as usize].parts {
            let name = union.variants()[index].name();
            let own = variants.get(index).filter(|(own, ..)| **own == *name);
            self.next = own.or_else(|| variants.iter().find(|(own, ..)| **own == *name)).and_then(|(.., place)| *place);
        }
    }
}

fn field(parts: &Parts, key: &str) -> NodeRef {
    match parts {
        Parts::Record { fields, rest } => fields.get(key).copied().unwrap_or(*rest),
        _ => None,
    }
}

/// Applies a node's rules to a scalar.
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
