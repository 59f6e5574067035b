//! Repeated fields: sequences that locate their items at the first access.
//!
//! Fixed-width numbers in one packed run are read in place, and exported as a buffer. Other items are located in one
//! pass, when the first item or the length is read. The first modification converts the sequence to a `list`, which
//! holds the items from then on.

mod array;
mod buffer;
mod of_list;
mod spare;

use super::Encoding;
use super::class::{Kind, LazyField, ViewClass, class_of};
use super::field::content;
use super::layout::{FieldSpan, INHERITED, LAX, OWNED, View};
use super::owner::{Owner, released};
use super::{keyed, merge, number, open};
use crate::decode;
use crate::error::{Failure, exception};
use crate::object::Object;
use crate::quick;
use demat_core::{Error, ErrorKind};
use demat_formats::json::ReadOptions;
use demat_formats::proto::Form;
use demat_formats::proto::raw::{self, LEN};
use pyo3::exceptions::{PyBufferError, PyIndexError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyIterator, PyList, PyType};
use pyo3::{PyTraverseError, PyVisit, ffi, intern};
use std::cell::UnsafeCell;
use std::collections::BTreeMap;

/// The items of a repeated field of a lazy record: behaves like a list.
///
/// Fixed-width numbers are exported as a buffer, which NumPy reads without a copy. The first modification converts the
/// items to a list, and the record is encoded with that list.
#[pyclass(frozen, weakref, name = "Items", module = "demat._native")]
pub(crate) struct Items {
    inner: UnsafeCell<Inner>,
}

// SAFETY: only accessed with the GIL held.
unsafe impl Sync for Items {}
// SAFETY: as above.
unsafe impl Send for Items {}

struct Inner {
    /// The bytes of the surrounding message, and their owner.
    data: *const u8,
    len: usize,
    owner: Py<PyAny>,
    /// The flags that its views inherit from the surrounding view.
    flags: u32,
    /// The remaining nesting depth of the items.
    depth: u32,
    /// The class of the view with this field; it keeps the field and the plan alive.
    class: Py<PyType>,
    field: *const LazyField,
    record: Option<usize>,
    place: FieldSpan,
    found: Found,
    /// Views that were returned before, by index.
    kept: BTreeMap<usize, Py<PyAny>>,
    /// The number of exported buffers of the run, and the shape and stride that they refer to: the number of items, and
    /// the width of each.
    exports: usize,
    layout: [ffi::Py_ssize_t; 2],
}

