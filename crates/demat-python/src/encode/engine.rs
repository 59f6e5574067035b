use super::classes::{Classes, Known};
use super::hint::{Anything, Declared, Hint};
use super::object_ref::{bool_class, dict_class, float_class, int_class, list_class, text_class, tuple_class};
use super::view::Verified;
use super::{EncodeOptions, EncodeSink, ObjectRef, fault, int, text};
use crate::object::Object;
use crate::plan::{Node, Program};
use crate::stack;
use demat_core::{Error, Result};
use pyo3::ffi;
use pyo3::prelude::*;
use std::sync::atomic::{AtomicBool, Ordering};

/// Tells a sink from Python's objects.
///
/// The GIL is held from beginning to end, and nothing is kept from one run to the next but memory, so that hooks may
/// encode, too.
pub(super) struct Engine<'e, K> {
    pub(super) sink: K,
    pub(super) options: &'e EncodeOptions,
    pub(super) classes: Classes<'e>,
    /// What code of the user's raised.
    pub(super) raised: Option<Box<PyErr>>,
    /// How deep inside of containers and hooks.
    pub(super) depth: u32,
    /// From this depth on, it is looked at whether that is too deep.
    look: u32,
    /// Counts items and entries.
    told: u32,
    /// Counts items that are not scalars; every [`LOOK`] of them, the engine checks for signals.
    pub(super) steps: u32,
    /// How far down the stack may go, once that was asked for.
    floor: usize,
    /// What was verified of the bytes of lazy records.
    pub(super) verified: Verified,
}

/// The number of items between two checks for signals.
pub(super) const LOOK: u32 = 1024;

impl<'e, K: EncodeSink> Engine<'e, K> {
    pub(super) fn new(sink: K, options: &'e EncodeOptions) -> Self {
        let look = options.write.json.depth.saturating_add(1).min(16);
        Self {
            sink,
            options,
            classes: Classes::new(options),
            raised: None,
            depth: 0,
            look,
            told: 0,
            steps: 0,
            floor: 0,
            verified: Verified::default(),
        }
    }

