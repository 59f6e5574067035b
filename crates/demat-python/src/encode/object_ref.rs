use crate::object::Object;
use pyo3::ffi;

/// A borrowed reference to an object that a container, a slot or the caller owns.
///
/// It is valid until user code runs, which may change the container. So take an [owned reference](Self::hold) before
/// any operation that may run user code. Encoding text and numbers runs none, so they need no owned reference.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub(crate) struct ObjectRef(*mut ffi::PyObject);

impl ObjectRef {
    /// Borrows an object.
    ///
    /// # Safety
    /// The object lives until user code runs, and the GIL is held.
    #[inline(always)]
    pub(crate) unsafe fn new(object: *mut ffi::PyObject) -> Self {
        Self(object)
    }

    /// Borrows an owned object, which must outlive the result.
    #[inline(always)]
    pub(crate) fn of(object: &Object) -> Self {
        Self(object.as_ptr())
    }

    #[inline(always)]
    pub(crate) fn as_ptr(self) -> *mut ffi::PyObject {
        self.0
    }

    /// Returns an owned reference.
    #[inline(always)]
    pub(crate) fn hold(self) -> Object {
        // SAFETY: the object is alive.
        unsafe { Object::shared(self.0) }
    }

    #[inline(always)]
    pub(crate) fn class(self) -> *mut ffi::PyTypeObject {
        // SAFETY: the object is alive.
        unsafe { ffi::Py_TYPE(self.0) }
    }

    /// Returns whether the object is of exactly this class.
    #[inline(always)]
    pub(crate) fn is_exactly(self, class: *mut ffi::PyTypeObject) -> bool {
        self.class() == class
    }

    /// Returns whether the object's class has this flag: those of the builtin classes mark subclasses.
    #[inline(always)]
    pub(crate) fn has(self, flag: core::ffi::c_ulong) -> bool {
        // SAFETY: the class lives as long as its object.
        unsafe { ffi::PyType_HasFeature(self.class(), flag) != 0 }
    }

    #[inline(always)]
    pub(crate) fn is_none(self) -> bool {
        // SAFETY: the GIL is held.
        self.0 == unsafe { ffi::Py_None() }
    }

    #[inline(always)]
    pub(crate) fn is_list(self) -> bool {
        self.has(ffi::Py_TPFLAGS_LIST_SUBCLASS)
    }

    #[inline(always)]
    pub(crate) fn is_tuple(self) -> bool {
        self.has(ffi::Py_TPFLAGS_TUPLE_SUBCLASS)
    }

    #[inline(always)]
    pub(crate) fn is_dict(self) -> bool {
        self.has(ffi::Py_TPFLAGS_DICT_SUBCLASS)
    }
}

/// Functions for the builtin classes, to compare with.
macro_rules! exact {
    ($($name:ident: $class:ident;)*) => {$(
        #[inline(always)]
        pub(crate) fn $name() -> *mut ffi::PyTypeObject {
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
