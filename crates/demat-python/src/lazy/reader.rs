//! Reads the records of a file as views.

use super::Encoding;
use super::class::{ViewClass, class_of};
use super::keyed;
use super::layout::{KEPT, View, ViewBytes};
use super::open::{self, How, cut, root_of};
use super::owner::{Held, Owner, released};
use crate::error::{Failure, exception};
use crate::plan::Plan;
use crate::quick;
use crate::target::path;
use demat_formats::proto::raw;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyType};
use pyo3::{Borrowed, PyTraverseError, PyVisit, ffi, intern};
use std::cell::UnsafeCell;

/// Iterates over the records of a place as lazy records: length-prefixed messages, the items of a list, or lines.
///
/// `close()`, or the end of a `with`, closes the file: the records returned before are invalid from then on.
#[pyclass(frozen, weakref, name = "LazyReader", module = "demat._native")]
pub(crate) struct LazyReader {
    inner: UnsafeCell<Inner>,
}

// SAFETY: only accessed with the GIL held.
unsafe impl Sync for LazyReader {}
// SAFETY: as above.
unsafe impl Send for LazyReader {}

struct Inner {
    class: *const ViewClass,
    /// Keeps the class alive.
    plan: Py<Plan>,
    owner: Option<Py<PyAny>>,
    data: *const u8,
    len: usize,
    flags: u32,
    at: usize,
    count: usize,
    /// Two views that are refilled alternately: the caller still holds one while it receives the other.
    ring: [Option<Py<PyAny>>; 2],
    recycle: bool,
    /// The iteration over objects with keys; `None` for messages.
    walk: Option<keyed::Walk>,
    /// The remaining nesting depth in each record.
    depth: u32,
}

/// Opens a place for lazy records.
///
/// # Errors
/// `TypeError` for types without lazy records, for objects that are no place, and for options that have no effect here;
/// `OSError` if a file can't be opened.
pub(crate) fn read<'py>(
    place: &Bound<'py, PyAny>,
    plan: Option<&Bound<'py, Plan>>,
    given: &Bound<'py, PyDict>,
    how: How,
) -> PyResult<Bound<'py, PyAny>> {
    let py = place.py();
    for name in given.keys() {
        let name: String = name.extract()?;
        let known = ["lazy", "recycle", "unknown", "compression", "hooks", "rename"];
        let own: &[&str] = match how.encoding {
            Encoding::Messages => &["ordered", "depth"],
            Encoding::Json | Encoding::Packed => &["strict", "depth", "repeated_keys"],
        };
        if !known.contains(&name.as_str()) && !own.contains(&name.as_str()) {
            return Err(PyTypeError::new_err(format!("lazy records have no option {name:?}")));
        }
    }
    let recycle = given.get_item("recycle")?.is_some_and(|recycle| recycle.is_truthy().unwrap_or(false));
    let plan = plan.ok_or_else(|| PyTypeError::new_err("lazy records are of a class: read(place, Task, lazy=True)"))?;
    let (record, _) = root_of(plan)?;
    let class: *const ViewClass = class_of(plan, record, how.encoding)?;
    let data = mapped(place)?;
    let held = Held::of(&data, false)?;
    let plain = given.get_item("compression")?.is_some_and(|packing| packing.is_none());
    if !plain && held.is_packed() {
        return Err(PyValueError::new_err(
            "lazy records are read where they stand, and this is packed; unpack it first",
        ));
    }
    let flags = how.flags(&held);
    let inner = Inner {
        class,
        plan: plan.clone().unbind(),
        owner: Some(held.owner),
        data: held.data,
        len: held.len,
        flags,
        at: 0,
        count: 0,
        ring: [None, None],
        recycle,
        walk: how.encoding.is_keyed().then(|| keyed::Walk::new(how.encoding, how.lines, how.keyed)),
        depth: how.depth(true),
    };
    Ok(Bound::new(py, LazyReader { inner: UnsafeCell::new(inner) })?.into_any())
}

