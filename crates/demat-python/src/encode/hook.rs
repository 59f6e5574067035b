//! What the user's own functions say how to encode.

use super::hint::{Anything, Declared};
use super::{EncodeSink, Engine, ObjectRef, fault};
use crate::plan::HookNode;
use demat_core::Result;

impl<'e, K: EncodeSink> Engine<'e, K> {
    /// What the hook of a class or a field makes of an object.
    #[inline(never)]
    pub(super) fn hook(&mut self, hook: &'e HookNode, at: Declared<'e>, object: ObjectRef) -> Result<()> {
        let Some(encode) = &hook.encode else { return self.unhooked(hook, at, object) };
        self.deeper()?;
        let made = self.call(encode, object)?;
        // What it gives is its own affair.
        self.value(Declared { asked: false, ..at.part(&hook.write) }, ObjectRef::of(&made))?;
        self.back();
        Ok(())
    }

    /// What `default` makes of an object of a class that nothing is known about.
    #[inline(never)]
    pub(super) fn unknown(&mut self, object: ObjectRef) -> Result<()> {
        let Some(default) = &self.options.default else {
            // SAFETY: the class of a living object.
            return Err(unsafe { fault::unknown(object.class()) });
        };
        self.deeper()?;
        let made = self.call(default, object)?;
        self.value(Anything, ObjectRef::of(&made))?;
        self.back();
        Ok(())
    }
}
