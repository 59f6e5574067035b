//! The memory layout of a view.
//!
//! Behind the slots of the user's class (which stay empty): references to the owner of the bytes and to cached values,
//! visible to the garbage collector; then the position of the bytes, the scan offset, the bits of set fields, and the
//! span of each field.

use super::class::ViewClass;
use super::owner::Owner;
use pyo3::ffi;

/// The bytes of a view, and its flags.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub(super) struct ViewBytes {
    pub(super) data: *const u8,
    pub(super) len: u32,
    pub(super) flags: u32,
}

/// All fields have been located.
pub(super) const INDEXED: u32 = 1;
/// Some values are cached, or were set.
pub(super) const KEPT: u32 = 2;
/// The owner of the bytes can be released.
pub(super) const OWNED: u32 = 4;
/// The caller has promised that fields are in the order of their numbers.
pub(super) const ORDERED: u32 = 8;
/// Repeated keys are refused.
pub(super) const REFUSED: u32 = 16;
/// Values may be in lax forms.
pub(super) const LAX: u32 = 32;
/// The flags that nested views inherit.
pub(super) const INHERITED: u32 = OWNED | ORDERED | REFUSED | LAX;

/// The span of a field: one-based offsets of its first and its last tag; 0 if absent.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct FieldSpan {
    pub(super) first: u32,
    pub(super) last: u32,
}

/// A borrowed view.
#[derive(Clone, Copy)]
pub(super) struct View<'v> {
    pub(super) object: *mut ffi::PyObject,
    pub(super) class: &'v ViewClass,
}

impl<'v> View<'v> {
    /// Wraps a view.
    ///
    /// # Safety
    /// `object` is an instance of the class that outlives `'v`; the caller holds the GIL.
    #[inline(always)]
    pub(super) unsafe fn new(object: *mut ffi::PyObject, class: &'v ViewClass) -> Self {
        Self { object, class }
    }

    #[inline(always)]
    fn at<T>(self, offset: isize) -> *mut T {
        self.object.wrapping_byte_offset(offset).cast()
    }

    /// Returns the position of the view's bytes, and its flags.
    #[inline(always)]
    pub(super) fn state(self) -> &'v mut ViewBytes {
        // SAFETY: an instance of the class has its state there; the borrow does not span any call.
        unsafe { &mut *self.at::<ViewBytes>(self.class.state) }
    }

    /// Returns the slot of the owner.
    #[inline(always)]
    pub(super) fn owner(self) -> *mut *mut ffi::PyObject {
        self.at(self.class.owner)
    }

    /// Returns the slot of a cached value.
    #[inline(always)]
    pub(super) fn kept(self, index: usize) -> *mut *mut ffi::PyObject {
        self.at::<*mut ffi::PyObject>(self.class.owner).wrapping_add(1 + index)
    }

    /// Returns the spans of all fields.
    #[inline(always)]
    pub(super) fn places(self) -> &'v mut [FieldSpan] {
        // SAFETY: an instance of the class has that many spans there.
        unsafe { core::slice::from_raw_parts_mut(self.at(self.class.places), self.class.fields.len()) }
    }

    /// Returns whether a field was set.
    #[inline(always)]
    pub(super) fn was_set(self, index: usize) -> bool {
        self.bits()[index / 32] >> (index % 32) & 1 == 1
    }

    /// Marks a field as set.
    #[inline]
    pub(super) fn set(self, index: usize) {
        self.bits()[index / 32] |= 1 << (index % 32);
    }

    /// Marks a field as not set.
    #[inline]
    pub(super) fn unset(self, index: usize) {
        self.bits()[index / 32] &= !(1 << (index % 32));
    }

    /// Drops all cached and set values.
    #[cold]
    pub(super) fn forget(self) {
        self.bits().fill(0);
        for index in 0..self.class.fields.len() {
            // SAFETY: the slot owns its value, and is emptied before that is released.
            unsafe {
                let old = core::mem::replace(&mut *self.kept(index), core::ptr::null_mut());
                ffi::Py_XDECREF(old);
            }
        }
    }

    /// Returns the slots of the user's class. Only for classes with nothing but slots, see [`super::memory`].
    #[inline(always)]
    pub(super) fn base_slots(self) -> &'v mut [*mut ffi::PyObject] {
        let head = size_of::<ffi::PyObject>();
        let count = (self.class.owner.unsigned_abs() - head) / size_of::<*mut ffi::PyObject>();
        // SAFETY: an instance of the class has that many references there.
        unsafe { core::slice::from_raw_parts_mut(self.at(head.cast_signed()), count) }
    }

    /// Clears the spans of all fields and the bits of set ones.
    #[inline(always)]
    pub(super) fn wipe(self) {
        let words = (self.class.size - self.class.bits.unsigned_abs()) / size_of::<u64>();
        // SAFETY: an instance of the class has that many words of plain data there, up to its end.
        unsafe { core::slice::from_raw_parts_mut(self.at::<u64>(self.class.bits), words) }.fill(0);
    }

    /// The offset up to which the fields have been scanned, for ordered scanning.
    #[inline(always)]
    pub(super) fn seen(self) -> &'v mut u32 {
        // SAFETY: an instance of the class has the offset there; the borrow does not span any call.
        unsafe { &mut *self.at(self.class.bits) }
    }

    /// The remaining nesting depth: with keys including this record, in messages below it.
    #[inline(always)]
    pub(super) fn depth(self) -> &'v mut u32 {
        // SAFETY: an instance of the class has the depth there, behind the offset; as above.
        unsafe { &mut *self.at::<u32>(self.class.bits).wrapping_add(1) }
    }

    fn bits(self) -> &'v mut [u32] {
        let words = self.class.fields.len().div_ceil(32);
        // SAFETY: an instance of the class has that many words there, behind the offset and the depth.
        unsafe { core::slice::from_raw_parts_mut(self.at::<u32>(self.class.bits).wrapping_add(2), words) }
    }

    /// Returns the bytes of the message.
    #[inline(always)]
    pub(super) fn bytes(self) -> &'v [u8] {
        let state = self.state();
        // SAFETY: the owner keeps them in place as long as the view lives, and has not released them, as the callers
        // have checked. Writers to them hold the GIL, which is held here.
        unsafe { core::slice::from_raw_parts(state.data, state.len as usize) }
    }

    /// Returns whether the bytes have been released.
    #[inline(always)]
    pub(super) fn is_released(self) -> bool {
        if self.state().flags & OWNED == 0 {
            return false;
        }
        // SAFETY: the flag says that it is an `Owner`, which the view holds.
        unsafe { pyo3::Borrowed::from_ptr(pyo3::Python::assume_attached(), *self.owner()).cast_unchecked::<Owner>() }
            .get()
            .is_released()
    }
}
