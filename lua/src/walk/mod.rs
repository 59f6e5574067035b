//! Tables on their way out: what is a list, what is a map, and in which order their parts come.
//!
//! Two walkers write the same parts: [`beneath`] reads the interpreter's memory, and [`public`] calls its API. What
//! they decide stands here.

pub(crate) mod beneath;
pub(crate) mod direct;
pub(crate) mod public;

use crate::tape::{Part, Tape, same_text};
use demat_core::{Error, ErrorKind, Result};
use std::collections::HashSet;

/// What becomes of a table with integer keys and holes between them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Sparse {
    /// An object, with the keys as text where a format has only text.
    #[default]
    Object,
    /// A list with nulls in the holes.
    Nulls,
    /// An error.
    Refused,
}

/// Options of a walk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct WalkOptions {
    /// How deep tables may nest.
    pub(crate) depth: usize,
    /// Whether an empty table without a mark is a list.
    pub(crate) empty_lists: bool,
    /// What becomes of holes.
    pub(crate) sparse: Sparse,
    /// Whether infinities and NaN are null.
    pub(crate) nulls_for_nonfinite: bool,
    /// Whether all keys become text, so that two of them may become the same.
    pub(crate) text_keys: bool,
}

/// How deep tables may nest at most: each level takes slots of the interpreter's stack.
pub(crate) const DEEPEST: usize = 2000;

impl Default for WalkOptions {
    fn default() -> Self {
        Self { depth: 1024, empty_lists: false, sparse: Sparse::Object, nulls_for_nonfinite: false, text_keys: true }
    }
}

/// What a mark says of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mark {
    /// Nothing.
    None,
    /// It is an array.
    Array,
    /// It is an object.
    Object,
}

impl Mark {
    /// Returns what the value of `__jsontype` says.
    pub(crate) fn of(word: &[u8]) -> Self {
        match word {
            b"array" => Self::Array,
            b"object" => Self::Object,
            _ => Self::None,
        }
    }
}

/// What the keys of a table are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Keys {
    /// There are none.
    None,
    /// The integers from 1 to this one.
    Sequence(usize),
    /// So many integers from 1, up to the last one, with holes.
    Holes { count: usize, last: i64 },
    /// Others, too.
    Any,
}

/// What a table is written as.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// A list of the values from 1 to the number.
    List(usize),
    /// The same, with nulls in the holes.
    Filled(usize),
    /// A map.
    Map,
}

/// How many nulls a hole may cost: for each value, and for a small table.
const HOLES: (usize, usize) = (10, 100);

impl WalkOptions {
    /// Returns what a table is written as.
    pub(crate) fn form(&self, keys: Keys, mark: Mark) -> Result<Form> {
        match (keys, mark) {
            (_, Mark::Object) | (Keys::Any, Mark::None) => Ok(Form::Map),
            (Keys::None, Mark::Array) => Ok(Form::List(0)),
            (Keys::None, Mark::None) => Ok(if self.empty_lists { Form::List(0) } else { Form::Map }),
            (Keys::Sequence(len), _) => Ok(Form::List(len)),
            (Keys::Any, Mark::Array) => Err(not_array("has keys that are not its indices")),
            (Keys::Holes { count, last }, _) => match (self.sparse, mark) {
                (Sparse::Nulls, _) => {
                    let most = count.saturating_mul(HOLES.0).saturating_add(HOLES.1);
                    match usize::try_from(last) {
                        Ok(last) if last <= most => Ok(Form::Filled(last)),
                        _ => Err(Error::limit("the length of an array with so many holes", most)),
                    }
                }
                (Sparse::Object, Mark::None) => Ok(Form::Map),
                (Sparse::Object, _) => Err(not_array("has holes")),
                (Sparse::Refused, _) => Err(Error::new(ErrorKind::Encode, "the array has holes")),
            },
        }
    }
}

#[cold]
fn not_array(why: &str) -> Error {
    Error::new(ErrorKind::Encode, format!("the table is marked as an array, and {why}"))
}

/// Returns the error for tables that nest too deep.
#[cold]
pub(crate) fn too_deep(depth: usize) -> Error {
    Error::limit("the depth of nesting", depth)
}

/// Returns the error for a table that contains itself.
#[cold]
pub(crate) fn cycle() -> Error {
    Error::new(ErrorKind::Encode, "the table contains itself")
}

/// Returns the error for a value of a type that no format has.
#[cold]
pub(crate) fn no_value(kind: &str) -> Error {
    Error::new(ErrorKind::Encode, format!("a {kind} can't be encoded; a handler or `__demat` may replace it"))
}

/// Returns the error for a key of a type that no format has.
#[cold]
pub(crate) fn no_key(kind: &str) -> Error {
    Error::new(ErrorKind::Encode, format!("a {kind} can't be a key"))
}

/// Returns whether a table is among the open ones. Beyond the first levels it looks only now and then, so that a deep
/// value takes linear time: a cycle comes back to each of its tables.
pub(crate) fn is_open<T: Copy + Eq>(tables: impl ExactSizeIterator<Item = T>, table: T) -> bool {
    let depth = tables.len();
    (depth < 64 || depth.is_multiple_of(64)) && tables.into_iter().any(|open| open == table)
}

