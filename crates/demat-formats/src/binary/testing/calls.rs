//! Calls of a sink.

use demat_core::{Result, Sink};

/// Writes a list of `outer` maps with `inner` entries each. The length of the list is announced if `known`, those of
/// the maps are not. With `commits`, a commit follows each map.
pub(crate) fn nested(sink: &mut dyn Sink, outer: usize, inner: usize, known: bool, commits: bool) -> Result<()> {
    sink.begin_list(known.then_some(outer))?;
    for _ in 0..outer {
        sink.item()?;
        sink.begin_map(None)?;
        for at in 0..inner {
            sink.entry()?;
            sink.u64(at as u64)?;
            sink.value()?;
            sink.null()?;
        }
        sink.end_map()?;
        if commits {
            sink.commit()?;
        }
    }
    sink.end_list()
}

/// Writes lists within lists. Each has `items` items, the last of which is the next list.
pub(crate) fn widened(sink: &mut dyn Sink, levels: usize, items: usize) -> Result<()> {
    for _ in 0..levels {
        sink.begin_list(None)?;
        for _ in 1..items {
            sink.item()?;
            sink.null()?;
        }
        sink.item()?;
    }
    sink.null()?;
    (0..levels).try_for_each(|_| sink.end_list())
}

/// Writes a list of 40 lists: item `n` has `n` times the int `n`. Items of odd length are rolled back.
pub(crate) fn rolled_back(sink: &mut dyn Sink) -> Result<()> {
    sink.begin_list(None)?;
    for at in 0..40_u64 {
        sink.item()?;
        sink.begin_list(None)?;
        for _ in 0..at {
            sink.item()?;
            sink.u64(at)?;
        }
        sink.end_list()?;
        if at % 2 == 0 { sink.commit()? } else { sink.rollback()? }
    }
    sink.end_list()
}

/// Writes a list of null and true. It also ends before the second item, which is rolled back.
pub(crate) fn rolled_back_list(sink: &mut dyn Sink) -> Result<()> {
    sink.begin_list(Some(2))?;
    sink.item()?;
    sink.null()?;
    sink.commit()?;
    sink.end_list()?;
    sink.rollback()?;
    sink.item()?;
    sink.bool(true)?;
    sink.end_list()
}

/// Writes a list with one item, a list that announces `announced` nulls and has `count`.
pub(crate) fn announced_wrongly(sink: &mut dyn Sink, announced: usize, count: usize) -> Result<()> {
    sink.begin_list(Some(1))?;
    sink.item()?;
    sink.begin_list(Some(announced))?;
    for _ in 0..count {
        sink.item()?;
        sink.null()?;
    }
    sink.end_list()?;
    sink.end_list()
}
