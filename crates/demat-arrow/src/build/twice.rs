//! Finds repeated keys in a map.

use super::node::{Ints, Node, Values};
use demat_core::scalar::{Date, Uuid};
use std::collections::HashMap;
use std::hash::Hash;

/// Up to this number of entries, each key is compared with all before it.
const FEW: usize = 12;

/// Calls a function on the keys of a map, which are the rows of the column from this one on.
macro_rules! over_keys {
    ($node:expr, $first:expr, $run:ident) => {
        match &$node.values {
            Values::Text(texts) => $run(texts.len() - $first, |index| texts.get($first + index)),
            Values::I64(keys) => $run(keys.len() - $first, |index| keys[$first + index]),
            Values::I8(Ints { values: keys, .. }) => $run(keys.len() - $first, |index| keys[$first + index]),
            Values::I16(Ints { values: keys, .. }) => $run(keys.len() - $first, |index| keys[$first + index]),
            Values::I32(Ints { values: keys, .. }) => $run(keys.len() - $first, |index| keys[$first + index]),
            Values::I33(Ints { values: keys, .. }) => $run(keys.len() - $first, |index| keys[$first + index]),
            Values::U8(Ints { values: keys, .. }) => $run(keys.len() - $first, |index| keys[$first + index]),
            Values::U16(Ints { values: keys, .. }) => $run(keys.len() - $first, |index| keys[$first + index]),
            Values::U32(Ints { values: keys, .. }) => $run(keys.len() - $first, |index| keys[$first + index]),
            Values::U64(keys, _) => $run(keys.len() - $first, |index| keys[$first + index]),
            Values::Date(keys) => $run(keys.len() - $first, |index| keys[$first + index]),
            Values::Uuid(bytes) => $run(bytes.len() / 16 - $first, |index| &bytes[16 * ($first + index)..][..16]),
            _ => Default::default(),
        }
    };
}

/// Returns the first entry, from 0, that repeats a key, and the earlier entry with that key.
pub(super) fn first(node: &Node, first: usize) -> Option<(usize, usize)> {
    over_keys!(node, first, first_again)
}

/// Returns for each entry whether it is the last one with its key.
pub(super) fn last_ones(node: &Node, first: usize) -> Vec<bool> {
    over_keys!(node, first, last_of_each)
}

/// Returns a key's name for errors and paths.
#[cold]
pub(super) fn name(node: &Node, row: usize) -> String {
    match &node.values {
        Values::Text(texts) => String::from_utf8_lossy(texts.get(row)).into_owned(),
        Values::I64(keys) => keys[row].to_string(),
        Values::I8(ints) => ints.values[row].to_string(),
        Values::I16(ints) => ints.values[row].to_string(),
        Values::I32(ints) => ints.values[row].to_string(),
        Values::I33(ints) => ints.values[row].to_string(),
        Values::U8(ints) => ints.values[row].to_string(),
        Values::U16(ints) => ints.values[row].to_string(),
        Values::U32(ints) => ints.values[row].to_string(),
        Values::U64(keys, _) => keys[row].to_string(),
        Values::Date(keys) => Date::from_days_since_epoch(keys[row]).map_or_else(String::new, |date| date.to_string()),
        Values::Uuid(bytes) => match bytes[16 * row..].first_chunk() {
            Some(bytes) => Uuid(*bytes).to_string(),
            None => String::new(),
        },
        _ => String::new(),
    }
}

fn first_again<K: Eq + Hash>(count: usize, key: impl Fn(usize) -> K) -> Option<(usize, usize)> {
    if count <= FEW {
        return (1..count).find_map(|at| (0..at).find(|before| key(*before) == key(at)).map(|before| (at, before)));
    }
    let mut seen = HashMap::with_capacity(count);
    (0..count).find_map(|at| seen.insert(key(at), at).map(|before| (at, before)))
}

fn last_of_each<K: Eq + Hash>(count: usize, key: impl Fn(usize) -> K) -> Vec<bool> {
    let mut seen = HashMap::with_capacity(count);
    let mut last = vec![true; count];
    for at in 0..count {
        if let Some(before) = seen.insert(key(at), at) {
            let before: usize = before;
            last[before] = false;
        }
    }
    last
}