/// How the items were located.
enum Found {
    Nothing,
    /// A number of adjacent fixed-width numbers: in the message, or copied.
    Run(*const u8, usize, #[allow(dead_code)] Vec<u8>), // keeps the pointer valid
    Numbers(Vec<u64>),
    /// The offset and length of each item.
    Parts(Vec<(u32, u32)>),
    /// Offsets and lengths, compressed to runs of adjacent items of equal length; and the total count.
    Runs(Vec<Alike>, usize),
    /// A list, after the first modification, and the earlier state.
    List(Py<PyList>, Box<Found>),
}

/// How the items differ from the original bytes.
pub(super) enum ItemChanges {
    /// They don't differ.
    Same,
    /// The same records, but some views may have been changed: their index, offset and length, and the view.
    Views(Vec<(usize, (u32, u32), Object)>),
    /// Other items, or another order.
    Changed,
    /// Unknown: the encoder has to compare.
    Unknown,
}

impl Found {
    /// Returns offset and length of an item, if the index exists.
    fn part(&self, index: usize) -> Option<(u32, u32)> {
        match self {
            Self::Parts(parts) => parts.get(index).copied(),
            Self::Runs(runs, count) if index < *count => {
                let index = u32::try_from(index).ok()?;
                Some(runs[runs.partition_point(|run| run.index <= index).checked_sub(1)?].part(index))
            }
            _ => None,
        }
    }
}

/// A run of items of equal length: the index of the first one, its offset, the distance between offsets, and the
/// length.
#[derive(Clone, Copy)]
struct Alike {
    index: u32,
    begin: u32,
    stride: u32,
    len: u32,
}

impl Alike {
    /// Returns offset and length of an item of the run.
    fn part(self, index: u32) -> (u32, u32) {
        (self.begin + (index - self.index) * self.stride, self.len)
    }
}

/// Runs are used if they have at least this many items on average.
const WORTH_RUNS: usize = 4;

/// Returns the items of a field: a new reference, or null with an exception.
///
/// # Safety
/// As for [`read`](super::field::read).
pub(super) unsafe fn of(
    view: View<'_>,
    field: &LazyField,
    record: Option<usize>,
    place: FieldSpan,
) -> *mut ffi::PyObject {
    // SAFETY: as the caller guarantees; references to live objects are taken.
    unsafe {
        let py = Python::assume_attached();
        let state = view.state();
        let inner = Inner {
            data: state.data,
            len: state.len as usize,
            owner: Bound::from_borrowed_ptr(py, *view.owner()).unbind(),
            flags: state.flags & INHERITED,
            depth: view.depth().saturating_sub(u32::from(view.class.format.is_keyed())),
            class: Bound::from_borrowed_ptr(py, view.class.class.cast()).cast_into_unchecked().unbind(),
            field,
            record,
            place,
            // An absent field has no items.
            found: if place.last == 0 { none(field.kind) } else { Found::Nothing },
            kept: BTreeMap::new(),
            exports: 0,
            layout: [0; 2],
        };
        spare::made(inner)
    }
}

/// Returns the items of an absent field.
#[cold]
fn none(kind: Kind) -> Found {
    match kind {
        Kind::Items(form, _) if number::width(form).is_some() => Found::Run([].as_ptr(), 0, Vec::new()),
        _ => Found::Parts(Vec::new()),
    }
}

/// Installs hand-written slots and methods in the class.
///
/// # Errors
/// Never fails in practice.
pub(crate) fn be_quick(py: Python<'_>) -> PyResult<()> {
    let class = py.get_type::<Items>();
    buffer::install(class.as_type_ptr());
    spare::install(class.as_type_ptr());
    of_list::install(&class)?;
    USUAL_NUMPY.get_or_try_init(py, || quick::of_none(&class, "numpy", array::numpy)).map(drop)
}

static USUAL_NUMPY: PyOnceLock<Py<PyAny>> = PyOnceLock::new();

/// Calls the method that the fast path replaced.
///
/// # Safety
/// The GIL is held, and the items are alive.
#[cold]
unsafe fn usual_numpy(own: *mut ffi::PyObject) -> *mut ffi::PyObject {
    // SAFETY: as the caller guarantees.
    unsafe {
        quick::call_usual(USUAL_NUMPY.get(Python::assume_attached()), own, core::ptr::null(), 0, core::ptr::null_mut())
    }
}

/// Registers the class as a `MutableSequence`.
///
/// # Errors
/// Never fails in practice.
pub(super) fn register(py: Python<'_>) -> PyResult<()> {
    static DONE: PyOnceLock<()> = PyOnceLock::new();
    DONE.get_or_try_init(py, || {
        let kinds = py.import("collections.abc")?.getattr("MutableSequence")?;
        kinds.call_method1("register", (py.get_type::<Items>(),)).map(drop)
    })
    .copied()
}

impl Inner {
    fn field(&self) -> &LazyField {
        // SAFETY: the class keeps it alive, and is held.
        unsafe { &*self.field }
    }

    fn form(&self) -> Form {
        match self.field().kind {
            Kind::Items(form, _) => form,
            _ => Form::None,
        }
    }

    fn encoding(&self) -> Encoding {
        self.field().class().format
    }

    fn is_keyed(&self) -> bool {
        self.encoding().is_keyed()
    }

    fn owner_of<'py>(&'py self, py: Python<'py>) -> Option<&'py Owner> {
        // SAFETY: the flag says that it is an `Owner`.
        (self.flags & OWNED != 0).then(|| unsafe { self.owner.bind(py).cast_unchecked::<Owner>().get() })
    }

