//! Values out of a given set: enums, flags, literals.

use super::Engine;
use super::number::int_object;
use crate::object::{self, Object};
use crate::plan::{EnumNode, LiteralNode};
use demat_core::{Error, ErrorKind, Kind, Result, Source};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyType};

impl<'e, 'a, S: Source<'a>, const ALL: bool> Engine<'e, 'a, S, ALL> {
    pub(super) fn enumeration(&mut self, node: &'e EnumNode) -> Result<Object> {
        let mark = self.source.mark();
        let as_text = match (node.any_text, node.any_int) {
            (true, false) => true,
            (false, _) => false,
            (true, true) => self.source.peek()? == Kind::Text,
        };
        let wire = if as_text { self.text()? } else { self.int()? };
        match self.looked_up(&node.members, &wire)? {
            Some(member) => Ok(member),
            None => self.missing_member(node, wire, mark),
        }
    }

    /// No member has the value: the class may make one of it in `_missing_`.
    #[cold]
    fn missing_member(&mut self, node: &'e EnumNode, wire: Object, mark: demat_core::Mark) -> Result<Object> {
        let found = format!("`{}`", wire.clone().into_bound(self.py));
        if let Ok(member) = node.class.bind(self.py).call1((wire.into_bound(self.py),)) {
            return Ok(Object::of(&member));
        }
        let error = Error::mismatch(ErrorKind::Constraint, node.names.clone(), found);
        Err(self.about_last(mark, error))
    }

    pub(super) fn flag(&mut self, class: &'e Py<PyType>) -> Result<Object> {
        let mark = self.source.mark();
        let int = self.int()?;
        match class.bind(self.py).call1((int.into_bound(self.py),)) {
            Ok(member) => Ok(Object::of(&member)),
            Err(raised) => {
                let error = self.raised(raised);
                Err(self.about_last(mark, error))
            }
        }
    }

    pub(super) fn literal(&mut self, node: &'e LiteralNode) -> Result<Object> {
        let mark = self.source.mark();
        if node.none && self.source.null()? {
            return Ok(Object::none());
        }
        let kind = self.source.peek()?;
        let has = |table: &Py<PyDict>| !table.bind(self.py).is_empty();
        let (texts, ints, bools) = (has(&node.texts), has(&node.ints), node.bools != [false; 2]);
        // A place whose scalars are all text (CSV) is asked for what there is.
        let (value, found) = match kind {
            Kind::Bool if bools => {
                let value = self.source.bool()?;
                (
                    node.bools[usize::from(value)].then(|| Object::bool(value)),
                    if value { "True" } else { "False" }.into(),
                )
            }
            Kind::Text if texts || !(ints || bools) => {
                let text = self.text()?;
                (self.looked_up(&node.texts, &text)?, text.into_bound(self.py).to_string())
            }
            Kind::Int | Kind::Text if ints => {
                let int = self.source.int()?;
                let found = int.to_string();
                let int = self.made(int_object(
                    &demat_core::scalar::Int::from_digits(&found).unwrap_or(demat_core::scalar::Int::I64(0)),
                ))?;
                (self.looked_up(&node.ints, &int)?, found)
            }
            _ => return Err(self.source.mismatch("a literal")).map_err(|error| expected(error, &node.names)),
        };
        value.ok_or_else(|| {
            let error = Error::mismatch(ErrorKind::Constraint, node.names.clone(), format!("`{found}`"));
            self.about_last(mark, error)
        })
    }

    /// What a table has for a value.
    fn looked_up(&mut self, table: &Py<PyDict>, value: &Object) -> Result<Option<Object>> {
        // SAFETY: living objects; what is found is borrowed from the table and shared at once.
        unsafe {
            let found = ffi::PyDict_GetItemWithError(table.as_ptr(), value.as_ptr());
            if !found.is_null() {
                return Ok(Some(Object::shared(found)));
            }
            if !ffi::PyErr_Occurred().is_null() {
                return Err(self.raised(object::fetch()));
            }
        }
        Ok(None)
    }

    /// An error about a scalar that began at a mark.
    #[cold]
    pub(super) fn about_last(&mut self, mark: demat_core::Mark, error: Error) -> Error {
        let after = self.source.mark();
        let error = self.about(mark, error);
        self.source.reset(after);
        error
    }
}

/// The same error with another expectation.
#[cold]
fn expected(error: Error, names: &str) -> Error {
    match error.found() {
        Some(found) => Error::expected(names.to_string(), found.to_string()).at(error.position()),
        None => error,
    }
}
