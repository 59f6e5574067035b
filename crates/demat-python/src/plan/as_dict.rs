//! How the instances of a class become dicts of builtins without user code.

use super::{ArrayForm, Default, Make, RecordPlan, Role, Store, TagValue};
use crate::decode::Form;
use crate::object::Object;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyInt, PyString};

/// What of a class's instances is an entry of their dicts.
#[derive(Debug)]
pub(crate) struct AsDict {
    /// A dict with the keys.
    pub(crate) form: Form,
    /// By key: where its value is.
    pub(crate) entries: Box<[Entry]>,
}

/// Where the value of an entry is.
#[derive(Debug)]
pub(crate) enum Entry {
    /// In the slot at this offset in bytes.
    Slot(isize),
    /// Among the attributes of the plan, at this index.
    Attribute(usize),
    /// It is the tag of the class.
    Tag(Object),
}

/// [`AsDict`] of a plan, found out at its first use.
#[derive(Default)]
pub(super) struct Learnt(PyOnceLock<Option<AsDict>>);

impl core::fmt::Debug for Learnt {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("Learnt")
    }
}

// SAFETY: it is used with the GIL held only, as the objects in it are.
unsafe impl Send for Learnt {}
// SAFETY: as above.
unsafe impl Sync for Learnt {}

impl RecordPlan {
    /// Returns how instances become dicts; `None` if user code may run for it, if they become something else, or if fields
    /// may be left out.
    #[inline(always)]
    pub(crate) fn as_dict(&self, py: Python<'_>) -> Option<&AsDict> {
        match self.as_dict.0.get(py) {
            Some(known) => known.as_ref(),
            None => self.learn_as_dict(py),
        }
    }

    #[cold]
    #[inline(never)]
    fn learn_as_dict(&self, py: Python<'_>) -> Option<&AsDict> {
        self.as_dict.0.get_or_init(py, || self.to_as_dict(py)).as_ref()
    }

    fn to_as_dict(&self, py: Python<'_>) -> Option<AsDict> {
        if self.form != ArrayForm::Named || matches!(self.make, Make::Dict | Make::Tuple) {
            return None;
        }
        let mut entries = Vec::with_capacity(self.writes.len());
        for field in &self.writes {
            let is_always_written = matches!(field.omit, Default::None) && !field.omit_none;
            entries.push(match (field.role, field.store) {
                (Role::Tag, _) => Entry::Tag(match self.tag.as_ref()? {
                    TagValue::Text(text) => Object::of(PyString::new(py, text).as_any()),
                    TagValue::Int(int) => Object::of(PyInt::new(py, *int).as_any()),
                }),
                (Role::Value, Store::Offset(offset)) if is_always_written => Entry::Slot(offset),
                (Role::Value, Store::Attribute) if is_always_written => Entry::Attribute(field.place?),
                _ => return None,
            });
        }
        let mut keys = Vec::with_capacity(2 * self.writes.len());
        for field in self.write.fields() {
            let key = Object::of(PyString::intern(py, field.key()).as_any());
            keys.extend([key.clone(), key]);
        }
        Some(AsDict { form: Form::of(&keys)?, entries: entries.into() })
    }
}
