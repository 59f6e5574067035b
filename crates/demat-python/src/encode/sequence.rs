//! Encodes lists, tuples and other iterables.

use super::engine::LOOK;
use super::hint::{Declared, Hint};
use super::items::Items;
use super::put::{is_scalar, put_items};
use super::scalars::{RUN, basic};
use super::{EncodeSink, Engine, ObjectRef, ahead, fault};
use crate::object::Object;
use crate::plan::{Node, Program, RecordPlan};
use demat_core::{Basic, Error, Result};
use demat_formats::ScalarWriter;
use pyo3::ffi;
use pyo3::prelude::*;

/// Adjacent records of one class.
pub(super) struct Run<'e> {
    pub(super) class: *mut ffi::PyTypeObject,
    pub(super) plan: &'e RecordPlan,
    pub(super) program: &'e Program,
}

impl<'e, K: EncodeSink> Engine<'e, K> {
    /// Encodes an item of a list. Errors get its index in their path.
    #[inline(always)]
    pub(super) fn item(&mut self, plain: bool, hint: impl Hint<'e>, item: ObjectRef, index: usize) -> Result<()> {
        self.sink.item()?;
        let told = if plain { self.plain(hint, item) } else { hint.tell(self, item) };
        match told {
            Ok(()) => self.border().and_then(|()| self.step()),
            Err(error) => Err(within(error, index)),
        }
    }

