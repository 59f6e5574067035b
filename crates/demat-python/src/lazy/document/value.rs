use super::access::By;
use super::decode::{Scalar, scalar};
use super::iterate::{LazyIterator, Over};
use super::keys::Keys;
use super::visit::SpanOf;
use super::whole::Document;
use crate::decode::{self, DecodeOptions};
use crate::error::{exception, in_python};
use crate::raw::Raw;
use demat_core::{Error, ErrorKind, Kind};
use demat_formats::lookup::{Items, Spot};
use demat_formats::stream::{RecordPath, Step};
use pyo3::basic::CompareOp;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use pyo3::{PyTraverseError, PyVisit};
use std::sync::atomic::AtomicBool;
use std::sync::{Mutex, OnceLock};

/// A value in a document that is not decoded yet: what `lazy` of a format returns, and its children.
#[pyclass(frozen, weakref, name = "LazyValue", module = "demat")]
pub(crate) struct LazyValue {
    document: Py<Document>,
    pub(super) spot: Spot,
    pub(super) kind: OnceLock<Kind>,
    /// Whether a key was looked up already.
    pub(super) is_looked_up: AtomicBool,
    pub(super) keys: OnceLock<Box<Keys>>,
    pub(super) items: Mutex<Items>,
}

impl LazyValue {
    pub(super) fn new(document: Py<Document>, spot: Spot) -> Self {
        Self {
            document,
            spot,
            kind: OnceLock::new(),
            is_looked_up: AtomicBool::new(false),
            keys: OnceLock::new(),
            items: Mutex::default(),
        }
    }

    pub(super) fn document(&self) -> &Document {
        self.document.get()
    }

    /// Returns another value of the document.
    pub(super) fn at_spot<'py>(&self, py: Python<'py>, spot: Spot) -> PyResult<Bound<'py, Self>> {
        Bound::new(py, Self::new(self.document.clone_ref(py), spot))
    }

    fn scalar<'py>(&self, py: Python<'py>, wanted: Scalar) -> PyResult<Bound<'py, PyAny>> {
        let options = DecodeOptions::new(self.document().format);
        self.document().value(py, self.spot, scalar(wanted), &options).map(|value| value.into_bound(py))
    }

    fn span(&self, py: Python<'_>) -> PyResult<Vec<u8>> {
        let span = self.document().at(self.spot, SpanOf(self.spot))?.and_then(|span| span);
        span.map_err(|error| self.outer_exception(py, error))
    }

    /// Returns the encoded value, for an encoder.
    pub(crate) fn as_raw(&self, py: Python<'_>) -> PyResult<Raw> {
        let bytes = PyBytes::new(py, &self.span(py)?).unbind();
        Ok(Raw { bytes, format: self.document().format })
    }
}

