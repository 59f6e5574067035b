//! Where the bytes go: a `bytes` object, or a part of a `bytearray`.

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

/// The interpreter's own memory, filled from the sink's small and warm buffer.
///
/// A result of unknown size would be copied each time that it outgrows its memory, and once more when it is made an object
/// of the interpreter. A large block of that is moved by the system's page tables instead, so it grows for next to nothing;
/// and the sink's buffer stays in the processor's cache.
#[derive(Debug)]
pub(super) struct Drained {
    target: Target,
    /// The bytearray that receives the result, and the offset to write at.
    ///
    /// It is written only at the end, since hooks may read or resize it during encoding.
    into: Option<(Object, usize)>,
    /// Whether the bytearray has been written.
    is_put: bool,
    /// So many bytes of it are written.
    len: usize,
    /// There is room for so many.
    capacity: usize,
    /// Up to here there is memory behind the addresses.
    touched: usize,
    /// Why it could not grow.
    pub(super) raised: Option<Box<PyErr>>,
}

// SAFETY: it is made, used and finished within one call, all of which holds the GIL.
unsafe impl Send for Drained {}

/// The drain that a sink has. The memory itself stands still, as the sink is moved about.
#[derive(Debug)]
pub(super) enum Into<'t> {
    /// To the interpreter's memory.
    Memory {
        memory: &'t mut Drained,
        /// Set before the sink drains for the last time.
        ends: &'t AtomicBool,
    },
    /// To a place, by and by.
    Place(Chunks),
}

unsafe extern "C" {
    /// Changes the size of a `bytes` that nobody else has seen; the pointer is to another object then, or null.
    fn _PyBytes_Resize(bytes: *mut *mut ffi::PyObject, size: ffi::Py_ssize_t) -> core::ffi::c_int;
}

#[derive(Debug)]
enum Target {
    /// No bytes came yet.
    Nothing,
    Bytes(Object),
}

/// Up to so much is kept in the sink's buffer.
const MUCH: usize = 512 * 1024;

/// How many bytes of memory the system is asked for at once.
const CHUNK: usize = 256 * 1024;

/// The length of the last large result.
///
/// A result that begins with room for as much need not grow. More important, the allocator keeps large blocks that are
/// freed only up to the size of the largest such block so far, and returns others to the system, which takes most of the
/// time that a large result costs. So a result keeps a little more room than it needs, and the next one of the same length
/// fits in what the allocator has kept.
static LAST: AtomicUsize = AtomicUsize::new(0);

/// Allocators return blocks of this size to the system when they are freed, whatever was freed before.
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
    /// Into a new `bytes`.
    pub(super) fn new() -> Self {
        Self { target: Target::Nothing, into: None, is_put: false, len: 0, capacity: 0, touched: 0, raised: None }
    }

    /// Into a bytearray, from an offset on, which is not beyond its end.
    pub(super) fn into_bytearray(buffer: &Bound<'_, PyByteArray>, offset: usize) -> Self {
        Self { into: Some((Object::of(buffer), offset)), ..Self::new() }
    }

    /// The finished `bytes`; None where they went into a bytearray.
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
            // SAFETY: it was made as one.
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
        // SAFETY: a `bytes` that nobody else has seen, with room for more than `len` bytes. A zero stands behind the last
        // one, as in each `bytes`, and it has no hash yet.
        unsafe {
            self.start().add(self.len).write(0);
            (*bytes.as_ptr().cast::<ffi::PyVarObject>()).ob_size = as_ssize(self.len);
        }
        self.capacity = self.len;
        Ok(())
    }

    /// It failed: cuts a bytearray to what stood before the offset. Gives what the interpreter had to say.
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
            // SAFETY: a `bytes` with room for `len` bytes.
            Target::Bytes(bytes) => put(&bytearray, offset, unsafe {
                core::slice::from_raw_parts(ffi::PyBytes_AS_STRING(bytes.as_ptr()).cast(), self.len)
            }),
            Target::Nothing => put(&bytearray, offset, &[]),
        }
    }

    fn resize(&mut self, size: usize) -> PyResult<()> {
        match core::mem::replace(&mut self.target, Target::Nothing) {
            Target::Nothing => {
                // SAFETY: no bytes are given, so the size is all that counts; more than there can be raises.
                let bytes = unsafe { ffi::PyBytes_FromStringAndSize(core::ptr::null(), as_ssize(size)) };
                self.target = Target::Bytes(Object::new(bytes)?);
            }
            Target::Bytes(bytes) => {
                let mut bytes = bytes.into_ptr();
                // SAFETY: an object of its own that nobody else has seen; where it fails it is gone, and null.
                unsafe { _PyBytes_Resize(&raw mut bytes, as_ssize(size)) };
                self.target = Target::Bytes(Object::new(bytes)?);
            }
        }
        self.capacity = size;
        Ok(())
    }

    /// Takes all that there is at once, where nothing came before.
    #[inline]
    fn whole(&mut self, bytes: &[u8]) -> PyResult<()> {
        if let Some((bytearray, offset)) = &self.into {
            put(bytearray, *offset, bytes)?;
            self.is_put = true;
            return Ok(());
        }
        // SAFETY: so many bytes stand there.
        let made = unsafe { ffi::PyBytes_FromStringAndSize(bytes.as_ptr().cast(), as_ssize(bytes.len())) };
        self.target = Target::Bytes(Object::new(made)?);
        (self.len, self.capacity) = (bytes.len(), bytes.len());
        Ok(())
    }

    /// Asks the system for the memory that is about to be written to, unless it is there from an earlier result.
    fn touch(&mut self, end: usize) {
        if end > self.touched {
            let from = self.touched.max(self.len);
            self.touched = (end + CHUNK).min(self.capacity);
            crate::fresh::populate_fresh(self.start().addr() + from, self.touched - from);
        }
    }

    /// Where the bytes begin, in the memory that there is now.
    fn start(&self) -> *mut u8 {
        match &self.target {
            Target::Nothing => core::ptr::null_mut(),
            // SAFETY: it is a `bytes`.
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
        // SAFETY: there is room for `len` bytes, since it was made; the buffer is another object's memory.
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
                chunks.take_from(buffer);
                return Ok(());
            }
        };
        let appended = if buffer.len() < MUCH && matches!(memory.target, Target::Nothing) {
            // What is not much stays in the buffer, whose memory is warm, until its size is known.
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
    // More can't be asked for, and is refused by the interpreter.
    isize::try_from(size).unwrap_or(isize::MAX)
}
