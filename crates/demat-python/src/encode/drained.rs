//! Collects encoded bytes in a `bytes` object, or in a part of a `bytearray`.

use super::chunks::Chunks;
use super::spare;
use crate::object::Object;
use demat_core::{Error, ErrorKind, Result};
use demat_formats::Drain;
use pyo3::exceptions::PyValueError;
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyBytes};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// The result's memory, allocated by the interpreter, and filled from the sink's small buffer, which stays in cache.
///
/// A `Vec` of unknown final size would be copied each time it grows, and once more into a `bytes` object. The system
/// can instead move a large `bytes` allocation by remapping its pages, so growing it costs almost nothing.
#[derive(Debug)]
pub(super) struct Drained {
    target: Target,
    /// The bytearray that receives the result, and the offset to write at.
    ///
    /// It is written only at the end, since hooks may read or resize it during encoding.
    into: Option<(Object, usize)>,
    /// Whether the result was written to the bytearray.
    is_put: bool,
    /// The number of bytes written.
    len: usize,
    /// The capacity in bytes.
    capacity: usize,
    /// The offset up to which memory was populated.
    touched: usize,
    /// The exception for which it could not grow.
    pub(super) raised: Option<Box<PyErr>>,
}

// SAFETY: it is created, used and finished within one call, and the GIL is held throughout.
unsafe impl Send for Drained {}

/// The drain of a sink. `Memory` borrows the collected bytes, as the sink itself is moved.
#[derive(Debug)]
pub(super) enum Into<'t> {
    /// Writes to Python memory.
    Memory {
        memory: &'t mut Drained,
        /// Set before the sink drains for the last time.
        ends: &'t AtomicBool,
    },
    /// Writes to a place, buffer by buffer.
    Place(Chunks),
}

unsafe extern "C" {
    /// Resizes a `bytes` object that no other code has seen. Changes the pointer; to null if it fails.
    fn _PyBytes_Resize(bytes: *mut *mut ffi::PyObject, size: ffi::Py_ssize_t) -> core::ffi::c_int;
}

#[derive(Debug)]
enum Target {
    /// Before the first bytes.
    Nothing,
    Bytes(Object),
}

/// Results below this size, in bytes, stay in the sink's buffer until the end.
const MUCH: usize = 512 * 1024;

/// The number of bytes to populate at once.
const CHUNK: usize = 256 * 1024;

/// The length of the last large result; 0 if it was too large to be kept.
///
/// A result that begins with this capacity need not grow. More importantly, the allocator keeps freed large blocks only
/// up to the size of the largest one so far. It returns others to the system, which takes most of the time of a large
/// result. So a result keeps slightly more capacity than it needs, and the next one of the same length fits into the
/// block that the allocator has kept.
static LAST: AtomicUsize = AtomicUsize::new(0);

/// Allocators always return freed blocks of this size, in bytes, to the system.
const RETURNED: usize = 32 * 1024 * 1024;

/// Returns the capacity to begin with for a result of this length: less than [`kept`] leaves.
fn begun(len: usize) -> usize {
    len + len / 16
}

/// Returns the largest capacity that a result of this length may keep.
fn kept(len: usize) -> usize {
    len + len / 8
}

impl Drained {
    /// Collects into a new `bytes`.
    pub(super) fn new() -> Self {
        Self { target: Target::Nothing, into: None, is_put: false, len: 0, capacity: 0, touched: 0, raised: None }
    }

    /// Collects into a bytearray, from an offset that is not beyond its end.
    pub(super) fn into_bytearray(buffer: &Bound<'_, PyByteArray>, offset: usize) -> Self {
        Self { into: Some((Object::of(buffer), offset)), ..Self::new() }
    }

