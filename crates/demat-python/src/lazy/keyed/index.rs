//! Locates the values of an object.

use super::super::Encoding;
use super::super::layout::{FieldSpan, INDEXED, View};
use super::value::value_at;
use super::{counted, moved, options_of, part_of, with_source};
use crate::error::Failure;
use crate::plan::Role;
use demat_core::{ErrorKind, Position, Result, Source};
use demat_formats::json::ReadOptions;
use pyo3::prelude::*;
use std::borrow::Cow;

/// Locates all fields.
///
/// # Errors
/// An error if the object is malformed, nested too deeply, or refused.
pub(in super::super) fn index(view: View<'_>) -> core::result::Result<(), Failure> {
    let mut earlier = Vec::new();
    if let Err(error) = look(view, &mut earlier) {
        return Err(moved(Failure::from(error), view, 0));
    }
    // Of a repeated field the last value counts, but the earlier ones must be valid, too.
    for (index, place) in earlier {
        // SAFETY: views are only used with the GIL held.
        value_at(unsafe { Python::assume_attached() }, view, index, place)?;
    }
    view.state().flags |= INDEXED;
    Ok(())
}

/// Returns the end of the object: the position of errors about missing fields.
#[cold]
pub(in super::super) fn end_of(view: View<'_>) -> Position {
    let end = look(view, &mut Vec::new()).unwrap_or_default();
    if view.class.format == Encoding::Packed {
        return end;
    }
    let base = counted(view, 0);
    Position {
        offset: end.offset.map(|own| own + base.offset),
        line: end.line.map(|own| own + base.lines),
        column: end.column.map(|own| if end.line == Some(1) { own + base.columns } else { own }),
        record: None,
    }
}

/// Returns whether the object nests no deeper than `depth`. The object is known to be well-formed.
#[cold]
pub(in super::super) fn is_within(view: View<'_>, depth: u32) -> bool {
    let options = ReadOptions { depth, ..ReadOptions::default() };
    with_source!(view.class.format, part_of(view, view.bytes(), 0), options, |source| is_skipped(source))
}

fn is_skipped<'a, S: Source<'a>>(mut source: S) -> bool {
    source.skip().is_ok()
}

/// Scans the object and returns the position of its end. Collects values that a later value of the same field
/// overrides.
fn look(view: View<'_>, earlier: &mut Vec<(usize, FieldSpan)>) -> Result<Position> {
    let part = part_of(view, view.bytes(), 0);
    with_source!(view.class.format, part, options_of(view), |source| look_in(source, view, earlier))
}

fn look_in<'a, S: Source<'a>>(
    mut source: S,
    view: View<'_>,
    earlier: &mut Vec<(usize, FieldSpan)>,
) -> Result<Position> {
    let (bytes, places) = (view.bytes(), view.places());
    places.fill(FieldSpan { first: 0, last: 0 });
    let (plan, _) = view.class.planned();
    source.record(&plan.read).map_err(|error| match error.kind() {
        ErrorKind::Type => error.expecting(plan.name.clone()),
        _ => error,
    })?;
    let mut expected = 0;
    while let Some(found) = source.field(&plan.read, expected)? {
        expected = found + 1;
        let read = &plan.reads[found];
        if read.role == Role::Rest {
            // The source is at the key.
            source.text()?;
            source.value()?;
            source.skip()?;
            continue;
        }
        let span = source.span().map_err(|error| error.within_field(read.label.clone()))?;
        let Some(index) = view.class.of_read(found) else { continue };
        if places[index].last != 0 {
            source.repeated(&read.label)?;
            earlier.push((index, places[index]));
        }
        places[index] = match span {
            // The source lends its own bytes.
            Cow::Borrowed(span) => {
                let first = span.as_ptr().addr() - bytes.as_ptr().addr();
                FieldSpan { first: first as u32 + 1, last: (first + span.len()) as u32 }
            }
            // A part of an extension type, which is no value of its own in the bytes.
            Cow::Owned(_) => FieldSpan { first: 1, last: bytes.len() as u32 },
        };
    }
    let end = source.position();
    source.end()?;
    Ok(end)
}
