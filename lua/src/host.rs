//! What the module keeps for one interpreter, and how its functions are entered and left.

use crate::ffi::{self, lua_State};
use crate::layout::NAME;
use crate::raised::Raised;
use crate::tape::Tape;
use crate::walk::beneath::{Known, Memory};
use core::cell::{Cell, RefCell};
use core::ffi::{c_int, c_void};
use core::ptr::NonNull;
use demat_core::{Error, ErrorKind, Shape};
use std::collections::HashMap;

/// References to values that the interpreter's registry keeps.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Refs {
    /// The metatables of arrays, objects and errors.
    pub(crate) array: i64,
    pub(crate) object: i64,
    pub(crate) error: i64,
    /// The strings `__demat`, `__jsontype` and `__pairs`.
    pub(crate) demat: i64,
    pub(crate) json_type: i64,
    pub(crate) pairs: i64,
    /// The function that runs phases.
    pub(crate) phase: i64,
    /// Functions for LuaJIT's integers: their digits, and one of two halves.
    pub(crate) digits: i64,
    pub(crate) wide: i64,
}

/// The memory of one call, which is kept for the next one.
#[derive(Debug, Default)]
pub(crate) struct Work {
    pub(crate) out: Vec<u8>,
    pub(crate) tape: Tape,
    pub(crate) memory: Memory,
    pub(crate) open: Vec<usize>,
    pub(crate) path: Vec<*const c_void>,
    pub(crate) frames: Vec<crate::builder::Frame>,
    pub(crate) failure: Option<Error>,
}

/// What the module keeps for one interpreter.
///
/// A call may come within another one, from a handler or a finalizer. So a host is shared, and its parts are cells.
#[derive(Debug)]
pub(crate) struct Host {
    pub(crate) refs: Refs,
    /// What the walk beneath the API must know, if the layout was proved.
    pub(crate) known: Cell<Option<Known>>,
    /// Why it was not.
    pub(crate) refusal: Cell<Option<&'static str>>,
    /// Whether the program wants it to be used.
    pub(crate) beneath: Cell<bool>,
    /// The memory of calls, each leaked from a box. A call within another one has its own.
    works: RefCell<Vec<NonNull<Work>>>,
    /// The number of calls that run.
    running: Cell<usize>,
    /// How many bytes of each kept buffer survive a call.
    pub(crate) keep: Cell<usize>,
    /// Shapes by their text.
    shapes: RefCell<HashMap<Box<str>, Shape>>,
}

/// How many bytes are kept by default.
pub(crate) const KEEP: usize = 4 << 20;
/// How many shapes are kept.
const SHAPES: usize = 256;

impl Host {
    /// Returns a host without a proved layout.
    pub(crate) fn new(refs: Refs) -> Self {
        Self {
            refs,
            known: Cell::new(None),
            refusal: Cell::new(None),
            beneath: Cell::new(true),
            works: RefCell::default(),
            running: Cell::new(0),
            keep: Cell::new(KEEP),
            shapes: RefCell::default(),
        }
    }

    /// Returns what the walk beneath the API must know, if it may be used.
    pub(crate) fn known(&self) -> Option<Known> {
        self.known.get().filter(|_| self.beneath.get())
    }

    /// Returns the name of the layout in use, and why it is no other.
    pub(crate) fn layout(&self) -> (&'static str, &'static str) {
        match (self.known.get(), self.beneath.get()) {
            (Some(_), true) => (NAME, ""),
            (Some(_), false) => ("public", "the program has asked for it"),
            (None, _) => ("public", self.refusal.get().unwrap_or_default()),
        }
    }

    /// Begins a call. Returns its memory, which stays where it is until [`leave`](Self::leave).
    pub(crate) fn enter(&self) -> *mut Work {
        let mut works = self.works.borrow_mut();
        let running = self.running.get();
        if running == works.len() {
            works.push(NonNull::from(Box::leak(Box::default())));
        }
        self.running.set(running + 1);
        works[running].as_ptr()
    }

    /// Ends a call.
    pub(crate) fn leave(&self) {
        let running = self.running.get().saturating_sub(1);
        self.running.set(running);
        let keep = self.keep.get();
        if let Some(work) = self.works.borrow().get(running) {
            // SAFETY: the call whose memory this is has ended, and another one has not begun.
            let work = unsafe { &mut *work.as_ptr() };
            if work.out.capacity() > keep {
                work.out = Vec::new();
            }
            work.tape.shrink(keep);
        }
    }

    /// Returns the shape of a text.
    pub(crate) fn shape(&self, text: &str) -> Result<Shape, Error> {
        let mut shapes = self.shapes.borrow_mut();
        if let Some(shape) = shapes.get(text) {
            return Ok(shape.clone());
        }
        let shape: Shape = text.parse()?;
        demat_formats::codec::verify_shape(&shape)?;
        if shapes.len() == SHAPES {
            shapes.clear();
        }
        shapes.insert(text.into(), shape.clone());
        Ok(shape)
    }
}

impl Drop for Host {
    fn drop(&mut self) {
        for work in self.works.get_mut().drain(..) {
            // SAFETY: it was leaked from a box, and no call runs while the host's userdata is freed.
            drop(unsafe { Box::from_raw(work.as_ptr()) });
        }
    }
}

/// How a call ends.
#[derive(Debug)]
pub(crate) enum Outcome {
    /// With the error on the top of the stack.
    Thrown,
    /// With an error of Demat.
    Failed(Error),
}

