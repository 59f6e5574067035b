//! Checks numbers that refer to other data.

use super::damaged;
use arrow_array::types::RunEndIndexType;
use arrow_array::{Array, ArrowPrimitiveType, OffsetSizeTrait, PrimitiveArray, UnionArray};
use arrow_buffer::{ArrowNativeType, RunEndBuffer};
use arrow_schema::UnionFields;
use demat_core::Result;

/// A part of the data that offsets refer to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Span {
    pub(super) start: usize,
    pub(super) len: usize,
}

/// Checks offsets into data of a length. Returns the part that they refer to.
///
/// # Errors
/// If they decrease, or leave the data.
pub(super) fn offsets<O: OffsetSizeTrait>(offsets: &[O], len: usize) -> Result<Span> {
    let (Some(first), Some(last)) = (offsets.first(), offsets.last()) else {
        return Ok(Span { start: 0, len: 0 });
    };
    #[allow(clippy::needless_bitwise_bool, reason = "without an early exit it takes several at a time")]
    let falls = offsets.windows(2).fold(false, |falls, pair| falls | (pair[0] > pair[1]));
    let ends = first.to_usize().zip(last.to_usize()).filter(|(_, end)| *end <= len);
    match ends {
        Some((start, end)) if !falls => Ok(Span { start, len: end - start }),
        // A slice without rows may have any offset.
        _ if offsets.len() == 1 => Ok(Span { start: 0, len: 0 }),
        _ => Err(damaged("offsets that rise within an Arrow column's data", "others".to_string())),
    }
}

/// Checks the offsets and sizes of lists. Returns the part that they refer to.
///
/// # Errors
/// If one leaves the data.
pub(super) fn views_of_lists<O: OffsetSizeTrait>(offsets: &[O], sizes: &[O], len: usize) -> Result<Span> {
    let (mut first, mut last) = (len, 0);
    for (offset, size) in offsets.iter().zip(sizes) {
        let ends = offset.to_usize().zip(size.to_usize());
        let ends = ends.and_then(|(start, size)| Some((start, start.checked_add(size)?)));
        let Some((start, end)) = ends.filter(|(_, end)| *end <= len) else {
            return Err(damaged("lists within an Arrow column's items", "one beyond".to_string()));
        };
        if start < end {
            (first, last) = (first.min(start), last.max(end));
        }
    }
    Ok(Span { start: first.min(last), len: last.saturating_sub(first) })
}

/// Checks the keys of a dictionary with so many values. The keys of nulls are not looked at.
///
/// # Errors
/// If there is no value of a key.
pub(super) fn keys<K: ArrowPrimitiveType>(keys: &PrimitiveArray<K>, values: usize) -> Result<()> {
    let is_wrong = |key: &K::Native| key.to_usize().is_none_or(|key| key >= values);
    let wrong = keys.values().iter().fold(false, |wrong, key| wrong | is_wrong(key));
    if !wrong {
        return Ok(());
    }
    match (0..keys.len()).find(|row| keys.is_valid(*row) && is_wrong(&keys.values()[*row])) {
        Some(row) => Err(damaged("a key of an Arrow dictionary", format!("{:?} at value {row}", keys.values()[row]))),
        None => Ok(()),
    }
}

/// Checks that there are runs for all rows, and a value for each run.
///
/// # Errors
/// If there are not.
pub(super) fn runs<R: RunEndIndexType>(ends: &RunEndBuffer<R::Native>, values: usize) -> Result<()> {
    let covered = ends.values().last().and_then(|end| end.to_usize()).unwrap_or(0);
    let rows = ends.offset().checked_add(ends.len());
    if (ends.is_empty() || rows.is_some_and(|rows| rows <= covered)) && ends.values().len() <= values {
        return Ok(());
    }
    Err(damaged("Arrow run ends for all values", "too few".to_string()))
}

/// Checks that run ends rise from above zero.
///
/// # Errors
/// If they don't.
pub(super) fn rising<R: RunEndIndexType>(ends: &[R::Native]) -> Result<()> {
    let zero = R::Native::usize_as(0);
    if ends.first().is_none_or(|first| *first > zero) && ends.windows(2).all(|pair| pair[0] < pair[1]) {
        return Ok(());
    }
    Err(damaged("Arrow run ends that rise", "others".to_string()))
}

/// Checks the type and the offset of each value of a union.
///
/// # Errors
/// If there is no such type, or no such value of it.
pub(super) fn union(fields: &UnionFields, own: &UnionArray) -> Result<()> {
    let mut lens = [None; 128];
    for (id, _) in fields.iter() {
        if let Some(len) = usize::try_from(id).ok().and_then(|id| lens.get_mut(id)) {
            *len = Some(own.child(id).len());
        }
    }
    for (row, id) in own.type_ids().iter().enumerate() {
        let len = usize::try_from(*id).ok().and_then(|id| lens.get(id).copied().flatten());
        let at = own.offsets().map_or(Some(row), |offsets| usize::try_from(offsets[row]).ok());
        if len.zip(at).is_none_or(|(len, at)| at >= len) {
            return Err(damaged("a value of an Arrow union", format!("none at value {row}")));
        }
    }
    Ok(())
}