/// Returns an object with the bytes: maps a file; reads a file object that has no buffer.
pub(super) fn mapped<'py>(place: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let py = place.py();
    if let Some(path) = path(place)? {
        let io = py.import(intern!(py, "io"))?;
        let file = io.getattr(intern!(py, "open"))?.call1((path, "rb", 0))?;
        let empty = file.call_method1(intern!(py, "seek"), (0, 2))?.extract::<u64>()? == 0;
        let map = if empty {
            PyBytes::new(py, b"").into_any()
        } else {
            let module = py.import(intern!(py, "mmap"))?;
            let options = PyDict::new(py);
            options.set_item("access", module.getattr(intern!(py, "ACCESS_READ"))?)?;
            let number = file.call_method0(intern!(py, "fileno"))?;
            module.getattr(intern!(py, "mmap"))?.call((number, 0), Some(&options))?
        };
        file.call_method0(intern!(py, "close"))?;
        return Ok(map);
    }
    // SAFETY: a live object.
    if unsafe { ffi::PyObject_CheckBuffer(place.as_ptr()) } != 0 {
        return Ok(place.clone());
    }
    let read = place.getattr(intern!(py, "read")).map_err(|_| {
        PyTypeError::new_err("lazy records are read of a path, of what has a buffer, or of an open file")
    })?;
    read.call0()
}

impl LazyReader {
    #[allow(clippy::mut_from_ref)] // guarded by the GIL
    fn inner(&self) -> &mut Inner {
        // SAFETY: the GIL is held; the borrow is not used after foreign code has run.
        unsafe { &mut *self.inner.get() }
    }
}

impl Inner {
    /// Returns a new reference to the next view; null at the end, or with an exception.
    ///
    /// # Safety
    /// The GIL is held.
    #[inline(always)]
    unsafe fn next(&mut self) -> *mut ffi::PyObject {
        let Some(owner) = &self.owner else { return core::ptr::null_mut() };
        if self.walk.is_some() {
            // SAFETY: as the caller guarantees.
            return unsafe { self.walked() };
        }
        if self.at >= self.len {
            return core::ptr::null_mut();
        }
        // SAFETY: the owner is held, and only this reader's `close` releases it, and removes it; it has that many
        // bytes. The plan keeps the class alive.
        unsafe {
            let bytes = core::slice::from_raw_parts(self.data, self.len);
            let Some((len, begin)) = raw::length(bytes, self.at).filter(|(len, begin)| *len <= bytes.len() - begin)
            else {
                return self.cut();
            };
            let data = self.data.add(begin);
            self.at = begin + len;
            self.count += 1;
            if self.recycle {
                return self.again(data, len);
            }
            open::view(&*self.class, owner.as_ptr(), data, len, self.flags, self.depth)
        }
    }

    /// Returns the next view, reusing one that was returned before and has no other references, if there is one.
    ///
    /// # Safety
    /// As [`next`](Self::next).
    #[inline(always)]
    unsafe fn again(&mut self, data: *const u8, len: usize) -> *mut ffi::PyObject {
        let Some(owner) = &self.owner else { return core::ptr::null_mut() };
        let turn = self.count & 1;
        // SAFETY: as the caller guarantees; the ring contains views of the class.
        unsafe {
            if let (Some(old), Ok(short)) = (&self.ring[turn], u32::try_from(len)) {
                let object = old.as_ptr();
                if ffi::Py_REFCNT(object) == 1 {
                    let view = View::new(object, &*self.class);
                    if view.state().flags & KEPT != 0 {
                        view.forget();
                    }
                    *view.state() = ViewBytes { data, len: short, flags: self.flags };
                    (*view.seen(), *view.depth()) = (0, self.depth);
                    view.places().fill(super::layout::FieldSpan { first: 0, last: 0 });
                    ffi::Py_INCREF(object);
                    return object;
                }
            }
            let bytes = core::slice::from_raw_parts(data, len);
            let made = open::view_of(&*self.class, owner.as_ptr(), bytes, self.flags, self.depth);
            if !made.is_null() {
                let kept = Bound::from_borrowed_ptr(Python::assume_attached(), made).unbind();
                let old = self.ring[turn].replace(kept);
                // It may be the last reference, and deallocation runs code.
                drop(old.map(|old| old.into_bound(Python::assume_attached())));
            }
            made
        }
    }

