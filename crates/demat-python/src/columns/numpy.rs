//! Converts columns to NumPy arrays. NumPy is imported at the first use.

use super::View;
use crate::decode::{self, DecodeOptions};
use crate::format::Format;
use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, RecordBatch};
use arrow_buffer::{Buffer, NullBuffer};
use arrow_schema::{DataType, Field, Schema, TimeUnit};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use std::sync::Arc;

/// The NumPy types of a column of numbers.
struct Layout {
    /// The type of the values in memory.
    raw: &'static str,
    /// The type of the resulting array, if it differs.
    seen: Option<&'static str>,
}

fn layout(kind: &DataType) -> Option<Layout> {
    let plain = |raw| Some(Layout { raw, seen: None });
    let seen = |seen| Some(Layout { raw: "<i8", seen: Some(seen) });
    match kind {
        DataType::Int8 => plain("|i1"),
        DataType::Int16 => plain("<i2"),
        DataType::Int32 => plain("<i4"),
        DataType::Int64 => plain("<i8"),
        DataType::UInt8 => plain("|u1"),
        DataType::UInt16 => plain("<u2"),
        DataType::UInt32 => plain("<u4"),
        DataType::UInt64 => plain("<u8"),
        DataType::Float16 => plain("<f2"),
        DataType::Float32 => plain("<f4"),
        DataType::Float64 => plain("<f8"),
        DataType::Date32 => Some(Layout { raw: "<i4", seen: Some("datetime64[D]") }),
        DataType::Timestamp(TimeUnit::Second, _) => seen("datetime64[s]"),
        DataType::Timestamp(TimeUnit::Millisecond, _) => seen("datetime64[ms]"),
        DataType::Timestamp(TimeUnit::Microsecond, _) => seen("datetime64[us]"),
        DataType::Timestamp(TimeUnit::Nanosecond, _) => seen("datetime64[ns]"),
        DataType::Duration(TimeUnit::Second) => seen("timedelta64[s]"),
        DataType::Duration(TimeUnit::Millisecond) => seen("timedelta64[ms]"),
        DataType::Duration(TimeUnit::Microsecond) => seen("timedelta64[us]"),
        DataType::Duration(TimeUnit::Nanosecond) => seen("timedelta64[ns]"),
        _ => None,
    }
}

/// Converts a column to one array.
///
/// # Errors
/// `ModuleNotFoundError` without NumPy.
pub(super) fn array<'py>(py: Python<'py>, field: &Field, chunks: &[ArrayRef]) -> PyResult<Bound<'py, PyAny>> {
    let numpy = py.import(intern!(py, "numpy"))?;
    let made = if let Some(layout) = layout(field.data_type()) {
        numbers(&numpy, &layout, chunks)?
    } else if *field.data_type() == DataType::Boolean {
        bools(&numpy, chunks)?
    } else {
        return objects(&numpy, field, chunks);
    };
    if chunks.iter().all(|chunk| chunk.null_count() == 0) {
        return Ok(made);
    }
    let masks = PyList::empty(py);
    for chunk in chunks {
        masks.append(mask(&numpy, chunk.nulls(), chunk.len())?)?;
    }
    let given = PyDict::new(py);
    given.set_item("mask", joined(&numpy, &masks, "?")?)?;
    py.import(intern!(py, "numpy.ma"))?.getattr(intern!(py, "array"))?.call((made,), Some(&given))
}

fn numbers<'py>(numpy: &Bound<'py, PyModule>, layout: &Layout, chunks: &[ArrayRef]) -> PyResult<Bound<'py, PyAny>> {
    let py = numpy.py();
    let parts = PyList::empty(py);
    for chunk in chunks {
        let data = chunk.to_data();
        let width = data.data_type().primitive_width().unwrap_or(1);
        let buffer = data.buffers()[0].slice_with_length(data.offset() * width, data.len() * width);
        parts.append(from_buffer(numpy, buffer, layout.raw)?)?;
    }
    let whole = joined(numpy, &parts, layout.raw)?;
    match layout.seen {
        None => Ok(whole),
        Some(seen) if layout.raw == "<i8" => whole.call_method1(intern!(py, "view"), (seen,)),
        // Arrow's dates have 32 bits, NumPy's times 64.
        Some(seen) => whole.call_method1("astype", ("<i8",))?.call_method1(intern!(py, "view"), (seen,)),
    }
}

fn bools<'py>(numpy: &Bound<'py, PyModule>, chunks: &[ArrayRef]) -> PyResult<Bound<'py, PyAny>> {
    let parts = PyList::empty(numpy.py());
    for chunk in chunks {
        let values = chunk.as_boolean().values();
        let bytes: Vec<u8> = values.iter().map(u8::from).collect();
        parts.append(from_buffer(numpy, Buffer::from_vec(bytes), "?")?)?;
    }
    joined(numpy, &parts, "?")
}

/// Returns the mask of a masked array: true for null values.
fn mask<'py>(numpy: &Bound<'py, PyModule>, nulls: Option<&NullBuffer>, len: usize) -> PyResult<Bound<'py, PyAny>> {
    let bytes: Vec<u8> = match nulls {
        Some(nulls) => nulls.iter().map(|valid| u8::from(!valid)).collect(),
        None => vec![0; len],
    };
    from_buffer(numpy, Buffer::from_vec(bytes), "?")
}

fn from_buffer<'py>(numpy: &Bound<'py, PyModule>, buffer: Buffer, kind: &str) -> PyResult<Bound<'py, PyAny>> {
    // `frombuffer` refuses empty buffers.
    if buffer.is_empty() {
        return numpy.getattr(intern!(numpy.py(), "empty"))?.call1((0, kind));
    }
    let view = Bound::new(numpy.py(), View::new(buffer))?;
    numpy.getattr(intern!(numpy.py(), "frombuffer"))?.call1((view, kind))
}

/// Concatenates arrays; returns a single one as it is.
fn joined<'py>(numpy: &Bound<'py, PyModule>, parts: &Bound<'py, PyList>, kind: &str) -> PyResult<Bound<'py, PyAny>> {
    match parts.len() {
        0 => numpy.getattr(intern!(numpy.py(), "empty"))?.call1((0, kind)),
        1 => parts.get_item(0),
        _ => numpy.getattr(intern!(numpy.py(), "concatenate"))?.call1((parts,)),
    }
}

fn objects<'py>(numpy: &Bound<'py, PyModule>, field: &Field, chunks: &[ArrayRef]) -> PyResult<Bound<'py, PyAny>> {
    let py = numpy.py();
    let schema = Arc::new(Schema::new(vec![field.clone()]));
    let batches = chunks.iter().map(|chunk| {
        let batch = RecordBatch::try_new(schema.clone(), vec![chunk.clone()]);
        batch.map_err(|error| {
            demat_core::Error::new(demat_core::ErrorKind::Store, "the column is none of its field").because(error)
        })
    });
    let values = decode::column(py, batches, &DecodeOptions::new(Format::DEFAULT))?;
    // Not `numpy.array`, which would turn lists into further dimensions.
    let given = PyDict::new(py);
    given.set_item("dtype", "O")?;
    given.set_item("count", values.len())?;
    numpy.getattr(intern!(py, "fromiter"))?.call((values,), Some(&given))
}