    /// Returns whether the bytes are available; otherwise sets an exception.
    fn is_there(&self) -> bool {
        // SAFETY: items are only used with the GIL held.
        let is_there = !self.owner_of(unsafe { Python::assume_attached() }).is_some_and(Owner::is_released);
        if !is_there {
            quick::raise(|_| released());
        }
        is_there
    }

    fn bytes(&self, py: Python<'_>) -> PyResult<&[u8]> {
        if self.owner_of(py).is_some_and(Owner::is_released) {
            return Err(released());
        }
        // SAFETY: the owner is held, and has not released them.
        Ok(unsafe { core::slice::from_raw_parts(self.data, self.len) })
    }

    /// Locates the items, unless this was done before.
    fn look(&mut self, py: Python<'_>) -> PyResult<()> {
        if !matches!(self.found, Found::Nothing) {
            return Ok(());
        }
        let form = self.form();
        let found = match form {
            _ if self.is_keyed() => self.objects(py)?,
            Form::Text | Form::Bytes | Form::Message => self.parts(py)?,
            form => self.numbers(py, form)?,
        };
        // The decoder reports what is wrong with them.
        let Some(found) = found else {
            let made = self.decoded(py)?;
            let message = format!("{} items that were not found before", made.len());
            return Err(exception(py, Failure::from(Error::new(ErrorKind::Syntax, message))));
        };
        self.found = found;
        Ok(())
    }

    /// Locates the items if that takes one step: fixed-width numbers in one run, in a `bytes`. Returns false, without
    /// an exception, if it takes more.
    #[inline(always)]
    fn is_seen_at_once(&mut self) -> bool {
        if !matches!(self.found, Found::Nothing) {
            return true;
        }
        let Some(width) = number::width(self.form()) else { return false };
        if self.flags & OWNED != 0 || self.place.first != self.place.last || self.is_keyed() {
            return false;
        }
        // SAFETY: the bytes are those of a `bytes` object, which is held and never releases them.
        let bytes = unsafe { core::slice::from_raw_parts(self.data, self.len) };
        let part = raw::read(bytes, self.place.last as usize - 1).filter(|part| part.wire == LEN);
        let run = part.and_then(|part| content(bytes, part.at, part.end));
        let Some(run) = run.filter(|run| run.len().is_multiple_of(width)) else { return false };
        self.found = Found::Run(run.as_ptr(), run.len() / width, Vec::new());
        true
    }

    /// Locates the items of a list of objects.
    fn objects(&self, py: Python<'_>) -> PyResult<Option<Found>> {
        let bytes = self.bytes(py)?;
        let from = self.place.first as usize - 1;
        let span = bytes.get(from..self.place.last as usize).unwrap_or_default();
        let options = ReadOptions { depth: self.depth, ..ReadOptions::default() };
        let mut walk = keyed::Walk::of_items(self.encoding(), self.base_of(span), options);
        let mut parts = Vec::new();
        while let Ok(Some((begin, end))) = walk.next(span) {
            let first = keyed::First::of(self.encoding(), &span[begin..end]);
            if !matches!(first, keyed::First::Record | keyed::First::Parts) {
                return Ok(None);
            }
            parts.push(((from + begin) as u32, (end - begin) as u32));
        }
        Ok(walk.is_whole().then_some(Found::Parts(parts)))
    }

    fn parts(&self, py: Python<'_>) -> PyResult<Option<Found>> {
        let bytes = self.bytes(py)?;
        let number = self.field().number;
        let (mut at, last) = (self.place.first as usize - 1, self.place.last as usize - 1);
        let (mut runs, mut count) = (Vec::new(), 0);
        while at <= last {
            let Some(part) = raw::read(bytes, at) else { return Ok(None) };
            if part.number == number {
                let Some(content) = (part.wire == LEN).then(|| content(bytes, part.at, part.end)).flatten() else {
                    return Ok(None);
                };
                let len = content.len();
                let (begin, stride) = (part.end - len, part.end - part.tag);
                let more = raw::repeats(bytes, part);
                at = part.end + more * stride;
                // A message is smaller than 4 GiB.
                runs.push(Alike { index: count as u32, begin: begin as u32, stride: stride as u32, len: len as u32 });
                count += more + 1;
                continue;
            }
            at = part.end;
        }
        if runs.len() * WORTH_RUNS <= count {
            return Ok(Some(Found::Runs(runs, count)));
        }
        let ends = runs.iter().skip(1).map(|next| next.index).chain([count as u32]);
        let parts = runs.iter().zip(ends).flat_map(|(run, end)| (run.index..end).map(|index| run.part(index)));
        Ok(Some(Found::Parts(parts.collect())))
    }

