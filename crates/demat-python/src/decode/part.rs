//! Decodes a value inside a document, at which a source is.

use super::{DecodeMode, Engine};
use crate::error::Failure;
use crate::object::Object;
use crate::plan::Program;
use demat_core::{Mark, Source};
use pyo3::prelude::*;

/// Decodes the value that a source is at. It `ends` with the input if it is all of it; the engine checks for signals if
/// it `heeds` them.
///
/// # Errors
/// Errors of the value.
pub(crate) fn part<'e, 'a, S: Source<'a>>(
    py: Python<'e>,
    mut source: S,
    program: &'e Program,
    manner: &'e DecodeMode,
    (ends, heeds): (bool, bool),
) -> Result<Object, Failure> {
    if manner.errors == 1 {
        let mut engine = Engine::<S, false>::new(py, source, program, manner);
        engine.heeds = heeds;
        return engine.root_up_to(ends);
    }
    all(py, &mut source, program, manner, (ends, heeds))
}

/// As [`part`], with errors gathered: one engine for all sources.
#[inline(never)]
fn all<'e, 'a>(
    py: Python<'e>,
    source: &mut dyn Source<'a>,
    program: &'e Program,
    manner: &'e DecodeMode,
    (ends, heeds): (bool, bool),
) -> Result<Object, Failure> {
    let mut engine = Engine::<&mut dyn Source<'a>, true>::new(py, source, program, manner);
    engine.heeds = heeds;
    engine.root_up_to(ends)
}

/// Reads the keys of the map that a source has entered, and skips the values. Returns a dict of the keys and the numbers
/// of their last values, and the marks of all values.
///
/// # Errors
/// If the map is malformed, or repeats a key though that is refused.
pub(crate) fn keys_of_map<'e, 'a, S: Source<'a>>(
    py: Python<'e>,
    source: S,
    manner: &'e DecodeMode,
    heeds: bool,
) -> Result<(Object, Vec<Mark>), Failure> {
    let mut engine = Engine::<S, false>::new(py, source, super::untyped(), manner);
    engine.heeds = heeds;
    engine.keys_of_map()
}
