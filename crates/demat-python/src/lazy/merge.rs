//! Computes the edits that turn a view's original bytes into its current state. The encoder copies the bytes and writes
//! the new values in between. It visits each level once, and counts the depth as for other values.

use super::Encoding;
use super::class::{Kind, LazyField, ViewClass, is_view_class, knowledge};
use super::items::{ItemChanges, Items};
use super::layout::{FieldSpan, INDEXED, KEPT, OWNED, View};
use super::owner::{Owner, released};
use super::{field, group, keyed, value};
use crate::error::exception;
use crate::object::Object;
use crate::plan::{Program, RecordPlan};
use demat_formats::proto::raw::{self, RawField};
use pyo3::prelude::*;
use std::borrow::Cow;

/// The edits of a view.
///
/// They keep the view and its bytes alive, so that user code can't release them during encoding.
pub(crate) struct Edits<'v> {
    view: View<'v>,
    /// Keeps the view alive, which `view` borrows from.
    #[allow(dead_code)] // held, never read
    held: Object,
    /// Edits of values in the bytes, by offset.
    pub(crate) inner: Vec<Edit>,
    /// Fields to add, which the bytes don't have.
    pub(crate) added: Vec<Edit>,
    /// Indices of fields whose original bytes are dropped completely.
    pub(crate) dropped: Vec<usize>,
    #[allow(dead_code)] // dropped at the end
    pin: Option<Pin>,
}

/// A value that may have to be rewritten.
pub(crate) struct Edit {
    /// Index of the field in the view, and in the plan's written fields.
    pub(crate) field: usize,
    pub(crate) write: usize,
    /// Index of the item, if the field is a list of records.
    pub(crate) item: Option<usize>,
    /// Range of the original value.
    pub(crate) from: usize,
    pub(crate) to: usize,
    /// Offset of the last part, if the field comes in several parts; else 0.
    pub(crate) until: usize,
    /// Whether an unchanged message is written back byte for byte.
    pub(crate) exact: bool,
    pub(crate) value: Object,
    pub(crate) how: How,
}

/// How the encoder applies an edit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum How {
    /// A new value was assigned.
    New,
    /// The value may have been changed in place: the encoder writes it and the original, and compares.
    Compare,
    /// The value is a view of the original record.
    View,
    /// An earlier occurrence in the same oneof, which a later one overrides. If that was changed, this one is dropped.
    Passed,
}

/// Returns a view's bytes if no attribute was kept or set; then they are the record's current state.
///
/// # Errors
/// If the bytes were released, or are malformed: a view with keys is always checked before it is written out.
pub(crate) fn untouched<'v>(view: &'v Bound<'_, PyAny>) -> PyResult<Option<&'v [u8]>> {
    // SAFETY: the callers have checked that it is a view.
    let own = unsafe { of(view) };
    let bytes = checked(view.py(), own)?;
    Ok((own.state().flags & KEPT == 0).then_some(bytes))
}

/// Returns the original bytes of a view that is to be encoded.
///
/// # Errors
/// As [`untouched`].
pub(crate) fn original<'v>(view: &'v Bound<'_, PyAny>) -> PyResult<&'v [u8]> {
    // SAFETY: the callers have checked that it is a view.
    checked(view.py(), unsafe { of(view) })
}

fn checked<'v>(py: Python<'_>, view: View<'v>) -> PyResult<&'v [u8]> {
    if view.is_released() {
        return Err(released());
    }
    // The output must be well-formed, even if no attribute has been read yet.
    if view.class.format.is_keyed() && view.state().flags & INDEXED == 0 {
        keyed::index(view).map_err(|failure| exception(py, failure))?;
    }
    Ok(view.bytes())
}

/// Returns whether a view's bytes nest no deeper than `depth`. Always true for messages: which fields are messages
/// depends on the reader.
pub(crate) fn is_within(view: &Bound<'_, PyAny>, depth: u32) -> bool {
    // SAFETY: the callers have checked that it is a view.
    let view = unsafe { of(view) };
    // An upper bound: the depth that they were read with, and two brackets or one header for each level.
    let levels = match view.class.format {
        Encoding::Messages => return true,
        Encoding::Json => view.state().len / 2,
        Encoding::Packed => view.state().len,
    };
    let most = levels.min(*view.depth());
    most <= depth || keyed::is_within(view, depth)
}

/// Returns whether new values can be written between the view's bytes. If not, it is written field by field.
pub(crate) fn is_spliced(view: &Bound<'_, PyAny>) -> bool {
    // SAFETY: the callers have checked that it is a view.
    !keyed::is_in_parts(unsafe { of(view) })
}

