use crate::object::Object;
use pyo3::ffi;

/// An object that somebody else owns: a container, a slot, the caller.
///
/// It is good until code of the user's runs, which may change the container. So whoever may run some [holds](Self::hold)
/// it first; to tell text and numbers runs none, and they need no reference of their own.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub(super) struct ObjectRef(*mut ffi::PyObject);

impl ObjectRef {
    /// Borrows an object.
    ///
    /// # Safety
    /// It lives until code of the user's runs, and the GIL is held.
    #[inline(always)]
    pub(super) unsafe fn new(object: *mut ffi::PyObject) -> Self {
        Self(object)
    }

    /// An object that is owned; it must outlive what is given.
    #[inline(always)]
    pub(super) fn of(object: &Object) -> Self {
        Self(object.as_ptr())
    }

    #[inline(always)]
    pub(super) fn as_ptr(self) -> *mut ffi::PyObject {
        self.0
    }

    /// A reference of one's own.
    #[inline(always)]
    pub(super) fn hold(self) -> Object {
        // SAFETY: it lives.
        unsafe { Object::shared(self.0) }
    }

    #[inline(always)]
    pub(super) fn class(self) -> *mut ffi::PyTypeObject {
        // SAFETY: it lives.
        unsafe { ffi::Py_TYPE(self.0) }
    }

    /// Whether it is of this class exactly.
    #[inline(always)]
    pub(super) fn is_exactly(self, class: *mut ffi::PyTypeObject) -> bool {
        self.class() == class
    }

    /// Whether its class has this flag: those of the builtin classes say that it is an instance.
    #[inline(always)]
    pub(super) fn has(self, flag: core::ffi::c_ulong) -> bool {
        // SAFETY: its class lives as long as it.
        unsafe { ffi::PyType_HasFeature(self.class(), flag) != 0 }
    }

    #[inline(always)]
    pub(super) fn is_none(self) -> bool {
        // SAFETY: the GIL is held.
        self.0 == unsafe { ffi::Py_None() }
    }

    #[inline(always)]
    pub(super) fn is_list(self) -> bool {
        self.has(ffi::Py_TPFLAGS_LIST_SUBCLASS)
    }

    #[inline(always)]
    pub(super) fn is_tuple(self) -> bool {
        self.has(ffi::Py_TPFLAGS_TUPLE_SUBCLASS)
    }

    #[inline(always)]
    pub(super) fn is_dict(self) -> bool {
        self.has(ffi::Py_TPFLAGS_DICT_SUBCLASS)
    }
}

/// The classes that data is made of, to compare with.
macro_rules! exact {
    ($($name:ident: $class:ident;)*) => {$(
        #[inline(always)]
        pub(super) fn $name() -> *mut ffi::PyTypeObject {
            &raw mut ffi::$class
        }
    )*};
}

exact! {
    text_class: PyUnicode_Type;
    int_class: PyLong_Type;
    float_class: PyFloat_Type;
    bool_class: PyBool_Type;
    list_class: PyList_Type;
    tuple_class: PyTuple_Type;
    dict_class: PyDict_Type;
}
