//! A view, looked at as a whole: before its bytes are passed on, what eager decoding would refuse in them is refused.

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

/// What the records of a class of views are, and what they are held to; nothing where only objects of them can tell.
pub(super) type Known = OnceLock<Option<(Shape, Option<Arc<Checks>>)>>;

/// Refuses a view whose bytes eager decoding would refuse. No object is made of it where its class runs no code.
///
/// # Errors
/// What is wrong with it.
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
        // Of keys that repeat, and for the words that errors have elsewhere, the decoder is asked.
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

/// The whole, decoded as it would be if it were no view.
#[cold]
fn decoded(py: Python<'_>, view: View<'_>, program: &Program) -> core::result::Result<(), Failure> {
    // Code of the user's may write to the bytes.
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