    /// Returns the complete `bytes`; `None` if the result went into a bytearray.
    #[inline(always)]
    pub(super) fn finish(mut self, py: Python<'_>) -> PyResult<Option<Bound<'_, PyBytes>>> {
        if self.into.is_some() {
            return self.put_all().map(|()| None);
        }
        if self.capacity != self.len {
            self.trim()?;
        }
        Ok(Some(match self.target {
            Target::Nothing => PyBytes::new(py, b""),
            // SAFETY: it was created as `bytes`.
            Target::Bytes(bytes) => unsafe { bytes.into_bound(py).cast_into_unchecked() },
        }))
    }

    /// Sets the length of the `bytes`, and returns memory that it does not need.
    #[inline(never)]
    fn trim(&mut self) -> PyResult<()> {
        if self.len < MUCH {
            return self.resize(self.len);
        }
        LAST.store(if kept(self.len) < RETURNED { self.len } else { 0 }, Ordering::Relaxed);
        if self.capacity > kept(self.len) {
            self.resize(kept(self.len))?;
        }
        let Target::Bytes(bytes) = &self.target else { return Ok(()) };
        // SAFETY: a `bytes` that no other code has seen, with room for more than `len` bytes. A zero follows the last
        // one, as in each `bytes`, and it has no hash yet.
        unsafe {
            self.start().add(self.len).write(0);
            (*bytes.as_ptr().cast::<ffi::PyVarObject>()).ob_size = as_ssize(self.len);
        }
        self.capacity = self.len;
        Ok(())
    }

    /// Called after a failure: truncates the bytearray at the offset. Returns the exception that is kept, if any.
    #[cold]
    pub(super) fn give_up(&mut self) -> Option<PyErr> {
        if let Some((bytearray, offset)) = &self.into {
            // SAFETY: it is a bytearray, and alive. A resize fails while a buffer of it is exported; then nothing was
            // written either. If a hook has shortened the bytearray to less than the offset, it stays so: those bytes
            // are no longer ours.
            unsafe {
                if ffi::PyByteArray_GET_SIZE(bytearray.as_ptr()) > as_ssize(*offset)
                    && ffi::PyByteArray_Resize(bytearray.as_ptr(), as_ssize(*offset)) != 0
                {
                    ffi::PyErr_Clear();
                }
            }
        }
        self.raised.take().map(|raised| *raised)
    }

    /// Writes the result into the bytearray. No foreign code runs from here to the end.
    #[inline(never)]
    fn put_all(&mut self) -> PyResult<()> {
        let Some((bytearray, offset)) = self.into.take().filter(|_| !self.is_put) else { return Ok(()) };
        match core::mem::replace(&mut self.target, Target::Nothing) {
            // SAFETY: a `bytes` object with room for `len` bytes.
            Target::Bytes(bytes) => put(&bytearray, offset, unsafe {
                core::slice::from_raw_parts(ffi::PyBytes_AS_STRING(bytes.as_ptr()).cast(), self.len)
            }),
            Target::Nothing => put(&bytearray, offset, &[]),
        }
    }

    fn resize(&mut self, size: usize) -> PyResult<()> {
        match core::mem::replace(&mut self.target, Target::Nothing) {
            Target::Nothing => {
                // SAFETY: no bytes are copied, as the pointer is null; a size that is too large raises.
                let bytes = unsafe { ffi::PyBytes_FromStringAndSize(core::ptr::null(), as_ssize(size)) };
                self.target = Target::Bytes(Object::new(bytes)?);
            }
            Target::Bytes(bytes) => {
                let mut bytes = bytes.into_ptr();
                // SAFETY: an object that no other code has seen. On failure it is deallocated, and the pointer null.
                unsafe { _PyBytes_Resize(&raw mut bytes, as_ssize(size)) };
                self.target = Target::Bytes(Object::new(bytes)?);
            }
        }
        self.capacity = size;
        Ok(())
    }

    /// Stores the whole result at once, if no bytes came before.
    #[inline]
    fn whole(&mut self, bytes: &[u8]) -> PyResult<()> {
        if let Some((bytearray, offset)) = &self.into {
            put(bytearray, *offset, bytes)?;
            self.is_put = true;
            return Ok(());
        }
        // SAFETY: the pointer and the length are those of a slice.
        let made = unsafe { ffi::PyBytes_FromStringAndSize(bytes.as_ptr().cast(), as_ssize(bytes.len())) };
        self.target = Target::Bytes(Object::new(made)?);
        (self.len, self.capacity) = (bytes.len(), bytes.len());
        Ok(())
    }

    /// Populates the memory that is about to be written, unless it was already accessed for an earlier result.
    fn touch(&mut self, end: usize) {
        if end > self.touched {
            let from = self.touched.max(self.len);
            self.touched = (end + CHUNK).min(self.capacity);
            crate::fresh::populate_fresh(self.start().addr() + from, self.touched - from);
        }
    }

    /// Returns the start of the result's current memory.
    fn start(&self) -> *mut u8 {
        match &self.target {
            Target::Nothing => core::ptr::null_mut(),
            // SAFETY: it is a `bytes` object.
            Target::Bytes(bytes) => unsafe { ffi::PyBytes_AS_STRING(bytes.as_ptr()) }.cast_mut().cast(),
        }
    }

    pub(super) fn append(&mut self, bytes: &[u8], ends: bool) -> PyResult<()> {
        let len = self.len + bytes.len();
        if self.capacity < len {
            let first = if self.capacity == 0 { begun(LAST.load(Ordering::Relaxed)) } else { 0 };
            let next = if ends { kept(len) } else { (2 * self.capacity).max(2 * len) };
            self.resize(next.max(first))?;
        }
        if len > MUCH {
            self.touch(len);
        }
        // SAFETY: there is room for `len` bytes, as ensured above; the buffer is other memory.
        unsafe { self.start().add(self.len).copy_from_nonoverlapping(bytes.as_ptr(), bytes.len()) };
        self.len = len;
        Ok(())
    }
}

impl Drain for Into<'_> {
    #[inline]
    fn drain(&mut self, buffer: &mut Vec<u8>) -> Result<()> {
        let (memory, ends) = match self {
            Self::Memory { memory, ends } => (memory, ends.load(Ordering::Relaxed)),
            Self::Place(chunks) => {
                if !chunks.leaves(buffer.len()) {
                    chunks.take_from(buffer);
                }
                return Ok(());
            }
        };
        let appended = if buffer.len() < MUCH && matches!(memory.target, Target::Nothing) {
            // A small result stays in the buffer, which is in cache, until its size is known.
            if !ends {
                return Ok(());
            }
            memory.whole(buffer)
        } else {
            memory.append(buffer, ends)
        };
        buffer.clear();
        if ends {
            spare::give(core::mem::take(buffer));
        }
        appended.map_err(|raised| {
            memory.raised = Some(Box::new(raised));
            Error::new(ErrorKind::Limit, "there is no memory for the result")
        })
    }

