//! Encodes objects with user functions: hooks and `default`.

use super::hint::{Anything, Declared};
use super::numbers::is_numbers;
use super::{EncodeSink, Engine, ObjectRef, fault};
use crate::plan::HookNode;
use demat_core::Result;

impl<'e, K: EncodeSink> Engine<'e, K> {
    /// Encodes the result of a class's or field's hook.
    #[inline(never)]
    pub(super) fn hook(&mut self, hook: &'e HookNode, at: Declared<'e>, object: ObjectRef) -> Result<()> {
        let Some(encode) = &hook.encode else { return self.unhooked(hook, at, object) };
        self.deeper()?;
        if hook.writes_parts {
            self.parts(encode, object)?;
            self.back();
            return Ok(());
        }
        let made = self.call(encode, object)?;
        if is_numbers(ObjectRef::of(&made)) {
            // As the lists of numbers that the hook's type says.
            self.numbers(ObjectRef::of(&made))?;
        } else {
            // The hook's result need not match the `type` argument.
            self.value(Declared { asked: false, ..at.part(&hook.write) }, ObjectRef::of(&made))?;
        }
        self.back();
        Ok(())
    }

    /// Encodes the result of `default` for an object of an unknown class.
    #[inline(never)]
    pub(super) fn unknown(&mut self, object: ObjectRef) -> Result<()> {
        let Some(default) = &self.options.default else {
            // SAFETY: the class of a live object.
            return Err(unsafe { fault::unknown(object.class()) });
        };
        self.deeper()?;
        let made = self.call(default, object)?;
        self.value(Anything, ObjectRef::of(&made))?;
        self.back();
        Ok(())
    }
}