/// Encodes a view on its own in its format, for copies.
///
/// # Errors
/// As [`untouched`], or if a value can't be encoded.
pub(super) fn encoded<'v>(view: &'v Bound<'_, PyAny>) -> PyResult<Cow<'v, [u8]>> {
    if let Some(bytes) = untouched(view)? {
        return Ok(Cow::Borrowed(bytes));
    }
    // SAFETY: the callers have checked that it is a view.
    let own = unsafe { of(view) };
    let bytes = crate::encode::encode_within(own.class.format.format(), view, *own.depth())?;
    Ok(Cow::Owned(bytes.as_bytes().to_vec()))
}

/// Returns the encoding of a view's bytes.
pub(crate) fn format_of(view: &Bound<'_, PyAny>) -> Encoding {
    // SAFETY: the callers have checked that it is a view.
    unsafe { of(view) }.class.format
}

/// Borrows an object as a view.
///
/// # Safety
/// It is an instance of a view class, and outlives the borrow.
pub(super) unsafe fn of<'v>(view: &'v Bound<'_, PyAny>) -> View<'v> {
    // SAFETY: as the caller guarantees.
    unsafe { borrowed(view.as_ptr()) }
}

/// As [`of`], for a pointer.
///
/// # Safety
/// As [`of`].
unsafe fn borrowed<'v>(view: *mut pyo3::ffi::PyObject) -> View<'v> {
    // SAFETY: as the caller guarantees.
    unsafe { View::new(view, &*knowledge(pyo3::ffi::Py_TYPE(view))) }
}

/// Guard that keeps the owner from releasing its bytes.
struct Pin(Object);

impl Pin {
    fn of(view: View<'_>) -> Option<Self> {
        if view.state().flags & OWNED == 0 {
            return None;
        }
        // SAFETY: the flag says that it is an `Owner`, which the view holds.
        let pin = Self(unsafe { Object::shared(*view.owner()) });
        pin.export(true);
        Some(pin)
    }

    fn export(&self, one: bool) {
        // SAFETY: it is an `Owner`; the GIL is held.
        unsafe {
            let owner = pyo3::Borrowed::from_ptr(Python::assume_attached(), self.0.as_ptr());
            owner.cast_unchecked::<Owner>().get().export(one);
        }
    }
}

impl Drop for Pin {
    fn drop(&mut self) {
        self.export(false);
    }
}

impl<'v> Edits<'v> {
    /// Collects the edits of a view.
    ///
    /// # Errors
    /// If its bytes were released or are malformed.
    pub(crate) fn of(view: &'v Bound<'_, PyAny>) -> PyResult<Self> {
        let (py, held) = (view.py(), Object::of(view));
        // SAFETY: the callers have checked that it is a view.
        let view = unsafe { of(view) };
        if view.is_released() {
            return Err(released());
        }
        let mut edits =
            Self { view, held, inner: Vec::new(), added: Vec::new(), dropped: Vec::new(), pin: Pin::of(view) };
        if view.state().flags & KEPT == 0 {
            return Ok(edits);
        }
        if view.state().flags & INDEXED == 0 {
            match view.class.format {
                Encoding::Json | Encoding::Packed => keyed::index(view).map_err(|failure| exception(py, failure))?,
                Encoding::Messages if field::index(view, view.bytes()) => {}
                Encoding::Messages => return Err(value::not_a_message(py, view)),
            }
        }
        for field in &view.class.fields {
            // SAFETY: the slot is for references, which own their values.
            let kept = unsafe { *view.kept(field.index) };
            if !kept.is_null() {
                // SAFETY: the object is alive.
                edits.look_at(py, field, unsafe { Object::shared(kept) })?;
            }
        }
        edits.inner.sort_by_key(|edit| edit.from);
        Ok(edits)
    }

