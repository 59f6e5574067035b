//! What is to be done with the bytes of a view to have what the view is now: the encoder copies them, and tells new values
//! between them. So each level is gone through once, by the encoder's own engine, which counts depth as it does for all else.

use super::class::{Kind, LazyField, ViewClass, is_view_class, knowledge};
use super::items::{Items, State};
use super::layout::{INDEXED, KEPT, OWNED, Place, View};
use super::owner::{Owner, released};
use super::scan::{self, Part};
use super::{field, group, json, value};
use crate::error::exception;
use crate::format::Format;
use crate::object::Object;
use crate::plan::{Program, RecordPlan};
use pyo3::prelude::*;
use std::borrow::Cow;

/// The edits of a view.
///
/// The view is held, and so are its bytes: code of the user's that runs meanwhile can't let go of them.
pub(crate) struct Edits<'v> {
    view: View<'v>,
    /// Held for the view, which is borrowed from it.
    #[allow(dead_code)] // nobody looks at it
    held: Object,
    /// Those of values that stand in the bytes, in their order.
    pub(crate) inner: Vec<Edit>,
    /// Those of fields that did not come.
    pub(crate) added: Vec<Edit>,
    /// Fields of which nothing in the bytes is to be written, by index.
    pub(crate) dropped: Vec<usize>,
    #[allow(dead_code)] // dropped at the end
    pin: Option<Pin>,
}

/// A value that may have to be written anew.
pub(crate) struct Edit {
    /// The field, as views count them, and as the plan counts those that are written.
    pub(crate) field: usize,
    pub(crate) write: usize,
    /// Of a list of records, which one it is.
    pub(crate) item: Option<usize>,
    /// Where it stands.
    pub(crate) from: usize,
    pub(crate) to: usize,
    /// Where the last part of it begins, if it has more than that one.
    pub(crate) until: usize,
    /// Whether a message that was not changed is written just as it stands.
    pub(crate) exact: bool,
    pub(crate) value: Object,
    pub(crate) how: How,
}

/// How an edit is done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum How {
    /// The value was set.
    New,
    /// It may have been changed: it is written, and so is what stands in the bytes, to compare.
    Compare,
    /// It is a view of what stands there.
    View,
    /// It does not count, as a field that excludes it comes later; where that is changed, it is left out.
    Passed,
}

/// The bytes of a view, if nothing of it was kept or set: then they are what it is.
///
/// # Errors
/// Where they are gone, or no JSON, which is looked at before any is passed on.
pub(crate) fn untouched<'v>(view: &'v Bound<'_, PyAny>) -> PyResult<Option<&'v [u8]>> {
    // SAFETY: callers have seen that it is a view.
    let own = unsafe { of(view) };
    let bytes = checked(view.py(), own)?;
    Ok((own.state().flags & KEPT == 0).then_some(bytes))
}

/// The bytes of a view that is to be encoded, as they came.
///
/// # Errors
/// As [`untouched`].
pub(crate) fn original<'v>(view: &'v Bound<'_, PyAny>) -> PyResult<&'v [u8]> {
    // SAFETY: callers have seen that it is a view.
    checked(view.py(), unsafe { of(view) })
}

fn checked<'v>(py: Python<'_>, view: View<'v>) -> PyResult<&'v [u8]> {
    if view.is_released() {
        return Err(released());
    }
    // What is passed on has to be JSON, also where nobody has asked for any of it.
    if view.class.format == Format::Json && view.state().flags & INDEXED == 0 {
        json::index(view).map_err(|failure| exception(py, failure))?;
    }
    Ok(view.bytes())
}

/// Whether the bytes of a view nest no deeper than that. Messages do not say: what is a message in them is known by who reads it.
pub(crate) fn is_within(view: &Bound<'_, PyAny>, depth: u32) -> bool {
    // SAFETY: callers have seen that it is a view.
    let view = unsafe { of(view) };
    if view.class.format != Format::Json {
        return true;
    }
    // So deep they are at most: they were read within that, and each level has two brackets.
    let most = (view.state().len / 2).min(*view.depth());
    most <= depth || json::is_within(view, depth)
}

