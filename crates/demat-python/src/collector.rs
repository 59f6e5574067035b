//! The interpreter's cyclic collector, paused while many objects are made.
//!
//! It runs whenever so many more objects were made than freed, and then looks at all of them: for a list of a million that
//! is most of the time of making it, and nothing that a decoder makes is garbage yet.

use pyo3::ffi;
use std::marker::PhantomData;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// How many decoders are at work, in all threads. Only looked at while the GIL is held; atomic for the compiler.
static DECODERS: AtomicUsize = AtomicUsize::new(0);
/// Whether the collector ran before the first of them began.
static RESUME: AtomicBool = AtomicBool::new(false);

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
        if decoders == 0 && RESUME.load(Ordering::Relaxed) {
            // SAFETY: the GIL is held, as it was when this was made.
            unsafe { ffi::PyGC_Enable() };
        }
    }
}
