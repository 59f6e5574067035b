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

/// Writes Python objects to a sink.
///
/// The GIL is held from beginning to end. Nothing but caches is kept between runs, so hooks may encode, too.
pub(super) struct Engine<'e, K> {
    pub(super) sink: K,
    pub(super) options: &'e EncodeOptions,
    pub(super) classes: Classes<'e>,
    /// The exception that user code raised.
    pub(super) raised: Option<Box<PyErr>>,
    /// The current depth of containers and hooks.
    pub(super) depth: u32,
    /// The depth from which on the limits are checked.
    look: u32,
    /// The number of items and entries encoded so far.
    told: u32,
    /// Counts items that are not scalars; every [`LOOK`] of them, the engine checks for signals.
    pub(super) steps: u32,
    /// The lowest allowed stack address; 0 before it is determined.
    floor: usize,
    /// Whether dates and times are encoded as such, wherever builtin scalars are: there is no hook for them.
    pub(super) moments: bool,
    /// The bytes of lazy records that were validated.
    pub(super) verified: Verified,
    /// Whether a rollback of the sink does not take back the whole value: it holds a `Raw`, columns or lazy records.
    pub(super) is_parted: bool,
}

/// The number of items between two checks for signals.
pub(super) const LOOK: u32 = 1024;

impl<'e, K: EncodeSink> Engine<'e, K> {
    pub(super) fn new(sink: K, options: &'e EncodeOptions) -> Self {
        let look = options.write.depth.saturating_add(1).min(16);
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
            moments: options.leaves_moments(),
            verified: Verified::default(),
            is_parted: false,
        }
    }

    /// Returns the declared type at a node. Values must match it if the program is that of the `type` argument.
    #[inline(always)]
    pub(super) fn at(&self, node: &'e Node, program: &'e Program) -> Declared<'e> {
        Declared { node, program, asked: self.is_asked(program) }
    }

    #[inline(always)]
    pub(super) fn is_asked(&self, program: &'e Program) -> bool {
        self.options.asks && self.options.program().is_some_and(|asked| core::ptr::eq(asked, program))
    }

    /// Encodes the whole value, and sets `ends` before it finishes the sink.
    ///
    /// # Errors
    /// If a part can't be encoded; see also `raised`.
    #[inline(always)]
    pub(super) fn whole(&mut self, object: ObjectRef, ends: &AtomicBool) -> Result<()> {
        if let Some(shape) = &self.options.shape {
            self.sink.begin(shape)?;
        } else if self.sink.needs_shape() {
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

    /// Encodes a value of any class.
    ///
    /// # Errors
    /// If it can't be encoded.
    pub(super) fn value<H: Hint<'e>>(&mut self, hint: H, object: ObjectRef) -> Result<()> {
        if hint.leaves_scalars(self.sink.tells_variants()) { self.plain(hint, object) } else { hint.tell(self, object) }
    }

    /// Encodes a value whose declared type leaves builtin scalars unchanged.
    ///
    /// Most data consists of these few classes; they are compared one by one, inlined into the loops.
    #[inline(always)]
    pub(super) fn plain<H: Hint<'e>>(&mut self, hint: H, object: ObjectRef) -> Result<()> {
        match self.scalar(object) {
            Some(told) => told,
            None => hint.tell(self, object),
        }
    }

    /// Encodes a scalar of a builtin class, which runs no user code. Returns `None` for any other object, and for ints
    /// beyond [a size](int::is_huge).
    #[inline(always)]
    pub(super) fn scalar(&mut self, object: ObjectRef) -> Option<Result<()>> {
        let class = object.class();
        if class == text_class() {
            Some(self.text(object))
        } else if class == int_class() {
            // SAFETY: the class was checked.
            match unsafe { int::small(object.as_ptr()) } {
                Some(int) => Some(self.sink.i64(int)),
                None => self.larger_int(object),
            }
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

    /// Encodes an instance of `str` or a subclass.
    #[inline(always)]
    pub(super) fn text(&mut self, object: ObjectRef) -> Result<()> {
        // SAFETY: the callers have checked the class. Only the sink runs while the text is borrowed.
        match unsafe { text::utf8(&object) } {
            Some(text) => self.sink.text(text),
            // SAFETY: as above. No user code has run.
            None => Err(unsafe { fault::no_utf8(object) }),
        }
    }

    /// Encodes an instance of `int` or a subclass.
    #[inline(always)]
    pub(super) fn int(&mut self, object: ObjectRef) -> Result<()> {
        // SAFETY: the callers have checked the class.
        match unsafe { int::small(object.as_ptr()) } {
            Some(int) => self.sink.i64(int),
            None => self.any_int(object),
        }
    }

    /// As [`scalar`](Self::scalar), for an int that is not small.
    #[inline(never)]
    fn larger_int(&mut self, object: ObjectRef) -> Option<Result<()>> {
        // SAFETY: the callers have checked the class.
        if unsafe { int::is_huge(object.as_ptr()) } { None } else { Some(self.any_int(object)) }
    }

    /// Encodes an int of any size. User code may run if it [is huge](int::is_huge).
    #[inline(never)]
    fn any_int(&mut self, object: ObjectRef) -> Result<()> {
        let _held = object.hold();
        if K::RUNS {
            // SAFETY: as above.
            let bytes = unsafe { int::bytes(object.as_ptr()) };
            if let Some((bytes, begin, negative)) = bytes
                && self.sink.int_bytes(&bytes[begin..], negative)?
            {
                return Ok(());
            }
        }
        // SAFETY: as above.
        match unsafe { int::any(object.as_ptr()) } {
            Ok(int) => self.sink.int(&int?),
            Err(raised) => Err(self.raised(raised)),
        }
    }

    /// Encodes an instance of `float` or a subclass.
    #[inline(always)]
    pub(super) fn float(&mut self, object: ObjectRef) -> Result<()> {
        // SAFETY: the callers have checked the class.
        self.sink.float(unsafe { ffi::PyFloat_AS_DOUBLE(object.as_ptr()) })
    }

    #[inline(always)]
    fn bool(&mut self, object: ObjectRef) -> Result<()> {
        // SAFETY: the GIL is held.
        self.sink.bool(object.as_ptr() == unsafe { ffi::Py_True() })
    }

    /// Encodes a value without a declared type that is no builtin scalar.
    #[inline(never)]
    pub(super) fn undeclared(&mut self, object: ObjectRef) -> Result<()> {
        let class = object.class();
        if class == dict_class() {
            self.dict(Anything, Anything, object)
        } else if class == list_class() {
            self.list(Anything, object)
        } else if class == tuple_class() {
            self.tuple(Anything, object)
        } else if let Some(known) = self.classes.recent(class) {
            self.known(known, object)
        } else if class == int_class() {
            // One that is not encoded as a scalar, since it is huge.
            self.int(object)
        } else {
            self.other_class(object)
        }
    }

    /// Encodes an object whose class is not one of the last few: describing it may run user code, so the object is held.
    #[inline(never)]
    fn other_class(&mut self, object: ObjectRef) -> Result<()> {
        let held = object.hold();
        match self.classes.of(object) {
            Ok(known) => self.known(known, ObjectRef::of(&held)),
            Err(raised) => Err(self.raised(raised)),
        }
    }

    /// Encodes an object as its class says.
    #[inline(always)]
    fn known(&mut self, known: Known<'e>, object: ObjectRef) -> Result<()> {
        match known {
            Known::Plan(program) => self.planned(program, object),
            Known::View(program) => self.view(program, object),
            Known::Base(base) => self.base(base, object),
            Known::Nothing => self.unknown(object),
        }
    }

    /// Called after each item and each entry: a flush point. The sink may flush, depending on the depth of containers.
    ///
    /// # Errors
    /// If flushing fails.
    #[inline(always)]
    pub(super) fn border(&mut self) -> Result<()> {
        if K::LOOKS_FAST {
            return self.sink.border(self.depth);
        }
        // Checking the buffer's size costs as much as encoding a small item.
        self.told = self.told.wrapping_add(1);
        if self.told.is_multiple_of(16) { self.sink.border(self.depth) } else { Ok(()) }
    }

    /// As [`border`](Self::border), after so many items.
    ///
    /// # Errors
    /// As that.
    #[inline]
    pub(super) fn border_after(&mut self, items: u32) -> Result<()> {
        let before = self.told / 16;
        self.told = self.told.wrapping_add(items);
        if self.told / 16 == before { Ok(()) } else { self.sink.border(self.depth) }
    }

    /// Call after each item that is not a scalar. It may run a signal handler, which is user code.
    ///
    /// # Errors
    /// The exception that the signal handler raises.
    #[inline(always)]
    pub(super) fn step(&mut self) -> Result<()> {
        self.steps = self.steps.wrapping_add(1);
        if self.steps.is_multiple_of(LOOK) { self.heed() } else { Ok(()) }
    }

    /// Checks for signals.
    ///
    /// # Errors
    /// The exception that the signal handler raises.
    #[cold]
    #[inline(never)]
    pub(super) fn heed(&mut self) -> Result<()> {
        // SAFETY: engines run with the GIL held.
        let heard = unsafe { Python::assume_attached() }.check_signals();
        heard.map_err(|raised| self.raised(raised))
    }

    /// Enters a container or a hook.
    ///
    /// # Errors
    /// If the nesting is too deep, or little stack is left.
    #[inline(always)]
    pub(super) fn deeper(&mut self) -> Result<()> {
        self.depth += 1;
        if self.depth < self.look { Ok(()) } else { self.check_depth() }
    }

    /// Returns whether the current container may have another one in it, without a check of the limits.
    #[inline(always)]
    pub(super) fn has_room(&self) -> bool {
        self.depth + 1 < self.look
    }

    /// Leaves a container or a hook.
    #[inline(always)]
    pub(super) fn back(&mut self) {
        self.depth -= 1;
    }

    /// Checks the nesting depth and the remaining call stack.
    ///
    /// # Errors
    /// If the value is nested too deep, or the stack is nearly used up.
    #[inline(never)]
    pub(super) fn check_depth(&mut self) -> Result<()> {
        let limit = self.options.write.depth;
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

    /// Calls a user function with one argument.
    ///
    /// # Errors
    /// The exception that it raises.
    pub(super) fn call(&mut self, function: &Py<PyAny>, argument: ObjectRef) -> Result<Object> {
        // The function may encode, too.
        self.check_depth()?;
        let held = (argument.hold(), argument);
        // SAFETY: both are alive; the GIL is held.
        let made = unsafe { ffi::PyObject_CallOneArg(function.as_ptr(), held.0.as_ptr()) };
        Object::new(made).map_err(|raised| self.raised(raised))
    }
}
