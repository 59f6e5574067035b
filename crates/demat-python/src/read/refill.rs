//! Empties instances without other references, so that they can be refilled.

use crate::decode::Ints;
use crate::object::Object;
use crate::plan::{Default, Make, Node, Plan, Read, RecordPlan, Role, Store};
use pyo3::exceptions::PyTypeError;
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString, PyTuple, PyType};

/// How to empty instances of a class.
#[derive(Debug)]
pub(crate) struct Refill {
    class: *mut ffi::PyTypeObject,
    /// The offsets of all slots, including inherited ones.
    slots: Box<[isize]>,
    /// The offset of the weak reference list, if instances have one.
    weak: Option<isize>,
    /// Whether instances have a `__dict__`.
    dict: bool,
    /// The attributes after each fill, if they are always the same: then the dict need not be cleared.
    names: Option<Box<[Py<PyString>]>>,
    /// Whether instances are dicts.
    is_dict: bool,
}

impl Refill {
    /// Determines how to empty instances of a plan's class.
    ///
    /// # Errors
    /// `TypeError` if values are no instances that can be refilled.
    pub(crate) fn of(plan: Option<&Bound<'_, Plan>>) -> PyResult<Self> {
        let program = plan.map(|plan| &plan.get().program);
        let Some((program, Node::Record(index))) = program.map(|program| (program, &program.root)) else {
            let found = program.map_or_else(|| "any".to_string(), |program| program.root.name(program));
            return Err(PyTypeError::new_err(format!(
                "recycle=True wants a class whose instances can be filled again, a dataclass for one; not {found}"
            )));
        };
        let plan = &program.records[*index];
        match plan.make {
            Make::Fields => Self::of_class(plan),
            Make::Dict => Ok(Self {
                class: plan.class_ptr(),
                slots: Box::default(),
                weak: None,
                dict: false,
                names: None,
                is_dict: true,
            }),
            Make::Call | Make::Tuple | Make::Validate => Err(PyTypeError::new_err(format!(
                "recycle=True wants a class whose instances can be filled again, and `{}` makes each one itself",
                plan.name
            ))),
        }
    }

    fn of_class(plan: &RecordPlan) -> PyResult<Self> {
        let class = plan.class_ptr();
        // SAFETY: a live class, and the GIL is held.
        let (weak, dict) = unsafe {
            let weak = (*class).tp_weaklistoffset;
            let dict = (*class).tp_dictoffset != 0 || ffi::PyType_HasFeature(class, MANAGED_DICT) != 0;
            ((weak != 0).then_some(weak), dict)
        };
        let mut fields = plan.reads.iter().filter(|field| matches!(field.role, Role::Value | Role::Rest));
        let always = |field: &Read| {
            field.store == Store::Attribute && (field.required || !matches!(field.default, Default::None))
        };
        Python::attach(|py| {
            let names = (dict && plan.post_init.is_none() && fields.clone().all(always))
                .then(|| fields.by_ref().map(|field| field.name.clone_ref(py)).collect());
            Ok(Self { class, slots: slots(plan.class.bind(py))?.into(), weak, dict, names, is_dict: false })
        })
    }

    /// Returns whether this is the only reference to an instance, so that no code can observe its change.
    #[inline(always)]
    pub(crate) fn is_free(&self, object: &Object) -> bool {
        let object = object.as_ptr();
        // SAFETY: a live object; its class defines the offset, at which there is a pointer.
        unsafe {
            ffi::Py_REFCNT(object) == 1
                && self
                    .weak
                    .is_none_or(|weak| (*object.wrapping_byte_offset(weak).cast::<*mut ffi::PyObject>()).is_null())
                && (!self.dict || has_dict_alone(object))
                && (self.is_dict || ffi::Py_TYPE(object) == self.class)
        }
    }

