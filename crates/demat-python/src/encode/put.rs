//! Puts builtin scalars behind each other with a [`ScalarWriter`].

use super::engine::LOOK;
use super::items::Items;
use super::keys::put_key;
use super::object_ref::{bool_class, float_class, int_class, list_class, text_class};
use super::pairs::{Pair, Pairs};
use super::{ObjectRef, int, temporal, text};
use crate::plan::{Direct, Name, Node, RecordPlan};
use core::convert::Infallible;
use demat_core::scalar::{Date, DateTime, Instant, Time};
use demat_core::{QuotedKey, Record};
use demat_formats::{LONGEST_TEXT, ScalarWriter};
use pyo3::ffi;

/// Writes a scalar of a builtin class. Returns false, and writes nothing, if the object is anything else, or one that must
/// be told to the sink. `moments`: dates and times are scalars, too.
///
/// # Safety
/// The object is alive. No user code runs here.
#[inline(always)]
pub(super) unsafe fn put<W: ScalarWriter>(to: &mut W, object: ObjectRef, moments: bool) -> bool {
    let class = object.class();
    // SAFETY: each class is compared before the object is read as one of it.
    unsafe {
        if class == text_class() {
            let Some(text) = text::utf8_unbound(object.as_ptr()) else { return false };
            if text.len() > LONGEST_TEXT {
                return false;
            }
            to.text(text);
        } else if class == int_class() {
            let Some(int) = int::small(object.as_ptr()) else { return false };
            to.i64(int);
        } else if object.is_none() {
            to.null();
        } else if class == float_class() {
            let float = ffi::PyFloat_AS_DOUBLE(object.as_ptr());
            if !W::takes(float) {
                return false;
            }
            to.float(float);
        } else if class == bool_class() {
            to.bool(object.as_ptr() == ffi::Py_True());
        } else {
            return moments && put_moment(to, object);
        }
    }
    true
}

/// As [`put`], for dates and times, which have no offset or that of UTC.
///
/// # Safety
/// As there.
#[inline(always)]
unsafe fn put_moment<W: ScalarWriter>(to: &mut W, object: ObjectRef) -> bool {
    let class = object.class();
    // SAFETY: the GIL is held. The module's interface is a constant once it is imported; before, it is null, and there is no
    // instance of its classes. Each class is compared before the object is read as one.
    unsafe {
        let Some(api) = ffi::PyDateTimeAPI().as_ref() else { return false };
        if class == api.DateTimeType {
            let (Some(at), zone) = temporal::datetime_of(object) else { return false };
            if zone == ffi::Py_None() {
                to.date_time(at);
            } else if zone == api.TimeZone_UTC {
                to.instant(at.with_offset(demat_core::scalar::Offset::UTC));
            } else {
                return false;
            }
        } else if class == api.DateType {
            let Some(date) = temporal::date_of(object) else { return false };
            to.date(date);
        } else if class == api.TimeType {
            let (Some(time), zone) = temporal::time_of(object) else { return false };
            if zone != ffi::Py_None() {
                return false;
            }
            to.time(time);
        } else {
            return false;
        }
    }
    true
}

/// Returns whether an object is of one of the classes of most scalars.
#[inline(always)]
pub(super) fn is_scalar(object: ObjectRef) -> bool {
    let class = object.class();
    class == text_class() || class == int_class() || class == float_class() || class == bool_class() || object.is_none()
}

/// Writes a list as a value, if all its items are scalars. Returns false, and writes nothing, otherwise, or if there are too
/// many to write them without a look at the limits.
///
/// The writer is moved in and out: what is passed by reference can't stay in registers.
///
/// # Safety
/// A live list. No user code runs here.
#[inline(never)]
unsafe fn put_list<W: ScalarWriter>(mut to: W, list: ObjectRef, moments: bool) -> (W, bool) {
    let begun = to.position();
    let mut items = Items::of(list);
    match items.left() {
        0 => to.empty_list(),
        len if len > LOOK as usize => return (to, false),
        len => {
            to.begin_list(len as u32);
            // SAFETY: as the caller guarantees.
            while unsafe { put_items(&mut to, &mut items, moments) } {}
            to.end_list();
        }
    }
    let is_written = items.left() == 0;
    if !is_written {
        to.take_back(to.position() - begun);
    }
    (to, is_written)
}

/// Writes items from the first on, up to the first that is no scalar, or to the next check of limits. Returns whether that is
/// due.
///
/// # Safety
/// The items are alive. No user code runs here.
#[inline(always)]
pub(super) unsafe fn put_items<W: ScalarWriter>(to: &mut W, items: &mut Items, moments: bool) -> bool {
    let mut left = *items;
    let mut is_due = false;
    while let Some(item) = left.peek()
        && !is_due
        // SAFETY: as the caller guarantees.
        && unsafe { put(to, item, moments) }
    {
        left.next();
        is_due = left.is_stop();
        // Lists of numbers mostly are of nothing else.
        if item.class() == float_class() {
            while let Some(item) = left.peek()
                && item.class() == float_class()
                && !is_due
            {
                // SAFETY: the class was checked.
                let float = unsafe { ffi::PyFloat_AS_DOUBLE(item.as_ptr()) };
                if !W::takes(float) {
                    break;
                }
                to.float(float);
                left.next();
                is_due = left.is_stop();
            }
        } else if item.class() == int_class() {
            while let Some(item) = left.peek()
                && item.class() == int_class()
                && !is_due
                // SAFETY: the class was checked.
                && let Some(int) = unsafe { int::small(item.as_ptr()) }
            {
                to.i64(int);
                left.next();
                is_due = left.is_stop();
            }
        }
    }
    *items = left;
    is_due
}