    fn numbers(&self, py: Python<'_>, form: Form) -> PyResult<Option<Found>> {
        let bytes = self.bytes(py)?;
        let number = self.field().number;
        let (mut at, last) = (self.place.first as usize - 1, self.place.last as usize - 1);
        let mut numbers = Vec::new();
        while at <= last {
            let Some(part) = raw::read(bytes, at) else { return Ok(None) };
            at = part.end;
            if part.number != number {
                continue;
            }
            if part.wire != LEN {
                let Some((bits, _)) =
                    (part.wire == number::wire_of(form)).then(|| number::bits(bytes, part.at, form)).flatten()
                else {
                    return Ok(None);
                };
                numbers.push(bits);
                continue;
            }
            let Some(run) = content(bytes, part.at, part.end) else { return Ok(None) };
            if let Some(width) = number::width(form) {
                if !run.len().is_multiple_of(width) {
                    return Ok(None);
                }
                if self.place.first == self.place.last {
                    return Ok(Some(Found::Run(run.as_ptr(), run.len() / width, Vec::new())));
                }
            }
            let mut next = 0;
            while next < run.len() {
                let Some((bits, len)) = number::bits(run, next, form) else { return Ok(None) };
                numbers.push(bits);
                next += len;
            }
        }
        let Some(width) = number::width(form) else { return Ok(Some(Found::Numbers(numbers))) };
        let copied: Vec<u8> = numbers.iter().flat_map(|bits| bits.to_le_bytes().into_iter().take(width)).collect();
        Ok(Some(Found::Run(copied.as_ptr(), numbers.len(), copied)))
    }

    /// Decodes all items.
    fn decoded<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let bytes = self.bytes(py)?;
        let from = self.place.first as usize - 1;
        if self.is_keyed() {
            return self.decoded_keyed(py, bytes.get(from..self.place.last as usize).unwrap_or_default());
        }
        let to = raw::read(bytes, self.place.last as usize - 1).map_or(bytes.len(), |part| part.end);
        let field = self.field();
        let (_, program) = field.class().planned();
        // User code may write to the bytes or release them.
        let copied;
        let bytes = if program.runs_code {
            copied = bytes[from..to].to_vec();
            &copied
        } else {
            &bytes[from..to]
        };
        let part = demat_formats::stream::Part::whole(bytes);
        let made =
            decode::one_field(py, part, program, &field.alone, (&field.planned().node, &field.label), self.depth);
        match made.map_err(|failure| exception(py, failure))? {
            Some(list) => Ok(list.into_bound(py).cast_into::<PyList>()?),
            None => Ok(PyList::empty(py)),
        }
    }

    /// Returns the position of a part of the owner's bytes that a source has to know.
    fn base_of(&self, span: &[u8]) -> demat_formats::stream::Base {
        // SAFETY: the span is part of the owner's bytes.
        unsafe { keyed::base_before(self.encoding(), self.owner.as_ptr(), span.as_ptr()) }
    }