#[pymethods]
impl LazyValue {
    fn __getitem__<'py>(&self, key: &Bound<'py, PyAny>) -> PyResult<Bound<'py, Self>> {
        let py = key.py();
        let by = self.by(key)?;
        match self.child(py, &by)? {
            Some(spot) => self.at_spot(py, spot),
            None => Err(self.no_child(py, &by)),
        }
    }

    /// Returns the value of a key, or the item with an index; `default` if there is none.
    #[pyo3(signature = (key, default=None, /))]
    fn get<'py>(
        &self,
        key: &Bound<'py, PyAny>,
        default: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        let py = key.py();
        match self.child(py, &self.by(key)?)? {
            Some(spot) => Ok(Some(self.at_spot(py, spot)?.into_any())),
            None => Ok(default),
        }
    }

    /// Returns the value at a path, such as `users[3].name`.
    #[pyo3(signature = (path, /))]
    fn at<'py>(slf: &Bound<'py, Self>, path: &str) -> PyResult<Bound<'py, Self>> {
        let py = slf.py();
        let whole = match path.chars().next() {
            Some('$') => path.to_owned(),
            Some('[') | None => format!("${path}"),
            Some(_) => format!("$.{path}"),
        };
        let way: RecordPath = whole.parse().map_err(|error: Error| PyValueError::new_err(error.to_string()))?;
        let mut value = slf.clone();
        for step in way.steps() {
            let key = match step {
                Step::Key(key) => key.into_pyobject(py)?.into_any(),
                Step::Index(index) => {
                    value.get().must_be(py, Kind::List, "list")?;
                    index.into_pyobject(py)?.into_any()
                }
                _ => {
                    return Err(PyValueError::new_err(format!(
                        "a path to one value is needed, and `{path}` has several"
                    )));
                }
            };
            value = value.get().__getitem__(&key)?;
        }
        Ok(value)
    }

    fn __contains__(&self, key: &Bound<'_, PyAny>) -> PyResult<bool> {
        self.child(key.py(), &By::Key(key)).map(|found| found.is_some())
    }

    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        self.len(py)
    }

    /// As the decoded value's: false for what is empty, for 0, false and null.
    fn __bool__(&self, py: Python<'_>) -> PyResult<bool> {
        match self.kind_of(py)? {
            Kind::List => self.is_filled(py, false),
            Kind::Map => self.is_filled(py, true),
            _ => self.value(py)?.is_truthy(),
        }
    }

    fn __iter__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let (py, own) = (slf.py(), slf.get());
        match own.kind_of(py)? {
            Kind::Map => Ok(own.keys(py)?.numbers.bind(py).as_any().try_iter()?.into_any()),
            Kind::List => Ok(Bound::new(py, LazyIterator::over_items(slf))?.into_any()),
            _ => Err(own.document().mismatch(py, own.spot, "dict or list")),
        }
    }

    /// Returns a view of the keys, as `dict.keys` does.
    #[pyo3(name = "keys")]
    fn keys_view<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.keys(py)?.numbers.bind(py).call_method0("keys")
    }

    /// Returns an iterator over the values of a dict.
    fn values<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, LazyIterator>> {
        Bound::new(slf.py(), LazyIterator::over_map(slf, Over::Values)?)
    }

    /// Returns an iterator over the pairs of key and value of a dict.
    fn items<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, LazyIterator>> {
        Bound::new(slf.py(), LazyIterator::over_map(slf, Over::Pairs)?)
    }

    /// The kind of the value, as errors name it: `dict`, `list`, `str`, `int`, `float`, `bool`, `None`, `bytes`, …
    #[getter]
    fn kind(&self, py: Python<'_>) -> PyResult<String> {
        Ok(in_python(self.kind_of(py)?.name()))
    }

    /// Decodes the value as an int.
    fn int<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.scalar(py, Scalar::Int)
    }

    /// Decodes the value as a float. An int is one, too.
    fn float<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.scalar(py, Scalar::Float)
    }

    /// Decodes the value as a str.
    fn str<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.scalar(py, Scalar::Str)
    }

    /// Decodes the value as a bool.
    fn bool<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.scalar(py, Scalar::Bool)
    }

    /// Decodes the value as bytes: base64 in formats of text.
    fn bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.scalar(py, Scalar::Bytes)
    }

    /// Decodes the value without a type.
    fn value<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let options = DecodeOptions::new(self.document().format);
        self.document().value(py, self.spot, decode::untyped(), &options).map(|value| value.into_bound(py))
    }

    /// Decodes the value as a type.
    #[allow(clippy::needless_pass_by_value)] // PyO3 passes arguments by value
    #[pyo3(signature = (r#type=None, **options), text_signature = "($self, type=..., **options)")]
    fn decode<'py>(
        &self,
        py: Python<'py>,
        #[pyo3(from_py_with = decode::given_type)] r#type: Option<Bound<'py, PyAny>>,
        options: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let format = self.document().format;
        for name in options.into_iter().flat_map(PyDictMethods::keys) {
            let name = name.extract::<String>()?;
            if name == "lazy" || format.read_setting(&name).is_some() {
                return Err(PyTypeError::new_err(format!("{name}= is not for a part of a document")));
            }
        }
        let options = DecodeOptions::parse(format, options)?;
        let plan = decode::planned(py, r#type.as_ref(), &options)?;
        let program = match &plan {
            Some(plan) => &plan.get().program,
            None => decode::untyped(),
        };
        self.document().value(py, self.spot, program, &options).map(|value| value.into_bound(py))
    }

    /// Checks all of the value, as `decode` without a type does.
    fn validate(&self, py: Python<'_>) -> PyResult<()> {
        self.value(py).map(drop)
    }

    /// The value's bytes as they stand in the document, with their format.
    #[getter]
    fn raw(&self, py: Python<'_>) -> PyResult<Raw> {
        self.as_raw(py)
    }

    fn __bytes__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        Ok(PyBytes::new(py, &self.span(py)?))
    }

    /// The way to the value, as errors write it: `$.users[3]`. It takes time linear in the document before the value.
    #[getter]
    fn path(&self, py: Python<'_>) -> PyResult<String> {
        let way = self.document().way(self.spot)?.map_err(|error| exception(py, error.into()))?;
        let error = Error::new(ErrorKind::Constraint, "");
        Ok(way.iter().rev().fold(error, |error, step| step.around(error)).path())
    }

    /// Releases the document's bytes, and closes a mapped file. Its lazy values raise ValueError from then on.
    fn close(&self) -> PyResult<()> {
        self.document().close()
    }

    fn __enter__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, Self>> {
        slf.get().document().lent()?;
        Ok(slf.clone())
    }

    #[pyo3(signature = (class_, value, trace, /))]
    fn __exit__(&self, class_: &Bound<'_, PyAny>, value: &Bound<'_, PyAny>, trace: &Bound<'_, PyAny>) -> PyResult<()> {
        let _ = (class_, value, trace);
        self.close()
    }

    /// Compares the decoded value.
    fn __richcmp__<'py>(&self, other: &Bound<'py, PyAny>, operator: CompareOp) -> PyResult<Bound<'py, PyAny>> {
        let py = other.py();
        if !matches!(operator, CompareOp::Eq | CompareOp::Ne) {
            return Ok(py.NotImplemented().into_bound(py));
        }
        let own = self.value(py)?;
        match other.cast::<Self>() {
            Ok(other) => own.rich_compare(other.get().value(py)?, operator),
            Err(_) => own.rich_compare(other, operator),
        }
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        let name = self.document().format.name();
        match self.kind(py) {
            Ok(kind) => format!("<demat.LazyValue: {kind} of {name} at byte {}>", self.spot.start()),
            Err(_) => format!("<demat.LazyValue: no value of {name} at byte {}>", self.spot.start()),
        }
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.document)?;
        self.keys.get().map_or(Ok(()), |keys| visit.call(&keys.numbers))
    }
}
