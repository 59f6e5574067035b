//! Pauses Python's cyclic garbage collector while many objects are created.
//!
//! The collector runs after a number of allocations and then visits all objects. For a list of a million objects that
//! takes most of the time of creating it, and none of a decoder's objects is garbage yet.

use pyo3::prelude::*;
use pyo3::{ffi, intern};
use std::cell::Cell;
use std::marker::PhantomData;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// The number of active decoders in all threads. Accessed only while the GIL is held; atomic because a static must be.
static DECODERS: AtomicUsize = AtomicUsize::new(0);
/// Whether the collector was enabled before the first of them began.
static RESUME: AtomicBool = AtomicBool::new(false);

thread_local! {
    /// The number of active decoders of this thread.
    static OWN: Cell<usize> = const { Cell::new(0) };
}

/// The collector is paused for as long as one of these lives, in any thread. The last one to be dropped enables the
/// collector again, if it was enabled before.
///
/// If a hook enables the collector meanwhile, it stays enabled. A hook's disabling it can't be distinguished from the
/// pause.
pub(crate) struct Paused(PhantomData<*const ()>);

/// Input up to this size, in bytes, becomes hardly a thousand objects.
const BULK: usize = 2048;

impl Paused {
    /// Pauses the collector if input of this size may become enough objects for it to run more than once.
    #[inline]
    pub(crate) fn for_input(bytes: usize) -> Option<Self> {
        (bytes > BULK).then(Self::new)
    }

    /// Pauses the collector. The GIL must be held; an engine's caller holds it.
    #[inline]
    pub(crate) fn new() -> Self {
        // A load and a store: no thread can come between while the GIL is held, and an atomic addition is slower.
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
            // SAFETY: the GIL is held, as it was when this was created.
            unsafe { ffi::PyGC_Enable() };
        }
    }
}

/// Runs in the child after a fork: only the forking thread exists there, so the decoders of other threads are gone.
#[pyfunction]
fn _after_fork() {
    let own = OWN.get();
    let others = DECODERS.swap(own, Ordering::Relaxed) - own;
    if own == 0 && others > 0 && RESUME.load(Ordering::Relaxed) {
        // SAFETY: the GIL is held, as Python calls this function.
        unsafe { ffi::PyGC_Enable() };
    }
}

/// Registers a callback that restores the collector in forked processes.
///
/// # Errors
/// Never fails in practice.
pub(crate) fn watch_forks(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    // Systems that can't fork lack this function.
    let Ok(register) = py.import(intern!(py, "os"))?.getattr(intern!(py, "register_at_fork")) else { return Ok(()) };
    let given = pyo3::types::PyDict::new(py);
    given.set_item(intern!(py, "after_in_child"), wrap_pyfunction!(_after_fork, module)?)?;
    register.call((), Some(&given)).map(drop)
}
