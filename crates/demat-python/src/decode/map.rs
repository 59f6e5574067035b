//! Dicts whose keys and values have types.

use super::{Engine, LOOK};
use crate::object::{self, Object};
use crate::plan::{MapNode, Node};
use demat_core::{Error, Mark, Result, Source};
use pyo3::prelude::*;
use pyo3::types::PyType;
use pyo3::{ffi, intern};

impl<'e, 'a, S: Source<'a>, const ALL: bool> Engine<'e, 'a, S, ALL> {
    #[inline(never)]
    pub(super) fn map(&mut self, node: &'e MapNode) -> Result<Object> {
        // Such a dict is common in records, as a payload that nobody describes.
        if !ALL && matches!((&node.key, &node.value, &node.class), (Node::Str, Node::Any, None)) {
            return self.map_of_any();
        }
        self.descend()?;
        let (start, gathered) = (self.source.mark(), self.gathered());
        self.source.map()?;
        // SAFETY: the GIL is held.
        let dict = self.made(unsafe { ffi::PyDict_New() })?;
        let mut count = 0;
        while self.source.entry()? {
            if count % LOOK as ffi::Py_ssize_t == LOOK as ffi::Py_ssize_t - 1 {
                self.heed()?;
            }
            let mark = self.source.mark();
            let key = match &node.key {
                Node::Str => {
                    let key = super::text::key_object(&self.source.text()?);
                    self.made(key)?
                }
                other => match self.value(other) {
                    Ok(key) => key,
                    Err(error) => {
                        self.no_key(node, mark, error)?;
                        continue;
                    }
                },
            };
            self.source.value()?;
            let before = self.gathered();
            let value = match self.recovered(&node.value) {
                Ok(value) => value,
                Err(error) => {
                    let label = self.label(mark);
                    self.within(before, |error| error.within_field(label.clone()));
                    return Err(error.within_field(label));
                }
            };
            if ALL && self.gathered() > before {
                let here = self.source.mark();
                let label = self.label(mark);
                self.source.reset(here);
                self.within(before, |error| error.within_field(label.clone()));
            }
            // SAFETY: live objects, and a dict of our own.
            let size = unsafe {
                if ffi::PyDict_SetItem(dict.as_ptr(), key.as_ptr(), value.as_ptr()) < 0 {
                    let error = self.raised(object::fetch());
                    let error = self.about_last(mark, error);
                    return Err(error.within_field(self.label(mark)));
                }
                ffi::PyDict_Size(dict.as_ptr())
            };
            if size == count {
                self.repeated(mark)?;
            }
            count = size;
        }
        match &node.class {
            None => Ok(dict),
            Some(_) if self.gathered() > gathered => Ok(dict), // an entry was refused
            Some(class) => match self.mapping(class, node.make.as_ref(), dict) {
                Ok(made) => Ok(Object::of(made.bind(self.py))),
                Err(raised) => {
                    let error = self.raised(raised);
                    Err(self.about_last(start, error))
                }
            },
        }
    }

    /// Builds an instance of a `dict` subclass.
    fn mapping(&self, class: &Py<PyType>, make: Option<&Py<PyAny>>, dict: Object) -> PyResult<Py<PyAny>> {
        let dict = dict.into_bound(self.py);
        if let Some(make) = make {
            return make.call1(self.py, (dict,));
        }
        // The constructors differ in their arguments, but each of these classes can be called without any.
        let made = class.call0(self.py)?;
        made.call_method1(self.py, intern!(self.py, "update"), (dict,))?;
        Ok(made)
    }

    /// Notes the error of a refused key, and then checks its value: that may be wrong as well, and so may the other
    /// entries.
    #[cold]
    fn no_key(&mut self, node: &'e MapNode, mark: Mark, error: Error) -> Result<()> {
        let label = self.label(mark);
        self.note(error.within_field(label.clone()))?;
        self.source.value()?;
        let before = self.gathered();
        let value = self.recovered(&node.value);
        self.within(before, |error| error.within_field(label.clone()));
        value.map(drop).map_err(|error| error.within_field(label))
    }

    /// Returns the key at a mark, for an error's path. The source's position is undefined afterwards.
    #[cold]
    fn label(&mut self, mark: Mark) -> String {
        self.source.reset(mark);
        self.source.text().map_or_else(|_| "?".to_string(), |text| text.to_string())
    }

    /// Handles a repeated key: the last one wins, unless the source is configured to refuse it.
    #[cold]
    fn repeated(&mut self, key: Mark) -> Result<()> {
        let here = self.source.mark();
        let label = self.label(key);
        // The source is now at the key, so the error has its position.
        self.source.repeated(&label)?;
        self.source.reset(here);
        Ok(())
    }
}
