//! The few names of an enum or a literal, compared in place instead of through an object and a dict.

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyInt, PyString};
use pyo3::{PyTraverseError, PyVisit, ffi};

/// Values by their text or their int; empty if there are many of them, or some that are neither.
#[derive(Debug, Default)]
pub(crate) struct Named {
    texts: Box<[(Box<str>, Py<PyAny>)]>,
    ints: Box<[(i64, Py<PyAny>)]>,
    /// Whether no value has two names.
    is_unique: bool,
}

/// The name of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Name<'n> {
    Text(&'n str),
    Int(i64),
}

/// More names are found faster by a hash.
const FEW: usize = 16;

impl Named {
    /// Returns the names of a dict from wire values to values.
    pub(super) fn of(table: &Bound<'_, PyDict>) -> Self {
        let (mut texts, mut ints) = (Vec::new(), Vec::new());
        if table.len() > FEW {
            return Self::default();
        }
        for (name, value) in table {
            if let Ok(text) = name.cast_exact::<PyString>() {
                let Ok(text) = text.to_str() else { return Self::default() };
                texts.push((text.into(), value.unbind()));
            } else if let Some(int) = name.cast_exact::<PyInt>().ok().and_then(|int| int.extract().ok()) {
                ints.push((int, value.unbind()));
            } else {
                return Self::default();
            }
        }
        let mut values: Vec<_> = texts.iter().map(|(_, value)| value.as_ptr()).collect();
        values.extend(ints.iter().map(|(_, value)| value.as_ptr()));
        values.sort_unstable();
        let is_unique = values.windows(2).all(|pair| pair[0] != pair[1]);
        Self { texts: texts.into(), ints: ints.into(), is_unique }
    }

    #[inline(always)]
    pub(crate) fn has_texts(&self) -> bool {
        !self.texts.is_empty()
    }

    #[inline(always)]
    pub(crate) fn has_ints(&self) -> bool {
        !self.ints.is_empty()
    }

    /// Returns the value of a text.
    #[inline(always)]
    pub(crate) fn of_text(&self, text: &str) -> Option<&Py<PyAny>> {
        self.texts.iter().find(|(name, _)| is_same(name, text)).map(|(_, value)| value)
    }

    /// Returns the value of an int.
    #[inline(always)]
    pub(crate) fn of_int(&self, int: i64) -> Option<&Py<PyAny>> {
        self.ints.iter().find(|(name, _)| *name == int).map(|(_, value)| value)
    }

    /// Returns the name of a value by its address; `None` if it has none, or values have several.
    #[inline(always)]
    pub(crate) fn name_of(&self, value: *mut ffi::PyObject) -> Option<Name<'_>> {
        let is_it = |own: &Py<PyAny>| own.as_ptr() == value;
        if !self.is_unique {
            return None;
        }
        let text = self.texts.iter().find(|(_, own)| is_it(own)).map(|(text, _)| Name::Text(text));
        text.or_else(|| self.ints.iter().find(|(_, own)| is_it(own)).map(|(int, _)| Name::Int(*int)))
    }

    pub(super) fn traverse(&self, visit: &PyVisit<'_>) -> Result<(), PyTraverseError> {
        self.texts.iter().try_for_each(|(_, value)| visit.call(value))?;
        self.ints.iter().try_for_each(|(_, value)| visit.call(value))
    }
}

/// Whether two texts are equal; up to 16 bytes are compared without a call.
#[inline(always)]
pub(crate) fn is_same(one: &str, other: &str) -> bool {
    let (one, other) = (one.as_bytes(), other.as_bytes());
    if one.len() != other.len() {
        return false;
    }
    let ends8 = |text: &[u8]| Some((*text.first_chunk::<8>()?, *text.last_chunk::<8>()?));
    let ends4 = |text: &[u8]| Some((*text.first_chunk::<4>()?, *text.last_chunk::<4>()?));
    match one.len() {
        8..=16 => ends8(one) == ends8(other),
        4..8 => ends4(one) == ends4(other),
        _ => one == other,
    }
}