/// A view as bytes of its format, by itself: for copies.
///
/// # Errors
/// As [`untouched`]; what encoding a value comes to.
pub(super) fn encoded<'v>(view: &'v Bound<'_, PyAny>) -> PyResult<Cow<'v, [u8]>> {
    if let Some(bytes) = untouched(view)? {
        return Ok(Cow::Borrowed(bytes));
    }
    // SAFETY: callers have seen that it is a view.
    let own = unsafe { of(view) };
    let bytes = crate::encode::encode_within(own.class.format, view, *own.depth())?;
    Ok(Cow::Owned(bytes.as_bytes().to_vec()))
}

/// Over what a view is: `Proto` or `Json`.
pub(crate) fn format_of(view: &Bound<'_, PyAny>) -> Format {
    // SAFETY: callers have seen that it is a view.
    unsafe { of(view) }.class.format
}

/// The view that an object is.
///
/// # Safety
/// It is an instance of a class of views, and lives as long as the borrow.
pub(super) unsafe fn of<'v>(view: &'v Bound<'_, PyAny>) -> View<'v> {
    // SAFETY: as the caller says.
    unsafe { borrowed(view.as_ptr()) }
}

/// The same of a pointer.
///
/// # Safety
/// As [`of`].
unsafe fn borrowed<'v>(view: *mut pyo3::ffi::PyObject) -> View<'v> {
    // SAFETY: as the caller says.
    unsafe { View::new(view, &*knowledge(pyo3::ffi::Py_TYPE(view))) }
}

/// Keeps the owner of bytes from letting go of them.
struct Pin(Object);

impl Pin {
    fn of(view: View<'_>) -> Option<Self> {
        if view.state().flags & OWNED == 0 {
            return None;
        }
        // SAFETY: the flag says that it is an owner, which the view holds.
        let pin = Self(unsafe { Object::shared(*view.owner()) });
        pin.export(true);
        Some(pin)
    }

