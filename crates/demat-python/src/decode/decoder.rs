use super::options::DecodeOptions;
use super::run;
use crate::format::{self, Format};
use crate::known;
use crate::plan::Plan;
use crate::quick;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple, PyType};
use pyo3::{Borrowed, PyTraverseError, PyVisit, ffi, intern};

/// A decoder for one type, prepared once. Each format's module has a subclass.
#[pyclass(frozen, subclass, weakref, module = "demat._native")]
pub(crate) struct Decoder {
    plan: Option<Py<Plan>>,
    options: DecodeOptions,
    /// As passed by the caller, to pickle the decoder.
    type_: Option<Py<PyAny>>,
    given: Option<Py<PyDict>>,
    lazy: crate::lazy::Found,
}

#[pymethods]
impl Decoder {
    #[new]
    #[classmethod]
    #[pyo3(signature = (r#type=None, **options))]
    fn new<'py>(
        class: &Bound<'py, PyType>,
        #[pyo3(from_py_with = run::given_type)] r#type: Option<Bound<'py, PyAny>>,
        options: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Self> {
        let py = class.py();
        let format = format_of(class)?;
        let parsed = DecodeOptions::parse(format, options)?;
        let plan = run::planned(py, r#type.as_ref(), &parsed)?;
        Ok(Self {
            plan: plan.map(Bound::unbind),
            options: parsed,
            type_: r#type.map(Bound::unbind),
            given: options.map(|given| given.copy().map(Bound::unbind)).transpose()?,
            lazy: crate::lazy::Found::default(),
        })
    }

    /// Decodes a document: a str, or UTF-8 in any buffer. Raises `demat.DecodeError` and `demat.LimitError`.
    ///
    /// >>> import demat
    /// >>> demat.json.Decoder(list[int]).decode(b"[1, 2]")
    /// [1, 2]
    #[pyo3(signature = (data, /))]
    fn decode<'py>(&self, py: Python<'py>, data: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        if self.options.lazy
            && let Some(how) = crate::lazy::How::of(&self.options)
        {
            let plan = self.plan.as_ref().map(|plan| plan.bind(py));
            return crate::lazy::decode(py, data, plan, how);
        }
        run::decode(py, data, self.plan.as_ref().map(Py::get), &self.options)
    }

    /// The type that documents are decoded as.
    #[getter]
    fn r#type<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        match &self.type_ {
            Some(type_) => Ok(type_.bind(py).clone()),
            None => known::any(py).cloned(),
        }
    }

    fn __repr__(slf: &Bound<'_, Self>) -> PyResult<String> {
        let own = slf.get();
        let name = slf.get_type().fully_qualified_name()?;
        let mut given = vec![own.r#type(slf.py())?.repr()?.to_string()];
        for (option, value) in own.given.iter().flat_map(|given| given.bind(slf.py())) {
            given.push(format!("{option}={}", value.repr()?));
        }
        Ok(format!("{name}({})", given.join(", ")))
    }

    /// Pickles the decoder as its type and options.
    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let py = slf.py();
        let own = slf.get();
        let rebuild = py.import(intern!(py, "demat._native"))?.getattr(intern!(py, "_rebuild"))?;
        let given = own.given.as_ref().map_or_else(|| PyDict::new(py), |given| given.bind(py).clone());
        Ok((rebuild, (slf.get_type(), given, own.r#type(py)?).into_pyobject(py)?))
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.plan)?;
        visit.call(&self.type_)?;
        visit.call(&self.given)?;
        visit.call(&self.options.describe)
    }
}

/// Installs the fast path of `decode` for small messages.
///
/// # Errors
/// Never fails in practice.
pub(crate) fn be_quick(py: Python<'_>) -> PyResult<()> {
    quick::of_one(&py.get_type::<Decoder>(), "decode", decode)
}

/// `Decoder.decode`.
unsafe extern "C" fn decode(own: *mut ffi::PyObject, data: *mut ffi::PyObject) -> *mut ffi::PyObject {
    // SAFETY: the interpreter calls it with the GIL held, an instance of the class and a live object.
    unsafe {
        quick::run(|| {
            let own = Borrowed::from_ptr(Python::assume_attached(), own).cast_unchecked::<Decoder>().get();
            if let Some(plan) = own.plan.as_ref().filter(|_| own.options.lazy)
                && let Some(how) = crate::lazy::How::of(&own.options)
            {
                let plan = Borrowed::from_ptr(Python::assume_attached(), plan.as_ptr()).cast_unchecked::<Plan>();
                if let Some(view) = own.lazy.decode(data, &plan, &own.options) {
                    return Some(view);
                }
                return Some(crate::lazy::decode_quickly(data, &plan, how));
            }
            run::decode_quickly(data, own.plan.as_ref().map(|plan| &plan.get().program), &own.options)
        })
    }
}

/// Creates a decoder or an encoder from its pickled class and options.
#[pyfunction]
#[pyo3(signature = (class, options, *arguments))]
pub(crate) fn _rebuild<'py>(
    class: &Bound<'py, PyType>,
    options: &Bound<'py, PyDict>,
    arguments: &Bound<'py, PyTuple>,
) -> PyResult<Bound<'py, PyAny>> {
    class.call(arguments, Some(options))
}

/// Returns the format of a class that a format's module defines.
///
/// # Errors
/// `TypeError` for the base class, which has no format.
pub(crate) fn format_of(class: &Bound<'_, PyType>) -> PyResult<Format> {
    let name = class.getattr(intern!(class.py(), "_format")).and_then(|name| name.extract::<String>());
    let format = name.ok().and_then(|name| format::named(&name));
    format.ok_or_else(|| PyTypeError::new_err("use the Decoder and Encoder of a format: demat.json.Decoder"))
}
