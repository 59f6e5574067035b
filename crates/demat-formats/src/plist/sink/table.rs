//! The objects of a binary document, in memory until it is written.

use super::super::UID;
use super::fault::too_many;
use demat_core::Result;
use std::collections::HashMap;
use std::sync::Arc;

/// A scalar. Equal scalars are one object. Floats are equal if their bits are.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum Scalar {
    Bool(bool),
    Int(i128),
    Real(u64),
    /// Seconds since 2001.
    Date(u64),
    /// A date as text in XML.
    DateText(String),
    Text(String),
    Data(Vec<u8>),
}

/// An object.
#[derive(Debug, Clone)]
pub(super) enum Object {
    Scalar(Arc<Scalar>),
    Uid(u64),
    /// A range of the children.
    Array(usize, usize),
    /// Keys and values, alternating, as a range of the children.
    Dict(usize, usize),
}

/// The objects so far.
#[derive(Debug, Default)]
pub(super) struct Table {
    pub(super) objects: Vec<Object>,
    /// The children of closed containers.
    pub(super) children: Vec<u32>,
    /// The index of each scalar. After a rollback, the index may be that of another object.
    known: HashMap<Arc<Scalar>, u32>,
    /// Pending: the children of open containers, and the index of each container's first child.
    waiting: Vec<u32>,
    open: Vec<usize>,
    /// Whether a dict with only the key `CF$UID` becomes a UID.
    uids: bool,
    saved: Saved,
}

/// The state that a rollback restores.
#[derive(Debug, Default)]
struct Saved {
    objects: usize,
    children: usize,
    waiting: usize,
    open: Vec<usize>,
    /// Children that were pending at the savepoint and adopted after it: their index and the children.
    adopted: Vec<(usize, Vec<u32>)>,
}

impl Table {
    pub(super) fn new(uids: bool) -> Self {
        Self { uids, ..Self::default() }
    }

    fn push(&mut self, object: Object) -> Result<()> {
        let id = u32::try_from(self.objects.len()).map_err(|_| too_many())?;
        self.objects.push(object);
        self.waiting.push(id);
        Ok(())
    }

    /// Adds a scalar, or a reference to an equal one.
    pub(super) fn scalar(&mut self, scalar: Scalar) -> Result<()> {
        if let Some(id) = self.known.get(&scalar)
            && let Some(Object::Scalar(own)) = self.objects.get(*id as usize)
            && **own == scalar
        {
            self.waiting.push(*id);
            return Ok(());
        }
        let scalar = Arc::new(scalar);
        let id = self.objects.len() as u32;
        self.push(Object::Scalar(Arc::clone(&scalar)))?;
        self.known.insert(scalar, id);
        Ok(())
    }

    pub(super) fn open(&mut self) {
        self.open.push(self.waiting.len());
    }

    pub(super) fn close(&mut self, is_dict: bool) -> Result<()> {
        let Some(from) = self.open.pop() else { return Ok(()) };
        if from < self.saved.waiting {
            let lost = self.waiting.get(from..self.saved.waiting.min(self.waiting.len())).unwrap_or_default();
            self.saved.adopted.push((from, lost.to_vec()));
            self.saved.waiting = from;
        }
        let own = self.waiting.get(from..).unwrap_or_default();
        let uid = if is_dict && self.uids { self.uid(own) } else { None };
        let object = if let Some(uid) = uid {
            Object::Uid(uid)
        } else {
            let first = self.children.len();
            self.children.extend_from_slice(own);
            let end = self.children.len();
            if is_dict { Object::Dict(first, end) } else { Object::Array(first, end) }
        };
        self.waiting.truncate(from);
        self.push(object)
    }

    /// Returns the number of the UID, if a dict with these entries represents one.
    fn uid(&self, entries: &[u32]) -> Option<u64> {
        let &[key, value] = entries else { return None };
        let scalar = |id: u32| match self.objects.get(id as usize) {
            Some(Object::Scalar(scalar)) => Some(&**scalar),
            _ => None,
        };
        match (scalar(key)?, scalar(value)?) {
            (Scalar::Text(key), Scalar::Int(number)) if key == UID => u64::try_from(*number).ok(),
            _ => None,
        }
    }

    /// Returns the index of the outermost value.
    pub(super) fn root(&self) -> u32 {
        self.waiting.first().copied().unwrap_or_default()
    }

    pub(super) fn commit(&mut self) {
        self.saved.objects = self.objects.len();
        self.saved.children = self.children.len();
        self.saved.waiting = self.waiting.len();
        self.saved.open.clone_from(&self.open);
        self.saved.adopted.clear();
    }

    pub(super) fn rollback(&mut self) {
        self.waiting.truncate(self.saved.waiting);
        while let Some((from, children)) = self.saved.adopted.pop() {
            self.waiting.truncate(from);
            self.waiting.extend(children);
        }
        self.saved.waiting = self.waiting.len();
        self.objects.truncate(self.saved.objects);
        self.children.truncate(self.saved.children);
        self.open.clone_from(&self.saved.open);
    }
}
