use super::{capsule, numpy};
use crate::decode::{self, DecodeOptions, given_type};
use crate::format::Format;
use arrow_array::RecordBatch;
use arrow_schema::SchemaRef;
use pyo3::PyTypeInfo;
use pyo3::exceptions::{PyKeyError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict, PyList, PyTuple};

/// Columns of records, in Arrow's memory.
///
/// Whatever takes Arrow's PyCapsule interface takes them without a copy: `pyarrow.table(columns)`,
/// `polars.DataFrame(columns)`, `duckdb.sql("from columns")`, `pandas.DataFrame.from_arrow(columns)`.
///
/// >>> import demat
/// >>> columns = demat.json.columns(b'[{"id": 1, "title": "a"}, {"id": 2, "title": "b"}]')
/// >>> columns
/// <demat.Columns of 2 records: id: Int64, title: Utf8>
/// >>> len(columns), columns.names
/// (2, ('id', 'title'))
#[pyclass(frozen, module = "demat", weakref)]
pub(crate) struct Columns {
    schema: SchemaRef,
    batches: Vec<RecordBatch>,
}

impl Columns {
    pub(super) fn new(schema: SchemaRef, batches: Vec<RecordBatch>) -> Self {
        Self { schema, batches }
    }

    fn rows(&self) -> usize {
        self.batches.iter().map(RecordBatch::num_rows).sum()
    }

    fn numpy_of<'py>(&self, py: Python<'py>, index: usize) -> PyResult<Bound<'py, PyAny>> {
        let chunks: Vec<_> = self.batches.iter().map(|batch| batch.column(index).clone()).collect();
        numpy::array(py, self.schema.field(index), &chunks)
    }
}

#[pymethods]
impl Columns {
    /// The names of the columns, in their order.
    #[getter]
    fn names<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.schema.fields().iter().map(|field| field.name()))
    }

    /// How many bytes of memory they take.
    #[getter]
    fn nbytes(&self) -> usize {
        self.batches.iter().map(RecordBatch::get_array_memory_size).sum()
    }

    /// The columns as NumPy's arrays, by name; or one of them, if it is named.
    ///
    /// Numbers are not copied where they are in one piece. Dates, datetimes with an offset or without, and durations are
    /// `datetime64[D]`, `datetime64[us]` and `timedelta64[us]`. Where numbers or times are null the array is a masked one; what NumPy has no
    /// numbers for (text, decimals, lists, records) is an array of objects, with None where it is null. Raises
    /// ModuleNotFoundError where there is no NumPy, and KeyError where there is no such column.
    ///
    /// >>> import demat
    /// >>> columns = demat.csv.columns(b"id,title\n1,a\n2,b\n")
    /// >>> int(columns.numpy("id").sum())
    /// 3
    /// >>> sorted(columns.numpy())
    /// ['id', 'title']
    #[allow(clippy::doc_link_with_quotes)] // a list of Python's
    #[pyo3(signature = (name=None))]
    fn numpy<'py>(&self, py: Python<'py>, name: Option<&str>) -> PyResult<Bound<'py, PyAny>> {
        if let Some(name) = name {
            let index = self.schema.index_of(name).map_err(|_| PyKeyError::new_err(name.to_string()))?;
            return self.numpy_of(py, index);
        }
        let arrays = PyDict::new(py);
        for (index, field) in self.schema.fields().iter().enumerate() {
            arrays.set_item(field.name(), self.numpy_of(py, index)?)?;
        }
        Ok(arrays.into_any())
    }

    /// The records as a list of objects of a type: any that decoders take; without one, dicts.
    ///
    /// Raises `demat.ValidationError` where a record is not of the type.
    ///
    /// >>> import demat
    /// >>> demat.csv.columns(b"id,title\n1,a\n").records()
    /// [{'id': 1, 'title': 'a'}]
    #[allow(clippy::needless_pass_by_value)] // so arguments come
    #[pyo3(signature = (r#type=None), text_signature = "($self, type=...)")]
    fn records<'py>(
        &self,
        py: Python<'py>,
        #[pyo3(from_py_with = given_type)] r#type: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let options = DecodeOptions::new(Format::DEFAULT);
        let listed = match &r#type {
            Some(record) => Some(PyList::type_object(py).get_item(record)?),
            None => None,
        };
        let plan = decode::planned(py, listed.as_ref(), &options)?;
        decode::columns(py, self.batches.iter().cloned().map(Ok), plan.as_ref().map(Bound::get), &options)
    }

    /// Iterates over the batches, each as columns of its own.
    fn batches<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let each = self.batches.iter().map(|batch| Self::new(self.schema.clone(), vec![batch.clone()]));
        PyList::new(py, each.map(|one| Bound::new(py, one)).collect::<PyResult<Vec<_>>>()?)
    }

    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        let _ = requested_schema; // the interface lets it be what it is
        capsule::stream_of(py, &self.schema, &self.batches)
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        capsule::schema(py, &self.schema)
    }

    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_array__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyTuple>> {
        let _ = requested_schema;
        let batch = match &*self.batches {
            [] => RecordBatch::new_empty(self.schema.clone()),
            [batch] => batch.clone(),
            _ => {
                let message = format!("these columns are in {} pieces: ask for the stream", self.batches.len());
                return Err(PyValueError::new_err(message));
            }
        };
        capsule::array(py, batch)
    }

    fn __len__(&self) -> usize {
        self.rows()
    }

    fn __repr__(&self) -> String {
        let columns: Vec<_> =
            self.schema.fields().iter().map(|field| format!("{}: {}", field.name(), field.data_type())).collect();
        format!("<demat.Columns of {} records: {}>", self.rows(), columns.join(", "))
    }
}
