//! Creates views of documents, and of the messages within them.

use super::Encoding;
use super::class::{LazyField, ViewClass, class_of};
use super::field::content;
use super::layout::{FieldSpan, INHERITED, LAX, ORDERED, OWNED, REFUSED, View, ViewBytes};
use super::owner::{Held, Owner};
use super::{keyed, memory, value};
use crate::decode::DecodeOptions;
use crate::error::{Failure, exception};
use crate::plan::{Node, Plan};
use crate::quick;
use demat_core::{Error, ErrorKind};
use demat_formats::json::{ReadOptions, RepeatedKeys};
use demat_formats::proto::raw;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList};
use pyo3::{Borrowed, ffi};
use std::sync::atomic::{AtomicPtr, Ordering};

/// Creates a view over bytes: a new reference, or null with an exception.
///
/// # Safety
/// The GIL is held; the bytes are part of the owner's.
#[inline(always)]
pub(super) unsafe fn view(
    class: &ViewClass,
    owner: *mut ffi::PyObject,
    data: *const u8,
    len: usize,
    flags: u32,
    depth: u32,
) -> *mut ffi::PyObject {
    let Ok(len) = u32::try_from(len) else { return too_long(len) };
    // SAFETY: the memory is zeroed and of the size of an instance; all fields that are set here are within it.
    unsafe {
        let object = memory::given(class);
        if object.is_null() {
            return object;
        }
        let view = View::new(object, class);
        *view.state() = ViewBytes { data, len, flags };
        *view.depth() = depth;
        ffi::Py_INCREF(owner);
        *view.owner() = owner;
        object
    }
}

/// As [`view`], for a slice.
///
/// # Safety
/// As [`view`].
pub(super) unsafe fn view_of(
    class: &ViewClass,
    owner: *mut ffi::PyObject,
    bytes: &[u8],
    flags: u32,
    depth: u32,
) -> *mut ffi::PyObject {
    // SAFETY: as the caller guarantees.
    unsafe { view(class, owner, bytes.as_ptr(), bytes.len(), flags, depth) }
}

/// Returns the error for a message nested deeper than `depth` allows.
#[cold]
pub(super) fn too_deep(field: &LazyField, item: Option<usize>) -> PyErr {
    let error = Error::new(ErrorKind::Limit, "the message stands deeper in others than `depth` allows");
    let error = match item {
        Some(index) => error.within_item(index),
        None => error,
    };
    // SAFETY: views are only used with the GIL held.
    exception(unsafe { Python::assume_attached() }, Failure::from(error.within_field(field.label.clone())))
}

#[cold]
fn too_long(len: usize) -> *mut ffi::PyObject {
    let error = Error::limit("the length of a lazy record", len);
    quick::raise(|py| exception(py, Failure::from(error)));
    core::ptr::null_mut()
}

/// Returns the address of an owner's bytes.
///
/// # Safety
/// It is a view's owner.
pub(super) unsafe fn start_of(owner: *mut ffi::PyObject) -> usize {
    // SAFETY: as the caller guarantees.
    unsafe {
        if ffi::PyBytes_Check(owner) != 0 {
            return ffi::PyBytes_AS_STRING(owner).addr();
        }
        if ffi::PyUnicode_Check(owner) != 0 {
            return ffi::PyUnicode_AsUTF8AndSize(owner, core::ptr::null_mut()).addr();
        }
        Borrowed::from_ptr(Python::assume_attached(), owner).cast_unchecked::<Owner>().get().start()
    }
}

/// Returns whether the bytes of an owner were released.
///
/// # Safety
/// As [`start_of`].
pub(super) unsafe fn is_released(owner: *mut ffi::PyObject) -> bool {
    // SAFETY: as the caller guarantees: an object of neither class is an `Owner`.
    unsafe {
        ffi::PyBytes_Check(owner) == 0
            && ffi::PyUnicode_Check(owner) == 0
            && Borrowed::from_ptr(Python::assume_attached(), owner).cast_unchecked::<Owner>().get().is_released()
    }
}

/// The options of lazy decoding.
#[derive(Debug, Clone, Copy)]
pub(crate) struct How {
    pub(super) encoding: Encoding,
    /// Whether a list of records is encoded as lines rather than one document.
    pub(super) lines: bool,
    /// The reader's options, in encodings with keys.
    pub(super) keyed: ReadOptions,
    /// The maximum nesting depth of messages.
    messages: u32,
    flags: u32,
}

impl How {
    /// Extracts the options; `None` for a format without lazy records.
    pub(crate) fn of(options: &DecodeOptions) -> Option<Self> {
        let (encoding, lines) = Encoding::of(options.manner.format)?;
        let mut flags = 0;
        if encoding == Encoding::Messages {
            flags |= if options.ordered { ORDERED } else { 0 };
        } else {
            flags |= if options.manner.strict { 0 } else { LAX };
            flags |= if options.read.repeated_keys == RepeatedKeys::Refuse { REFUSED } else { 0 };
        }
        Some(Self { encoding, lines, keyed: (&options.read).into(), messages: options.read.depth, flags })
    }

