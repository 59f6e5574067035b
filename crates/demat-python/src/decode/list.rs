//! Decodes lists, tuples and sets.

use super::growing::Growing;
use super::{Engine, LOOK};
use crate::object::{self, Object};
use crate::plan::{ListKind, ListNode, Node};
use demat_core::{Error, ErrorKind, Listed, Result, Source};
use pyo3::ffi;

impl<'e, 'a, S: Source<'a>, const ALL: bool> Engine<'e, 'a, S, ALL> {
    #[inline(never)]
    pub(super) fn list(&mut self, node: &'e ListNode) -> Result<Object> {
        self.descend()?;
        let start = self.source.mark();
        let len = match self.source.list_or_single()? {
            Listed::Items(len) => len,
            Listed::Single => return self.single(node),
        };
        match &node.kind {
            ListKind::List => self.items(&node.item, len),
            ListKind::Tuple => {
                let items = self.items(&node.item, len)?;
                // SAFETY: a list of our own.
                self.made(unsafe { ffi::PyList_AsTuple(items.as_ptr()) })
            }
            ListKind::Set => self.set(node),
            // Built from a set: hashing may run code that sees the frozenset, and then adding to it would fail.
            ListKind::Frozenset => {
                let set = self.set(node)?;
                // SAFETY: a set of our own.
                self.made(unsafe { ffi::PyFrozenSet_New(set.as_ptr()) })
            }
            ListKind::Other(class) => {
                let gathered = self.gathered();
                let items = self.items(&node.item, len)?;
                if self.gathered() > gathered {
                    return Ok(items); // the class's argument was refused
                }
                // SAFETY: live objects.
                let made = self.made(unsafe { ffi::PyObject_CallOneArg(class.as_ptr(), items.as_ptr()) });
                made.map_err(|error| self.about_last(start, error))
            }
        }
    }

    /// Decodes a single value as a list of one.
    #[cold]
    #[inline(never)]
    fn single(&mut self, node: &'e ListNode) -> Result<Object> {
        let (start, gathered) = (self.source.mark(), self.gathered());
        let value = self.item_value(&node.item, 0)?;
        // SAFETY: the GIL is held; the list takes over the reference.
        let list = unsafe {
            let list = self.made(ffi::PyList_New(1))?;
            ffi::PyList_SET_ITEM(list.as_ptr(), 0, value.into_ptr());
            list
        };
        if self.gathered() > gathered {
            return Ok(list); // the item was refused
        }
        // SAFETY: live objects; the GIL is held.
        let made = unsafe {
            match &node.kind {
                ListKind::List => return Ok(list),
                ListKind::Tuple => ffi::PyList_AsTuple(list.as_ptr()),
                ListKind::Set => ffi::PySet_New(list.as_ptr()),
                ListKind::Frozenset => ffi::PyFrozenSet_New(list.as_ptr()),
                ListKind::Other(class) => ffi::PyObject_CallOneArg(class.as_ptr(), list.as_ptr()),
            }
        };
        self.made(made).map_err(|error| self.about_last(start, error))
    }

    /// Decodes the items of a list that was entered.
    #[inline(always)]
    fn items(&mut self, item: &'e Node, len: Option<usize>) -> Result<Object> {
        let mut list = match Growing::new(len) {
            Ok(list) => list,
            Err(raised) => return Err(self.raised(raised)),
        };
        let mut index = 0;
        let mut ended = false;
        if !ALL && self.source.prefers_runs() {
            (index, ended) = self.scalar_items(item, &mut list)?;
        }
        while !ended && self.source.item()? {
            let value = self.item_value(item, index)?;
            if let Err(raised) = list.push(value) {
                return Err(self.raised(raised));
            }
            index += 1;
            if index % LOOK as usize == 0 {
                self.heed()?;
            }
        }
        if index == 0 {
            self.no_items(item)?;
        }
        Ok(list.finish())
    }

    /// Decodes an item. Errors get its index in their path.
    #[inline(always)]
    pub(super) fn item_value(&mut self, node: &'e Node, index: usize) -> Result<Object> {
        let before = self.gathered();
        let value = self.recovered(node);
        self.within(before, |error| error.within_item(index));
        value.map_err(|error| error.within_item(index))
    }

    fn set(&mut self, node: &'e ListNode) -> Result<Object> {
        // SAFETY: the GIL is held.
        let set = self.made(unsafe { ffi::PySet_New(std::ptr::null_mut()) })?;
        let mut index = 0;
        while self.source.item()? {
            if index % LOOK as usize == LOOK as usize - 1 {
                self.heed()?;
            }
            let mark = self.source.mark();
            let value = self.item_value(&node.item, index)?;
            // SAFETY: a set, and a live object.
            if unsafe { ffi::PySet_Add(set.as_ptr(), value.as_ptr()) } < 0 {
                let error = self.raised(object::fetch());
                let error = self.about_last(mark, error).within_item(index);
                self.note(error)?;
            }
            index += 1;
        }
        if index == 0 {
            self.no_items(&node.item)?;
        }
        Ok(set)
    }

    /// Called for a list without items: passes the expected record to the source.
    #[inline]
    pub(super) fn no_items(&mut self, item: &'e Node) -> Result<()> {
        match item {
            Node::Record(index) => self.source.no_records(&self.program.records[*index].read),
            _ => Ok(()),
        }
    }

    /// Decodes a tuple with one value per node.
    pub(super) fn tuple(&mut self, nodes: &'e [Node]) -> Result<Object> {
        self.descend()?;
        self.source.list()?;
        // SAFETY: the GIL is held. Unset slots are null, which the collector and the tuple's deallocation both allow.
        let tuple = self.made(unsafe { ffi::PyTuple_New(nodes.len() as ffi::Py_ssize_t) })?;
        for (index, node) in nodes.iter().enumerate() {
            if !self.source.item()? {
                return Err(wrong_count(nodes.len(), &format!("only {index}")).at(self.source.position()));
            }
            let value = self.item_value(node, index)?;
            // SAFETY: no other code has seen the tuple, and the slot is empty.
            unsafe { ffi::PyTuple_SET_ITEM(tuple.as_ptr(), index as ffi::Py_ssize_t, value.into_ptr()) };
        }
        if self.source.item()? {
            self.source.peek()?; // moves the error's position to the surplus item
            return Err(wrong_count(nodes.len(), "more items").at(self.source.position()));
        }
        Ok(tuple)
    }
}

#[cold]
fn wrong_count(expected: usize, found: &str) -> Error {
    Error::mismatch(ErrorKind::Constraint, format!("a `tuple` of {expected}"), found.to_string())
}