    /// Encodes a list that may well be empty.
    #[inline(always)]
    pub(super) fn list_or_empty<H: Hint<'e>>(&mut self, hint: H, list: ObjectRef) -> Result<()> {
        // SAFETY: a list, as the callers have checked.
        if unsafe { ffi::PyList_GET_SIZE(list.as_ptr()) } > 0 {
            return self.list(hint, list);
        }
        self.deeper()?;
        self.back();
        self.sink.empty_list()
    }

    /// Encodes an instance of `list` or a subclass.
    ///
    /// The items are read from the list's memory, and checked again after each run of user code: hooks may change the
    /// list. A sink of rows of a table may let other threads run at a record boundary.
    #[inline(never)]
    pub(super) fn list<H: Hint<'e>>(&mut self, hint: H, list: ObjectRef) -> Result<()> {
        let plain = hint.leaves_scalars(self.sink.tells_variants());
        // SAFETY: a list, as the callers have checked.
        let len = unsafe { ffi::PyList_GET_SIZE(list.as_ptr()) };
        // Of the item that was taken last, whatever has become of the list.
        let index = |items: &Items| len.cast_unsigned() - items.left() - 1;
        self.deeper()?;
        let mut items = Items::of(list);
        let mut held = None;
        if !(plain && items.peek().is_some_and(is_scalar) && self.first_scalars_of_list(&mut items)) {
            self.sink.begin_list(Some(len.cast_unsigned()))?;
        } else if items.left() == 0 {
            self.back();
            return Ok(());
        }
        let mut runs = K::RUNS && plain;
        while runs {
            let (values, count) = scalars(items);
            let written = self.sink.item_run(&values[..count]);
            written.map_err(|(at, error)| within(error, (len.cast_unsigned() - items.left()) + at))?;
            // SAFETY: so many items are left.
            items.next = unsafe { items.next.add(count) };
            held.get_or_insert_with(|| list.hold());
            self.border_after(count as u32)?;
            runs = count == RUN;
            if runs && (items.left() / RUN).is_multiple_of(LOOK as usize / RUN) {
                self.heed()?;
            }
            if !items.are_of(list) {
                return Err(fault::changed("list"));
            }
        }
        while let Some(item) = items.next() {
            let class = item.class();
            // SAFETY: `left` items remain.
            unsafe { ahead::of_items(items.next, items.left(), class) };
            if plain
                && is_scalar(item)
                && let Some(is_due) = self.scalar_items(&mut items)
            {
                self.border()?;
                if is_due {
                    held.get_or_insert_with(|| list.hold());
                    self.heed()?;
                    if !items.are_of(list) {
                        return Err(fault::changed("list"));
                    }
                }
                continue;
            }
            self.sink.item()?;
            if plain && let Some(told) = self.scalar(item) {
                told.map_err(|error| within(error, index(&items)))?;
                let is_due = items.is_stop();
                if is_due || !K::LOOKS_FAST {
                    held.get_or_insert_with(|| list.hold());
                }
                self.border()?;
                if is_due {
                    self.heed()?;
                }
                if (is_due || !K::LOOKS_FAST) && !items.are_of(list) {
                    return Err(fault::changed("list"));
                }
                continue;
            }
            // User code may run from here on.
            held.get_or_insert_with(|| list.hold());
            let nested = hint.nested(self, item);
            let simple = nested.is_some();
            match nested.unwrap_or_else(|| hint.tell(self, item)) {
                Ok(()) => self.border()?,
                Err(error) => return Err(within(error, index(&items))),
            }
            self.step()?;
            if !items.are_of(list) {
                return Err(fault::changed("list"));
            }
            if simple {
                continue;
            }
            if let Some(run) = hint.run(self, class) {
                items = self.run(&run, (list, len), items)?;
            }
        }
        self.back();
        self.sink.end_list()
    }

    /// Begins a list, and writes the scalars at its beginning; if they are all of it, ends the list. Returns false if the list
    /// must be begun as usual.
    #[inline(always)]
    fn first_scalars_of_list(&mut self, items: &mut Items) -> bool {
        let len = items.left();
        let moments = self.moments;
        let Some(mut scalars) = self.sink.list_scalars(len) else { return false };
        // SAFETY: the items are alive, as no user code runs here.
        unsafe { put_items(&mut scalars, items, moments) };
        if items.left() == 0 {
            scalars.end();
        } else {
            scalars.leave(len - items.left());
        }
        true
    }

    /// Writes scalars from the last item on, and takes them. Returns whether the limits must be looked after; `None` if
    /// nothing was written.
    #[inline(always)]
    fn scalar_items(&mut self, items: &mut Items) -> Option<bool> {
        let mut left = items.with_last();
        let before = left.left();
        let moments = self.moments;
        let mut scalars = self.sink.item_scalars()?;
        // SAFETY: the items are alive, as no user code runs here.
        let is_due = unsafe { put_items(&mut scalars, &mut left, moments) };
        let written = before - left.left();
        scalars.leave(written);
        if written == 0 {
            return None;
        }
        *items = left;
        Some(is_due)
    }

    /// Encodes items while they are of the run's class; returns the remaining ones. The list is held, and had so many
    /// items.
    #[inline(never)]
    fn run(&mut self, run: &Run<'e>, (list, len): (ObjectRef, ffi::Py_ssize_t), mut items: Items) -> Result<Items> {
        while let Some(item) = items.peek().filter(|item| item.is_exactly(run.class)) {
            // SAFETY: `left` items remain, and the plan is that of the class.
            unsafe { ahead::of_records(items.next, items.left(), run.class, run.plan) };
            items.next();
            self.sink.item()?;
            if let Err(error) = self.instance(run.plan, run.program, item, None) {
                return Err(within(error, len.cast_unsigned() - items.left() - 1));
            }
            self.border()?;
            self.step()?;
            if !items.are_of(list) {
                return Err(fault::changed("list"));
            }
        }
        Ok(items)
    }

    /// Encodes an instance of `tuple` or a subclass.
    #[inline(never)]
    pub(super) fn tuple<H: Hint<'e>>(&mut self, hint: H, object: ObjectRef) -> Result<()> {
        let tuple = object.hold();
        let plain = hint.leaves_scalars(self.sink.tells_variants());
        // SAFETY: a tuple, as the callers have checked.
        let len = unsafe { ffi::PyTuple_GET_SIZE(tuple.as_ptr()) };
        self.deeper()?;
        self.sink.begin_list(Some(len.cast_unsigned()))?;
        for index in 0..len {
            // SAFETY: the index is within the tuple, which never changes and is held.
            let item = unsafe { ObjectRef::new(ffi::PyTuple_GET_ITEM(tuple.as_ptr(), index)) };
            self.item(plain, hint, item, index.cast_unsigned())?;
        }
        self.back();
        self.sink.end_list()
    }

    /// Encodes a list or tuple with one node per item.
    #[inline(never)]
    pub(super) fn fixed(&mut self, nodes: &'e [Node], at: Declared<'e>, object: ObjectRef) -> Result<()> {
        let held = object.hold();
        self.deeper()?;
        self.sink.begin_list(Some(nodes.len()))?;
        for (index, node) in nodes.iter().enumerate() {
            let Some(item) = item_at(&held, index) else { return Err(fault::changed("list")) };
            let at = at.part(node);
            self.item(at.leaves_scalars(self.sink.tells_variants()), at, ObjectRef::of(&item), index)?;
        }
        self.back();
        self.sink.end_list()
    }

    /// Encodes any iterable: sets, deques, generators, user-defined sequences.
    #[inline(never)]
    pub(super) fn iterable<H: Hint<'e>>(&mut self, hint: H, object: ObjectRef) -> Result<()> {
        let held = object.hold();
        // SAFETY: the object is alive.
        if self.options.sorts_sets && unsafe { ffi::PyAnySet_Check(held.as_ptr()) } != 0 {
            return self.set_in_order(hint, &held);
        }
        let plain = hint.leaves_scalars(self.sink.tells_variants());
        // SAFETY: the object is alive; the GIL is held.
        let items = unsafe { ffi::PyObject_GetIter(held.as_ptr()) };
        let items = Object::new(items).map_err(|raised| self.raised(raised))?;
        self.deeper()?;
        self.sink.begin_list(None)?;
        let mut index = 0;
        loop {
            // SAFETY: an iterator. The result is null at the end, and null with an exception set on failure.
            let item = unsafe { ffi::PyIter_Next(items.as_ptr()) };
            if item.is_null() {
                break;
            }
            // SAFETY: a new reference, and not null.
            let item = unsafe { Object::owned(item) };
            self.item(plain, hint, ObjectRef::of(&item), index)?;
            index += 1;
        }
        // SAFETY: the GIL is held.
        if !unsafe { ffi::PyErr_Occurred() }.is_null() {
            let error = self.raised_now();
            return Err(within(error, index));
        }
        self.back();
        self.sink.end_list()
    }
}