    /// A node of a program; values must be of it if that is what the whole was asked to be written as.
    #[inline(always)]
    pub(super) fn at(&self, node: &'e Node, program: &'e Program) -> Declared<'e> {
        Declared { node, program, asked: self.is_asked(program) }
    }

    #[inline(always)]
    pub(super) fn is_asked(&self, program: &'e Program) -> bool {
        self.options.asks && self.options.program().is_some_and(|asked| core::ptr::eq(asked, program))
    }

    /// Tells the whole, and says so before the sink is finished.
    ///
    /// # Errors
    /// Where a part can't be told; see `raised`, too.
    #[inline(always)]
    pub(super) fn whole(&mut self, object: ObjectRef, ends: &AtomicBool) -> Result<()> {
        if let Some(shape) = &self.options.shape {
            self.sink.begin(shape)?;
        } else if K::NEEDS_SHAPE {
            let shape = self.shape_of(object)?;
            self.sink.begin(&shape)?;
        }
        match self.options.program() {
            Some(program) => self.value(self.at(&program.root, program), object)?,
            None => self.plain(Anything, object)?,
        }
        ends.store(true, Ordering::Relaxed);
        self.sink.finish()
    }

    /// Tells a value of any class.
    ///
    /// # Errors
    /// Where it can't be told.
    pub(super) fn value<H: Hint<'e>>(&mut self, hint: H, object: ObjectRef) -> Result<()> {
        if hint.leaves_scalars::<K>() { self.plain(hint, object) } else { hint.tell(self, object) }
    }

    /// Tells a value where scalars of the builtin classes are told as they are.
    ///
    /// Most of all data is these few classes; they are compared one by one, in the loops that this becomes part of.
    #[inline(always)]
    pub(super) fn plain<H: Hint<'e>>(&mut self, hint: H, object: ObjectRef) -> Result<()> {
        match self.scalar(object) {
            Some(told) => told,
            None => hint.tell(self, object),
        }
    }

    /// Tells a scalar of a builtin class, which runs no code of the user's; None for any other object.
    #[inline(always)]
    pub(super) fn scalar(&mut self, object: ObjectRef) -> Option<Result<()>> {
        let class = object.class();
        if class == text_class() {
            Some(self.text(object))
        } else if class == int_class() {
            Some(self.int(object))
        } else if object.is_none() {
            Some(self.sink.null())
        } else if class == float_class() {
            Some(self.float(object))
        } else if class == bool_class() {
            Some(self.bool(object))
        } else {
            None
        }
    }

    /// Text, of a class that is or stands on `str`.
    #[inline(always)]
    pub(super) fn text(&mut self, object: ObjectRef) -> Result<()> {
        // SAFETY: the callers have looked at the class. Nothing but the sink runs while the text is borrowed.
        match unsafe { text::utf8(object.as_ptr()) } {
            Some(text) => self.sink.text(text),
            None => Err(fault::surrogates()),
        }
    }

    /// A number, of a class that is or stands on `int`.
    #[inline(always)]
    pub(super) fn int(&mut self, object: ObjectRef) -> Result<()> {
        // SAFETY: the callers have looked at the class.
        match unsafe { int::small(object.as_ptr()) } {
            Some(int) => self.sink.i64(int),
            None => self.any_int(object),
        }
    }

    #[inline(never)]
    fn any_int(&mut self, object: ObjectRef) -> Result<()> {
        let _held = object.hold();
        // SAFETY: as above.
        match unsafe { int::any(object.as_ptr()) } {
            Ok(int) => self.sink.int(&int?),
            Err(raised) => Err(self.raised(raised)),
        }
    }

    /// A number, of a class that is or stands on `float`.
    #[inline(always)]
    pub(super) fn float(&mut self, object: ObjectRef) -> Result<()> {
        // SAFETY: the callers have looked at the class.
        self.sink.float(unsafe { ffi::PyFloat_AS_DOUBLE(object.as_ptr()) })
    }

    #[inline(always)]
    fn bool(&mut self, object: ObjectRef) -> Result<()> {
        // SAFETY: the GIL is held.
        self.sink.bool(object.as_ptr() == unsafe { ffi::Py_True() })
    }

    /// Tells a value of which nothing was declared, and that is no scalar of a builtin class.
    #[inline(never)]
    pub(super) fn undeclared(&mut self, object: ObjectRef) -> Result<()> {
        let class = object.class();
        if class == dict_class() {
            self.dict(Anything, Anything, object)
        } else if class == list_class() {
            self.list(Anything, object)
        } else if class == tuple_class() {
            self.tuple(Anything, object)
        } else {
            match self.classes.of(object) {
                Ok(Known::Plan(program)) => self.planned(program, object),
                Ok(Known::View(program)) => self.view(program, object),
                Ok(Known::Base(base)) => self.base(base, object),
                Ok(Known::Nothing) => self.unknown(object),
                Err(raised) => Err(self.raised(raised)),
            }
        }
    }

    /// An item or an entry was told, so deep inside of containers: what there is may be passed on.
    ///
    /// # Errors
    /// Where it can't be.
    #[inline(always)]
    pub(super) fn border(&mut self) -> Result<()> {
        if K::LOOKS_FAST {
            return self.sink.border(self.depth);
        }
        // A look at how much there is costs as much as a small item.
        self.told = self.told.wrapping_add(1);
        if self.told.is_multiple_of(16) { self.sink.border(self.depth) } else { Ok(()) }
    }

    /// Call after each item that is not a scalar. It may run a signal handler, which is user code.
    ///
    /// # Errors
    /// What the signal handler raises.
    #[inline(always)]
    pub(super) fn step(&mut self) -> Result<()> {
        self.steps = self.steps.wrapping_add(1);
        if self.steps.is_multiple_of(LOOK) { self.heed() } else { Ok(()) }
    }

    /// Checks for signals.
    ///
    /// # Errors
    /// What the signal handler raises.
    #[cold]
    #[inline(never)]
    pub(super) fn heed(&mut self) -> Result<()> {
        // SAFETY: engines run with the GIL held.
        let heard = unsafe { Python::assume_attached() }.check_signals();
        heard.map_err(|raised| self.raised(raised))
    }

    /// One step deeper.
    ///
    /// # Errors
    /// Where that is too deep, or the call stack is short.
    #[inline(always)]
    pub(super) fn deeper(&mut self) -> Result<()> {
        self.depth += 1;
        if self.depth < self.look { Ok(()) } else { self.check_depth() }
    }

    /// A step back.
    #[inline(always)]
    pub(super) fn back(&mut self) {
        self.depth -= 1;
    }

    /// Checks the nesting depth and the remaining call stack.
    ///
    /// # Errors
    /// If the value nests too deep, or the stack is nearly used up.
    #[inline(never)]
    pub(super) fn check_depth(&mut self) -> Result<()> {
        let limit = self.options.write.json.depth;
        if self.depth > limit {
            return Err(Error::limit("the depth of nesting", limit));
        }
        if self.floor == 0 {
            self.floor = stack::floor();
        }
        if stack::here() < self.floor {
            return Err(Error::limit("the depth of nesting on this thread's stack", self.depth));
        }
        self.look = (self.depth + 16).min(limit.saturating_add(1));
        Ok(())
    }

    /// Calls a function of the user's with one argument.
    ///
    /// # Errors
    /// What it raises.
    pub(super) fn call(&mut self, function: &Py<PyAny>, argument: ObjectRef) -> Result<Object> {
        // It may encode, too.
        self.check_depth()?;
        let held = (argument.hold(), argument);
        // SAFETY: both live; the GIL is held.
        let made = unsafe { ffi::PyObject_CallOneArg(function.as_ptr(), held.0.as_ptr()) };
        Object::new(made).map_err(|raised| self.raised(raised))
    }
}
