//! Reading ahead, for records and maps that repeat a key: the last occurrence wins, and a sink can't be told twice.
//!
//! This reads a container once more than it is deep; it happens only where a key does repeat.

use crate::{Kind, Record, Result, Source, Unknown};
use std::collections::HashMap;

/// Which of a record's children, by ordinal from 1, are the last of their keys.
#[derive(Debug)]
pub(super) struct Last {
    /// For each field its last occurrence; 0 for those that are not there.
    fields: Vec<usize>,
    /// Of the keys that are kept without being fields, those that come again; in order.
    replaced: Vec<usize>,
}

impl Last {
    pub(super) fn has_field(&self, index: usize, ordinal: usize) -> bool {
        self.fields[index] == ordinal
    }

    pub(super) fn has_rest(&self, ordinal: usize) -> bool {
        self.replaced.binary_search(&ordinal).is_err()
    }
}

/// Reads a record ahead.
pub(super) fn last_of_fields<'a, S: Source<'a> + ?Sized>(source: &mut S, record: &Record) -> Result<Last> {
    let mark = source.mark();
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
    source.reset(mark);
    Ok(last)
}

/// For each entry of a map whether it is the last of its key. Keys that are no text are all kept.
pub(super) fn entries_to_keep<'a, S: Source<'a> + ?Sized>(source: &mut S) -> Result<Vec<bool>> {
    let mark = source.mark();
    let mut last: HashMap<String, usize> = HashMap::new();
    let mut keep = Vec::new();
    source.map()?;
    while source.entry()? {
        if source.peek()? == Kind::Text {
            let key = source.text()?.to_string();
            if let Some(before) = last.insert(key, keep.len()) {
                keep[before] = false;
            }
        } else {
            source.skip()?;
        }
        keep.push(true);
        source.value()?;
        source.skip()?;
    }
    source.reset(mark);
    Ok(keep)
}
