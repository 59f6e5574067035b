//! The items of records that stand as lists.

use super::record::ArrayForm;
use super::{Node, Program};
use demat_core::Field;
use demat_formats::codec::Model;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

/// How records that stand as lists appear in a shape. Within other records they are tuples, unless it says more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Lists {
    /// The outermost ones have named fields, as the rows of a table.
    Nowhere,
    /// The outermost ones are read from lists, and written with named fields.
    OfRows,
    /// All are read from lists and written as lists. The outermost named tuples have named fields.
    Kept,
}

/// Returns whether the values of a format nest freely, so that records may stand as lists everywhere.
pub(crate) fn has_lists(model: Model) -> bool {
    matches!(model, Model::Nested | Model::Json | Model::JsonLines | Model::Markup)
}

impl Lists {
    /// Returns how records are read of a format, to be rows.
    pub(crate) fn of_rows(model: Model) -> Self {
        if has_lists(model) { Self::OfRows } else { Self::Nowhere }
    }
}

impl Program {
    /// Returns the class of the rows, if it is `array_like`.
    pub(crate) fn array_of_rows(&self) -> Option<&str> {
        self.array(&self.root, 0)
    }

    /// Returns the name of a class that is `array_like`, if there is one.
    pub(crate) fn any_array(&self) -> Option<&str> {
        self.records.iter().find(|record| record.form == ArrayForm::List).map(|record| &*record.name)
    }

    /// `depth`: the number of aliases around, which may be recursive.
    fn array(&self, node: &Node, depth: usize) -> Option<&str> {
        match node {
            Node::Record(index) => {
                Some(&self.records[*index]).filter(|own| own.form == ArrayForm::List).map(|own| &*own.name)
            }
            Node::List(list) => self.array(&list.item, depth),
            Node::Optional(inner) => self.array(inner, depth),
            Node::Checked(checked) => self.array(&checked.0, depth),
            Node::Union(union) => union.variants.iter().find_map(|variant| self.array(&variant.node, depth)),
            Node::Named(index) if depth < self.aliases.len() => self.array(&self.aliases[*index], depth + 1),
            _ => None,
        }
    }

    /// Refuses a class of rows that is `array_like`, where they have to have named fields.
    ///
    /// # Errors
    /// `TypeError`, with what it is refused for.
    pub(crate) fn without_arrays(&self, what: &str) -> PyResult<()> {
        match self.array_of_rows() {
            Some(class) => {
                Err(PyTypeError::new_err(format!("`{class}` is array_like: its fields have no names for {what}")))
            }
            None => Ok(()),
        }
    }
}

/// Returns the fields that are the items of a list, in their order, by index among those that are read.
///
/// # Errors
/// If a field that is written has no place among these.
pub(super) fn of(form: ArrayForm, read: &[Field], write: &[Field], tagged: bool) -> Result<Box<[usize]>, String> {
    if form == ArrayForm::Named {
        return Ok(Box::default());
    }
    // A tag is the first field of both; other fields are found by the names of their attributes.
    let first = usize::from(tagged);
    let tag = (tagged && form == ArrayForm::List).then_some(Ok(0));
    let place = |field: &Field| {
        let place = read.iter().skip(first).position(|own| own.name() == field.name());
        place.map(|place| place + first).ok_or_else(|| format!("`{}` has no place in a list", field.name()))
    };
    tag.into_iter().chain(write.iter().skip(first).map(place)).collect()
}
