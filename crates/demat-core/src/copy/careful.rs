//! Reading ahead, for records and maps that repeat a key: the last occurrence wins, and a sink can't be told twice.
//!
//! This reads a container once more than it is deep; it happens only where a key does repeat.

use crate::{Kind, Record, Result, Source, Unknown};
use std::collections::HashMap;

/// For each field the ordinal (from 1) of its last occurrence; 0 for those that are not there.
pub(super) fn last_of_fields<'a, S: Source<'a> + ?Sized>(source: &mut S, record: &Record) -> Result<Vec<usize>> {
    let mark = source.mark();
    let mut last = vec![0; record.fields().len()];
    let mut ordinal = 0;
    source.record(record)?;
    while let Some(index) = source.field(record, 0)? {
        ordinal += 1;
        last[index] = ordinal;
        if record.unknown() == Unknown::Keep(index) {
            source.skip()?;
            source.value()?;
        }
        source.skip()?;
    }
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