impl<'e, K: EncodeSink> Engine<'e, K> {
    /// Encodes a set as the list of its items in order.
    #[cold]
    #[inline(never)]
    fn set_in_order<H: Hint<'e>>(&mut self, hint: H, set: &Object) -> Result<()> {
        // Sorting may encode the items.
        self.check_depth()?;
        // SAFETY: engines run with the GIL held.
        let set = set.clone().into_bound(unsafe { Python::assume_attached() });
        let items = self.options.in_order(&set).map_err(|raised| self.raised(raised))?;
        self.list(hint, ObjectRef::of(&Object::of(items.as_any())))
    }
}

/// Returns the scalars at the start of items, at most [`RUN`], and their number. They are borrowed from the objects, and
/// so alive until user code runs.
#[inline]
fn scalars<'o>(mut items: Items) -> ([Basic<'o>; RUN], usize) {
    let mut values = [Basic::Null; RUN];
    for (count, place) in values.iter_mut().enumerate() {
        // SAFETY: an item of a list, as above.
        match items.next().and_then(|item| unsafe { basic(item) }) {
            Some(value) => *place = value,
            None => return (values, count),
        }
    }
    (values, RUN)
}

/// Returns an item of a list or tuple, if the index is within it.
pub(super) fn item_at(held: &Object, index: usize) -> Option<Object> {
    let (object, index) = (held.as_ptr(), index.cast_signed());
    // SAFETY: the class and the size are checked before the item is read.
    unsafe {
        if ObjectRef::of(held).is_list() {
            (index < ffi::PyList_GET_SIZE(object)).then(|| Object::shared(ffi::PyList_GET_ITEM(object, index)))
        } else if ObjectRef::of(held).is_tuple() {
            (index < ffi::PyTuple_GET_SIZE(object)).then(|| Object::shared(ffi::PyTuple_GET_ITEM(object, index)))
        } else {
            None
        }
    }
}

#[cold]
fn within(error: Error, index: usize) -> Error {
    error.within_item(index)
}