    /// Removes all values from an instance that is [free](Self::is_free).
    #[inline(always)]
    pub(crate) fn empty(&self, object: &Object, ints: &mut Ints) {
        if self.is_dict {
            // SAFETY: a dict.
            return unsafe { ffi::PyDict_Clear(object.as_ptr()) };
        }
        for offset in &self.slots {
            // SAFETY: the offset of a slot of the object's class; the slot owns its value, and is emptied before that
            // is released, which may run code.
            unsafe {
                let slot = object.as_ptr().wrapping_byte_offset(*offset).cast::<*mut ffi::PyObject>();
                let old = std::ptr::replace(slot, std::ptr::null_mut());
                if !old.is_null() {
                    ints.let_go(old);
                }
            }
        }
        if self.dict && self.names.is_none() {
            // SAFETY: as above; the dict existed when the object was found to be free.
            unsafe {
                let dict = ffi::PyObject_GenericGetDict(object.as_ptr(), std::ptr::null_mut());
                if dict.is_null() {
                    return ffi::PyErr_Clear();
                }
                ffi::PyDict_Clear(dict);
                ffi::Py_DECREF(dict);
            }
        }
    }
}

impl Refill {
    /// Removes attributes that are no fields: user code has added them.
    #[inline(always)]
    pub(crate) fn trim(&self, object: &Object) {
        if let Some(names) = &self.names {
            trim_dict(object, names);
        }
    }
}

/// Returns whether the instance's `__dict__` has no other references.
#[inline(never)]
fn has_dict_alone(object: *mut ffi::PyObject) -> bool {
    // SAFETY: a live object of a class with a `__dict__`; the reference is new.
    unsafe {
        let dict = ffi::PyObject_GenericGetDict(object, std::ptr::null_mut());
        if dict.is_null() {
            ffi::PyErr_Clear();
            return false;
        }
        let alone = ffi::Py_REFCNT(dict) == 2;
        ffi::Py_DECREF(dict);
        alone
    }
}

#[inline(never)]
fn trim_dict(object: &Object, names: &[Py<PyString>]) {
    // SAFETY: a live object of a class with a `__dict__`; the reference is new.
    unsafe {
        let Ok(dict) = Object::new(ffi::PyObject_GenericGetDict(object.as_ptr(), std::ptr::null_mut())) else { return };
        if ffi::PyDict_Size(dict.as_ptr()) == names.len() as ffi::Py_ssize_t {
            return; // it has all the names, and so no others
        }
        let dict = dict.into_bound(Python::assume_attached());
        let Ok(dict) = dict.cast_into::<PyDict>() else { return };
        for key in dict.keys() {
            if !names.iter().any(|name| key.is(name) || key.eq(name).unwrap_or(false)) {
                let _ = dict.del_item(key); // it exists
            }
        }
    }
}

// SAFETY: the class is only compared, or accessed while the GIL is held; the plan keeps it alive.
unsafe impl Send for Refill {}

/// `Py_TPFLAGS_MANAGED_DICT`: instances have a `__dict__` without an offset.
const MANAGED_DICT: std::ffi::c_ulong = 1 << 4;

/// Returns the offsets of the slots of a class and its bases.
pub(crate) fn slots(class: &Bound<'_, PyType>) -> PyResult<Vec<isize>> {
    let mut found = Vec::new();
    for base in class.getattr("__mro__")?.cast_into::<PyTuple>()? {
        let own = base.getattr("__dict__")?;
        for item in own.call_method0("items")?.try_iter()? {
            let (_, value): (Bound<'_, PyString>, Bound<'_, PyAny>) = item?.extract()?;
            // SAFETY: the object's type is checked before it is accessed as a descriptor; `d_member` is never null.
            unsafe {
                if ffi::Py_TYPE(value.as_ptr()) == &raw mut ffi::PyMemberDescr_Type {
                    let member = &*(*value.as_ptr().cast::<ffi::PyMemberDescrObject>()).d_member;
                    if member.type_code == ffi::Py_T_OBJECT_EX && member.offset > 0 {
                        found.push(member.offset);
                    }
                }
            }
        }
    }
    found.sort_unstable();
    found.dedup();
    Ok(found)
}
