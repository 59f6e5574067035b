use crate::bounded::Bounded;
use crate::columns;
use crate::decode::{self, DecodeOptions};
use crate::encode::{self, EncodeOptions, Writer};
use crate::format::Format;
use crate::lazy;
use crate::plan::{self, Plan};
use crate::quick;
use crate::read;
use pyo3::exceptions::PyTypeError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBytes, PyDict};
use pyo3::{Borrowed, ffi};

/// The functions of a format's module (`decode`, `encode`, `read`, …), as methods of one object per format.
#[pyclass(frozen, name = "Format", module = "demat._native")]
pub(crate) struct Verbs {
    format: Format,
    usual: DecodeOptions,
    usual_writing: EncodeOptions,
}

impl Verbs {
    /// Creates the object for a format.
    ///
    /// # Errors
    /// Never fails in practice: the default options are valid.
    pub(crate) fn new(format: Format) -> PyResult<Self> {
        Ok(Self { format, usual: DecodeOptions::new(format), usual_writing: EncodeOptions::parse(format, None)? })
    }
}

static USUAL_DECODE: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
static USUAL_ENCODE: PyOnceLock<Py<PyAny>> = PyOnceLock::new();

/// Installs the fast paths of `decode` and `encode`, which small messages take.
///
/// # Errors
/// Never fails in practice.
pub(crate) fn be_quick(py: Python<'_>) -> PyResult<()> {
    let class = py.get_type::<Verbs>();
    USUAL_DECODE.get_or_try_init(py, || quick::of_many(&class, "decode", decode_one))?;
    USUAL_ENCODE.get_or_try_init(py, || quick::of_many(&class, "encode", encode_one))?;
    Ok(())
}

/// Fast path of `decode` for positional arguments: the data alone, or the data and a recently used class.
unsafe extern "C" fn decode_one(
    own: *mut ffi::PyObject,
    arguments: *const *mut ffi::PyObject,
    count: ffi::Py_ssize_t,
    names: *mut ffi::PyObject,
) -> *mut ffi::PyObject {
    // SAFETY: the interpreter calls this with the GIL held, an instance of the class, and `count` live objects.
    unsafe {
        if names.is_null() && (1..=2).contains(&count) {
            let plan = if count == 2 { plan::recent(*arguments.add(1)) } else { None };
            if plan.is_some() || count == 1 {
                return quick::run(|| {
                    let py = Python::assume_attached();
                    let usual = &Borrowed::from_ptr(py, own).cast_unchecked::<Verbs>().get().usual;
                    let plan = plan.as_ref().map(|plan| Borrowed::from_ptr(py, plan.as_ptr()).cast_unchecked::<Plan>());
                    decode::decode_quickly(*arguments, plan.as_ref().map(|plan| &plan.get().program), usual)
                });
            }
        }
        if is_lazy(arguments, count, names)
            && let own = Borrowed::from_ptr(Python::assume_attached(), own).cast_unchecked::<Verbs>().get()
            && let Some(how) = lazy::How::of(&own.usual)
            && let Some(plan) = plan::recent(*arguments.add(1))
        {
            return quick::run(|| {
                let plan = Borrowed::from_ptr(Python::assume_attached(), plan.as_ptr()).cast_unchecked::<Plan>();
                Some(lazy::decode_quickly(*arguments, &plan, how))
            });
        }
        quick::call_usual(USUAL_DECODE.get(Python::assume_attached()), own, arguments, count, names)
    }
}

/// Returns whether a call has exactly the data and a class, by position, and `lazy=True`.
///
/// # Safety
/// The arguments must be those of a call of [`decode_one`].
#[inline(always)]
unsafe fn is_lazy(arguments: *const *mut ffi::PyObject, count: ffi::Py_ssize_t, names: *mut ffi::PyObject) -> bool {
    // SAFETY: there are as many arguments as the counts say; the names are a tuple of `str`.
    unsafe {
        !names.is_null()
            && count == 2
            && ffi::PyTuple_GET_SIZE(names) == 1
            && *arguments.add(2) == ffi::Py_True()
            && ffi::PyUnicode_CompareWithASCIIString(ffi::PyTuple_GET_ITEM(names, 0), c"lazy".as_ptr()) == 0
    }
}

/// Fast path of `encode` for a value without options.
unsafe extern "C" fn encode_one(
    own: *mut ffi::PyObject,
    arguments: *const *mut ffi::PyObject,
    count: ffi::Py_ssize_t,
    names: *mut ffi::PyObject,
) -> *mut ffi::PyObject {
    // SAFETY: as in `decode_one`.
    unsafe {
        if names.is_null() && count == 1 {
            return quick::run(|| {
                let own = Borrowed::from_ptr(Python::assume_attached(), own).cast_unchecked::<Verbs>().get();
                encode::encode_quickly(own.format, *arguments, &own.usual_writing)
            });
        }
        quick::call_usual(USUAL_ENCODE.get(Python::assume_attached()), own, arguments, count, names)
    }
}

