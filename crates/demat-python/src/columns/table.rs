use super::{capsule, numpy};
use crate::decode::{self, DecodeOptions, given_type};
use arrow_array::RecordBatch;
use arrow_schema::SchemaRef;
use pyo3::PyTypeInfo;
use pyo3::exceptions::{PyKeyError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict, PyList, PyString, PyTuple};

/// Columns of records, in Arrow's memory.
///
/// Libraries that support Arrow's PyCapsule interface take them without a copy: `pyarrow.table(columns)`,
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

    /// Returns the records as objects. Paths in errors count on from the number of records before.
    fn records_behind<'py>(
        &self,
        py: Python<'py>,
        r#type: Option<&Bound<'py, PyAny>>,
        first: usize,
    ) -> PyResult<Bound<'py, PyAny>> {
        let options = DecodeOptions::of_rows();
        let listed = match r#type {
            Some(record) => Some(PyList::type_object(py).get_item(record)?),
            None => None,
        };
        let plan = decode::planned(py, listed.as_ref(), &options)?;
        decode::columns(py, self.batches.iter().cloned().map(Ok), plan.as_ref().map(Bound::get), &options, first)
    }

    fn numpy_of<'py>(&self, py: Python<'py>, index: usize) -> PyResult<Bound<'py, PyAny>> {
        let chunks: Vec<_> = self.batches.iter().map(|batch| batch.column(index).clone()).collect();
        numpy::array(py, self.schema.field(index), &chunks)
    }
}

/// Returns the records of a part of a table, as `Columns.records`; `first` records are before it.
///
/// # Errors
/// As `Columns.records`.
#[pyfunction]
#[allow(clippy::needless_pass_by_value)] // PyO3 passes arguments by value
#[pyo3(signature = (columns, first, r#type=None))]
pub(crate) fn records_behind<'py>(
    columns: &Bound<'py, Columns>,
    first: usize,
    #[pyo3(from_py_with = given_type)] r#type: Option<Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    columns.get().records_behind(columns.py(), r#type.as_ref(), first)
}

#[pymethods]
impl Columns {
    /// The names of the columns, in their order.
    #[getter]
    fn names<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.schema.fields().iter().map(|field| field.name()))
    }

    /// The size of the columns in memory, in bytes.
    #[getter]
    fn nbytes(&self) -> usize {
        self.batches.iter().map(RecordBatch::get_array_memory_size).sum()
    }

    /// Returns the columns as a dict of NumPy arrays by name, or the named column as an array.
    ///
    /// Numbers are copied only if they are in several batches. Dates, datetimes with or without an offset, and
    /// durations become `datetime64[D]`, `datetime64[us]` and `timedelta64[us]`. Numbers and times with nulls become a
    /// masked array. Values that NumPy has no type for (text, decimals, lists, records) become an array of objects,
    /// with None for nulls. Raises ModuleNotFoundError without NumPy, and KeyError for an unknown column.
    ///
    /// >>> import demat
    /// >>> columns = demat.csv.columns(b"id,title\n1,a\n2,b\n")
    /// >>> int(columns.numpy("id").sum())
    /// 3
    /// >>> sorted(columns.numpy())
    /// ['id', 'title']
    #[allow(clippy::doc_link_with_quotes)] // a Python list
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

    /// Returns the named column as a NumPy array, as [`numpy`](Self::numpy) does.
    ///
    /// Raises KeyError for an unknown column, and TypeError for what is no name.
    fn __getitem__<'py>(&self, py: Python<'py>, name: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        if let Ok(name) = name.cast::<PyString>() {
            return self.numpy(py, Some(name.to_str()?));
        }
        let found = name.get_type().name()?;
        Err(PyTypeError::new_err(format!("columns have names: give a str, not {found}")))
    }

    /// Whether there is a column of this name.
    fn __contains__(&self, name: &Bound<'_, PyAny>) -> bool {
        let name = name.cast::<PyString>().ok().and_then(|name| name.to_str().ok());
        name.is_some_and(|name| self.schema.index_of(name).is_ok())
    }

    /// Returns the records as a list of objects of any type that decoders accept; without one, of dicts.
    ///
    /// Raises `demat.ValidationError` if a record does not match the type.
    ///
    /// >>> import demat
    /// >>> demat.csv.columns(b"id,title\n1,a\n").records()
    /// [{'id': 1, 'title': 'a'}]
    #[allow(clippy::needless_pass_by_value)] // PyO3 passes arguments by value
    #[pyo3(signature = (r#type=None), text_signature = "($self, type=...)")]
    fn records<'py>(
        &self,
        py: Python<'py>,
        #[pyo3(from_py_with = given_type)] r#type: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.records_behind(py, r#type.as_ref(), 0)
    }

    /// Returns the batches, each as columns of its own.
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
        let _ = requested_schema; // a hint, which the interface allows to ignore
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
