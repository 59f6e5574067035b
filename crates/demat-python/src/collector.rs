//! The interpreter's cyclic collector, paused while many objects are made.
//!
//! It runs whenever so many more objects were made than freed, and then looks at all of them: for a list of a million that
//! is most of the time of making it, and nothing that a decoder makes is garbage yet.

use pyo3::prelude::*;
use pyo3::{ffi, intern};
use std::cell::Cell;
use std::marker::PhantomData;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// How many decoders are at work, in all threads. Only looked at while the GIL is held; atomic for the compiler.
static DECODERS: AtomicUsize = AtomicUsize::new(0);
/// Whether the collector ran before the first of them began.
static RESUME: AtomicBool = AtomicBool::new(false);

thread_local! {
    /// How many of the decoders are this thread's.
    static OWN: Cell<usize> = const { Cell::new(0) };
}

/// The collector stands still for as long as one of these lives, in whichever thread; the last one to go lets it run
/// again, if it ran before the first one came.
///
/// A hook that turns the collector on has its way; that a hook turned it off can't be told from the pause.
pub(crate) struct Paused(PhantomData<*const ()>);

/// Less input than this is hardly a thousand objects.
const BULK: usize = 2048;

impl Paused {
    /// Pauses the collector, if so many bytes of input may become enough objects for it to run more than once.
    #[inline]
    pub(crate) fn for_input(bytes: usize) -> Option<Self> {
        (bytes > BULK).then(Self::new)
    }

    /// Pauses the collector. The GIL must be held, as an engine's caller does.
    #[inline]
    fn new() -> Self {
        // Two steps, as nobody can come between while the GIL is held, and cheaper than one that nobody can split.
        let decoders = DECODERS.load(Ordering::Relaxed);
        DECODERS.store(decoders + 1, Ordering::Relaxed);
        OWN.set(OWN.get() + 1);
        if decoders == 0 {
            // SAFETY: the GIL is held.
            RESUME.store(unsafe { ffi::PyGC_Disable() } == 1, Ordering::Relaxed);
        }
        Self(PhantomData)
    }
}

impl Drop for Paused {
    #[inline]
    fn drop(&mut self) {
        let decoders = DECODERS.load(Ordering::Relaxed) - 1;
        DECODERS.store(decoders, Ordering::Relaxed);
        OWN.set(OWN.get() - 1);
        if decoders == 0 && RESUME.load(Ordering::Relaxed) {
            // SAFETY: the GIL is held, as it was when this was made.
            unsafe { ffi::PyGC_Enable() };
        }
    }
}

/// A process that was forked has the thread that forked it and no other: decoders of others are at work no more.
#[pyfunction]
fn _after_fork() {
    let own = OWN.get();
    let others = DECODERS.swap(own, Ordering::Relaxed) - own;
    if own == 0 && others > 0 && RESUME.load(Ordering::Relaxed) {
        // SAFETY: the GIL is held, as a function of Python's is called.
        unsafe { ffi::PyGC_Enable() };
    }
}

/// Sees to it that processes that are forked from this one have their collector.
///
/// # Errors
/// None, in truth.
pub(crate) fn watch_forks(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    // Systems that can't fork have no such function.
    let Ok(register) = py.import(intern!(py, "os"))?.getattr(intern!(py, "register_at_fork")) else { return Ok(()) };
    let given = pyo3::types::PyDict::new(py);
    given.set_item(intern!(py, "after_in_child"), wrap_pyfunction!(_after_fork, module)?)?;
    register.call((), Some(&given)).map(drop)
}
