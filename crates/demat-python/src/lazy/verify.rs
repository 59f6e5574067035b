//! Verification of views before the encoder copies their bytes: what eager decoding refuses is refused here, too.

use super::Encoding;
use super::class::{Kind, LazyField};
use super::keyed;
use super::layout::{LAX, View};
use super::merge::{Edits, of};
use super::value;
use crate::decode;
use crate::error::Failure;
use crate::object::Object;
use crate::plan::{Default, Node, Program};
use demat_core::{Checked, Checks, Copier, Error, ErrorKind, Nothing, Shape, Sink, Source};
use demat_formats::json::ReadOptions;
use demat_formats::proto::raw;
use demat_formats::proto::{self, ProtoSource};
use demat_formats::stream::Part;
use pyo3::prelude::*;
use std::borrow::Cow;
use std::sync::{Arc, OnceLock};

/// The shape and the checks for a class of views; `None` if validation needs objects.
pub(super) type Known = OnceLock<Option<(Shape, Option<Arc<Checks>>)>>;

/// Refuses a view whose bytes eager decoding would refuse. Makes no objects unless the class runs code of its own.
///
/// # Errors
/// If the bytes are invalid.
pub(crate) fn verify(view: &Bound<'_, PyAny>) -> Result<(), Failure> {
    let py = view.py();
    // SAFETY: the callers have checked that it is a view, and that its bytes are available.
    let own = unsafe { of(view) };
    let (_, program) = own.class.planned();
    let known = if let Some(known) = own.class.known.get() {
        known
    } else {
        let known =
            known_of(py, program, own.class.record, own.class.format).map_err(|raised| own_affair(py, raised))?;
        own.class.known.get_or_init(|| known)
    };
    let lax = own.state().flags & LAX != 0;
    if let (Some((shape, checks)), false) = (known, lax) {
        let copied = if own.class.format.is_keyed() {
            let part = keyed::part_of(own, own.bytes(), 0);
            keyed::with_source!(own.class.format, part, keyed::options_of(own), |source| {
                told(source, shape, checks.as_ref())
            })
        } else {
            let options = proto::ReadOptions { depth: *own.depth() };
            told(ProtoSource::over(Part::whole(own.bytes()), options), shape, checks.as_ref())
        };
        // On failure, the decoder runs, too: it knows the rules for repeated keys, and has the usual error messages.
        if copied.is_ok() {
            return Ok(());
        }
    }
    decoded(py, own, program)
}

fn known_of(
    py: Python<'_>,
    program: &Program,
    record: usize,
    format: Encoding,
) -> PyResult<Option<(Shape, Option<Arc<Checks>>)>> {
    if program.runs_code || program.is_judged() {
        return Ok(None);
    }
    let shape = program.shape_read_of(py, &Node::Record(record), format == Encoding::Messages)?;
    let checks = program.checks_of(py, &shape, &Node::Record(record))?;
    Ok(Some((shape, checks)))
}

fn told<'a, S: Source<'a>>(mut source: S, shape: &Shape, checks: Option<&Arc<Checks>>) -> demat_core::Result<()> {
    let mut copier = Copier::new(shape.clone());
    copier.begin(&source);
    match checks {
        Some(checks) => {
            let mut sink = Checked::new(Nothing, Arc::clone(checks));
            copier.run_all(&mut source, &mut sink as &mut dyn Sink)?;
        }
        None => copier.run_all(&mut source, &mut Nothing as &mut dyn Sink)?,
    }
    source.end()
}

/// Verifies the fields and items of a changed view that its edits leave unchanged.
///
/// [`verify`] is faster, but also refuses invalid values that the program has replaced. So the encoder calls this where
/// `verify` fails.
///
/// # Errors
/// The first invalid value, by its path in the view; a required field that is neither in the bytes nor set.
#[cold]
pub(crate) fn verify_unchanged(py: Python<'_>, edits: &Edits<'_>) -> Result<(), Failure> {
    let view = edits.view();
    for field in &view.class.fields {
        if view.was_set(field.index) || field.kind == Kind::Unread {
            continue;
        }
        let mut own = edits.inner.iter().chain(&edits.added).filter(|edit| edit.field == field.index).peekable();
        match own.peek() {
            None => verify_field(py, view, field)?,
            Some(edit) if edit.item.is_none() => {}
            // In the order of the items, as the edits are.
            Some(_) => verify_items(py, view, field, own.map(|edit| edit.from))?,
        }
    }
    Ok(())
}

