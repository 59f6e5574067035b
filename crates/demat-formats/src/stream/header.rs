//! The fields around the records of a document.

use demat_core::{Error, Result, Shape, Source, Value};
use std::collections::{HashMap, HashSet};

#[cfg(test)]
mod tests;

/// The fields that stand around the records of a document: what a [path](super::RecordPath) passes, but not what it
/// selects.
///
/// A walk that [keeps them](super::Walk::with_header) notes each as it passes it. [`apply`](Self::apply) takes these
/// notes in their order, so a reader that is behind the walk has the fields that belong to its record. Maps on the way
/// are maps here. In the place of a list on the way stands its item that the walk is in, or was in last.
#[derive(Debug, Default)]
pub struct Header {
    /// The open maps, outermost first.
    open: Vec<Fields>,
    /// The outermost map, after it was left.
    left: Fields,
}

/// The fields of a map.
#[derive(Debug, Default)]
struct Fields {
    /// The key of the map in the one around it.
    key: String,
    entries: Vec<(String, Value)>,
    places: HashMap<String, usize>,
}

/// A change of a [`Header`].
#[derive(Debug)]
pub struct HeaderChange {
    change: Change,
    length: usize,
}

impl HeaderChange {
    /// Returns how many bytes of the document it has.
    pub fn length(&self) -> usize {
        self.length
    }
}

#[derive(Debug)]
enum Change {
    /// A map was entered. With `alone`, it replaces all that is in the one around it.
    Enter {
        key: String,
        alone: bool,
    },
    Field(String, Value),
    /// The innermost map was left.
    Leave,
}

impl Header {
    /// Takes the next note of the walk.
    pub fn apply(&mut self, change: HeaderChange) {
        match change.change {
            Change::Enter { key, alone } => {
                if let Some(around) = self.open.last_mut().filter(|_| alone) {
                    around.clear();
                }
                self.open.push(Fields { key, ..Fields::default() });
            }
            Change::Field(key, value) => {
                if let Some(innermost) = self.open.last_mut() {
                    innermost.set(key, value);
                }
            }
            Change::Leave => {
                let Some(mut left) = self.open.pop() else { return };
                match self.open.last_mut() {
                    Some(around) => around.set(std::mem::take(&mut left.key), left.into_value()),
                    None => self.left = left,
                }
            }
        }
    }

    /// Returns the fields so far, as a map.
    pub fn value(&self) -> Value {
        let mut inner: Option<(&str, Value)> = None;
        for open in self.open.iter().rev() {
            let mut value = open.entries.clone();
            if let Some((key, inner)) = inner {
                match open.places.get(key) {
                    Some(place) => value[*place].1 = inner,
                    None => value.push((key.to_string(), inner)),
                }
            }
            inner = Some((&open.key, as_map(value)));
        }
        inner.map_or_else(|| as_map(self.left.entries.clone()), |(_, value)| value)
    }
}

impl Fields {
    fn set(&mut self, key: String, value: Value) {
        if let Some(place) = self.places.get(&key) {
            self.entries[*place].1 = value;
        } else {
            self.places.insert(key.clone(), self.entries.len());
            self.entries.push((key, value));
        }
    }

    fn clear(&mut self) {
        self.entries.clear();
        self.places.clear();
    }

    fn into_value(self) -> Value {
        as_map(self.entries)
    }
}

fn as_map(entries: Vec<(String, Value)>) -> Value {
    Value::Map(entries.into_iter().map(|(key, value)| (Value::Text(key.into()), value)).collect())
}

/// Collects the changes of a header on a walk.
#[derive(Debug)]
pub(super) struct Collector {
    shape: Shape,
    limit: usize,
    /// The open maps, outermost first.
    open: Vec<Passed>,
    changes: Vec<HeaderChange>,
    /// The length of all that a header has now.
    length: usize,
    /// Whether the next field is longer than the limit.
    too_long: bool,
}

/// What was passed of a map.
#[derive(Debug, Default)]
struct Passed {
    /// Its key in the map around it.
    key: String,
    keys: HashSet<String>,
    /// The length of its fields in bytes.
    length: usize,
    /// The lengths of the maps in it that were left.
    left: HashMap<String, usize>,
}

impl Collector {
    pub(super) fn new(shape: Shape, limit: usize) -> Self {
        Self { shape, limit, open: Vec::new(), changes: Vec::new(), length: 0, too_long: false }
    }

    pub(super) fn limit(&self) -> usize {
        self.limit
    }

    /// Notes that the next field is longer than the limit.
    pub(super) fn set_too_long(&mut self) {
        self.too_long = true;
    }

    pub(super) fn take(&mut self) -> Vec<HeaderChange> {
        std::mem::take(&mut self.changes)
    }

    fn note(&mut self, change: Change, length: usize) {
        self.changes.push(HeaderChange { change, length });
    }

    /// Enters a map, whose key is this in the one around it. With `alone`, it replaces all that is in that one.
    pub(super) fn enter(&mut self, key: &str, alone: bool) {
        if let Some(around) = self.open.last_mut() {
            let gone = if alone {
                around.left.drain().map(|(_, length)| length).sum()
            } else {
                around.left.remove(key).unwrap_or(0)
            };
            self.length -= gone;
        } else {
            self.length = 0;
        }
        self.open.push(Passed { key: key.to_string(), length: key.len(), ..Passed::default() });
        self.length += key.len();
        self.note(Change::Enter { key: key.to_string(), alone }, key.len());
    }

    /// Leaves the innermost map.
    pub(super) fn leave(&mut self) {
        let Some(left) = self.open.pop() else { return };
        if let Some(around) = self.open.last_mut() {
            let length = left.length + left.left.values().sum::<usize>();
            around.left.insert(left.key, length);
        }
        self.note(Change::Leave, 0);
    }

    /// Returns the shape of a field of the innermost map; `None` if nobody wants it.
    pub(super) fn wanted(&self, key: &str) -> Option<Shape> {
        let (Shape::Record(record), 1) = (self.shape.inner(), self.open.len()) else { return Some(Shape::Any) };
        let record = record.get();
        match record.index_of(key) {
            Some(index) => Some(record.fields()[index].shape().clone()),
            None if record.unknown() == demat_core::Unknown::Ignore => None,
            None => Some(Shape::Any),
        }
    }

    /// Reads the value of a field, which the source is at.
    pub(super) fn read<'a, S: Source<'a>>(&mut self, source: &mut S, key: &str) -> Result<()> {
        let shape = self.wanted(key).unwrap_or(Shape::Any);
        let Some(map) = self.open.last_mut() else { return source.skip() };
        if self.too_long {
            return Err(too_long(self.limit).at(source.position()));
        }
        if map.keys.contains(key) {
            source.repeated(key)?;
        }
        let (start, position) = (source.mark(), self.length + key.len());
        let value = Value::decode_as(source, &shape)?;
        let length = source.mark().offset.saturating_sub(start.offset) + key.len();
        if position + length > self.limit {
            source.reset(start);
            return Err(too_long(self.limit).at(source.position()));
        }
        map.keys.insert(key.to_string());
        map.length += length;
        self.length += length;
        self.note(Change::Field(key.to_string(), value), length);
        Ok(())
    }
}

#[cold]
fn too_long(limit: usize) -> Error {
    Error::limit("the length of the fields around the records", format_args!("{limit} bytes"))
}