/// Writes pairs of text and a scalar from the first on, as [`put_items`] writes items. Returns their number.
///
/// # Safety
/// The pairs are those of a live dict. No user code runs here.
#[inline(always)]
pub(super) unsafe fn put_pairs<W: ScalarWriter>(to: &mut W, pairs: &mut Pairs, moments: bool) -> usize {
    let mut count = 0;
    let any = pairs.of_any_keys();
    while count < LOOK as usize {
        let mut left = *pairs;
        // SAFETY: as the caller guarantees.
        unsafe {
            let Some(Pair { key, value }) = left.next() else { break };
            let (key, value) = (ObjectRef::new(key), ObjectRef::new(value));
            if any && !key.is_exactly(text_class()) {
                break;
            }
            let Some(begun) = put_key(to, key) else { break };
            if !put(to, value, moments) {
                to.take_back(begun);
                break;
            }
        }
        *pairs = left;
        count += 1;
    }
    count
}

/// Writes a member of an enum, if it is one of the few whose values are at hand.
#[inline(always)]
fn put_member<W: ScalarWriter>(to: &mut W, node: &Node, object: ObjectRef) -> bool {
    let node = if let Node::Optional(inner) = node { inner } else { node };
    let Node::Enum(node) = node else { return false };
    match node.few.name_of(object.as_ptr()) {
        Some(Name::Text(text)) if text.len() <= LONGEST_TEXT => to.text(text),
        Some(Name::Int(int)) => to.i64(int),
        _ => return false,
    }
    true
}

/// What is written besides the builtin scalars.
#[derive(Debug, Clone, Copy)]
pub(super) struct Puts {
    /// Lists of scalars, where the nesting is not too deep for them.
    pub(super) lists: bool,
    /// Dates and times.
    pub(super) moments: bool,
}

/// Writes the values of slots or attributes from the field `first` on: scalars, members of enums, and lists of scalars.
/// Returns their number.
///
/// # Safety
/// `start` and the offsets lead to values of a live object, or to null. No user code runs here.
#[inline(always)]
pub(super) unsafe fn put_fields<W: ScalarWriter>(
    mut to: W,
    plan: &RecordPlan,
    first: usize,
    offsets: &[isize],
    start: *const u8,
    puts: Puts,
) -> (W, usize) {
    for (index, offset) in offsets.iter().enumerate() {
        // SAFETY: as the caller guarantees.
        let value = unsafe { *start.byte_offset(*offset).cast::<*mut ffi::PyObject>() };
        if value.is_null() {
            return (to, index);
        }
        // The key comes first, and is taken back if need be: so it is written in one place, and not in each branch.
        let begun = to.field(&plan.write, first + index);
        // SAFETY: as above.
        unsafe {
            let value = ObjectRef::new(value);
            if put(&mut to, value, puts.moments) {
                continue;
            }
            let field = &plan.writes[first + index];
            let is_written;
            if puts.lists && field.direct == Direct::Lists && value.is_exactly(list_class()) {
                (to, is_written) = put_list(to, value, puts.moments);
            } else {
                is_written = put_member(&mut to, &field.node, value);
            }
            if !is_written {
                to.take_back(begun);
                return (to, index);
            }
        }
    }
    (to, offsets.len())
}

/// The writer of sinks that have none.
#[derive(Debug)]
pub(super) struct NoScalars(Infallible);

#[rustfmt::skip]
impl ScalarWriter for NoScalars {
    fn position(&self) -> usize { match self.0 {} }
    fn take_back(&mut self, _: usize) { match self.0 {} }
    fn field(&mut self, _: &Record, _: usize) -> usize { match self.0 {} }
    fn key(&mut self, _: &str, _: Option<&QuotedKey>) -> usize { match self.0 {} }
    fn begin_list(&mut self, _: u32) { match self.0 {} }
    fn end_list(&mut self) { match self.0 {} }
    fn empty_list(&mut self) { match self.0 {} }
    fn null(&mut self) { match self.0 {} }
    fn bool(&mut self, _: bool) { match self.0 {} }
    fn i64(&mut self, _: i64) { match self.0 {} }
    fn float(&mut self, _: f64) { match self.0 {} }
    fn text(&mut self, _: &str) { match self.0 {} }
    fn date(&mut self, _: Date) { match self.0 {} }
    fn time(&mut self, _: Time) { match self.0 {} }
    fn date_time(&mut self, _: DateTime) { match self.0 {} }
    fn instant(&mut self, _: Instant) { match self.0 {} }
    fn leave(self, _: usize) { match self.0 {} }
    fn end(self) { match self.0 {} }
}