    fn decoded_keyed<'py>(&self, py: Python<'py>, span: &[u8]) -> PyResult<Bound<'py, PyList>> {
        let field = self.field();
        let (_, program) = field.class().planned();
        let options = ReadOptions { depth: self.depth, ..ReadOptions::default() };
        let copied;
        let own = if program.runs_code {
            copied = span.to_vec();
            &copied
        } else {
            span
        };
        let (encoding, strict) = (self.encoding(), self.flags & LAX == 0);
        let part = demat_formats::stream::Part { bytes: own, last: true, base: self.base_of(span) };
        let made = decode::keyed_value(py, encoding, part, options, strict, program, &field.planned().node);
        let made = made.map_err(|failure| {
            // SAFETY: the owner has its bytes, as checked above, and the span is part of them.
            let failure = unsafe { keyed::moved_from(encoding, failure, self.owner.as_ptr(), span.as_ptr()) };
            exception(py, failure.map(|error| error.within_field(field.label.clone())))
        })?;
        Ok(made.into_bound(py).cast_into::<PyList>()?)
    }

    fn count(&mut self, py: Python<'_>) -> PyResult<usize> {
        self.look(py)?;
        Ok(match &self.found {
            Found::Nothing => 0,
            Found::Run(_, count, _) | Found::Runs(_, count) => *count,
            Found::Numbers(numbers) => numbers.len(),
            Found::Parts(parts) => parts.len(),
            Found::List(list, _) => list.bind(py).len(),
        })
    }

    /// Returns the item at an existing index.
    fn item<'py>(&mut self, py: Python<'py>, index: usize) -> PyResult<Bound<'py, PyAny>> {
        let form = self.form();
        let (at, len) = match &self.found {
            Found::List(list, _) => return list.bind(py).get_item(index),
            Found::Numbers(numbers) => {
                // SAFETY: the GIL is held.
                return unsafe { Bound::from_owned_ptr_or_err(py, number::object(numbers[index], form)) };
            }
            Found::Run(start, count, _) => {
                self.bytes(py)?;
                let width = number::width(form).unwrap_or(8);
                // SAFETY: the run has `count` numbers, in the owner's bytes or in the copy.
                let run = unsafe { core::slice::from_raw_parts(*start, *count * width) };
                let bits = number::bits(run, index * width, form).map_or(0, |(bits, _)| bits);
                // SAFETY: the GIL is held.
                return unsafe { Bound::from_owned_ptr_or_err(py, number::object(bits, form)) };
            }
            found => found.part(index).ok_or_else(|| PyIndexError::new_err("there is no such item"))?,
        };
        if let Some(kept) = self.kept.get(&index) {
            return Ok(kept.bind(py).clone());
        }
        let bytes = self.bytes(py)?;
        let content = bytes.get(at as usize..(at + len) as usize).unwrap_or_default();
        // SAFETY: the GIL is held; the content is part of the owner's bytes.
        let made = unsafe {
            match self.record {
                Some(record) => {
                    let plan = self.field().class().plan(py);
                    let class: *const ViewClass = class_of(&plan, record, self.field().class().format)?;
                    let depth = match self.depth.checked_sub(1) {
                        Some(depth) => depth,
                        // With keys, the depth was checked when the record was indexed.
                        None if self.is_keyed() => 0,
                        None => return Err(open::too_deep(self.field(), Some(index))),
                    };
                    open::view_of(&*class, self.owner.as_ptr(), content, self.flags, depth)
                }
                None if form == Form::Bytes => {
                    ffi::PyBytes_FromStringAndSize(content.as_ptr().cast(), content.len().cast_signed())
                }
                None => match decode::text_object(content) {
                    Some(text) => text,
                    None => return self.decoded(py)?.get_item(index),
                },
            }
        };
        // SAFETY: a new reference, or null with an exception.
        let made = unsafe { Bound::from_owned_ptr_or_err(py, made)? };
        if self.record.is_some() {
            self.kept.insert(index, made.clone().unbind());
        }
        Ok(made)
    }

    /// Converts the items to a list, which holds them from then on.
    fn list<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        if let Found::List(list, _) = &self.found {
            return Ok(list.bind(py).clone());
        }
        if self.exports > 0 {
            return Err(PyBufferError::new_err("the list can't be changed while a buffer of it is looked at"));
        }
        let list = self.copy(py)?;
        let before = core::mem::replace(&mut self.found, Found::Nothing);
        self.found = Found::List(list.clone().unbind(), Box::new(before));
        let kept = core::mem::take(&mut self.kept);
        // Dropping these objects may run foreign code.
        drop(kept);
        Ok(list)
    }

    /// Copies the items to a new list.
    fn copy<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let list = PyList::empty(py);
        for index in 0..self.count(py)? {
            list.append(self.item(py, index)?)?;
        }
        Ok(list)
    }
}