fn verify_field(py: Python<'_>, view: View<'_>, field: &LazyField) -> Result<(), Failure> {
    let place = view.places()[field.index];
    if place.last == 0 && field.kind != Kind::Rest {
        // A field with a default factory may be absent; the factory need not run for that.
        let must_come = matches!(field.planned().default, Default::None) && field.planned().required;
        return match (view.class.format, must_come) {
            (Encoding::Json | Encoding::Packed, true) => {
                Err(Error::missing(&field.label).at(keyed::end_of(view)).into())
            }
            (Encoding::Messages, true) => value::of_message(py, view, field)
                .and_then(|made| made.map(drop).ok_or_else(|| Error::missing(&field.label).into())),
            (_, false) => Ok(()),
        };
    }
    match (field.kind, view.class.format) {
        (Kind::Rest, _) => decoded(py, view, view.class.planned().1),
        (_, Encoding::Json | Encoding::Packed) => keyed::value_at(py, view, field.index, place),
        (_, Encoding::Messages) => value::of_message(py, view, field).map(drop),
    }
}

/// Verifies the items of a list, except those that begin at the offsets in `changed`.
fn verify_items(
    py: Python<'_>,
    view: View<'_>,
    field: &LazyField,
    changed: impl Iterator<Item = usize>,
) -> Result<(), Failure> {
    let mut changed = changed.peekable();
    let mut index = 0;
    let mut verify = |begin: usize, made: &mut dyn FnMut() -> Result<Object, Failure>| {
        if changed.next_if_eq(&begin).is_none() {
            let within = |error: Error| error.within_item(index).within_field(field.label.clone());
            made().map_err(|failure| failure.map(within))?;
        }
        index += 1;
        Ok::<_, Failure>(())
    };
    let (_, program) = view.class.planned();
    let node = item_of(&field.planned().node);
    // The program's code may write to the bytes.
    let copied = |part| if program.runs_code { Cow::Owned(<[u8]>::to_vec(part)) } else { Cow::Borrowed(part) };
    let (bytes, place) = (view.bytes(), view.places()[field.index]);
    let (first, last) = (place.first as usize - 1, place.last as usize);
    if view.class.format == Encoding::Messages {
        let mut at = first;
        while at < last {
            let broken = || own_affair(py, value::not_a_message(py, view));
            let part = raw::read(bytes, at).ok_or_else(broken)?;
            at = part.end;
            let own = view.class.of_number(part.number) == Some(field.index);
            if let (true, Some((_, begin)), Node::Record(record)) = (own, raw::length(bytes, part.at), node) {
                let depth = view.depth().saturating_sub(1);
                verify(part.tag, &mut || {
                    decode::record_of_message(py, &copied(&bytes[begin..part.end]), program, *record, depth)
                })?;
            }
        }
        return Ok(());
    }
    let span = &bytes[first..last];
    let options = keyed::options_of(view);
    let options = ReadOptions { depth: options.depth.saturating_sub(1), ..options };
    let mut walk = keyed::Walk::of_items(view.class.format, keyed::part_of(view, span, first).base, options);
    while let Some((begin, end)) = walk.next(span)? {
        verify(first + begin, &mut || keyed::decoded(py, view, &copied(&span[begin..end]), first + begin, node))?;
    }
    Ok(())
}

/// Wraps an exception that was already built.
fn own_affair(py: Python<'_>, raised: PyErr) -> Failure {
    Failure::one(Error::new(ErrorKind::Encode, raised.value(py).to_string()), Some(raised))
}

/// Returns the node of a list's items.
fn item_of(node: &Node) -> &Node {
    match node {
        Node::Optional(inner) => item_of(inner),
        Node::Checked(inner) => item_of(&inner.0),
        Node::List(list) => &list.item,
        _ => node,
    }
}

/// Decodes the whole record eagerly.
#[cold]
fn decoded(py: Python<'_>, view: View<'_>, program: &Program) -> Result<(), Failure> {
    // User code may write to the bytes.
    let bytes = view.bytes().to_vec();
    let record = view.class.record;
    if view.class.format.is_keyed() {
        return keyed::decoded(py, view, &bytes, 0, &Node::Record(record)).map(drop);
    }
    decode::record_of_message(py, &bytes, program, record, *view.depth()).map(drop)
}