    /// Returns the next view over an object with keys: as [`next`](Self::next).
    ///
    /// # Safety
    /// As for [`next`](Self::next).
    #[inline(never)]
    unsafe fn walked(&mut self) -> *mut ffi::PyObject {
        let (Some(owner), Some(walk)) = (&self.owner, &mut self.walk) else { return core::ptr::null_mut() };
        // SAFETY: as in `next`.
        unsafe {
            let bytes = core::slice::from_raw_parts(self.data, self.len);
            let found = walk.next(bytes);
            self.at = walk.offset();
            match found {
                Ok(None) => core::ptr::null_mut(),
                Ok(Some((begin, end))) => {
                    self.count += 1;
                    let part = &bytes[begin..end];
                    if self.recycle {
                        return self.again(part.as_ptr(), part.len());
                    }
                    open::view_of(&*self.class, owner.as_ptr(), part, self.flags, self.depth)
                }
                Err(error) => {
                    let error = error.in_record(self.count as u64 + 1);
                    quick::raise(|py| exception(py, Failure::from(error)));
                    core::ptr::null_mut()
                }
            }
        }
    }

    #[cold]
    fn cut(&mut self) -> *mut ffi::PyObject {
        let error = cut(self.at, self.count);
        self.at = self.len;
        quick::raise(|py| exception(py, Failure::from(error)));
        core::ptr::null_mut()
    }
}

#[pymethods]
impl LazyReader {
    fn __iter__<'py>(slf: &Bound<'py, Self>) -> Bound<'py, Self> {
        slf.clone()
    }

    fn __next__<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        // SAFETY: the GIL is held; a new reference, or null, with or without an exception.
        unsafe {
            let next = self.inner().next();
            if next.is_null() && !ffi::PyErr_Occurred().is_null() {
                return Err(PyErr::fetch(py));
            }
            Ok(Bound::from_owned_ptr_or_opt(py, next))
        }
    }

    /// The number of the last record returned, from 1.
    #[getter]
    fn record(&self) -> usize {
        self.inner().count
    }

    /// The number of bytes read so far.
    #[getter]
    fn bytes_read(&self) -> usize {
        self.inner().at
    }

    /// Supports `LazyReader[Task]` in annotations.
    #[classmethod]
    fn __class_getitem__<'py>(class: &Bound<'py, PyType>, item: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let py = class.py();
        py.import(intern!(py, "types"))?.getattr(intern!(py, "GenericAlias"))?.call1((class, item))
    }

    /// Closes the place. Records returned before are invalid from then on, and raise when they are used. Raises
    /// BufferError if a buffer of one, such as a NumPy array, is still in use.
    fn close(&self, py: Python<'_>) -> PyResult<()> {
        let inner = self.inner();
        let Some(owner) = &inner.owner else { return Ok(()) };
        let owner = owner.bind(py).clone();
        if let Ok(own) = owner.cast::<Owner>() {
            own.get().release()?;
        }
        let inner = self.inner();
        let ring = core::mem::take(&mut inner.ring);
        drop((inner.owner.take(), ring));
        Ok(())
    }

    /// Whether the reader was closed.
    #[getter]
    fn closed(&self) -> bool {
        self.inner().owner.is_none()
    }

    fn __enter__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, Self>> {
        if slf.get().closed() {
            return Err(released());
        }
        Ok(slf.clone())
    }

    #[pyo3(signature = (class_, value, trace, /))]
    fn __exit__(
        &self,
        py: Python<'_>,
        class_: &Bound<'_, PyAny>,
        value: &Bound<'_, PyAny>,
        trace: &Bound<'_, PyAny>,
    ) -> PyResult<()> {
        let _ = (class_, value, trace);
        self.close(py)
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        // SAFETY: no other access happens during the collector's traversal.
        let inner = unsafe { &*self.inner.get() };
        visit.call(&inner.plan)?;
        visit.call(&inner.owner)?;
        inner.ring.iter().flatten().try_for_each(|kept| visit.call(kept))
    }
}

/// The `tp_iternext` slot, which `for` calls.
///
/// # Safety
/// Called by the interpreter, with a reader, and with the GIL held.
unsafe extern "C" fn next(reader: *mut ffi::PyObject) -> *mut ffi::PyObject {
    // SAFETY: as the caller guarantees.
    unsafe {
        quick::run(|| {
            let reader = Borrowed::from_ptr(Python::assume_attached(), reader).cast_unchecked::<LazyReader>();
            Some(reader.get().inner().next())
        })
    }
}

/// Installs the slot in the class.
pub(crate) fn install(py: Python<'_>) {
    let class = py.get_type::<LazyReader>().as_type_ptr();
    // SAFETY: a class of this module, without instances yet. The function behaves like the one that it replaces, and
    // the interpreter is notified of the change.
    unsafe {
        (*class).tp_iternext = Some(next);
        ffi::PyType_Modified(class);
    }
}
