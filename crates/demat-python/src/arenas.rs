//! Keeps arenas that the interpreter gives back, so that the next objects need no new memory of the kernel's.
//!
//! The interpreter allocates objects in arenas, and gives an arena back when nothing in it lives any more. A million
//! records that are dropped are some hundred arenas, and the kernel clears and maps each page again for the next
//! million: that costs as much as decoding them.

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::{ffi, intern};
use std::ffi::c_void;
use std::ptr::null_mut;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The arenas that are kept, and how many bytes of them may be.
struct Kept {
    /// The allocator that maps arenas and unmaps them; `None` before the first call.
    usual: Option<ffi::PyObjectArenaAllocator>,
    most: usize,
    bytes: usize,
    arenas: Vec<Arena>,
}

struct Arena {
    start: *mut c_void,
    size: usize,
}

// SAFETY: the arenas are nobody's while they are kept, and the allocator's functions may be called from any thread that
// holds the GIL, which is where they are called from.
unsafe impl Send for Kept {}

static KEPT: Mutex<Kept> = Mutex::new(Kept { usual: None, most: 0, bytes: 0, arenas: Vec::new() });

fn kept() -> MutexGuard<'static, Kept> {
    // What is kept is right after each step, so a panic between two leaves nothing half done.
    KEPT.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Kept {
    /// Gives back arenas, the ones kept last first, until no more bytes than these are kept.
    fn give_back(&mut self, most: usize) {
        while self.bytes > most
            && let Some(Arena { start, size }) = self.arenas.pop()
        {
            self.bytes -= size;
            self.release(start, size);
        }
    }

    fn release(&self, start: *mut c_void, size: usize) {
        if let Some(usual) = self.usual
            && let Some(free) = usual.free
        {
            free(usual.ctx, start, size);
        }
    }
}

extern "C" fn alloc(_: *mut c_void, size: usize) -> *mut c_void {
    let mut kept = kept();
    // All arenas of an interpreter have the same size, so it is the last one.
    if let Some(at) = kept.arenas.iter().rposition(|arena| arena.size == size) {
        kept.bytes -= size;
        return kept.arenas.swap_remove(at).start;
    }
    match kept.usual {
        Some(ffi::PyObjectArenaAllocator { ctx, alloc: Some(alloc), .. }) => alloc(ctx, size),
        _ => null_mut(),
    }
}

extern "C" fn free(_: *mut c_void, start: *mut c_void, size: usize) {
    let mut kept = kept();
    if kept.bytes + size <= kept.most {
        kept.bytes += size;
        kept.arenas.push(Arena { start, size });
    } else {
        kept.release(start, size);
    }
}

/// Keeps up to `size` bytes of the arenas that the interpreter gives back; `None` changes nothing. Returns the number of
/// bytes that are kept now.
///
/// # Errors
/// `RuntimeError` if the interpreter allocates objects without arenas.
#[pyfunction]
#[pyo3(signature = (size=None))]
pub(crate) fn reserve(py: Python<'_>, size: Option<usize>) -> PyResult<usize> {
    let Some(size) = size else { return Ok(kept().bytes) };
    if !has_arenas(py)? {
        let message = "this interpreter allocates objects without arenas (see PYTHONMALLOC), so that none can be kept";
        return Err(PyRuntimeError::new_err(message));
    }
    let mut kept = kept();
    if kept.usual.is_none() && size > 0 {
        let mut usual = ffi::PyObjectArenaAllocator { ctx: null_mut(), alloc: None, free: None };
        let mut ours = ffi::PyObjectArenaAllocator { ctx: null_mut(), alloc: Some(alloc), free: Some(free) };
        // SAFETY: the GIL is held, so no arena is allocated meanwhile. Arenas of the usual allocator can be freed by ours,
        // which passes them on, and the module is never unloaded.
        unsafe {
            ffi::PyObject_GetArenaAllocator(&raw mut usual);
            ffi::PyObject_SetArenaAllocator(&raw mut ours);
        }
        kept.usual = Some(usual);
    }
    kept.most = size;
    kept.give_back(size);
    Ok(kept.bytes)
}

/// Whether the interpreter's allocator of objects has arenas: only then it counts its blocks.
fn has_arenas(py: Python<'_>) -> PyResult<bool> {
    let blocks: usize = py.import(intern!(py, "sys"))?.call_method0(intern!(py, "getallocatedblocks"))?.extract()?;
    Ok(blocks > 0)
}
