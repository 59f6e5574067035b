//! Records as unions change them: with a tag, or without unknown fields.

use super::{Compiler, Node, TagValue, want};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString, PyTuple};

/// A record as a union changes it.
#[derive(Clone)]
pub(super) struct Changed<'py> {
    pub(super) index: usize,
    pub(super) change: Change,
    pub(super) entry: Bound<'py, PyDict>,
}

/// What a union changes.
#[derive(Clone, PartialEq)]
pub(super) enum Change {
    /// It has a tag, which is encoded and checked like the record's own.
    Tag(String, TagValue),
    /// It refuses unknown fields.
    Exact,
}

impl<'py> Compiler<'_, 'py> {
    /// Compiles a variant of a tagged union: the record itself if it has the tag as its own or as a field; else one
    /// with the tag added.
    pub(super) fn tagged(&self, content: &Bound<'py, PyAny>, key: &str, value: &TagValue) -> PyResult<Node> {
        let (kind, index): (String, Bound<'_, PyAny>) = content.extract()?;
        let original: usize = index.extract()?;
        let entry = self.entries.get(original).filter(|_| kind == "record");
        let entry = entry.ok_or_else(|| PyValueError::new_err("a variant of a union with a tag is no record"))?;
        let mut own = !want(entry, "tag")?.is_none();
        for field in want(entry, "fields")?.try_iter()? {
            own |= want(field?.cast::<PyDict>()?, "key")?.extract::<String>()? == key;
        }
        if own {
            return Ok(Node::Record(self.place(&index)?));
        }
        self.changed(original, entry, Change::Tag(key.to_string(), value.clone())).map(Node::Record)
    }

    /// Returns the index of the record that is a variant of a union without a tag and refuses unknown fields; `None` if
    /// the variant does not ignore them.
    pub(super) fn exact(&self, content: &Bound<'py, PyAny>) -> PyResult<Option<usize>> {
        let node = content.cast::<PyTuple>()?;
        if node.get_item(0)?.cast::<PyString>()?.to_cow()? != "record" {
            return Ok(None);
        }
        let original: usize = node.get_item(1)?.extract()?;
        let Some(entry) = self.entries.get(original) else { return Ok(None) };
        let ignores = want(entry, "unknown")?.extract::<String>().is_ok_and(|unknown| unknown == "ignore");
        // A class that validates itself has its own rule.
        if !ignores || want(entry, "make")?.extract::<String>()? == "validate" {
            return Ok(None);
        }
        self.changed(original, entry, Change::Exact).map(Some)
    }

    /// Returns the index of a record with a change, and adds it where it is new.
    fn changed(&self, index: usize, entry: &Bound<'py, PyDict>, change: Change) -> PyResult<usize> {
        let mut variants = self.variants.borrow_mut();
        if let Some(found) = variants.iter().position(|one| one.index == index && one.change == change) {
            return Ok(self.count + found);
        }
        let entry = entry.copy()?;
        match &change {
            Change::Tag(key, TagValue::Text(text)) => entry.set_item("tag", (key, text))?,
            Change::Tag(key, TagValue::Int(int)) => entry.set_item("tag", (key, int))?,
            Change::Exact => entry.set_item("unknown", "forbid")?,
        }
        variants.push(Changed { index, change, entry });
        Ok(self.count + variants.len() - 1)
    }
}
