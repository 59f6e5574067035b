//! Lists, tuples, and everything else that gives items.

use super::engine::Records;
use super::lent::{dict_class, list_class};
use super::{Engine, Lent, Place, fault};
use crate::object::Object;
use crate::plan::{Make, Node, RecordPlan};
use demat_core::{Error, Result};
use pyo3::ffi;

impl<'e, K: Place> Engine<'e, K> {
    /// An item of a list; an error says which one.
    #[inline(always)]
    fn item(&mut self, plain: bool, node: &'e Node, records: Records<'e>, item: Lent, index: usize) -> Result<()> {
        self.sink.item()?;
        let told = if plain { self.plain(node, records, item) } else { self.nested(node, records, item) };
        match told {
            Ok(()) => self.border(),
            Err(error) => Err(within(error, index)),
        }
    }

    /// An instance of `list` or a subclass.
    ///
    /// Its items are looked at where they are, and again each time, as hooks may do with the list what they want.
    #[inline(never)]
    pub(super) fn list(&mut self, node: &'e Node, records: Records<'e>, object: Lent) -> Result<()> {
        let list = object.hold();
        let plain = node.leaves_scalars();
        // SAFETY: a list, as the callers have seen.
        let len = unsafe { ffi::PyList_GET_SIZE(list.as_ptr()) };
        self.deeper()?;
        self.sink.begin_list(Some(len.cast_unsigned()))?;
        let mut index = 0;
        let mut run = None;
        // SAFETY: a list.
        while index < unsafe { ffi::PyList_GET_SIZE(list.as_ptr()) } {
            // SAFETY: the index is inside of the list; what stands there lives until code of the user's runs.
            let item = unsafe { Lent::new(ffi::PyList_GET_ITEM(list.as_ptr(), index)) };
            let class = item.class();
            match &run {
                Some(Run { class: own, plan, records }) if *own == class => {
                    // SAFETY: a list, and an index inside of it.
                    unsafe { look_ahead(&list, index, class, plan) };
                    self.sink.item()?;
                    match self.fields(plan, records, item, None) {
                        Ok(()) => self.border()?,
                        Err(error) => return Err(within(error, index.cast_unsigned())),
                    }
                }
                _ => {
                    self.item(plain, node, records, item, index.cast_unsigned())?;
                    if class != dict_class() && class != list_class() {
                        run = self.run(node, records, class);
                    }
                }
            }
            index += 1;
            if index > len {
                break;
            }
        }
        if index != len {
            return Err(fault::changed("list"));
        }
        self.back();
        self.sink.end_list()
    }

    /// An instance of `tuple` or a subclass.
    #[inline(never)]
    pub(super) fn tuple(&mut self, node: &'e Node, records: Records<'e>, object: Lent) -> Result<()> {
        let tuple = object.hold();
        let plain = node.leaves_scalars();
        // SAFETY: a tuple, as the callers have seen.
        let len = unsafe { ffi::PyTuple_GET_SIZE(tuple.as_ptr()) };
        self.deeper()?;
        self.sink.begin_list(Some(len.cast_unsigned()))?;
        for index in 0..len {
            // SAFETY: the index is inside of the tuple, which never changes and is held.
            let item = unsafe { Lent::new(ffi::PyTuple_GET_ITEM(tuple.as_ptr(), index)) };
            self.item(plain, node, records, item, index.cast_unsigned())?;
        }
        self.back();
        self.sink.end_list()
    }

    /// A list or tuple with a node for each item, as many as it has.
    #[inline(never)]
    pub(super) fn fixed(&mut self, nodes: &'e [Node], records: Records<'e>, object: Lent) -> Result<()> {
        let held = object.hold();
        self.deeper()?;
        self.sink.begin_list(Some(nodes.len()))?;
        for (index, node) in nodes.iter().enumerate() {
            let Some(item) = item_at(&held, index) else { return Err(fault::changed("list")) };
            self.item(node.leaves_scalars(), node, records, Lent::of(&item), index)?;
        }
        self.back();
        self.sink.end_list()
    }

    /// Anything that can be iterated over: sets, deques, generators, sequences of classes of the user's.
    #[inline(never)]
    pub(super) fn iterable(&mut self, node: &'e Node, records: Records<'e>, object: Lent) -> Result<()> {
        let held = object.hold();
        let plain = node.leaves_scalars();
        // SAFETY: it lives; the GIL is held.
        let items = unsafe { ffi::PyObject_GetIter(held.as_ptr()) };
        let items = Object::new(items).map_err(|raised| self.raised(raised))?;
        self.deeper()?;
        self.sink.begin_list(None)?;
        let mut index = 0;
        loop {
            // SAFETY: an iterator; null with an exception, or without one at the end.
            let item = unsafe { ffi::PyIter_Next(items.as_ptr()) };
            if item.is_null() {
                break;
            }
            // SAFETY: a new reference, and not null.
            let item = unsafe { Object::owned(item) };
            self.item(plain, node, records, Lent::of(&item), index)?;
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

/// Records of one class that stand in a row.
struct Run<'e> {
    class: *mut ffi::PyTypeObject,
    plan: &'e RecordPlan,
    records: Records<'e>,
}

impl<'e, K: Place> Engine<'e, K> {
    /// Whether an item of this class, which was told, is a record: others like it may follow.
    #[inline(always)]
    fn run(&self, node: &'e Node, records: Records<'e>, class: *mut ffi::PyTypeObject) -> Option<Run<'e>> {
        let (plan, records) = match node {
            Node::Record(index) if records[*index].class_ptr() == class => (&records[*index], records),
            Node::Any | Node::Record(_) => self.classes.record(class)?,
            _ => return None,
        };
        (plan.make != Make::Tuple).then_some(Run { class, plan, records })
    }
}

/// Asks for the memory of records further on in the list, and of what is in their slots: objects are all over the place,
/// and waiting for each of them takes longer than writing it.
///
/// # Safety
/// The object is a list, and has an item at the index. The plan is that of the class.
#[inline(always)]
unsafe fn look_ahead(list: &Object, index: isize, class: *mut ffi::PyTypeObject, plan: &RecordPlan) {
    const FAR: isize = 16;
    const NEAR: isize = 8;
    // SAFETY: a list; the indices are inside of it. Its items live, and their slots can be read after a look at the class.
    unsafe {
        let len = ffi::PyList_GET_SIZE(list.as_ptr());
        if index + FAR >= len {
            return;
        }
        prefetch(ffi::PyList_GET_ITEM(list.as_ptr(), index + FAR));
        let near = ffi::PyList_GET_ITEM(list.as_ptr(), index + NEAR);
        if ffi::Py_TYPE(near) == class {
            for offset in plan.writes.iter().take(FAR.cast_unsigned()).filter_map(|field| field.quick) {
                prefetch(*near.byte_offset(offset.get()).cast::<*mut ffi::PyObject>());
            }
        }
    }
}

/// Asks for memory before it is needed.
#[inline(always)]
fn prefetch(object: *mut ffi::PyObject) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: every x86_64 has the instruction, which reads nothing and may be given any address.
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(object.cast());
    }
    let _ = object;
}

/// An item of a list or tuple, if it has so many.
fn item_at(held: &Object, index: usize) -> Option<Object> {
    let (object, index) = (held.as_ptr(), index.cast_signed());
    // SAFETY: the class and the size are looked at before the item is.
    unsafe {
        if Lent::of(held).is_list() {
            (index < ffi::PyList_GET_SIZE(object)).then(|| Object::shared(ffi::PyList_GET_ITEM(object, index)))
        } else if Lent::of(held).is_tuple() {
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
