//! Batches and arrays that other libraries export by Arrow's PyCapsule interface.

use super::capsule::{ARRAY, SCHEMA, STREAM, no_capsule, pointer_of, refused};
use arrow_array::cast::AsArray;
use arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema, from_ffi_and_data_type};
use arrow_array::ffi_stream::{ArrayStreamReader, FFI_ArrowArrayStream};
use arrow_array::{Array, ArrayReader, ArrayRef, RecordBatch, RecordBatchOptions, make_array};
use arrow_schema::{ArrowError, DataType, Field, FieldRef, Schema, SchemaRef};
use demat_arrow::{ArrowSource, Integrity, values_shape};
use demat_core::{Error, ErrorKind, Result, Shape};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

type Arrays = Box<dyn Iterator<Item = Result<ArrayRef, ArrowError>> + Send>;
type Batches = Box<dyn Iterator<Item = Result<RecordBatch, ArrowError>> + Send>;

/// The batches that an object exports, each checked before it is returned.
pub(crate) struct ArrowReader {
    pub(crate) schema: SchemaRef,
    batches: Batches,
    /// Whether the rows are the values of the only column, and no records.
    values: bool,
    integrity: Integrity,
    failed: bool,
}

impl ArrowReader {
    /// Returns the shape of the records, or of the values.
    ///
    /// # Errors
    /// If no shape corresponds to a column's type.
    pub(crate) fn shape(&self) -> Result<Shape> {
        if self.values { values_shape(self.schema.field(0)) } else { demat_arrow::shape(&self.schema) }
    }

    /// Returns the source of the records, or of the values.
    pub(crate) fn into_source(self) -> ArrowSource<Self> {
        if self.values { ArrowSource::of_values(self) } else { ArrowSource::new(self) }
    }
}

impl Iterator for ArrowReader {
    type Item = Result<RecordBatch>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.failed {
            return None;
        }
        let batches = &mut self.batches;
        // The import panics for some arrays that are not of their type.
        let next = catch_unwind(AssertUnwindSafe(|| batches.next())).unwrap_or_else(|_| {
            Some(Err(ArrowError::CDataInterface("an array is not of the type that its schema says".to_string())))
        })?;
        let batch = next.map_err(|error| Error::new(ErrorKind::Store, "the columns can't be had").because(error));
        let batch = batch.and_then(|batch| self.integrity.check(&batch).map(|()| batch));
        self.failed = batch.is_err();
        Some(batch)
    }
}

/// Returns the batches of an object.
///
/// # Errors
/// `TypeError` if the object exports no stream or array, or no records; the exceptions it raises.
pub(crate) fn reader_of(object: &Bound<'_, PyAny>) -> PyResult<ArrowReader> {
    let (field, arrays) = imported(object)?;
    let DataType::Struct(_) = field.data_type() else {
        let message = format!("columns are those of records, and this is an array of {}", field.data_type());
        return Err(PyTypeError::new_err(message));
    };
    Ok(records(&field, arrays))
}

/// Returns the batches of an object, or the values of an array or a stream of arrays that are no records.
///
/// # Errors
/// `TypeError` if the object exports no stream or array; the exceptions it raises.
pub(crate) fn reader_of_any(object: &Bound<'_, PyAny>) -> PyResult<ArrowReader> {
    let (field, arrays) = imported(object)?;
    match field.data_type() {
        DataType::Struct(_) if field.is_nullable() => {
            // An array of records, and no table. Its parts are in memory.
            let arrays: Vec<_> = arrays.collect();
            let nulls = arrays.iter().flatten().any(|array| array.null_count() > 0);
            let arrays = Box::new(arrays.into_iter());
            Ok(if nulls { values(&field, arrays) } else { records(&field, arrays) })
        }
        DataType::Struct(_) => Ok(records(&field, arrays)),
        _ => Ok(values(&field, arrays)),
    }
}

fn new(schema: SchemaRef, batches: Batches, values: bool) -> ArrowReader {
    ArrowReader { schema, batches, values, integrity: Integrity::default(), failed: false }
}

/// Returns the records of struct arrays.
fn records(field: &Field, arrays: Arrays) -> ArrowReader {
    let fields = match field.data_type() {
        DataType::Struct(fields) => fields.clone(),
        _ => arrow_schema::Fields::empty(),
    };
    let schema = Arc::new(Schema::new(fields).with_metadata(field.metadata().clone()));
    let own = schema.clone();
    let batches = arrays.map(move |array| {
        let array = array?;
        let records = array.as_struct();
        if records.null_count() > 0 {
            let message = "columns are those of records, and some of these are null";
            return Err(ArrowError::InvalidArgumentError(message.to_string()));
        }
        batch(&own, records.columns().to_vec(), records.len())
    });
    new(schema, Box::new(batches), false)
}

