//! Objects of what Arrow's columns hold.

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

/// Batches, whoever gives them.
type Batches<'b> = Box<dyn Iterator<Item = demat_core::Result<RecordBatch>> + 'b>;

/// So many bytes of a document would be as much work as any batches are.
const MUCH: usize = 1 << 20;

/// Arrow allows a map to have a key twice. A dict would lose the first, so the engine looks for such keys.
fn watching(options: &DecodeOptions) -> DecodeMode {
    DecodeMode { repeats: Repeats::AtEnd, ..options.manner }
}

/// All records, as a plan of a list says; without one, as dicts.
///
/// # Errors
/// `demat.Error` where a record is not of the type; what hooks raise.
pub(crate) fn columns<'py>(
    py: Python<'py>,
    batches: impl Iterator<Item = demat_core::Result<RecordBatch>>,
    plan: Option<&Plan>,
    options: &DecodeOptions,
) -> PyResult<Bound<'py, PyAny>> {
    let program = match plan {
        Some(plan) => &plan.program,
        None => untyped(),
    };
    let batches: Batches<'_> = Box::new(batches);
    let paused = Paused::for_input(MUCH);
    let manner = watching(options);
    let decoded = Engine::<_, false>::new(py, ArrowSource::new(batches), program, &manner).whole();
    drop(paused);
    decoded.map(|object| object.into_bound(py)).map_err(|failure| exception(py, failure))
}

/// The values of a single column, as a list.
///
/// # Errors
/// `demat.Error` where one has no object.
pub(crate) fn column<'py>(
    py: Python<'py>,
    batches: impl Iterator<Item = demat_core::Result<RecordBatch>>,
    options: &DecodeOptions,
) -> PyResult<Bound<'py, PyList>> {
    let batches: Batches<'_> = Box::new(batches);
    let paused = Paused::for_input(MUCH);
    let manner = watching(options);
    let mut engine = Engine::<_, false>::new(py, ArrowSource::new(batches), untyped(), &manner);
    let values = engine.only_values();
    drop(paused);
    let values = values.map_err(|error| exception(py, Failure::from(error)))?;
    PyList::new(py, values.into_iter().map(|value| value.into_bound(py)))
}

impl<'a, S: Source<'a>> Engine<'_, 'a, S, false> {
    /// The values of records that have one field each.
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
