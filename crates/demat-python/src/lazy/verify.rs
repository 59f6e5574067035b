//! Verifies a whole view before its bytes are written out, so that it can't pass on what eager decoding refuses.

use super::json;
use super::layout::{LAX, View};
use super::merge::of;
use crate::decode;
use crate::error::{Failure, exception};
use crate::format::Format;
use crate::plan::{Node, Program};
use demat_core::{Checked, Checks, Copier, Nothing, Result, Shape, Sink, Source};
use demat_formats::json::JsonSource;
use demat_formats::proto::{self, ProtoSource};
use demat_formats::stream::Part;
use pyo3::prelude::*;
use std::sync::{Arc, OnceLock};

/// The shape and the checks for a class of views; `None` if validation needs objects.
pub(super) type Known = OnceLock<Option<(Shape, Option<Arc<Checks>>)>>;

/// Refuses a view whose bytes eager decoding would refuse. Makes no objects unless the class runs code of its own.
///
/// # Errors
/// If the bytes are invalid.
pub(crate) fn verify(view: &Bound<'_, PyAny>) -> PyResult<()> {
    let py = view.py();
    // SAFETY: callers have seen that it is a view, and that its bytes are there.
    let own = unsafe { of(view) };
    let (_, program) = own.class.planned();
    let known = if let Some(known) = own.class.known.get() {
        known
    } else {
        let known = known_of(py, program, own.class.record, own.class.format)?;
        own.class.known.get_or_init(|| known)
    };
    let lax = own.state().flags & LAX != 0;
    if let (Some((shape, checks)), false) = (known, lax) {
        let part = Part::whole(own.bytes());
        let copied = if own.class.format == Format::Json {
            told(JsonSource::over(part, json::options_of(own)), shape, checks.as_ref())
        } else {
            let options = proto::ReadOptions { depth: *own.depth() };
            told(ProtoSource::over(part, options), shape, checks.as_ref())
        };
        // On failure, the decoder runs, too: it knows the rules for repeated keys, and has the usual error messages.
        if copied.is_ok() {
            return Ok(());
        }
    }
    decoded(py, own, program).map_err(|failure| exception(py, failure))
}

fn known_of(
    py: Python<'_>,
    program: &Program,
    record: usize,
    format: Format,
) -> PyResult<Option<(Shape, Option<Arc<Checks>>)>> {
    if program.runs_code || program.is_judged() {
        return Ok(None);
    }
    let shape = program.shape_read_of(py, &Node::Record(record), format == Format::Proto)?;
    let checks = program.checks_of(py, &shape, &Node::Record(record))?;
    Ok(Some((shape, checks)))
}

fn told<'a, S: Source<'a>>(mut source: S, shape: &Shape, checks: Option<&Arc<Checks>>) -> Result<()> {
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

/// Decodes the whole record eagerly.
#[cold]
fn decoded(py: Python<'_>, view: View<'_>, program: &Program) -> core::result::Result<(), Failure> {
    // User code may write to the buffer, so decode a copy.
    let bytes = view.bytes().to_vec();
    let record = view.class.record;
    if view.class.format == Format::Json {
        let strict = view.state().flags & LAX == 0;
        let made =
            decode::json_value(py, Part::whole(&bytes), json::options_of(view), strict, program, &Node::Record(record));
        return made.map(drop).map_err(|failure| json::moved(failure, view, 0));
    }
    decode::record_of_message(py, &bytes, program, record, *view.depth()).map(drop)
}
