//! Encodes Python objects as Arrow columns.

use super::EncodeOptions;
use super::encode_sink::{AnySink, EncodeSink};
use super::engine::Engine;
use super::object_ref::ObjectRef;
use super::put::NoScalars;
use crate::error::{Failure, exception};
use crate::plan::plan_of;
use arrow_array::RecordBatch;
use arrow_schema::SchemaRef;
use demat_arrow::{BatchDrain, ColumnsSink, Options};
use demat_core::{Checked, Result, Sink};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyList, PyTuple};
use std::sync::atomic::AtomicBool;

/// Collects batches and their schema.
#[derive(Default)]
struct CollectedBatches {
    schema: Option<SchemaRef>,
    batches: Vec<RecordBatch>,
}

impl BatchDrain for CollectedBatches {
    fn begin(&mut self, schema: &SchemaRef) -> Result<()> {
        self.schema = Some(schema.clone());
        Ok(())
    }

    fn batch(&mut self, batch: RecordBatch) -> Result<()> {
        self.batches.push(batch);
        Ok(())
    }
}

impl EncodeSink for ColumnsSink<CollectedBatches> {
    type Scalars<'s>
        = NoScalars
    where
        Self: 's;

    #[inline(always)]
    fn named_tuples(&self) -> bool {
        true
    }

    /// Commits after each row.
    #[inline]
    fn border(&mut self, depth: u32) -> Result<()> {
        if depth == 1 { self.commit() } else { Ok(()) }
    }
}

/// The largest batch in bytes: Arrow has 31-bit offsets in columns.
const MOST: usize = 1 << 30;

/// Encodes objects as columns, by a type or by the class of the first object.
///
/// # Errors
/// `ValueError` if there is neither a type nor an object; `TypeError` if the objects are not iterable;
/// `demat.EncodeError` if an object is not of the type or outside of its bounds, or its record has no columns.
pub(crate) fn columns_of(
    objects: &Bound<'_, PyAny>,
    record: Option<&Bound<'_, PyAny>>,
    columns: Options,
) -> PyResult<(SchemaRef, Vec<RecordBatch>)> {
    let py = objects.py();
    let listed = objects.is_exact_instance_of::<PyList>() || objects.is_exact_instance_of::<PyTuple>();
    let objects = if listed { objects.clone() } else { list_of(objects)?.into_any() };
    let first = objects.get_item(0).ok();
    let (record, asked) = match (record, first) {
        (Some(record), _) => (record.clone(), true),
        // Each object is encoded by its own class; the columns check that it fits.
        (None, Some(first)) => (first.get_type().into_any(), false),
        (None, None) => {
            return Err(PyValueError::new_err("there are no objects that say what the columns are: give type="));
        }
    };
    let plan = plan_of(&sequence_of(&record)?)?;
    let program = &plan.get().program;
    let shape = program.shape_of_columns(py, &columns)?;
    let plan = asked.then(|| plan.clone().unbind());
    let options = EncodeOptions { plan, shape: Some(shape), ..EncodeOptions::default() };
    let sink = ColumnsSink::new(CollectedBatches::default()).with_options(columns).with_batches(usize::MAX, MOST);
    let sink = match program.checks(py, &program.stored_shape(py)?)? {
        None => {
            let mut engine = Engine::new(sink, &options);
            tell(&mut engine, &objects)?;
            engine.sink
        }
        // As rows of a database: each value is checked before it is written to its column.
        Some(checks) => {
            let mut checked = Checked::new(sink, checks);
            tell(&mut Engine::new(AnySink::of_rows(&mut checked), &options), &objects)?;
            checked.into_inner()
        }
    };
    let CollectedBatches { schema, batches } = sink.into_drain();
    match schema {
        Some(schema) => Ok((schema, batches)),
        // Unreachable: the engine has called `begin` or failed.
        None => Err(PyValueError::new_err("there are no columns")),
    }
}

fn tell<K: EncodeSink>(engine: &mut Engine<'_, K>, objects: &Bound<'_, PyAny>) -> PyResult<()> {
    // SAFETY: the objects are held; the GIL is held.
    let told = engine.whole(unsafe { ObjectRef::new(objects.as_ptr()) }, &AtomicBool::new(false));
    told.map_err(|error| {
        let raised = engine.raised.take().map(|raised| *raised);
        exception(objects.py(), Failure::one(error, raised))
    })
}

fn list_of<'py>(objects: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyList>> {
    let listed = PyList::empty(objects.py());
    for object in objects.try_iter()? {
        listed.append(object?)?;
    }
    Ok(listed)
}

/// Returns `Sequence[record]`, which covers lists and tuples.
fn sequence_of<'py>(record: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    static SEQUENCE: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    SEQUENCE.import(record.py(), "collections.abc", "Sequence")?.get_item(record)
}
