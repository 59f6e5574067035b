//! Decodes Arrow columns to objects.

use super::options::DecodeOptions;
use super::run::untyped;
use super::{DecodeMode, Engine, Repeats, Result};
use crate::collector::Paused;
use crate::error::{Failure, exception};
use crate::object::Object;
use crate::plan::Plan;
use arrow_array::RecordBatch;
use demat_arrow::ArrowSource;
use demat_core::Source;
use pyo3::prelude::*;
use pyo3::types::PyList;

/// Batches from any source.
type Batches<'b> = Box<dyn Iterator<Item = demat_core::Result<RecordBatch>> + 'b>;

/// The document size in bytes for which to pause the collector: the size of the batches is unknown.
const MUCH: usize = 1 << 20;

/// Arrow allows a map to have a key twice. A dict would lose the first, so the engine looks for such keys.
fn watching(options: &DecodeOptions) -> DecodeMode {
    DecodeMode { repeats: Repeats::AtEnd, ..options.manner }
}

/// Returns all records as the plan's list; without a plan, as dicts. They are items of a list from `first` on, for the
/// paths in errors.
///
/// # Errors
/// `demat.Error` if a record does not match the type; exceptions that hooks raise.
pub(crate) fn columns<'py>(
    py: Python<'py>,
    batches: impl Iterator<Item = demat_core::Result<RecordBatch>>,
    plan: Option<&Plan>,
    options: &DecodeOptions,
    first: usize,
) -> PyResult<Bound<'py, PyAny>> {
    let program = match plan {
        Some(plan) => &plan.program,
        None => untyped(),
    };
    let batches: Batches<'_> = Box::new(batches);
    let paused = Paused::for_input(MUCH);
    let manner = watching(options);
    let mut source = ArrowSource::new(batches);
    let decoded = Engine::<&mut dyn Source<'_>, false>::new(py, &mut source, program, &manner).whole();
    drop(paused);
    let moved = |failure: Failure| exception(py, failure.map(|error| error.behind_items(first)));
    decoded.map(|object| object.into_bound(py)).map_err(moved)
}

/// Returns the values of a single column, as a list.
///
/// # Errors
/// `demat.Error` if a value can't be an object.
pub(crate) fn column<'py>(
    py: Python<'py>,
    batches: impl Iterator<Item = demat_core::Result<RecordBatch>>,
    options: &DecodeOptions,
) -> PyResult<Bound<'py, PyList>> {
    let batches: Batches<'_> = Box::new(batches);
    let paused = Paused::for_input(MUCH);
    let manner = watching(options);
    let mut source = ArrowSource::new(batches);
    let mut engine = Engine::<&mut dyn Source<'_>, false>::new(py, &mut source, untyped(), &manner);
    let values = engine.only_values();
    drop(paused);
    let values = values.map_err(|error| exception(py, Failure::from(error)))?;
    PyList::new(py, values.into_iter().map(|value| value.into_bound(py)))
}

impl<'a, S: Source<'a>> Engine<'_, 'a, S, false> {
    /// Decodes records that have one field each; returns the values of the field.
    fn only_values(&mut self) -> Result<Vec<Object>> {
        let mut values = Vec::new();
        self.source.list()?;
        while self.source.item()? {
            self.source.map()?;
            while self.source.entry()? {
                self.source.text()?;
                self.source.value()?;
                values.push(self.any()?);
            }
        }
        Ok(values)
    }
}