#[pymethods]
impl Verbs {
    /// Decodes a document (a str, or UTF-8 in any buffer) as `type`, which is any annotation. Without a type, returns
    /// plain values. `None` is a type: that of `null`.
    ///
    /// The module's docstring lists the options: `help(demat.json)`. Raises `demat.DecodeError`, `demat.LimitError`,
    /// and TypeError for an unknown type or option.
    ///
    /// >>> import demat
    /// >>> demat.json.decode(b"[1, 2]", list[int])
    /// [1, 2]
    #[allow(clippy::needless_pass_by_value)] // PyO3 passes arguments by value
    #[pyo3(signature = (data, /, r#type=None, **options), text_signature = "($self, data, /, type=..., **options)")]
    fn decode<'py>(
        &self,
        py: Python<'py>,
        data: &Bound<'py, PyAny>,
        #[pyo3(from_py_with = decode::given_type)] r#type: Option<Bound<'py, PyAny>>,
        options: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let parsed;
        let options = match options {
            None => &self.usual,
            Some(given) if read::is_about_lines(self.format, given)? => {
                return read::decode_lines(self.format, data, r#type.as_ref(), given);
            }
            Some(given) => {
                parsed = DecodeOptions::parse(self.format, Some(given))?;
                &parsed
            }
        };
        let plan = decode::planned(py, r#type.as_ref(), options)?;
        if let (Some(type_), Some(plan), true) = (&r#type, &plan, options.describe.is_none()) {
            plan::remember(type_, plan);
        }
        if options.lazy
            && let Some(how) = lazy::How::of(options)
        {
            return lazy::decode(py, data, plan.as_ref(), how);
        }
        decode::decode(py, data, plan.as_ref().map(Bound::get), options)
    }

    /// Checks that a document is a value of `type`, with the rules and the errors of `decode`. Valid data makes no
    /// objects, unless the type has rules that only decoding knows. Returns None.
    ///
    /// The module's docstring lists the options: `help(demat.json)`. Raises what `decode` raises.
    ///
    /// >>> import demat
    /// >>> demat.json.validate(b"[1, 2]", list[int])
    /// >>> demat.json.validate(b'[1, "2"]', list[int])
    /// Traceback (most recent call last):
    /// ...
    /// demat.ValidationError: expected `int`, found `str` "2" at `$[1]` (line 1, column 5)
    #[allow(clippy::needless_pass_by_value)] // PyO3 passes arguments by value
    #[pyo3(signature = (data, /, r#type=None, **options), text_signature = "($self, data, /, type=..., **options)")]
    fn validate(
        &self,
        py: Python<'_>,
        data: &Bound<'_, PyAny>,
        #[pyo3(from_py_with = decode::given_type)] r#type: Option<Bound<'_, PyAny>>,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<()> {
        let parsed;
        let options = match options {
            None => &self.usual,
            Some(given) => {
                for name in ["lazy", "ordered", "gc"] {
                    if given.contains(name)? {
                        let message = format!("validation creates no objects: {name}= is not for it");
                        return Err(PyTypeError::new_err(message));
                    }
                }
                parsed = DecodeOptions::parse(self.format, Some(given))?;
                &parsed
            }
        };
        let plan = decode::planned(py, r#type.as_ref(), options)?;
        if let (Some(type_), Some(plan), true) = (&r#type, &plan, options.describe.is_none()) {
            plan::remember(type_, plan);
        }
        decode::validate(py, data, plan.as_ref().map(Bound::get), options)
    }

    /// Looks into a document (a str, UTF-8 in any buffer, or a file at `path`) without decoding it. Returns a
    /// `demat.LazyValue`.
    ///
    /// The options are those of the format: `help(demat.json)`. Raises TypeError for a format whose documents can't be
    /// looked into, and for an unknown option.
    ///
    /// >>> import demat
    /// >>> demat.json.lazy(b'{"a": [1, 2]}')["a"][1].int()
    /// 2
    #[pyo3(signature = (data=None, /, *, path=None, **options),
        text_signature = "($self, data=None, /, *, path=None, **options)")]
    fn lazy<'py>(
        &self,
        py: Python<'py>,
        data: Option<&Bound<'py, PyAny>>,
        path: Option<&Bound<'py, PyAny>>,
        options: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, lazy::LazyValue>> {
        lazy::open_document(py, self.format, data, path, options)
    }