    fn look_at(&mut self, py: Python<'_>, field: &LazyField, kept: Object) -> PyResult<()> {
        let (view, place) = (self.view, self.view.places()[field.index]);
        let Some(write) = field.write else { return Ok(()) };
        if view.was_set(field.index) {
            if !field.rivals.is_empty() {
                if place.last == 0 && kept.as_ptr() == Object::none().as_ptr() && group::is_overruled(view, field) {
                    // It was absent, so nothing changes. Without its bytes, the parts of the member that counts would no
                    // longer be apart.
                    return Ok(());
                }
                self.dropped.push(field.index);
                self.dropped.extend(group::left_out(view, field));
            }
            return self.add(py, field, write, place, kept, How::New);
        }
        match field.kind {
            Kind::Rest | Kind::Unread => Ok(()),
            // SAFETY: a live object; it is a view if its class is a view class.
            Kind::Message(_) if unsafe { is_view(&kept) } => {
                // SAFETY: as above.
                if unsafe { is_kept(&kept) } {
                    self.add_passed(py, field, write, place, &kept)?;
                    self.add(py, field, write, place, kept, How::View)
                } else {
                    Ok(())
                }
            }
            _ => {
                let items = kept.clone().into_bound(py);
                let state = match items.cast::<Items>() {
                    Ok(items) => items.get().state(py)?,
                    Err(_) => ItemChanges::Unknown,
                };
                match state {
                    ItemChanges::Same => Ok(()),
                    ItemChanges::Views(views) => self.add_items(py, field, write, place, views),
                    ItemChanges::Changed => self.add(py, field, write, place, kept, How::New),
                    ItemChanges::Unknown => {
                        self.add_passed(py, field, write, place, &kept)?;
                        self.add(py, field, write, place, kept, How::Compare)
                    }
                }
            }
        }
    }

    /// Adds edits for the earlier occurrences in the same oneof, which this field overrides.
    fn add_passed(
        &mut self,
        py: Python<'_>,
        field: &LazyField,
        write: usize,
        place: FieldSpan,
        value: &Object,
    ) -> PyResult<()> {
        if field.rivals.is_empty() {
            return Ok(());
        }
        let (bytes, mut at) = (self.view.bytes(), 0);
        while at + 1 < place.first as usize {
            let part = raw::read(bytes, at).ok_or_else(|| value::not_a_message(py, self.view))?;
            let own = self.view.class.of_number(part.number);
            if own.is_some_and(|own| own == field.index || field.rivals.contains(&own)) {
                let (from, to, how) = (part.tag, part.end, How::Passed);
                let (until, value) = (0, value.clone());
                self.inner.push(Edit {
                    field: field.index,
                    write,
                    item: None,
                    from,
                    to,
                    until,
                    exact: true,
                    value,
                    how,
                });
            }
            at = part.end;
        }
        Ok(())
    }

    fn add(
        &mut self,
        py: Python<'_>,
        field: &LazyField,
        write: usize,
        place: FieldSpan,
        value: Object,
        how: How,
    ) -> PyResult<()> {
        let (field, item) = (field.index, None);
        let edit = Edit { field, write, item, from: 0, to: 0, until: 0, exact: true, value, how };
        if place.last == 0 {
            self.added.push(edit);
            return Ok(());
        }
        let (first, last) = (place.first as usize - 1, place.last as usize);
        if self.view.class.format.is_keyed() {
            self.inner.push(Edit { from: first, to: last, ..edit });
            return Ok(());
        }
        let part = raw::read(self.view.bytes(), first).ok_or_else(|| value::not_a_message(py, self.view))?;
        let in_parts = place.first != place.last;
        let until = if in_parts { last - 1 } else { 0 };
        let exact = !in_parts && is_shortest(self.view.bytes(), part);
        self.inner.push(Edit { from: part.tag, to: part.end, until, exact, ..edit });
        Ok(())
    }

    /// Adds the changed views of a list's items, each at its position.
    fn add_items(
        &mut self,
        py: Python<'_>,
        field: &LazyField,
        write: usize,
        place: FieldSpan,
        views: Vec<(usize, (u32, u32), Object)>,
    ) -> PyResult<()> {
        let (until, how) = (0, How::View);
        if self.view.class.format.is_keyed() {
            self.inner.extend(views.into_iter().map(|(index, (begin, len), value)| {
                let (from, to) = (begin as usize, (begin + len) as usize);
                Edit { field: field.index, write, item: Some(index), from, to, until, exact: true, value, how }
            }));
            return Ok(());
        }
        let bytes = self.view.bytes();
        let mut at = (place.first as usize).saturating_sub(1);
        let mut count = 0;
        for (index, _, value) in views {
            let part = loop {
                let part = raw::read(bytes, at).ok_or_else(|| value::not_a_message(py, self.view))?;
                at = part.end;
                if part.number != field.number {
                    continue;
                }
                if count == index {
                    break part;
                }
                let (more, stride) = (raw::repeats(bytes, part).min(index - count - 1), part.end - part.tag);
                count += 1 + more;
                at += more * stride;
            };
            count += 1;
            let (from, to, exact) = (part.tag, part.end, is_shortest(bytes, part));
            let item = Some(index);
            self.inner.push(Edit { field: field.index, write, item, from, to, until, exact, value, how });
        }
        Ok(())
    }

