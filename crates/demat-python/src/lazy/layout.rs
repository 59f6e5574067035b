//! Where what stands in the memory of a view.
//!
//! Behind what the class of the program's keeps there (which stays empty): the owner of the bytes and the values that are
//! kept, references that the interpreter knows of; then where the bytes are, how far they were looked at, which fields were set, and
//! where each field was found.

use super::class::ViewClass;
use super::owner::Owner;
use pyo3::ffi;

/// Where the bytes are.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub(super) struct ViewBytes {
    pub(super) data: *const u8,
    pub(super) len: u32,
    pub(super) flags: u32,
}

/// Each field was looked for.
pub(super) const INDEXED: u32 = 1;
/// Values are kept, or were set.
pub(super) const KEPT: u32 = 2;
/// What owns the bytes can be released.
pub(super) const OWNED: u32 = 4;
/// The fields stand in the order of their numbers, as was promised.
pub(super) const ORDERED: u32 = 8;
/// A key of JSON that comes again is refused.
pub(super) const REFUSED: u32 = 16;
/// Values of JSON need not be of their types.
pub(super) const LAX: u32 = 32;
/// What views of messages within this one have of it.
pub(super) const INHERITED: u32 = OWNED | ORDERED | REFUSED | LAX;

/// Where a field was found: behind the first byte of its first tag and of its last one; 0 where it was not.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct FieldSpan {
    pub(super) first: u32,
    pub(super) last: u32,
}

/// A view, borrowed.
#[derive(Clone, Copy)]
pub(super) struct View<'v> {
    pub(super) object: *mut ffi::PyObject,
    pub(super) class: &'v ViewClass,
}

impl<'v> View<'v> {
    /// A view.
    ///
    /// # Safety
    /// A living instance of the class, that is not gone before `'v` ends; the GIL is held.
    #[inline(always)]
    pub(super) unsafe fn new(object: *mut ffi::PyObject, class: &'v ViewClass) -> Self {
        Self { object, class }
    }

    #[inline(always)]
    fn at<T>(self, offset: isize) -> *mut T {
        self.object.wrapping_byte_offset(offset).cast()
    }

    /// Where the bytes are.
    #[inline(always)]
    pub(super) fn state(self) -> &'v mut ViewBytes {
        // SAFETY: an instance of the class has a state there; what is borrowed is not kept over a call of anybody.
        unsafe { &mut *self.at::<ViewBytes>(self.class.state) }
    }

    /// The slot of what owns the bytes.
    #[inline(always)]
    pub(super) fn owner(self) -> *mut *mut ffi::PyObject {
        self.at(self.class.owner)
    }

    /// The slot of a value that is kept.
    #[inline(always)]
    pub(super) fn kept(self, index: usize) -> *mut *mut ffi::PyObject {
        self.at::<*mut ffi::PyObject>(self.class.owner).wrapping_add(1 + index)
    }

    /// Where each field is.
    #[inline(always)]
    pub(super) fn places(self) -> &'v mut [FieldSpan] {
        // SAFETY: an instance of the class has so many places there.
        unsafe { core::slice::from_raw_parts_mut(self.at(self.class.places), self.class.fields.len()) }
    }

    /// Whether a field was set; a bit for each.
    #[inline(always)]
    pub(super) fn was_set(self, index: usize) -> bool {
        self.bits()[index / 32] >> (index % 32) & 1 == 1
    }

    /// Notes that a field was set.
    #[inline]
    pub(super) fn set(self, index: usize) {
        self.bits()[index / 32] |= 1 << (index % 32);
    }

    /// Takes back that a field was set.
    #[inline]
    pub(super) fn unset(self, index: usize) {
        self.bits()[index / 32] &= !(1 << (index % 32));
    }

    /// Lets go of all values that are kept, and of what was set.
    #[cold]
    pub(super) fn forget(self) {
        self.bits().fill(0);
        for index in 0..self.class.fields.len() {
            // SAFETY: the slot owns what is in it, and is empty before that is given back.
            unsafe {
                let old = core::mem::replace(&mut *self.kept(index), core::ptr::null_mut());
                ffi::Py_XDECREF(old);
            }
        }
    }

    /// The slots of the class of the program's: of such a class as has nothing else, see [`super::memory`].
    #[inline(always)]
    pub(super) fn base_slots(self) -> &'v mut [*mut ffi::PyObject] {
        let head = size_of::<ffi::PyObject>();
        let count = (self.class.owner.unsigned_abs() - head) / size_of::<*mut ffi::PyObject>();
        // SAFETY: an instance of the class has so many references there.
        unsafe { core::slice::from_raw_parts_mut(self.at(head.cast_signed()), count) }
    }

    /// Forgets what is known of the fields, and which were set.
    #[inline(always)]
    pub(super) fn wipe(self) {
        let words = (self.class.size - self.class.bits.unsigned_abs()) / size_of::<u64>();
        // SAFETY: an instance of the class has that many words of plain data there, up to its end.
        unsafe { core::slice::from_raw_parts_mut(self.at::<u64>(self.class.bits), words) }.fill(0);
    }

    /// The offset up to which the fields have been scanned, for ordered scanning.
    #[inline(always)]
    pub(super) fn seen(self) -> &'v mut u32 {
        // SAFETY: an instance of the class has that there; what is borrowed is not kept over a call of anybody.
        unsafe { &mut *self.at(self.class.bits) }
    }

    /// How deep values may nest: for JSON counted from this record on, for a message from those within it.
    #[inline(always)]
    pub(super) fn depth(self) -> &'v mut u32 {
        // SAFETY: an instance of the class has that there, behind what was seen; as above.
        unsafe { &mut *self.at::<u32>(self.class.bits).wrapping_add(1) }
    }

    fn bits(self) -> &'v mut [u32] {
        let words = self.class.fields.len().div_ceil(32);
        // SAFETY: an instance of the class has so many words there, behind what was seen and the depth.
        unsafe { core::slice::from_raw_parts_mut(self.at::<u32>(self.class.bits).wrapping_add(2), words) }
    }

    /// The bytes of the message.
    #[inline(always)]
    pub(super) fn bytes(self) -> &'v [u8] {
        let state = self.state();
        // SAFETY: the owner keeps them where they are, as long as the view lives, and has not let go of them, as callers
        // have asked. Whoever writes to them holds the GIL, as is held here.
        unsafe { core::slice::from_raw_parts(state.data, state.len as usize) }
    }

    /// Whether the bytes are gone.
    #[inline(always)]
    pub(super) fn is_released(self) -> bool {
        if self.state().flags & OWNED == 0 {
            return false;
        }
        // SAFETY: the flag says that it is an owner, which the view holds.
        unsafe { pyo3::Borrowed::from_ptr(pyo3::Python::assume_attached(), *self.owner()).cast_unchecked::<Owner>() }
            .get()
            .is_released()
    }
}
