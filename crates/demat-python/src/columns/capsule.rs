//! Arrow's PyCapsule interface: passes columns between libraries without a copy.
//!
//! <https://arrow.apache.org/docs/format/CDataInterface/PyCapsuleInterface.html>

use super::handed_out::HandedOut;
use super::reader_of;
use arrow_array::ffi::{FFI_ArrowSchema, to_ffi};
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{Array, RecordBatch, RecordBatchIterator, RecordBatchReader, StructArray};
use arrow_schema::{ArrowError, Schema, SchemaRef};
use demat_core::Shape;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::ffi::c_str;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyTuple};
use std::ffi::CStr;

pub(super) const STREAM: &CStr = c_str!("arrow_array_stream");
pub(super) const SCHEMA: &CStr = c_str!("arrow_schema");
pub(super) const ARRAY: &CStr = c_str!("arrow_array");

/// Returns a capsule with a stream of batches.
pub(super) fn stream(py: Python<'_>, reader: Box<dyn RecordBatchReader + Send>) -> PyResult<Bound<'_, PyCapsule>> {
    PyCapsule::new_with_value(py, FFI_ArrowArrayStream::new(Box::new(HandedOut::new(reader))), STREAM)
}

/// Returns a capsule with a stream of batches that are in memory.
pub(super) fn stream_of<'py>(
    py: Python<'py>,
    schema: &SchemaRef,
    batches: &[RecordBatch],
) -> PyResult<Bound<'py, PyCapsule>> {
    let batches: Vec<_> = batches.iter().cloned().map(Ok).collect();
    stream(py, Box::new(RecordBatchIterator::new(batches, schema.clone())))
}

/// Returns a capsule with a schema.
pub(super) fn schema<'py>(py: Python<'py>, schema: &SchemaRef) -> PyResult<Bound<'py, PyCapsule>> {
    let schema = FFI_ArrowSchema::try_from(&**schema).map_err(refused)?;
    PyCapsule::new_with_value(py, schema, SCHEMA)
}

/// Returns two capsules for a batch: its schema, and a struct array of its columns.
pub(super) fn array(py: Python<'_>, batch: RecordBatch) -> PyResult<Bound<'_, PyTuple>> {
    let of_batch = schema(py, &batch.schema())?;
    let (array, _) = to_ffi(&StructArray::from(batch).into_data()).map_err(refused)?;
    (of_batch, PyCapsule::new_with_value(py, array, ARRAY)?).into_pyobject(py)
}

/// Returns whether an object implements Arrow's PyCapsule interface.
///
/// # Errors
/// The exception that the object's attribute lookup raises.
pub(crate) fn is_arrow(object: &Bound<'_, PyAny>) -> PyResult<bool> {
    let py = object.py();
    Ok(object.hasattr(intern!(py, "__arrow_c_stream__"))? || object.hasattr(intern!(py, "__arrow_c_array__"))?)
}

/// Returns the shape of the records in an object's columns. Reads only the schema if the object exports it separately.
///
/// # Errors
/// As [`reader_of`]; an inner error if no shape corresponds to a column's type.
pub(crate) fn shape_of(object: &Bound<'_, PyAny>) -> PyResult<demat_core::Result<Shape>> {
    let py = object.py();
    let name = intern!(py, "__arrow_c_schema__");
    let Some(method) = object.getattr_opt(name)? else {
        return Ok(reader_of(object)?.shape());
    };
    let given = method.call0()?;
    let capsule = given.cast::<PyCapsule>().map_err(|_| no_capsule("__arrow_c_schema__", &given))?;
    let pointer = pointer_of::<FFI_ArrowSchema>(capsule, SCHEMA)?;
    // SAFETY: the capsule holds a schema, and is held while that is read.
    let schema = Schema::try_from(unsafe { &*pointer }).map_err(refused)?;
    Ok(demat_arrow::shape(&schema))
}

pub(super) fn pointer_of<T>(capsule: &Bound<'_, PyCapsule>, name: &CStr) -> PyResult<*mut T> {
    let pointer = capsule.pointer_checked(Some(name));
    pointer.map(|pointer| pointer.as_ptr().cast()).map_err(|_| {
        PyTypeError::new_err(format!("the capsule is not called {name:?}, as Arrow's PyCapsule interface wants it"))
    })
}

pub(super) fn no_capsule(method: &str, given: &Bound<'_, PyAny>) -> PyErr {
    let class = given.get_type().name().map_or_else(|_| "something else".to_string(), |name| name.to_string());
    PyTypeError::new_err(format!("{method} gave no capsule, but {class}"))
}

#[allow(clippy::needless_pass_by_value)] // the signature that `map_err` needs
pub(super) fn refused(error: ArrowError) -> PyErr {
    PyValueError::new_err(format!("the columns can't be handed over: {error}"))
}