    /// Returns the view that the edits change.
    pub(super) fn view(&self) -> View<'v> {
        self.view
    }

    /// Returns the original bytes.
    pub(crate) fn bytes(&self) -> &'v [u8] {
        self.view.bytes()
    }

    /// The field's name, for error paths.
    pub(crate) fn label(&self, edit: &Edit) -> &'v str {
        &self.view.class.fields[edit.field].label
    }

    /// Returns the plan of the view's class.
    ///
    /// # Safety
    /// The plan must not be used after the edits are dropped, since they keep it alive.
    pub(crate) unsafe fn planned<'e>(&self) -> (&'e RecordPlan, &'e Program) {
        let class: *const ViewClass = self.view.class;
        // SAFETY: the view is held, and with it its class and the plan, as long as the caller guarantees.
        unsafe { (*class).planned() }
    }

    /// Decodes the original value from the bytes.
    ///
    /// # Errors
    /// If the value is invalid.
    pub(crate) fn fresh(&self, py: Python<'_>, edit: &Edit) -> PyResult<Object> {
        value::fresh(py, self.view, &self.view.class.fields[edit.field])
    }

    /// Passes a range of a message's bytes to `give`, without the dropped fields. Returns false if the bytes are
    /// malformed.
    pub(crate) fn pass(
        &self,
        from: usize,
        to: usize,
        dropping: &[(usize, usize)],
        mut give: impl FnMut(&[u8]),
    ) -> bool {
        let bytes = self.bytes();
        let (mut at, mut given) = (from, from);
        let until = dropping.iter().map(|(_, until)| *until).max().unwrap_or(0);
        while at < to && at <= until {
            let Some(part) = raw::read(bytes, at) else { return false };
            let field = self.view.class.of_number(part.number);
            if dropping.iter().any(|(own, until)| Some(*own) == field && at <= *until) {
                give(bytes.get(given..at).unwrap_or_default());
                given = part.end;
            }
            at = part.end;
        }
        give(bytes.get(given..to).unwrap_or_default());
        true
    }

    /// Returns the offset after the object's last member, before trailing whitespace, and whether the object is empty.
    /// The second is for encodings with separators.
    pub(crate) fn end(&self, from: usize) -> (usize, bool) {
        let bytes = self.bytes();
        if self.view.class.format == Encoding::Packed {
            return (bytes.len(), false);
        }
        let inner = bytes.len().saturating_sub(1);
        let last = bytes[..inner].iter().rposition(|byte| !byte.is_ascii_whitespace());
        let end = last.map_or(inner, |last| last + 1).max(from);
        (end, bytes.get(..end) == Some(b"{"))
    }

    /// Returns the error for malformed message bytes.
    #[cold]
    pub(crate) fn broken(&self, py: Python<'_>) -> PyErr {
        value::not_a_message(py, self.view)
    }
}

/// Returns whether an object is a view.
///
/// # Safety
/// The GIL is held.
pub(super) unsafe fn is_view(object: &Object) -> bool {
    // SAFETY: a live object.
    is_view_class(unsafe { pyo3::ffi::Py_TYPE(object.as_ptr()) })
}

/// Returns whether a view holds attribute values, so that it may differ from its bytes.
///
/// # Safety
/// It is a view; the GIL is held.
pub(super) unsafe fn is_kept(view: &Object) -> bool {
    // SAFETY: as the caller guarantees.
    unsafe { borrowed(view.as_ptr()) }.state().flags & KEPT != 0
}

/// Returns whether an object is a view over exactly these bytes.
pub(super) fn is_over(object: &Bound<'_, PyAny>, data: *const u8, len: u32) -> bool {
    if !is_view_class(object.get_type_ptr()) {
        return false;
    }
    // SAFETY: it is a view, as checked above.
    let state = unsafe { of(object) }.state();
    state.data == data && state.len == len
}

/// Returns whether tag and length use the shortest encoding.
fn is_shortest(bytes: &[u8], part: RawField) -> bool {
    let width = |value: u64| (64 - (value | 1).leading_zeros() as usize).div_ceil(7);
    let tag = u64::from(part.number) << 3 | u64::from(part.wire);
    if part.at - part.tag != width(tag) {
        return false;
    }
    if part.wire != raw::LEN {
        return true;
    }
    raw::length(bytes, part.at).is_some_and(|(len, begin)| begin - part.at == width(len as u64))
}