/// Returns arrays as batches of one column.
fn values(field: &FieldRef, arrays: Arrays) -> ArrowReader {
    let schema = Arc::new(Schema::new(vec![field.clone()]));
    let own = schema.clone();
    let batches = arrays.map(move |array| array.and_then(|array| batch(&own, vec![array.clone()], array.len())));
    new(schema, Box::new(batches), true)
}

fn batch(schema: &SchemaRef, columns: Vec<ArrayRef>, rows: usize) -> Result<RecordBatch, ArrowError> {
    let options = RecordBatchOptions::new().with_row_count(Some(rows));
    RecordBatch::try_new_with_options(schema.clone(), columns, &options)
}

/// Returns the arrays that an object exports, and their field.
fn imported(object: &Bound<'_, PyAny>) -> PyResult<(FieldRef, Arrays)> {
    let py = object.py();
    let (field, arrays) = if let Some(method) = object.getattr_opt(intern!(py, "__arrow_c_stream__"))? {
        let given = method.call0()?;
        let capsule = given.cast::<PyCapsule>().map_err(|_| no_capsule("__arrow_c_stream__", &given))?;
        let pointer = pointer_of::<FFI_ArrowArrayStream>(capsule, STREAM)?;
        // SAFETY: the capsule holds a stream with no other reader, as the interface demands. The stream is moved out,
        // which leaves a released one in the capsule.
        let reader = unsafe { ArrayStreamReader::from_raw(pointer) }.map_err(refused)?;
        (reader.field().clone(), Box::new(reader) as Arrays)
    } else {
        of_array(&object.call_method0(intern!(py, "__arrow_c_array__"))?)?
    };
    if has_pointers(field.data_type()) && is_of_polars(object)? {
        let message = "a column of the polars type `Object` holds Python objects, which are addresses in Arrow: cast \
                       it to another type, or encode `to_dicts()`";
        return Err(PyTypeError::new_err(message));
    }
    Ok((field, arrays))
}

fn of_array(given: &Bound<'_, PyAny>) -> PyResult<(FieldRef, Arrays)> {
    let (schema, array): (Bound<'_, PyAny>, Bound<'_, PyAny>) =
        given.extract().map_err(|_| no_capsule("__arrow_c_array__", given))?;
    let schema = schema.cast::<PyCapsule>().map_err(|_| no_capsule("__arrow_c_array__", given))?;
    let array = array.cast::<PyCapsule>().map_err(|_| no_capsule("__arrow_c_array__", given))?;
    let schema = pointer_of::<FFI_ArrowSchema>(schema, SCHEMA)?;
    let array = pointer_of::<FFI_ArrowArray>(array, ARRAY)?;
    // SAFETY: the capsule holds a schema, and is held while that is read.
    let field = Arc::new(Field::try_from(unsafe { &*schema }).map_err(refused)?);
    let data_type = field.data_type().clone();
    // SAFETY: the capsule holds an array, as the interface demands. It is moved out, which leaves an empty one.
    let array = unsafe { FFI_ArrowArray::from_raw(array) };
    let made = catch_unwind(AssertUnwindSafe(|| {
        // SAFETY: the array is of the schema's type, as the interface demands; what it holds is checked afterwards.
        unsafe { from_ffi_and_data_type(array, data_type) }.map(make_array)
    }));
    let unlike = |_| PyValueError::new_err("the array is not of the type that its schema says");
    let made = made.map_err(unlike)?.map_err(refused)?;
    Ok((field, Box::new(std::iter::once(Ok(made)))))
}

/// Whether a type is one that polars exports `Object` as: bytes of a pointer's size, and no mark. Polars has no type of
/// bytes of a fixed size.
fn has_pointers(data_type: &DataType) -> bool {
    match data_type {
        DataType::FixedSizeBinary(size) => usize::try_from(*size) == Ok(size_of::<usize>()),
        DataType::Struct(fields) => fields.iter().any(|field| has_pointers(field.data_type())),
        DataType::List(item) | DataType::LargeList(item) | DataType::FixedSizeList(item, _) => {
            has_pointers(item.data_type())
        }
        _ => false,
    }
}

/// Whether a class of polars is among the object's.
fn is_of_polars(object: &Bound<'_, PyAny>) -> PyResult<bool> {
    let py = object.py();
    for class in object.get_type().mro() {
        let module = class.getattr(intern!(py, "__module__"))?;
        let module = module.extract::<String>().unwrap_or_default();
        if module == "polars" || module.starts_with("polars.") {
            return Ok(true);
        }
    }
    Ok(false)
}
