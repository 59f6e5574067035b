//! The objects of a document. They refer to each other by index.

use demat_core::scalar::{Instant, Int};
use demat_core::{Error, ErrorKind, Result};

/// The index of an object.
pub(super) type Id = u32;

/// A parsed document: a table of its objects.
#[derive(Debug, Clone, Default)]
pub(super) struct Document {
    pub(super) objects: Vec<Object>,
    /// The offset of each object in the input.
    pub(super) offsets: Vec<u32>,
    /// The children of all containers.
    pub(super) children: Vec<Id>,
    /// Text and bytes that are not part of the input.
    pub(super) scratch: Vec<u8>,
    pub(super) root: Id,
    /// Whether every scalar is text, as in the old form. Then a number is text that parses as one.
    pub(super) is_text: bool,
    /// Whether positions have lines and columns.
    pub(super) has_lines: bool,
}

/// An object.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Object {
    Bool(bool),
    Int(Number),
    Real(f64),
    Date(Instant),
    Text(Span),
    Data(Span),
    Uid(u64),
    Array(Children),
    /// Keys and values, alternating.
    Dict(Children),
}

impl Object {
    /// Whether it has no children.
    fn is_scalar(&self) -> bool {
        !matches!(self, Self::Array(_) | Self::Dict(_))
    }
}

/// The type of an int in an object.
pub(super) type Number = i128;

/// A part of the input, or of the scratch memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Span {
    pub(super) begin: u32,
    pub(super) end: u32,
    pub(super) in_scratch: bool,
}

/// A range of the children.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Children {
    pub(super) first: u32,
    pub(super) len: u32,
}

/// A document may be at most this many times as large as its bytes, because of shared objects.
const MOST_SHARING: u64 = 16;
/// A document may always have this number of values.
const FEW: u64 = 1_000_000;

impl Document {
    /// Adds an object that begins at `at`.
    pub(super) fn push(&mut self, object: Object, at: usize) -> Id {
        self.objects.push(object);
        // The caller has checked the length of the input.
        self.offsets.push(at as u32);
        self.objects.len() as Id - 1
    }

    /// Adds children, and returns their range.
    pub(super) fn adopt(&mut self, children: &[Id]) -> Children {
        let first = self.children.len() as u32;
        self.children.extend_from_slice(children);
        Children { first, len: children.len() as u32 }
    }

    /// Returns the range of the children that were added from this index on.
    pub(super) fn adopted(&self, from: usize) -> Children {
        Children { first: from as u32, len: (self.children.len() - from) as u32 }
    }

    /// Adds bytes that are not part of the input.
    pub(super) fn keep(&mut self, bytes: &[u8]) -> Span {
        let begin = self.scratch.len() as u32;
        self.scratch.extend_from_slice(bytes);
        Span { begin, end: self.scratch.len() as u32, in_scratch: true }
    }

    pub(super) fn object(&self, id: Id) -> Option<&Object> {
        self.objects.get(id as usize)
    }

    pub(super) fn child(&self, children: Children, index: u32) -> Option<Id> {
        if index >= children.len {
            return None;
        }
        self.children.get((children.first + index) as usize).copied()
    }

    fn children_of(&self, children: Children) -> &[Id] {
        let first = children.first as usize;
        self.children.get(first..first + children.len as usize).unwrap_or_default()
    }

    /// Returns the bytes of a span.
    pub(super) fn bytes<'d>(&'d self, input: &'d [u8], span: Span) -> &'d [u8] {
        let from = if span.in_scratch { &*self.scratch } else { input };
        from.get(span.begin as usize..span.end as usize).unwrap_or_default()
    }

    pub(super) fn offset(&self, id: Id) -> usize {
        self.offsets.get(id as usize).copied().unwrap_or_default() as usize
    }

    /// Refuses cycles, too deep nesting, and a document that sharing makes far larger than its bytes. It visits each
    /// object once.
    pub(super) fn check(&self, depth: u32, bytes: usize) -> Result<(), (Error, Id)> {
        // The number of values in an object, and its depth; `None` while the object is open.
        let mut known: Vec<Option<(u64, u32)>> = vec![None; self.objects.len()];
        let mut open = vec![false; self.objects.len()];
        let mut left: Vec<(Id, u32, u64, u32)> = Vec::new();
        let mut next = Some(self.root);
        while next.is_some() || !left.is_empty() {
            if let Some(id) = next.take() {
                let state = known.get(id as usize).copied().flatten();
                if let Some((values, levels)) = state {
                    add(&mut left, values, levels);
                } else if open.get(id as usize).copied().unwrap_or(false) {
                    return Err((Error::new(ErrorKind::Constraint, "an object contains itself"), id));
                } else {
                    if let Some(open) = open.get_mut(id as usize) {
                        *open = true;
                    }
                    left.push((id, 0, 1, 0));
                }
            }
            let Some((id, at, values, levels)) = left.last().copied() else { continue };
            let (own, is_container) = match self.object(id) {
                Some(Object::Array(children) | Object::Dict(children)) => (self.children_of(*children), true),
                _ => (&[][..], false),
            };
            // Scalars are one value each, and have no children to visit.
            let rest = own.get(at as usize..).unwrap_or_default();
            let scalars = rest.iter().take_while(|id| self.object(**id).is_some_and(Object::is_scalar)).count();
            let values = values.saturating_add(scalars as u64);
            let child = rest.get(scalars).copied();
            if let Some(last) = left.last_mut() {
                (last.1, last.2) = (at + scalars as u32 + u32::from(child.is_some()), values);
            }
            if child.is_some() {
                next = child;
                continue;
            }
            left.pop();
            let levels = levels + u32::from(is_container);
            if levels > depth {
                return Err((Error::limit("the depth of nesting", depth), id));
            }
            let most = (bytes as u64).saturating_mul(MOST_SHARING).max(FEW);
            if values > most {
                return Err((Error::limit("the number of values that shared objects stand for", most), id));
            }
            if let (Some(known), Some(open)) = (known.get_mut(id as usize), open.get_mut(id as usize)) {
                *known = Some((values, levels));
                *open = false;
            }
            add(&mut left, values, levels);
        }
        Ok(())
    }
}

/// Adds a child to the innermost open object.
fn add(left: &mut [(Id, u32, u64, u32)], values: u64, levels: u32) {
    if let Some((_, _, all, deepest)) = left.last_mut() {
        *all = all.saturating_add(values);
        *deepest = (*deepest).max(levels);
    }
}

/// Converts an int to the contract's type.
pub(super) fn int_of(number: Number) -> Int<'static> {
    Int::from(number)
}