impl Items {
    /// Returns the inner state. Exclusive until foreign code runs.
    #[allow(clippy::mut_from_ref)] // guarded by the GIL
    fn inner(&self) -> &mut Inner {
        // SAFETY: the GIL is held; the borrow is not used after foreign code has run.
        unsafe { &mut *self.inner.get() }
    }

    /// Compares the items with the original bytes.
    ///
    /// # Errors
    /// Never fails in practice.
    pub(super) fn state(&self, py: Python<'_>) -> PyResult<ItemChanges> {
        let inner = self.inner();
        let Found::List(list, before) = &inner.found else {
            let kept = inner.kept.iter().map(|(index, view)| (*index, Object::of(view.bind(py))));
            let part = |(index, view)| inner.found.part(index).map(|part| (index, part, view));
            // SAFETY: kept objects are views; the GIL is held.
            let views: Vec<_> = kept.filter(|(_, view)| unsafe { merge::is_kept(view) }).filter_map(part).collect();
            return Ok(if views.is_empty() { ItemChanges::Same } else { ItemChanges::Views(views) });
        };
        if inner.record.is_none() {
            return Ok(ItemChanges::Unknown);
        }
        // The same views in the same order mean an unchanged list, whatever happened to it in between.
        let mut views = Vec::new();
        let list = list.bind(py);
        for index in 0..list.len() {
            let (item, Some(part)) = (list.get_item(index)?, before.part(index)) else {
                return Ok(ItemChanges::Changed);
            };
            if !merge::is_over(&item, inner.data.wrapping_add(part.0 as usize), part.1) {
                return Ok(ItemChanges::Changed);
            }
            let item = Object::of(&item);
            // SAFETY: as above.
            if unsafe { merge::is_kept(&item) } {
                views.push((index, part, item));
            }
        }
        if before.part(list.len()).is_some() {
            return Ok(ItemChanges::Changed);
        }
        Ok(if views.is_empty() { ItemChanges::Same } else { ItemChanges::Views(views) })
    }

    fn index(&self, py: Python<'_>, index: isize) -> PyResult<usize> {
        let count = self.inner().count(py)?;
        let at = if index < 0 { index + count.cast_signed() } else { index };
        let at = usize::try_from(at).ok().filter(|at| *at < count);
        at.ok_or_else(|| PyIndexError::new_err("list index out of range"))
    }
}

