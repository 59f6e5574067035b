//! The shape of a value, for formats that must know it before.

use super::classes::Known;
use super::object_ref::{list_class, tuple_class};
use super::{EncodeSink, Engine, ObjectRef};
use crate::plan::Program;
use demat_core::{Error, ErrorKind, Result, Shape};
use pyo3::prelude::*;

impl<K: EncodeSink> Engine<'_, K> {
    /// Returns the shape of the type that was given, of an instance of a class, or of a list that begins with one.
    ///
    /// # Errors
    /// Where nothing says what the value is.
    #[inline(never)]
    pub(super) fn shape_of(&mut self, object: ObjectRef) -> Result<Shape> {
        if let Some(program) = self.options.program() {
            return self.shape_written(program);
        }
        let held = object.hold();
        let is_list = object.is_exactly(list_class()) || object.is_exactly(tuple_class());
        if !is_list {
            return self.shape_of_class(ObjectRef::of(&held));
        }
        match super::sequence::item_at(&held, 0) {
            Some(first) => self.shape_of_class(ObjectRef::of(&first)).map(Shape::list),
            None => Err(unsaid("an empty list")),
        }
    }

    fn shape_of_class(&mut self, object: ObjectRef) -> Result<Shape> {
        match self.classes.of(object) {
            Ok(Known::Plan(program) | Known::View(program)) => self.shape_written(program),
            Ok(Known::Base(_) | Known::Nothing) => Err(unsaid("a value that is no instance of a class")),
            Err(raised) => Err(self.raised(raised)),
        }
    }

    fn shape_written(&mut self, program: &Program) -> Result<Shape> {
        // SAFETY: engines run with the GIL held.
        let shape = program.shape_written(unsafe { Python::assume_attached() }).cloned();
        shape.map_err(|raised| self.raised(raised))
    }
}

#[cold]
fn unsaid(what: &str) -> Error {
    Error::new(ErrorKind::Encode, format!("{what} does not say what it is: give type="))
}
