//! Look-ahead for the two-pass copy of records and maps that repeat a key: the last occurrence wins, and a sink can't
//! take back the first.
//!
//! The extra passes cost one reading of a container per nesting level. They run only if a key does repeat.

use crate::{Kind, Record, Result, Source, Unknown};
use std::collections::HashMap;

/// The children of a record, by ordinal from 1, that are the last occurrences of their keys.
#[derive(Debug, Default)]
pub(super) struct Last {
    /// For each field the ordinal of its last occurrence; 0 for absent fields. Empty if the record is invalid.
    fields: Vec<usize>,
    /// The ordinals of kept unknown keys that occur again later, in order.
    replaced: Vec<usize>,
}

impl Last {
    pub(super) fn has_field(&self, index: usize, ordinal: usize) -> bool {
        self.fields.get(index).is_none_or(|last| *last == ordinal)
    }

    pub(super) fn has_rest(&self, ordinal: usize) -> bool {
        self.replaced.binary_search(&ordinal).is_err()
    }
}

/// Reads ahead with `read` and goes back. Returns the default at an error: the next reader meets the same error, and
/// knows the path to it.
fn ahead<'a, S: Source<'a> + ?Sized, T: Default>(source: &mut S, read: impl FnOnce(&mut S) -> Result<T>) -> Result<T> {
    let mark = source.mark();
    let found = read(source);
    source.reset(mark);
    match found {
        Err(error) if error.signal().is_none() => Ok(T::default()),
        found => found,
    }
}

/// Reads a record ahead, and returns the last occurrence of each key.
pub(super) fn last_of_fields<'a, S: Source<'a> + ?Sized>(source: &mut S, record: &Record) -> Result<Last> {
    ahead(source, |source| read_fields(source, record))
}

fn read_fields<'a, S: Source<'a> + ?Sized>(source: &mut S, record: &Record) -> Result<Last> {
    let mut last = Last { fields: vec![0; record.fields().len()], replaced: Vec::new() };
    let mut rest: HashMap<String, usize> = HashMap::new();
    let mut ordinal = 0;
    source.record(record)?;
    while let Some(index) = source.field(record, 0)? {
        ordinal += 1;
        if record.unknown() == Unknown::Keep(index) {
            let key = source.text()?.to_string();
            last.replaced.extend(rest.insert(key, ordinal));
            source.value()?;
        } else {
            last.fields[index] = ordinal;
        }
        source.skip()?;
    }
    last.replaced.sort_unstable();
    Ok(last)
}

/// Reads a map ahead. Returns for each entry whether it is the last with its key; empty if the map is invalid. Keys
/// other than text, integers and bools are all kept.
pub(super) fn entries_to_keep<'a, S: Source<'a> + ?Sized>(source: &mut S) -> Result<Vec<bool>> {
    ahead(source, read_entries)
}

fn read_entries<'a, S: Source<'a> + ?Sized>(source: &mut S) -> Result<Vec<bool>> {
    // Whether the key is text, and how it reads.
    let mut last: HashMap<(bool, String), usize> = HashMap::new();
    let mut keep = Vec::new();
    source.map()?;
    while source.entry()? {
        let key = match source.peek()? {
            Kind::Text => Some((true, source.text()?.to_string())),
            Kind::Int => Some((false, source.int()?.to_string())),
            Kind::Bool => Some((false, source.bool()?.to_string())),
            _ => source.skip().map(|()| None)?,
        };
        if let Some(before) = key.and_then(|key| last.insert(key, keep.len())) {
            keep[before] = false;
        }
        keep.push(true);
        source.value()?;
        source.skip()?;
    }
    Ok(keep)
}
