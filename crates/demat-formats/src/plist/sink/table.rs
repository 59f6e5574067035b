//! The objects of a binary document, in memory until it is written.

use super::super::UID;
use super::fault::too_many;
use crate::keyed_hash::KeyedHash;
use demat_core::Result;

/// A scalar. Floats are equal if their bits are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Scalar<'v> {
    Bool(bool),
    Int(i128),
    Real(u64),
    /// Seconds since 2001.
    Date(u64),
    /// A date as text in XML.
    DateText(&'v str),
    Text(&'v str),
    Data(&'v [u8]),
}

/// An object.
#[derive(Debug, Clone, Copy)]
pub(super) enum Object {
    Bool(bool),
    Int(i128),
    Real(u64),
    Date(u64),
    /// A range of the content.
    Text(usize, usize),
    Data(usize, usize),
    Uid(u64),
    /// A range of the children.
    Array(usize, usize),
    /// Keys and values, alternating, as a range of the children.
    Dict(usize, usize),
}

/// The objects so far. Equal scalars are one object.
#[derive(Debug)]
pub(super) struct Table {
    pub(super) objects: Vec<Object>,
    /// The children of closed containers.
    pub(super) children: Vec<u32>,
    /// The content of text and data.
    content: Vec<u8>,
    /// The indices of scalars by their hashes, with open addressing. After a rollback, an index may be that of another
    /// object, or of none.
    known: Vec<u32>,
    /// The number of indices in there.
    filled: usize,
    key: KeyedHash,
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
    content: usize,
    waiting: usize,
    open: Vec<usize>,
    /// Children that were pending at the savepoint and adopted after it: their index and the children.
    adopted: Vec<(usize, Vec<u32>)>,
}

/// No index, in `known`.
const NONE: u32 = u32::MAX;

impl Table {
    pub(super) fn new(uids: bool) -> Self {
        Self {
            objects: Vec::new(),
            children: Vec::new(),
            content: Vec::new(),
            known: vec![NONE; 64],
            filled: 0,
            key: KeyedHash::new(),
            waiting: Vec::new(),
            open: Vec::new(),
            uids,
            saved: Saved::default(),
        }
    }

    /// Returns the content of text or data.
    pub(super) fn content(&self, from: usize, to: usize) -> &[u8] {
        self.content.get(from..to).unwrap_or_default()
    }

    fn push(&mut self, object: Object) -> Result<u32> {
        let id = u32::try_from(self.objects.len()).ok().filter(|id| *id != NONE).ok_or_else(too_many)?;
        self.objects.push(object);
        self.waiting.push(id);
        Ok(id)
    }

    /// Adds a scalar, or a reference to an equal one.
    pub(super) fn scalar(&mut self, scalar: Scalar<'_>) -> Result<()> {
        let mask = self.known.len() - 1;
        let mut at = self.hash(scalar) as usize & mask;
        while let Some(id) = self.known.get(at).copied().filter(|id| *id != NONE) {
            if self.is(id, scalar) {
                self.waiting.push(id);
                return Ok(());
            }
            at = (at + 1) & mask;
        }
        let mut keep = |bytes: &[u8]| {
            let from = self.content.len();
            self.content.extend_from_slice(bytes);
            (from, self.content.len())
        };
        let object = match scalar {
            Scalar::Bool(value) => Object::Bool(value),
            Scalar::Int(value) => Object::Int(value),
            Scalar::Real(bits) => Object::Real(bits),
            Scalar::Date(bits) => Object::Date(bits),
            Scalar::Text(text) | Scalar::DateText(text) => {
                let (from, to) = keep(text.as_bytes());
                Object::Text(from, to)
            }
            Scalar::Data(bytes) => {
                let (from, to) = keep(bytes);
                Object::Data(from, to)
            }
        };
        let id = self.push(object)?;
        if let Some(place) = self.known.get_mut(at) {
            *place = id;
        }
        self.filled += 1;
        if self.filled * 2 > self.known.len() {
            self.grow();
        }
        Ok(())
    }

    /// Makes room for twice as many scalars. Forgets indices of no object.
    #[cold]
    fn grow(&mut self) {
        let len = self.known.len() * 2;
        let old = core::mem::replace(&mut self.known, vec![NONE; len]);
        self.filled = 0;
        for id in old {
            let Some(scalar) = self.scalar_at(id) else { continue };
            let mut at = self.hash(scalar) as usize & (len - 1);
            while self.known.get(at).is_some_and(|id| *id != NONE) {
                at = (at + 1) & (len - 1);
            }
            if let Some(place) = self.known.get_mut(at) {
                *place = id;
            }
            self.filled += 1;
        }
    }

    /// Returns whether the object with this index is this scalar.
    #[inline]
    fn is(&self, id: u32, scalar: Scalar<'_>) -> bool {
        self.scalar_at(id).is_some_and(|own| match (own, scalar) {
            // Compared as bytes.
            (Scalar::Data(own), Scalar::Data(bytes)) => own == bytes,
            (Scalar::Text(own), Scalar::Text(text) | Scalar::DateText(text)) => own == text,
            (own, scalar) => own == scalar,
        })
    }

    /// Returns the scalar with this index, if there is one.
    #[inline]
    fn scalar_at(&self, id: u32) -> Option<Scalar<'_>> {
        Some(match *self.objects.get(id as usize)? {
            Object::Bool(value) => Scalar::Bool(value),
            Object::Int(value) => Scalar::Int(value),
            Object::Real(bits) => Scalar::Real(bits),
            Object::Date(bits) => Scalar::Date(bits),
            Object::Text(from, to) => Scalar::Text(core::str::from_utf8(self.content(from, to)).ok()?),
            Object::Data(from, to) => Scalar::Data(self.content(from, to)),
            Object::Uid(_) | Object::Array(..) | Object::Dict(..) => return None,
        })
    }

    #[inline]
    fn hash(&self, scalar: Scalar<'_>) -> u64 {
        match scalar {
            Scalar::Bool(value) => self.key.number(1, value.into()),
            Scalar::Int(value) => {
                let bits = value.cast_unsigned();
                self.key.number(2, bits as u64 ^ (bits >> 64) as u64)
            }
            Scalar::Real(bits) => self.key.number(3, bits),
            Scalar::Date(bits) => self.key.number(4, bits),
            Scalar::Text(text) | Scalar::DateText(text) => self.key.number(5, self.key.bytes(text.as_bytes())),
            Scalar::Data(bytes) => self.key.number(6, self.key.bytes(bytes)),
        }
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
        self.push(object).map(drop)
    }

    /// Returns the number of the UID, if a dict with these entries represents one.
    fn uid(&self, entries: &[u32]) -> Option<u64> {
        let &[key, value] = entries else { return None };
        match (self.scalar_at(key)?, self.scalar_at(value)?) {
            (Scalar::Text(key), Scalar::Int(number)) if key == UID => u64::try_from(number).ok(),
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
        self.saved.content = self.content.len();
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
        self.content.truncate(self.saved.content);
        self.open.clone_from(&self.saved.open);
    }
}