    /// Encodes a value and returns the bytes.
    ///
    /// The module's docstring lists the options: `help(demat.json)`. Raises `demat.EncodeError`, `demat.LimitError`,
    /// and TypeError for an unknown option.
    ///
    /// >>> import demat
    /// >>> demat.json.encode([1, 2])
    /// b'[1,2]'
    #[pyo3(signature = (value, /, **options))]
    fn encode<'py>(
        &self,
        value: &Bound<'py, PyAny>,
        options: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        match options {
            None => encode::encode(self.format, value, &self.usual_writing),
            Some(given) => encode::encode(self.format, value, &EncodeOptions::parse(self.format, Some(given))?),
        }
    }

    /// Encodes a value into a bytearray, at an offset in bytes (-1 is the end), and truncates the bytearray after it.
    ///
    /// Options and errors are those of `encode`; also TypeError if it is no bytearray, ValueError if the offset is
    /// beyond its end, and BufferError if a memoryview of it exists. If it fails, nothing is written, and the
    /// bytearray ends at the offset.
    ///
    /// >>> import demat
    /// >>> buffer = bytearray(b"data: ")
    /// >>> demat.json.encode_into([1, 2], buffer, -1)
    /// >>> buffer
    /// bytearray(b'data: [1,2]')
    #[pyo3(signature = (value, buffer, offset=Bounded(0), /, **options),
        text_signature = "($self, value, buffer, offset=0, /, **options)")]
    fn encode_into(
        &self,
        value: &Bound<'_, PyAny>,
        buffer: &Bound<'_, PyAny>,
        offset: Bounded<isize>,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<()> {
        let Bounded(offset) = offset;
        match options {
            None => encode::encode_into(self.format, value, buffer, offset, &self.usual_writing),
            Some(given) => {
                let options = EncodeOptions::parse(self.format, Some(given))?;
                encode::encode_into(self.format, value, buffer, offset, &options)
            }
        }
    }

    /// Returns an iterator over the records of a place, as `type`.
    ///
    /// The module's docstring lists the options: `help(demat.json)`. Raises `OSError` if a file can't be opened, and
    /// TypeError for an object that is no place, and for an unknown type or option.
    ///
    /// >>> import demat
    /// >>> list(demat.json.read(b"[1, 2]", int))
    /// [1, 2]
    #[allow(clippy::needless_pass_by_value)] // PyO3 passes arguments by value
    #[pyo3(signature = (place, /, r#type=None, **options), text_signature = "($self, place, /, type=..., **options)")]
    fn read<'py>(
        &self,
        place: &Bound<'py, PyAny>,
        #[pyo3(from_py_with = decode::given_type)] r#type: Option<Bound<'py, PyAny>>,
        options: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        if let Some(given) = options
            && lazy::Encoding::of(self.format).is_some()
            && given.get_item("lazy")?.is_some_and(|lazy| lazy.is_truthy().unwrap_or(false))
        {
            let own = given.copy()?;
            for name in ["recycle", "compression", "on_error", "rejects"] {
                if own.contains(name)? {
                    own.del_item(name)?;
                }
            }
            let options = DecodeOptions::parse(self.format, Some(&own))?;
            let plan = decode::planned(place.py(), r#type.as_ref(), &options)?;
            let how = lazy::How::of(&options).ok_or_else(|| lazy::no_views(self.format.name()))?;
            return lazy::read(place, plan.as_ref(), given, how);
        }
        read::read(self.format, place, r#type.as_ref(), options)
    }

    /// Writes records to a place, one after the other, and returns their number.
    ///
    /// The module's docstring lists the options: `help(demat.json)`. Raises what `encode` raises, and
    /// `demat.StoreError`.
    ///
    /// >>> import demat, io
    /// >>> file = io.BytesIO()
    /// >>> demat.csv.write(file, ({"id": id} for id in range(2)))
    /// 2
    /// >>> file.getvalue()
    /// b'id\n0\n1\n'
    #[pyo3(signature = (place, values, /, r#type=None, **options))]
    fn write<'py>(
        &self,
        place: &Bound<'py, PyAny>,
        values: &Bound<'py, PyAny>,
        r#type: Option<&Bound<'py, PyAny>>,
        options: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = place.py();
        let writer = Writer::open(self.format, place, r#type, options, false)?;
        if values.hasattr(intern!(py, "__aiter__"))? {
            let written = py.import(intern!(py, "demat._written"))?.getattr(intern!(py, "written"))?;
            return written.call1((writer, values));
        }
        writer.tell_all(values)?;
        Ok(writer.close(py)?.into_pyobject(py)?.into_any())
    }

    /// Reads the records of a place as columns, without creating an object per record.
    ///
    /// The module's docstring lists the options: `help(demat.json)`. Raises what `decode` raises, and
    /// `demat.StoreError`.
    ///
    /// >>> import demat
    /// >>> demat.json.columns(b'[{"id": 1}, {"id": 2}]')
    /// <demat.Columns of 2 records: id: Int64>
    #[allow(clippy::needless_pass_by_value)] // PyO3 passes arguments by value
    #[pyo3(signature = (place, /, r#type=None, **options), text_signature = "($self, place, /, type=None, **options)")]
    fn columns<'py>(
        &self,
        place: &Bound<'py, PyAny>,
        r#type: Option<Bound<'py, PyAny>>,
        options: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        columns::columns(self.format, place, r#type.as_ref(), options)
    }

    /// The format's name.
    #[getter]
    fn name(&self) -> &'static str {
        self.format.name()
    }

    fn __repr__(&self) -> String {
        format!("<the verbs of demat.{}>", self.format.name())
    }
}