    /// Returns the options for a copy of a view, with its remaining depth.
    pub(super) fn with(mut self, depth: Option<u32>, flags: u32) -> Self {
        self.keyed.depth = depth.unwrap_or(self.keyed.depth);
        self.messages = depth.unwrap_or(self.messages);
        Self { flags, ..self }
    }

    /// Returns the flags of views, except for whether their owner can be released.
    pub(super) fn flags_without_owner(self) -> u32 {
        self.flags
    }

    /// Returns the flags of views over these bytes.
    pub(super) fn flags(self, held: &Held) -> u32 {
        self.flags | if held.is_owner { OWNED } else { 0 }
    }

    /// Returns the remaining nesting depth in each record, after the list around the records.
    pub(super) fn depth(self, in_list: bool) -> u32 {
        match self.encoding {
            Encoding::Json | Encoding::Packed => self.keyed.depth.saturating_sub(u32::from(in_list && !self.lines)),
            Encoding::Messages => self.messages,
        }
    }
}

/// Creates the view of a document, or a list of views if the type is a list.
///
/// # Errors
/// `TypeError` if the type does not support lazy records, or the data is no buffer.
pub(crate) fn decode<'py>(
    py: Python<'py>,
    data: &Bound<'py, PyAny>,
    plan: Option<&Bound<'py, Plan>>,
    how: How,
) -> PyResult<Bound<'py, PyAny>> {
    let plan =
        plan.ok_or_else(|| PyTypeError::new_err("lazy records are of a class: decode(data, Task, lazy=True)"))?;
    let (record, many) = root_of(plan)?;
    let class = class_of(plan, record, how.encoding)?;
    let held = Held::of(data, how.encoding.is_keyed())?;
    let flags = how.flags(&held);
    // SAFETY: the bytes stay in place as long as they are held.
    let bytes = unsafe { core::slice::from_raw_parts(held.data, held.len) };
    // SAFETY: the bytes are the owner's.
    let one = |begin: usize, end: usize| unsafe {
        let part = bytes.get(begin..end).unwrap_or_default();
        let made = view_of(class, held.owner.as_ptr(), part, flags, how.depth(many));
        Bound::from_owned_ptr_or_err(py, made)
    };
    if !many {
        let (begin, end) = if how.encoding == Encoding::Json { keyed::trimmed(bytes) } else { (0, bytes.len()) };
        return one(begin, end);
    }
    let list = PyList::empty(py);
    if how.encoding.is_keyed() {
        let mut walk = keyed::Walk::new(how.encoding, how.lines, how.keyed);
        while let Some((begin, end)) = walk.next(bytes).map_err(|error| exception(py, Failure::from(error)))? {
            list.append(one(begin, end)?)?;
        }
        return Ok(list.into_any());
    }
    let mut at = 0;
    while at < bytes.len() {
        let next = raw::length(bytes, at).and_then(|(len, begin)| Some((begin, begin.checked_add(len)?)));
        let Some((begin, end)) = next.filter(|(_, end)| *end <= bytes.len()) else {
            return Err(exception(py, Failure::from(cut(at, list.len()))));
        };
        list.append(one(begin, end)?)?;
        at = end;
    }
    Ok(list.into_any())
}

/// Returns the error for a message that does not end within the data.
#[cold]
pub(super) fn cut(at: usize, index: usize) -> Error {
    let error = Error::mismatch(ErrorKind::Syntax, "a message behind its length", "the end of the data");
    let position = demat_core::Position { offset: Some(at as u64), ..demat_core::Position::default() };
    error.at(position).in_record(index as u64 + 1)
}

/// Returns the index of the record that a type is, and whether the type is a list of these.
///
/// # Errors
/// `TypeError` if it is neither.
pub(super) fn root_of(plan: &Bound<'_, Plan>) -> PyResult<(usize, bool)> {
    match &plan.get().program.root {
        Node::Record(index) => Ok((*index, false)),
        Node::List(list) => match list.item {
            Node::Record(index) => Ok((index, true)),
            _ => Err(no_class()),
        },
        _ => Err(no_class()),
    }
}

#[cold]
fn no_class() -> PyErr {
    PyTypeError::new_err("lazy records are those of a dataclass, or of a list of one")
}

/// Caches the view class of a decoder for a message.
#[derive(Debug, Default)]
pub(crate) struct Found(AtomicPtr<ViewClass>);

