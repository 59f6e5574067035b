//! Classifies objects by the builtin or abstract base class of their class.

use super::numbers::Numbers;
use crate::columns::is_arrow;
use crate::lazy::Items;
use crate::lazy::LazyValue;
use crate::raw::Raw;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyType};
use pyo3::{Borrowed, ffi, intern};

/// The kind of value as which an object can be encoded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Base {
    Text,
    Int,
    Float,
    List,
    Tuple,
    Dict,
    Bytes,
    Bytearray,
    Memoryview,
    Datetime,
    Date,
    Time,
    Timedelta,
    Decimal,
    Uuid,
    Raw,
    /// The memory of an array.
    Numbers,
    /// Encoded as the text that `str` returns.
    Textual,
    /// Exports Arrow columns.
    Arrow,
    /// A mapping: has keys and values.
    Mapping,
    /// Iterable.
    Iterable,
}

impl Base {
    /// Returns the kind of a class's instances, if they have one.
    ///
    /// # Errors
    /// Exceptions that user-defined classes raise during the check.
    #[cold]
    pub(super) fn of(class: Borrowed<'_, '_, PyType>) -> PyResult<Option<Self>> {
        let own = class.as_ptr().cast::<ffi::PyTypeObject>();
        // SAFETY: a live class.
        let flags = |flag| unsafe { ffi::PyType_HasFeature(own, flag) != 0 };
        let by_flag = [
            (ffi::Py_TPFLAGS_UNICODE_SUBCLASS, Self::Text),
            (ffi::Py_TPFLAGS_LONG_SUBCLASS, Self::Int),
            (ffi::Py_TPFLAGS_LIST_SUBCLASS, Self::List),
            (ffi::Py_TPFLAGS_TUPLE_SUBCLASS, Self::Tuple),
            (ffi::Py_TPFLAGS_DICT_SUBCLASS, Self::Dict),
            (ffi::Py_TPFLAGS_BYTES_SUBCLASS, Self::Bytes),
        ];
        if let Some((_, base)) = by_flag.into_iter().find(|(flag, _)| flags(*flag)) {
            return Ok(Some(base));
        }
        let builtin = [
            (&raw mut ffi::PyFloat_Type, Self::Float),
            (&raw mut ffi::PyByteArray_Type, Self::Bytearray),
            (&raw mut ffi::PyMemoryView_Type, Self::Memoryview),
            (&raw mut ffi::PySet_Type, Self::Iterable),
            (&raw mut ffi::PyFrozenSet_Type, Self::Iterable),
        ];
        // SAFETY: both are live classes.
        let stands_on = |base| unsafe { ffi::PyType_IsSubtype(own, base) != 0 };
        if let Some((_, base)) = builtin.into_iter().find(|(base, _)| stands_on(*base)) {
            return Ok(Some(base));
        }
        let py = class.py();
        if class.is_subclass_of::<Raw>()? || class.is_subclass_of::<LazyValue>()? {
            return Ok(Some(Self::Raw));
        }
        if class.is_subclass_of::<Numbers>()? {
            return Ok(Some(Self::Numbers));
        }
        if class.is_subclass_of::<Items>()? {
            return Ok(Some(Self::Iterable));
        }
        let modules = py.import(intern!(py, "sys"))?.getattr(intern!(py, "modules"))?;
        let modules = modules.cast::<PyDict>()?;
        if let Some(base) = Self::of_datetime(own, modules)? {
            return Ok(Some(base));
        }
        // A module that is not loaded has no instances.
        let by_module = [
            ("decimal", "Decimal", Self::Decimal),
            ("uuid", "UUID", Self::Uuid),
            ("collections", "UserString", Self::Textual),
        ];
        for (module, name, base) in by_module {
            let Some(module) = modules.get_item(module)? else { continue };
            if let Ok(known) = module.getattr(name)
                && class.is_subclass(&known)?
            {
                return Ok(Some(base));
            }
        }
        if is_arrow(&class)? {
            return Ok(Some(Self::Arrow));
        }
        let abstracts = py.import(intern!(py, "collections.abc"))?;
        if class.is_subclass(&abstracts.getattr(intern!(py, "Mapping"))?)? {
            return Ok(Some(Self::Mapping));
        }
        // Not by the `__next__` slot, which is set in every Python class, whether or not it defines the method.
        for name in ["Iterator", "Sequence", "Set", "MappingView"] {
            if class.is_subclass(&abstracts.getattr(name)?)? {
                return Ok(Some(Self::Iterable));
            }
        }
        Ok(None)
    }

    fn of_datetime(class: *mut ffi::PyTypeObject, modules: &Bound<'_, PyDict>) -> PyResult<Option<Self>> {
        if modules.get_item("datetime")?.is_none() {
            return Ok(None);
        }
        // SAFETY: the GIL is held. If the module is not the standard one, there is no API, and an exception is set.
        let api = unsafe {
            ffi::PyDateTime_IMPORT();
            ffi::PyDateTimeAPI().as_ref()
        };
        let Some(api) = api else {
            let _ = PyErr::take(modules.py());
            return Ok(None);
        };
        // A datetime is also a date.
        let classes = [
            (api.DateTimeType, Self::Datetime),
            (api.DateType, Self::Date),
            (api.TimeType, Self::Time),
            (api.DeltaType, Self::Timedelta),
        ];
        // SAFETY: live classes, both.
        let found = classes.into_iter().find(|(base, _)| unsafe { ffi::PyType_IsSubtype(class, *base) != 0 });
        Ok(found.map(|(_, base)| base))
    }
}