/// What a walker writes to.
pub(crate) trait Out {
    /// Whether the number of a map's entries is of use.
    const COUNTS: bool;

    fn null(&mut self) -> Result<()>;
    fn bool(&mut self, value: bool) -> Result<()>;
    fn int(&mut self, value: i64) -> Result<()>;
    fn float(&mut self, value: f64) -> Result<()>;
    fn text(&mut self, value: &[u8]) -> Result<()>;
    fn begin_list(&mut self, len: usize) -> Result<()>;
    /// Begins the item with this index.
    fn item(&mut self, index: usize) -> Result<()>;
    fn end_list(&mut self) -> Result<()>;
    fn begin_map(&mut self, len: Option<usize>) -> Result<()>;
    /// Writes a key that is text.
    fn key(&mut self, key: &[u8]) -> Result<()>;
    /// Writes any other key by the function.
    fn other_key(&mut self, write: impl FnOnce(&mut Self) -> Result<()>) -> Result<()>;
    fn end_map(&mut self) -> Result<()>;
}

/// The tape, and whether items have their indices there, since a shape may take a list for a map.
#[derive(Debug)]
pub(crate) struct TapeOut<'t> {
    tape: &'t mut Tape,
    indexed: bool,
    open: &'t mut Vec<usize>,
}

impl<'t> TapeOut<'t> {
    /// Returns an output that replaces what is on the tape. `open` is memory that it may use.
    pub(crate) fn new(tape: &'t mut Tape, open: &'t mut Vec<usize>, indexed: bool) -> Self {
        tape.clear();
        open.clear();
        Self { tape, indexed, open }
    }

    fn put(&mut self, part: Part) {
        self.tape.parts.push(part);
    }

    fn close(&mut self) {
        let now = self.tape.parts.len();
        if let Some(at) = self.open.pop()
            && let Some(Part::List { end, .. } | Part::Map { end, .. }) = self.tape.parts.get_mut(at)
        {
            *end = now;
        }
        self.put(Part::End);
    }

    /// Returns where the next part will be.
    pub(crate) fn at(&self) -> usize {
        self.tape.parts.len()
    }

    /// Ends a map that began at the index, and has so many entries.
    pub(crate) fn end_map_of(&mut self, start: usize, count: usize) {
        if let Some(Part::Map { len, .. }) = self.tape.parts.get_mut(start) {
            *len = count;
        }
        self.close();
    }

    /// Fails if a key of a map that is text equals the text of another key. The map began at the index.
    #[cold]
    pub(crate) fn clash(&self, start: usize) -> Result<()> {
        let (mut texts, mut others) = (HashSet::new(), HashSet::new());
        let mut at = start + 1;
        while let Some(key) = self.tape.parts.get(at).filter(|part| **part != Part::End) {
            match *key {
                Part::Text { at, len } => {
                    texts.insert(String::from_utf8_lossy(&self.tape.bytes[at..at + len]).into_owned());
                }
                Part::Int(key) => {
                    others.insert(key.to_string());
                }
                Part::Float(key) => {
                    others.insert(beneath::float_text(key));
                }
                Part::Bool(key) => {
                    others.insert(key.to_string());
                }
                _ => {}
            }
            at = self.tape.behind(at + 1);
        }
        texts.intersection(&others).next().map_or(Ok(()), |key| Err(same_text(key)))
    }

    /// Writes an unsigned integer.
    pub(crate) fn large(&mut self, value: u64) {
        self.put(Part::Large(value));
    }
}

impl Out for TapeOut<'_> {
    const COUNTS: bool = true;

    fn null(&mut self) -> Result<()> {
        self.put(Part::Null);
        Ok(())
    }
    fn bool(&mut self, value: bool) -> Result<()> {
        self.put(Part::Bool(value));
        Ok(())
    }
    fn int(&mut self, value: i64) -> Result<()> {
        self.put(Part::Int(value));
        Ok(())
    }
    fn float(&mut self, value: f64) -> Result<()> {
        self.put(Part::Float(value));
        Ok(())
    }
    fn text(&mut self, value: &[u8]) -> Result<()> {
        self.tape.text(value);
        Ok(())
    }
    fn begin_list(&mut self, len: usize) -> Result<()> {
        self.open.push(self.tape.parts.len());
        self.put(Part::List { len, end: 0 });
        Ok(())
    }
    fn item(&mut self, index: usize) -> Result<()> {
        if self.indexed {
            self.put(Part::Index(index as i64));
        }
        Ok(())
    }
    fn end_list(&mut self) -> Result<()> {
        self.close();
        Ok(())
    }
    fn begin_map(&mut self, len: Option<usize>) -> Result<()> {
        self.open.push(self.tape.parts.len());
        self.put(Part::Map { len: len.unwrap_or_default(), end: 0 });
        Ok(())
    }
    fn key(&mut self, key: &[u8]) -> Result<()> {
        self.tape.text(key);
        Ok(())
    }
    fn other_key(&mut self, write: impl FnOnce(&mut Self) -> Result<()>) -> Result<()> {
        write(self)
    }
    fn end_map(&mut self) -> Result<()> {
        self.close();
        Ok(())
    }
}