impl Found {
    /// Decodes a message in a `bytes` object as a view: a new reference, or null with an exception. `None` for any
    /// other input.
    ///
    /// # Safety
    /// The GIL is held, the object is alive, and the plan is held and the same in each call.
    #[inline(always)]
    pub(crate) unsafe fn decode(
        &self,
        data: *mut ffi::PyObject,
        plan: &Borrowed<'_, '_, Plan>,
        options: &DecodeOptions,
    ) -> Option<*mut ffi::PyObject> {
        // SAFETY: as the caller guarantees; the plan keeps the class alive.
        unsafe {
            if ffi::PyBytes_CheckExact(data) == 0
                || Encoding::of(options.manner.format) != Some((Encoding::Messages, false))
            {
                return None;
            }
            let mut class = self.0.load(Ordering::Relaxed).cast_const();
            if class.is_null() {
                class = self.find(plan)?;
            }
            let (bytes, len) = (ffi::PyBytes_AS_STRING(data).cast(), ffi::Py_SIZE(data).unsigned_abs());
            let flags = if options.ordered { ORDERED } else { 0 };
            Some(view(&*class, data, bytes, len, flags, options.read.depth))
        }
    }

    #[cold]
    fn find(&self, plan: &Borrowed<'_, '_, Plan>) -> Option<*const ViewClass> {
        let Node::Record(record) = plan.get().program.root else { return None };
        let class = class_of(plan, record, Encoding::Messages).ok()?;
        self.0.store(core::ptr::from_ref(class).cast_mut(), Ordering::Relaxed);
        Some(class)
    }
}

/// As [`decode`], for functions that the interpreter calls directly.
///
/// # Safety
/// The GIL is held, and the objects are alive.
#[inline(always)]
pub(crate) unsafe fn decode_quickly(
    data: *mut ffi::PyObject,
    plan: &Borrowed<'_, '_, Plan>,
    how: How,
) -> *mut ffi::PyObject {
    // SAFETY: as the caller guarantees.
    unsafe {
        let py = Python::assume_attached();
        if ffi::PyBytes_CheckExact(data) != 0
            && how.encoding == Encoding::Messages
            && let Node::Record(record) = plan.get().program.root
            && let Ok(class) = class_of(plan, record, Encoding::Messages)
        {
            return view(
                class,
                data,
                ffi::PyBytes_AS_STRING(data).cast(),
                ffi::Py_SIZE(data).unsigned_abs(),
                how.flags,
                how.messages,
            );
        }
        // Attached, as PyO3 objects are dropped in there.
        Python::attach(|_| {
            let data = Borrowed::from_ptr(py, data);
            match decode(py, &data, Some(plan), how) {
                Ok(object) => object.into_ptr(),
                Err(raised) => {
                    raised.restore(py);
                    core::ptr::null_mut()
                }
            }
        })
    }
}

/// Creates the view of a nested message: a new reference, or null with an exception.
///
/// # Safety
/// As for [`read`](super::field::read).
#[inline(never)]
pub(super) unsafe fn nested(view: View<'_>, field: &LazyField, record: usize, place: FieldSpan) -> *mut ffi::PyObject {
    // SAFETY: as the caller guarantees.
    unsafe {
        let py = Python::assume_attached();
        let Some(depth) = view.depth().checked_sub(1) else {
            quick::raise(|_| too_deep(field, None));
            return core::ptr::null_mut();
        };
        let bytes = view.bytes();
        let is_group = field.is_group;
        let class = match class_of(&view.class.plan(py), record, Encoding::Messages) {
            Ok(class) => core::ptr::from_ref(class),
            Err(raised) => {
                quick::raise(|_| raised);
                return core::ptr::null_mut();
            }
        };
        // SAFETY: the plan keeps it alive, and the view's class holds the plan.
        let class = &*class;
        let piece = |at: usize| {
            let part = raw::read(bytes, at)?;
            match part.wire {
                raw::LEN if !is_group => content(bytes, part.at, part.end),
                3 if is_group => {
                    let (begin, end) = raw::group_content(bytes, part);
                    bytes.get(begin..end)
                }
                _ => None,
            }
        };
        if place.first == place.last {
            let Some(content) = piece(place.last as usize - 1) else { return value::made(view, field) };
            let flags = view.state().flags & INHERITED;
            return self::view(class, *view.owner(), content.as_ptr(), content.len(), flags, depth);
        }
        // The message is in several pieces: concatenated, they are the merged message.
        let mut joined = Vec::new();
        let (mut at, last) = (place.first as usize - 1, place.last as usize - 1);
        while at <= last {
            let Some(part) = raw::read(bytes, at) else { return value::made(view, field) };
            if part.number == field.number {
                let Some(content) = piece(at) else { return value::made(view, field) };
                joined.extend_from_slice(content);
            }
            at = part.end;
        }
        let joined = PyBytes::new(py, &joined);
        let data = joined.as_bytes();
        self::view(class, joined.as_ptr(), data.as_ptr(), data.len(), 0, depth)
    }
}