    fn flush(&mut self) -> Result<()> {
        Ok(())
    }

    fn can_patch(&self) -> bool {
        matches!(self, Self::Place(chunks) if chunks.can_patch())
    }

    fn is_prompt(&self) -> bool {
        matches!(self, Self::Place(chunks) if chunks.is_on_demand())
    }

    fn finish(&mut self, buffer: &mut Vec<u8>) -> Result<()> {
        if let Self::Place(chunks) = self {
            chunks.take_from(buffer);
            return Ok(());
        }
        self.drain(buffer)
    }

    fn patch(&mut self, back: u64, bytes: &[u8]) -> Result<()> {
        match self {
            Self::Place(chunks) => {
                chunks.patch(back, bytes);
                Ok(())
            }
            Self::Memory { .. } => Err(Error::new(ErrorKind::Internal, "what was written can't be overwritten here")),
        }
    }
}

/// Writes bytes into a bytearray at an offset, and truncates it after them.
///
/// # Errors
/// `ValueError` if it is shorter than the offset, `BufferError` if a buffer of it is exported. In both cases nothing is
/// written.
fn put(bytearray: &Object, offset: usize, bytes: &[u8]) -> PyResult<()> {
    // SAFETY: it is a bytearray, and held. Its size was just set, so it has room for all bytes. The bytes belong to
    // another object, and no foreign code runs in between.
    unsafe {
        if ffi::PyByteArray_GET_SIZE(bytearray.as_ptr()) < as_ssize(offset) {
            return Err(PyValueError::new_err("the bytearray was cut while it was written to"));
        }
        if ffi::PyByteArray_Resize(bytearray.as_ptr(), as_ssize(offset + bytes.len())) != 0 {
            return Err(crate::object::fetch());
        }
        let start = ffi::PyByteArray_AS_STRING(bytearray.as_ptr()).cast::<u8>();
        start.add(offset).copy_from_nonoverlapping(bytes.as_ptr(), bytes.len());
    }
    Ok(())
}

fn as_ssize(size: usize) -> isize {
    // A larger size can't be allocated, and the interpreter refuses it.
    isize::try_from(size).unwrap_or(isize::MAX)
}
