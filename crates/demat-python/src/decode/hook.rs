//! Hooks: decodes the wire type, then calls the user's function with the value.

use super::Engine;
use crate::object::Object;
use crate::plan::HookNode;
use demat_core::{Result, Source};
use pyo3::prelude::*;

impl<'e, 'a, S: Source<'a>, const ALL: bool> Engine<'e, 'a, S, ALL> {
    #[inline(never)]
    pub(super) fn hook(&mut self, hook: &'e HookNode) -> Result<Object> {
        let mark = self.source.mark();
        let gathered = self.gathered();
        let wire = self.value(&hook.read)?;
        let Some(decode) = &hook.decode else { return Ok(wire) };
        if self.gathered() > gathered {
            return Ok(wire); // the hook's argument was refused
        }
        self.descend()?; // the hook may decode, too
        match decode.bind(self.py).call1((wire.into_bound(self.py),)) {
            Ok(value) => Ok(Object::of(&value)),
            Err(raised) => {
                let error = self.raised(raised);
                Err(self.about_last(mark, error))
            }
        }
    }
}