    fn export(&self, one: bool) {
        // SAFETY: it is an owner; the GIL is held.
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
    /// Gathers the edits of a view.
    ///
    /// # Errors
    /// Where its bytes are gone, or not well-formed.
    pub(crate) fn of(view: &'v Bound<'_, PyAny>) -> PyResult<Self> {
        let (py, held) = (view.py(), Object::of(view));
        // SAFETY: callers have seen that it is a view.
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
                Format::Json => json::index(view).map_err(|failure| exception(py, failure))?,
                _ if field::index(view, view.bytes()) => {}
                _ => return Err(value::not_a_message(py, view)),
            }
        }
        for field in &view.class.fields {
            // SAFETY: the slot is one of references, that hold what is in them.
            let kept = unsafe { *view.kept(field.index) };
            if !kept.is_null() {
                // SAFETY: it lives.
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
                self.dropped.push(field.index);
                self.dropped.extend(group::left_out(view, field));
            }
            return self.add(py, field, write, place, kept, How::New);
        }
        match field.kind {
            Kind::Rest | Kind::Unread => Ok(()),
            // SAFETY: a living object, and a view where its class is one of these.
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
                    Err(_) => State::Unknown,
                };
                match state {
                    State::Same => Ok(()),
                    State::Views(views) => self.add_items(py, field, write, place, views),
                    State::Changed => self.add(py, field, write, place, kept, How::New),
                    State::Unknown => {
                        self.add_passed(py, field, write, place, &kept)?;
                        self.add(py, field, write, place, kept, How::Compare)
                    }
                }
            }
        }
    }

    /// What stands before a member of a oneof, of that or another one.
    fn add_passed(
        &mut self,
        py: Python<'_>,
        field: &LazyField,
        write: usize,
        place: Place,
        value: &Object,
    ) -> PyResult<()> {
        if field.rivals.is_empty() {
            return Ok(());
        }
        let (bytes, mut at) = (self.view.bytes(), 0);
        while at + 1 < place.first as usize {
            let part = scan::part(bytes, at).ok_or_else(|| value::not_a_message(py, self.view))?;
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
        place: Place,
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
        if self.view.class.format == Format::Json {
            self.inner.push(Edit { from: first, to: last, ..edit });
            return Ok(());
        }
        let part = scan::part(self.view.bytes(), first).ok_or_else(|| value::not_a_message(py, self.view))?;
        let in_parts = place.first != place.last;
        let until = if in_parts { last - 1 } else { 0 };
        let exact = !in_parts && is_shortest(self.view.bytes(), part);
        self.inner.push(Edit { from: part.tag, to: part.end, until, exact, ..edit });
        Ok(())
    }

    /// Views of items of a list, each where it stands, by their indices.
    fn add_items(
        &mut self,
        py: Python<'_>,
        field: &LazyField,
        write: usize,
        place: Place,
        views: Vec<(usize, (u32, u32), Object)>,
    ) -> PyResult<()> {
        let (until, how) = (0, How::View);
        if self.view.class.format == Format::Json {
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
                let part = scan::part(bytes, at).ok_or_else(|| value::not_a_message(py, self.view))?;
                at = part.end;
                if part.number != field.number {
                    continue;
                }
                if count == index {
                    break part;
                }
                let (more, stride) = (scan::alike(bytes, part).min(index - count - 1), part.end - part.tag);
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

    /// The view that they change.
    pub(super) fn view(&self) -> View<'v> {
        self.view
    }

    /// The bytes as they came.
    pub(crate) fn bytes(&self) -> &'v [u8] {
        self.view.bytes()
    }

    /// What a field is called.
    pub(crate) fn label(&self, edit: &Edit) -> &'v str {
        &self.view.class.fields[edit.field].label
    }

    /// The plan of the view's class.
    ///
    /// # Safety
    /// It is not used any more when the edits are gone, which hold it.
    pub(crate) unsafe fn planned<'e>(&self) -> (&'e RecordPlan, &'e Program) {
        let class: *const ViewClass = self.view.class;
        // SAFETY: the view is held, and with it its class and the plan, for as long as the caller says.
        unsafe { (*class).planned() }
    }

    /// The value that stands in the bytes.
    ///
    /// # Errors
    /// What is wrong with it.
    pub(crate) fn fresh(&self, py: Python<'_>, edit: &Edit) -> PyResult<Object> {
        value::fresh(py, self.view, &self.view.class.fields[edit.field])
    }

    /// Gives the bytes of a message from there to there, but for parts of fields that are dropped up to where that says. False where
    /// they are no message.
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
            let Some(part) = scan::part(bytes, at) else { return false };
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

    /// In an object, where its members end that stand behind that: before the blanks at the end. And whether it has none.
    pub(crate) fn end(&self, from: usize) -> (usize, bool) {
        let bytes = self.bytes();
        let inner = bytes.len().saturating_sub(1);
        let last = bytes[..inner].iter().rposition(|byte| !byte.is_ascii_whitespace());
        let end = last.map_or(inner, |last| last + 1).max(from);
        (end, bytes.get(..end) == Some(b"{"))
    }

    /// The error for bytes that are no message.
    #[cold]
    pub(crate) fn broken(&self, py: Python<'_>) -> PyErr {
        value::not_a_message(py, self.view)
    }
}

/// Whether an object is a view.
///
/// # Safety
/// The GIL is held.
pub(super) unsafe fn is_view(object: &Object) -> bool {
    // SAFETY: a living object.
    is_view_class(unsafe { pyo3::ffi::Py_TYPE(object.as_ptr()) })
}

/// Whether a view keeps anything, so that it may be other than its bytes.
///
/// # Safety
/// It is a view; the GIL is held.
pub(super) unsafe fn is_kept(view: &Object) -> bool {
    // SAFETY: as the caller says.
    unsafe { borrowed(view.as_ptr()) }.state().flags & KEPT != 0
}

/// Whether an object is a view over just these bytes.
pub(super) fn is_over(object: &Bound<'_, PyAny>, data: *const u8, len: u32) -> bool {
    if !is_view_class(object.get_type_ptr()) {
        return false;
    }
    // SAFETY: it is a view, as was just seen.
    let state = unsafe { of(object) }.state();
    state.data == data && state.len == len
}

/// Whether tag and length have no more bytes than they need.
fn is_shortest(bytes: &[u8], part: Part) -> bool {
    let width = |value: u64| (64 - (value | 1).leading_zeros() as usize).div_ceil(7);
    let tag = u64::from(part.number) << 3 | u64::from(part.wire);
    if part.at - part.tag != width(tag) {
        return false;
    }
    if part.wire != scan::LEN {
        return true;
    }
    scan::length(bytes, part.at).is_some_and(|(len, begin)| begin - part.at == width(len as u64))
}