#[pymethods]
impl Items {
    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        self.inner().count(py)
    }

    fn __getitem__<'py>(&self, py: Python<'py>, index: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        match index.extract::<isize>() {
            Ok(index) => {
                let index = self.index(py, index)?;
                self.inner().item(py, index)
            }
            Err(_) => self.inner().copy(py)?.as_any().get_item(index),
        }
    }

    fn __setitem__(&self, py: Python<'_>, index: &Bound<'_, PyAny>, value: &Bound<'_, PyAny>) -> PyResult<()> {
        self.inner().list(py)?.as_any().set_item(index, value)
    }

    fn __delitem__(&self, py: Python<'_>, index: &Bound<'_, PyAny>) -> PyResult<()> {
        self.inner().list(py)?.as_any().del_item(index)
    }

    fn __iter__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let py = slf.py();
        if let Found::List(list, _) = &slf.get().inner().found {
            return Ok(list.bind(py).as_any().try_iter()?.into_any());
        }
        slf.get().inner().look(py)?;
        // SAFETY: a live object that supports access by index.
        unsafe { Bound::from_owned_ptr_or_err(py, ffi::PySeqIter_New(slf.as_ptr())) }
    }

    fn __reversed__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        let copy = self.inner().copy(py)?;
        copy.reverse()?;
        copy.try_iter()
    }

    fn __contains__(&self, py: Python<'_>, value: &Bound<'_, PyAny>) -> PyResult<bool> {
        self.inner().copy(py)?.contains(value)
    }

    fn __add__<'py>(&self, py: Python<'py>, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        self.inner().copy(py)?.as_any().add(plain(other)?)
    }

    fn __radd__<'py>(&self, py: Python<'py>, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        other.add(self.inner().copy(py)?)
    }

    fn __iadd__(&self, py: Python<'_>, other: &Bound<'_, PyAny>) -> PyResult<()> {
        self.inner().list(py)?.call_method1(intern!(py, "extend"), (other,)).map(drop)
    }

    fn __mul__<'py>(&self, py: Python<'py>, times: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        self.inner().copy(py)?.as_any().mul(times)
    }

    fn __rmul__<'py>(&self, py: Python<'py>, times: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        self.inner().copy(py)?.as_any().mul(times)
    }

    /// Supports `Items[int]` in annotations.
    #[classmethod]
    fn __class_getitem__<'py>(class: &Bound<'py, PyType>, item: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let py = class.py();
        py.import(intern!(py, "types"))?.getattr(intern!(py, "GenericAlias"))?.call1((class, item))
    }

    fn __richcmp__<'py>(
        &self,
        py: Python<'py>,
        other: &Bound<'py, PyAny>,
        how: pyo3::pyclass::CompareOp,
    ) -> PyResult<Bound<'py, PyAny>> {
        let other = plain(other)?;
        if !other.is_instance_of::<PyList>() {
            return Ok(py.NotImplemented().into_bound(py));
        }
        self.inner().copy(py)?.as_any().rich_compare(other, how)
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(self.inner().copy(py)?.repr()?.to_string())
    }

    fn __copy__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        self.inner().copy(py)
    }

    fn __deepcopy__<'py>(&self, py: Python<'py>, memo: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let copy = self.inner().copy(py)?;
        py.import(intern!(py, "copy"))?.getattr(intern!(py, "deepcopy"))?.call1((copy, memo))
    }

    /// Pickles and copies are lists.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyType>, (Bound<'py, PyList>,))> {
        Ok((py.get_type::<PyList>(), (self.inner().copy(py)?,)))
    }

    /// Returns the numbers as a one-dimensional NumPy array of the type that they have in the message: `uint32` for
    /// `fixed32` and `uint32`, `float32` for `float`.
    ///
    /// Fixed-width numbers are not copied, and the array is read-only. Others, and those of a modified list, are
    /// copied. The result is that of `numpy.asarray`, with less overhead. Raises TypeError if the items are no numbers,
    /// ValueError if the record's reader was closed, and ModuleNotFoundError without NumPy.
    ///
    /// >>> import demat
    /// >>> from dataclasses import dataclass
    /// >>> from typing import Annotated
    /// >>> @dataclass
    /// ... class Samples:
    /// ...     values: Annotated[list[int], demat.Field(wire="fixed32")]
    /// >>> data = demat.proto.encode(Samples([1, 2, 3]))
    /// >>> demat.proto.decode(data, Samples, lazy=True).values.numpy()
    /// array([1, 2, 3], dtype=uint32)
    fn numpy<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        array::array(slf)
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        // SAFETY: no other access happens during the collector's traversal.
        let inner = unsafe { &*self.inner.get() };
        visit.call(&inner.owner)?;
        visit.call(&inner.class)?;
        if let Found::List(list, _) = &inner.found {
            visit.call(list)?;
        }
        inner.kept.values().try_for_each(|kept| visit.call(kept))
    }

    fn __clear__(&self) {
        let inner = self.inner();
        let kept = core::mem::take(&mut inner.kept);
        if matches!(inner.found, Found::List(..)) {
            let left = if inner.place.last == 0 { Found::Parts(Vec::new()) } else { Found::Nothing };
            drop(core::mem::replace(&mut inner.found, left));
        }
        drop(kept);
    }
}

/// Converts `Items` to a list; returns any other object as it is.
fn plain<'py>(object: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    match object.cast::<Items>() {
        Ok(items) => Ok(items.get().inner().copy(object.py())?.into_any()),
        Err(_) => Ok(object.clone()),
    }
}
