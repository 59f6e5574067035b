use super::as_dict::Learnt;
use super::union::TagValue;
use super::{Attributes, Node};
use crate::object::Object;
use demat_core::{Record, Wanted};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyString, PyType};
use pyo3::{PyTraverseError, PyVisit};

/// The plan of a class: how its instances are created and read.
#[derive(Debug)]
#[allow(clippy::struct_excessive_bools, reason = "each is a question of its own")]
pub(crate) struct RecordPlan {
    pub(crate) class: Py<PyType>,
    /// The name of the class, for errors.
    pub(crate) name: String,
    pub(crate) make: Make,
    /// Whether instances stand as lists, where the format has lists.
    pub(crate) form: ArrayForm,
    /// The items of such a list, in their order: the index of each in `reads`. Empty for named fields.
    pub(crate) items: Box<[usize]>,
    /// The fields that are read, by their input names.
    pub(crate) read: Record,
    /// The same names, as objects.
    pub(crate) keys: Box<[Py<PyString>]>,
    /// One per field of `read`, followed by those that are never read but have a value.
    pub(crate) reads: Box<[Read]>,
    /// The kinds of the scalars among them, for runs; of other fields nothing.
    pub(crate) wanted: Box<[Wanted]>,
    /// Whether every field is stored by offset, and read by its name.
    pub(crate) slotted: bool,
    /// Whether some of the fields form oneof groups.
    pub(crate) grouped: bool,
    /// The fields that are written, by their output names.
    pub(crate) write: Record,
    /// One per field of `write`.
    pub(crate) writes: Box<[Write]>,
    /// The slots of all fields, if each field is plain and has one.
    pub(crate) slots: Option<Box<[isize]>>,
    /// The attributes of the fields that are written, for a class without slots.
    pub(crate) attributes: Option<Attributes>,
    /// Whether each field is one of these, and plain.
    pub(crate) direct: bool,
    /// The attributes of the fields that are read, for a class without slots.
    pub(crate) read_attributes: Option<Attributes>,
    /// Called with the complete instance.
    pub(crate) post_init: Option<Py<PyAny>>,
    /// Whether instances are tracked by the cyclic collector, which is the default.
    pub(crate) tracked: bool,
    pub(crate) tag: Option<TagValue>,
    pub(super) as_dict: Learnt,
}

/// Whether the fields of an instance have names in the data, or are the items of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ArrayForm {
    /// They have names.
    Named,
    /// A named tuple: written as a list, and read from a list or by names.
    Either,
    /// A list, with the tag as its first item.
    List,
}

/// How an instance is created.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Make {
    /// Allocates it and sets each slot or attribute; `__init__` does not run.
    Fields,
    /// Calls the class with the values as keyword arguments.
    Call,
    /// Creates a tuple of the values in order.
    Tuple,
    /// Creates a plain dict.
    Dict,
    /// Calls the class's own `model_validate`.
    Validate,
}

/// How a field is read.
#[derive(Debug)]
pub(crate) struct Read {
    pub(crate) node: Node,
    pub(crate) store: Store,
    pub(crate) role: Role,
    pub(crate) required: bool,
    pub(crate) default: Default,
    /// The name of the attribute or of the parameter, or the key in a dict.
    pub(crate) name: Py<PyString>,
    /// The name in error paths.
    pub(crate) label: String,
    /// Its index among the attributes that can be stored in memory, if it is one of them.
    pub(crate) place: Option<usize>,
    /// The oneof group of the field, from 1: the other fields of the group exclude it; 0 for none.
    pub(crate) group: u16,
}

impl Read {
    /// Returns the kind of its value in a run of scalars, which has no fields of groups.
    pub(super) fn wanted(&self) -> Wanted {
        match (self.role, self.store, self.group) {
            (Role::Value, Store::Offset(_), 0) => self.node.wanted(),
            _ => Wanted::NOTHING,
        }
    }
}

/// The purpose of a field that is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    /// Its value.
    Value,
    /// The tag that identifies the class; only checked.
    Tag,
    /// It collects the unknown fields.
    Rest,
    /// None: the field's input is skipped, and it has its default.
    Unread,
}

/// Where a value is stored in the instance.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Store {
    /// In the slot at this offset in bytes.
    Offset(isize),
    /// In the attribute with the field's name.
    Attribute,
}

/// The value of an absent field.
#[derive(Debug)]
pub(crate) enum Default {
    /// No default: the field is required or stays unset.
    None,
    Value(Py<PyAny>),
    Factory(Py<PyAny>),
    /// An empty list or dict: the most common factories, without a call.
    List,
    Dict,
}

/// How a field is written.
#[derive(Debug)]
pub(crate) struct Write {
    pub(crate) node: Node,
    pub(crate) store: Store,
    pub(crate) role: Role,
    pub(crate) name: Py<PyString>,
    pub(crate) label: String,
    /// The field is omitted if its value equals this.
    pub(crate) omit: Default,
    /// The field is omitted if its value is None.
    pub(crate) omit_none: bool,
    /// The field is omitted if its value is this object, whether required or not: msgspec's marker for an unset field.
    pub(crate) unset: Option<Py<PyAny>>,
    /// Whether it must be present: only keys of a TypedDict may be absent.
    pub(crate) required: bool,
    pub(crate) direct: Direct,
    /// The offset of its slot, if something is written directly.
    pub(crate) slot: Option<isize>,
    /// Its index among the attributes that are found in memory, if it is one of them.
    pub(crate) place: Option<usize>,
    /// Creates the value that a reader of Protocol Buffers uses for an absent field. Set only if that may be neither
    /// None nor empty, while the field's value can be.
    pub(crate) absent: Option<Py<PyAny>>,
}

/// What of a field is written directly, by its own class.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Direct {
    /// Nothing: the value may be left out, or is encoded by a function.
    Nothing,
    /// Scalars. The value is always written.
    Scalars,
    /// Scalars, and lists of scalars. The value is always written.
    Lists,
}

impl Direct {
    /// Returns what is written directly at a node, of a field that is always written and leaves scalars as they are.
    pub(super) fn of(plain: bool, node: &Node) -> Self {
        match (plain, node.lists_scalars()) {
            (false, _) => Self::Nothing,
            (true, false) => Self::Scalars,
            (true, true) => Self::Lists,
        }
    }
}

impl Write {
    /// Returns whether the value marks an unset field.
    pub(crate) fn is_unset(&self, value: &Object) -> bool {
        self.unset.as_ref().is_some_and(|unset| unset.as_ptr() == value.as_ptr())
    }
}

impl RecordPlan {
    pub(crate) fn class_ptr(&self) -> *mut ffi::PyTypeObject {
        self.class.as_ptr().cast()
    }

    /// Returns whether building an instance may run user code.
    pub(super) fn runs_code(&self) -> bool {
        !matches!(self.make, Make::Fields | Make::Dict)
            || self.post_init.is_some()
            || self.reads.iter().any(|field| field.node.runs_code() || matches!(field.default, Default::Factory(_)))
    }

    /// Returns whether instances are written as lists, where the format has lists. A named tuple with a tag is not.
    #[inline(always)]
    pub(crate) fn is_listed(&self) -> bool {
        match self.form {
            ArrayForm::Named => false,
            ArrayForm::Either => self.tag.is_none(),
            ArrayForm::List => true,
        }
    }

    /// Returns whether instances are always written field by field, by their names.
    #[inline(always)]
    pub(crate) fn is_run_of_fields(&self) -> bool {
        self.form == ArrayForm::Named && self.make != Make::Tuple
    }

    /// Returns whether instances are plain dicts.
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
