use super::union::TagValue;
use super::{Attributes, Node};
use crate::object::Object;
use demat_core::Record;
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyString, PyType};
use pyo3::{PyTraverseError, PyVisit};

/// A class, bound to the interpreter's memory.
#[derive(Debug)]
pub(crate) struct RecordPlan {
    pub(crate) class: Py<PyType>,
    /// Its name, for errors.
    pub(crate) name: String,
    pub(crate) make: Make,
    /// The fields that are read, under the keys that they are read by.
    pub(crate) read: Record,
    /// One for each field of `read`, then those that are never read but have a value.
    pub(crate) reads: Box<[Read]>,
    /// Whether every field is stored by offset.
    pub(crate) slotted: bool,
    /// Whether some of the fields exclude each other.
    pub(crate) grouped: bool,
    /// The fields that are written, under the keys that they are written by.
    pub(crate) write: Record,
    /// One for each field of `write`.
    pub(crate) writes: Box<[Write]>,
    /// The slots of all fields, where that is all there is to know of each.
    pub(crate) slots: Option<Box<[isize]>>,
    /// The same of a class without slots.
    pub(crate) attributes: Option<Attributes>,
    /// Called with the finished instance.
    pub(crate) post_init: Option<Py<PyAny>>,
    /// Whether instances are tracked by the cyclic collector, as is usual.
    pub(crate) tracked: bool,
    pub(crate) tag: Option<TagValue>,
}

/// How an instance is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Make {
    /// Memory, then each field's slot or attribute; `__init__` is not run.
    Fields,
    /// By calling the class with the values by name.
    Call,
    /// A tuple of the values in order.
    Tuple,
    /// A plain dict.
    Dict,
    /// By the class's own `model_validate`.
    Validate,
}

/// A field, as it is read.
#[derive(Debug)]
pub(crate) struct Read {
    pub(crate) node: Node,
    pub(crate) store: Store,
    pub(crate) role: Role,
    pub(crate) required: bool,
    pub(crate) default: Default,
    /// The name of the attribute, of the parameter, or the key of a dict.
    pub(crate) name: Py<PyString>,
    /// What a path calls it.
    pub(crate) label: String,
    /// Which fields of the record it excludes: all of the same number but itself; 0 for none.
    pub(crate) group: u16,
}

/// What a field that is read is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    /// Its value.
    Value,
    /// It says which class this is, and is checked.
    Tag,
    /// It keeps the fields that the class does not have.
    Rest,
    /// None: what comes under its name is passed over, and it has its default.
    Unread,
}

/// Where in the instance a value goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Store {
    /// To the slot this many bytes into the instance.
    Offset(isize),
    /// To the attribute of its name.
    Attribute,
}

/// The value of a field that did not come.
#[derive(Debug)]
pub(crate) enum Default {
    /// There is none: the field is left out, or required.
    None,
    Value(Py<PyAny>),
    Factory(Py<PyAny>),
    /// An empty list or dict: the most usual factories, without a call.
    List,
    Dict,
}

/// A field, as it is written.
#[derive(Debug)]
pub(crate) struct Write {
    pub(crate) node: Node,
    pub(crate) store: Store,
    pub(crate) role: Role,
    pub(crate) name: Py<PyString>,
    pub(crate) label: String,
    /// It is not written where it equals this.
    pub(crate) omit: Default,
    /// It is not written where it is this object, whether required or not: msgspec's mark of a field without a value.
    pub(crate) unset: Option<Py<PyAny>>,
    /// Whether it must be there: only keys of a TypedDict may be missing.
    pub(crate) required: bool,
    /// Whether its value is all there is to know: it is always written, and scalars as they are.
    pub(crate) plain: bool,
    /// The offset of its slot, if it is plain.
    pub(crate) slot: Option<isize>,
    /// What makes the value that a reader of Protocol Buffers takes an absent field for, where it may be neither None nor
    /// empty though the field can be.
    pub(crate) absent: Option<Py<PyAny>>,
}

impl Write {
    /// Whether the value marks a field without a value.
    pub(crate) fn is_unset(&self, value: &Object) -> bool {
        self.unset.as_ref().is_some_and(|unset| unset.as_ptr() == value.as_ptr())
    }
}

impl RecordPlan {
    pub(crate) fn class_ptr(&self) -> *mut ffi::PyTypeObject {
        self.class.as_ptr().cast()
    }

    /// Whether building one may run code of the program's own.
    pub(super) fn runs_code(&self) -> bool {
        !matches!(self.make, Make::Fields | Make::Dict)
            || self.post_init.is_some()
            || self.reads.iter().any(|field| field.node.runs_code() || matches!(field.default, Default::Factory(_)))
    }

    /// Whether instances are plain dicts.
    pub(crate) fn is_dict(&self) -> bool {
        self.make == Make::Dict
    }

    pub(super) fn traverse(&self, visit: &PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.class)?;
        visit.call(&self.post_init)?;
        for field in &self.reads {
            field.node.traverse(visit)?;
            field.default.traverse(visit)?;
        }
        for field in &self.writes {
            field.node.traverse(visit)?;
            field.omit.traverse(visit)?;
            visit.call(&field.unset)?;
            visit.call(&field.absent)?;
        }
        Ok(())
    }
}

impl Default {
    fn traverse(&self, visit: &PyVisit<'_>) -> Result<(), PyTraverseError> {
        match self {
            Self::Value(value) | Self::Factory(value) => visit.call(value),
            Self::None | Self::List | Self::Dict => Ok(()),
        }
    }
}
