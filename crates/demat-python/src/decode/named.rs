//! Decodes values of a fixed set: enums, flags, literals.

use super::Engine;
use crate::object::{self, Object};
use crate::plan::{EnumNode, LiteralNode};
use demat_core::excerpt;
use demat_core::{Enum, Error, ErrorKind, Kind, Mark, Result, Source};
use demat_formats::codec::Model;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyType};
use pyo3::{ffi, intern};

impl<'e, 'a, S: Source<'a>, const ALL: bool> Engine<'e, 'a, S, ALL> {
    pub(super) fn enumeration(&mut self, node: &'e EnumNode) -> Result<Object> {
        let mark = self.source.mark();
        // Raw data tells variants, too, but has enums by their values and not by the names of their members.
        let by_number = self.manner.model == Model::Numbered && self.source.tells_variants();
        if let Some(names) = node.numbered.as_ref().filter(|_| by_number) {
            return self.by_number(node, names, mark);
        }
        let as_text = match (node.any_text, node.any_int) {
            (true, false) => true,
            (false, _) => false,
            (true, true) => self.source.peek()? == Kind::Text,
        };
        if if as_text { node.few.has_texts() } else { node.few.has_ints() } {
            let found = if as_text {
                self.source.text().ok().and_then(|text| node.few.of_text(&text))
            } else {
                self.source.i64().ok().and_then(|int| node.few.of_int(int))
            };
            if let Some(member) = found {
                // SAFETY: the plan owns it.
                return Ok(unsafe { Object::shared(member.as_ptr()) });
            }
            self.source.reset(mark);
        }
        let wire = if as_text { self.text()? } else { self.int()? };
        if let Some(member) = self.looked_up(&node.members, &wire)? {
            return Ok(member);
        }
        if as_text
            && node.any_int
            && let Some(int) = self.int_of_text(mark)?
            && let Some(member) = self.looked_up(&node.members, &int)?
        {
            return Ok(member);
        }
        self.missing_member(node, wire, mark)
    }

    /// Decodes a member by its number.
    fn by_number(&mut self, node: &'e EnumNode, names: &Enum, mark: Mark) -> Result<Object> {
        match self.source.variant(names) {
            Ok(index) => {
                // SAFETY: a tuple of as many members as there are names, which the plan owns.
                Ok(unsafe { Object::shared(ffi::PyTuple_GET_ITEM(node.order.as_ptr(), index.cast_signed())) })
            }
            Err(error) if node.asks && error.kind() == ErrorKind::Constraint => {
                self.source.reset(mark);
                let number = self.source.i64()?;
                // SAFETY: the GIL is held.
                let wire = self.made(unsafe { ffi::PyLong_FromLongLong(number) })?;
                self.missing_member(node, wire, mark)
            }
            Err(error) => Err(error),
        }
    }

    /// Returns the int that a text represents, in a position where all scalars are text: a cell, a key.
    #[cold]
    fn int_of_text(&mut self, mark: Mark) -> Result<Option<Object>> {
        let after = self.source.mark();
        self.source.reset(mark);
        let Ok(int) = self.source.int() else {
            self.source.reset(after);
            return Ok(None);
        };
        self.int_object(&int).map(Some)
    }

    /// Handles a value without a member: the class may have a `_missing_` method that returns one.
    #[cold]
    fn missing_member(&mut self, node: &'e EnumNode, wire: Object, mark: Mark) -> Result<Object> {
        let wire = wire.into_bound(self.py);
        let found = match excerpt::name(&wire.to_string()) {
            empty if empty == "``" => "empty text".to_string(),
            found => found,
        };
        if node.asks {
            match node.class.bind(self.py).call1((&wire,)) {
                Ok(member) if self.is_allowed(node, &member) => return Ok(Object::of(&member)),
                Err(raised) if !crate::error::is_about_the_value(self.py, &raised) => {
                    let error = self.raised(raised);
                    return Err(self.about_last(mark, error));
                }
                _ => {}
            }
        }
        let error = Error::mismatch(ErrorKind::Constraint, node.names.clone(), found);
        Err(self.about_last(mark, error))
    }

    /// Returns whether a member returned by `_missing_` is allowed: if the type only allows some members, it must be
    /// one of these.
    fn is_allowed(&self, node: &EnumNode, member: &Bound<'_, PyAny>) -> bool {
        let among = |members: Bound<'_, PyAny>| {
            members.try_iter().is_ok_and(|mut members| members.any(|own| own.is_ok_and(|own| own.is(member))))
        };
        if among(node.members.bind(self.py).values().into_any()) {
            return true;
        }
        let declared = node.class.bind(self.py).getattr(intern!(self.py, "_member_map_"));
        let declared = declared.and_then(|declared| declared.call_method0(intern!(self.py, "values")));
        declared.is_ok_and(|declared| !among(declared))
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
        if node.few.has_texts() && !node.few.has_ints() && node.bools == [false; 2] {
            if let Some(value) = self.source.text().ok().and_then(|text| node.few.of_text(&text)) {
                // SAFETY: the plan owns it.
                return Ok(unsafe { Object::shared(value.as_ptr()) });
            }
            self.source.reset(mark);
        }
        let kind = self.source.peek()?;
        let has = |table: &Py<PyDict>| !table.bind(self.py).is_empty();
        let (texts, ints, bools) = (has(&node.texts), has(&node.ints), node.bools != [false; 2]);
        let read;
        let value = match kind {
            Kind::Bool if bools => {
                let value = self.source.bool()?;
                read = Some(Object::bool(value));
                node.bools[usize::from(value)].then(|| Object::bool(value))
            }
            Kind::Text => {
                let text = self.text()?;
                let value = match self.looked_up(&node.texts, &text)? {
                    // A cell says both `1` and `"1"`: the first of the literals counts.
                    Some(value) if (ints || bools) && self.manner.model.is_text() => {
                        match self.literal_of_text(node, mark)? {
                            Some(other) if node.is_before(self.py, &other, &value) => Some(other),
                            _ => Some(value),
                        }
                    }
                    Some(value) => Some(value),
                    None => self.literal_of_text(node, mark)?,
                };
                if value.is_none() && !texts && !self.manner.model.is_text() {
                    self.source.reset(mark);
                    return Err(expected(self.source.mismatch("a literal"), &node.names));
                }
                read = Some(text);
                value
            }
            Kind::Int if ints => {
                let int = self.int()?;
                let value = self.looked_up(&node.ints, &int)?;
                read = Some(int);
                value
            }
            _ => return Err(expected(self.source.mismatch("a literal"), &node.names)),
        };
        value.ok_or_else(|| {
            let found = read.map_or_else(String::new, |read| read.into_bound(self.py).to_string());
            let found = if found.is_empty() { "empty text".to_string() } else { excerpt::name(&found) };
            let error = Error::mismatch(ErrorKind::Constraint, node.names.clone(), found);
            self.about_last(mark, error)
        })
    }

    /// Returns the literal other than text that a text represents, in a position where all scalars are text: a cell, a
    /// key.
    #[cold]
    fn literal_of_text(&mut self, node: &'e LiteralNode, mark: Mark) -> Result<Option<Object>> {
        if let Some(int) = self.int_of_text(mark)?
            && let Some(found) = self.looked_up(&node.ints, &int)?
        {
            return Ok(Some(found));
        }
        let after = self.source.mark();
        self.source.reset(mark);
        match self.source.bool() {
            Ok(value) if node.bools[usize::from(value)] => Ok(Some(Object::bool(value))),
            _ => {
                self.source.reset(after);
                Ok(None)
            }
        }
    }

    /// Looks a value up in a table.
    pub(super) fn looked_up(&mut self, table: &Py<PyDict>, value: &Object) -> Result<Option<Object>> {
        // SAFETY: live objects; the found one is borrowed from the table and gets a new reference at once.
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

    /// Moves an error to the scalar that starts at a mark, and returns to the current position.
    #[cold]
    pub(super) fn about_last(&mut self, mark: Mark, error: Error) -> Error {
        let after = self.source.mark();
        let error = self.about(mark, error);
        self.source.reset(after);
        error
    }
}

/// Replaces what an error says was expected.
#[cold]
fn expected(error: Error, names: &str) -> Error {
    if error.kind() == ErrorKind::Type { error.expecting(names.to_string()) } else { error }
}