impl From<Error> for Outcome {
    fn from(error: Error) -> Self {
        Self::Failed(error)
    }
}

/// Returns the host of the function that runs, its first value.
unsafe fn host_of(state: *mut lua_State) -> *mut Host {
    // SAFETY: all functions of the module have the host's userdata as their first value.
    unsafe {
        let userdata = ffi::lua_touserdata(state, ffi::upvalue(1)).cast::<*mut Host>();
        if userdata.is_null() { core::ptr::null_mut() } else { *userdata }
    }
}

/// Runs a function of the module, and raises the error that it returns.
///
/// # Safety
/// The interpreter calls, with a function that has the host as its first value.
pub(crate) unsafe fn run(
    state: *mut lua_State,
    function: unsafe fn(*mut lua_State, &Host) -> Result<c_int, Outcome>,
) -> c_int {
    // SAFETY: nothing in this frame needs to be dropped when the error is raised: it is on the top of the stack.
    unsafe {
        let host = host_of(state);
        if host.is_null() {
            ffi::push_bytes(state, b"demat: the interpreter is being closed");
            return ffi::lua_error(state);
        }
        match results(state, host, function) {
            THROWN => ffi::lua_error(state),
            results => results,
        }
    }
}

const THROWN: c_int = -1;

unsafe fn results(
    state: *mut lua_State,
    host: *mut Host,
    function: unsafe fn(*mut lua_State, &Host) -> Result<c_int, Outcome>,
) -> c_int {
    // SAFETY: the host lives as long as its userdata, which the running function holds.
    let host = unsafe { &*host };
    let mut results = THROWN;
    let failed = demat_core::caught(|| {
        // SAFETY: as above.
        match unsafe { function(state, host) } {
            Ok(count) => results = count,
            Err(Outcome::Thrown) => {}
            Err(Outcome::Failed(error)) => return Err(error),
        }
        Ok(())
    });
    if let Err(error) = failed {
        results = THROWN;
        let mut raised = Raised::new(&error, host.refs.error);
        // SAFETY: nothing on the stack is needed any more, so there is room. Whatever happens, an error is on the top then.
        unsafe {
            ffi::lua_settop(state, 0);
            drop(protected(state, host.refs, Raised::push, &mut raised, 0, 1));
        }
    }
    results
}

/// A part of a call that may raise. It runs with its data, and the arguments on the stack from the index 2 on.
#[derive(Debug)]
#[repr(C)]
pub(crate) struct Phase {
    pub(crate) run: unsafe fn(*mut lua_State, *mut c_void) -> c_int,
    pub(crate) data: *mut c_void,
}

/// The function that runs phases.
///
/// # Safety
/// The interpreter calls it with a phase.
pub(crate) unsafe extern "C-unwind" fn run_phase(state: *mut lua_State) -> c_int {
    // SAFETY: the first argument is a pointer to a phase, which is on the stack of the caller of `protected`.
    unsafe {
        let phase = ffi::lua_touserdata(state, 1).cast::<Phase>();
        ((*phase).run)(state, (*phase).data)
    }
}

/// Runs a phase with the arguments on the top of the stack. What it raises is the outcome.
///
/// # Safety
/// The stack has the arguments, and room. The data is what the phase expects; its frames own nothing.
pub(crate) unsafe fn protected<T>(
    state: *mut lua_State,
    refs: Refs,
    phase: unsafe fn(*mut lua_State, *mut c_void) -> c_int,
    data: &mut T,
    arguments: c_int,
    results: c_int,
) -> Result<(), Outcome> {
    let mut phase = Phase { run: phase, data: (&raw mut *data).cast() };
    // SAFETY: as above; pushing these raises nothing.
    unsafe {
        ffi::raw_get_int(state, ffi::LUA_REGISTRYINDEX, refs.phase);
        ffi::insert(state, -arguments - 1);
        ffi::lua_pushlightuserdata(state, (&raw mut phase).cast());
        ffi::insert(state, -arguments - 1);
        if ffi::protected_call(state, arguments + 1, results) == 0 { Ok(()) } else { Err(Outcome::Thrown) }
    }
}

/// Pushes bytes as a string, or fails if memory runs out.
///
/// # Safety
/// The stack has room.
pub(crate) unsafe fn push(state: *mut lua_State, refs: Refs, bytes: &[u8]) -> Result<(), Outcome> {
    unsafe fn pushed(state: *mut lua_State, data: *mut c_void) -> c_int {
        // SAFETY: the data is the slice of the caller.
        unsafe { ffi::push_bytes(state, *data.cast::<&[u8]>()) };
        1
    }
    let mut bytes = bytes;
    // SAFETY: as above.
    unsafe { protected(state, refs, pushed, &mut bytes, 0, 1) }
}

/// Returns the error for a wrong argument.
#[cold]
pub(crate) fn wrong(message: impl Into<std::borrow::Cow<'static, str>>) -> Error {
    Error::new(ErrorKind::Constraint, message)
}

/// Returns the text at an index, if there is one.
///
/// # Safety
/// A string at the index stays there for `'a`.
pub(crate) unsafe fn text_at<'a>(state: *mut lua_State, index: c_int, what: &str) -> Result<&'a str, Error> {
    // SAFETY: the type is checked.
    let bytes = unsafe {
        if ffi::lua_type(state, index) != ffi::LUA_TSTRING {
            return Err(wrong(format!("{what} must be a string")));
        }
        ffi::bytes_at(state, index)
    };
    core::str::from_utf8(bytes).map_err(|_| wrong(format!("{what} is not UTF-8")))
}
