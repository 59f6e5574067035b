//! The structures of Lua 5.1 (`lobject.h`).

use super::Raw;
use crate::ffi::Number;

/// What the layout is called.
pub(crate) const NAME: &str = "Lua 5.1";

/// `TValue`: a value and its tag.
#[repr(C)]
#[derive(Clone, Copy)]
pub(crate) struct Slot {
    value: u64,
    tag: i32,
}

/// `Node`: an entry of the hash part, with the value first.
#[repr(C)]
#[derive(Clone, Copy)]
pub(crate) struct Node {
    slot: Slot,
    key: u64,
    key_tag: i32,
    next: *const Node,
}

/// `Table`.
#[repr(C)]
pub(crate) struct Table {
    gc_next: *const u8,
    kind: u8,
    marked: u8,
    flags: u8,
    log2_nodes: u8,
    metatable: *const Table,
    array: *const Slot,
    nodes: *const Node,
    last_free: *const Node,
    gc_list: *const u8,
    size: i32,
}

/// `TString`, up to its bytes.
#[repr(C)]
struct Text {
    gc_next: *const u8,
    kind: u8,
    marked: u8,
    reserved: u8,
    hash: u32,
    len: usize,
}

/// Whether the structures are laid out so on this machine.
pub(crate) const FITS: bool = cfg!(target_pointer_width = "64")
    && cfg!(target_endian = "little")
    && size_of::<Slot>() == 16
    && size_of::<Node>() == 40
    && size_of::<Text>() == 24;

/// `LUA_TTABLE`.
const TABLE: u8 = 5;

/// Returns a tagged value.
#[inline(always)]
unsafe fn raw(value: u64, tag: i32) -> Raw {
    match tag {
        4 => {
            let text = value as *const Text;
            // SAFETY: the tag says that the value is a pointer to a string.
            unsafe { Raw::Text(text.add(1).cast(), (*text).len) }
        }
        3 => match Number::of(f64::from_bits(value)) {
            Number::Int(int) => Raw::Int(int),
            Number::Float(float) => Raw::Float(float),
        },
        5 => Raw::Table(value as *const Table),
        0 => Raw::Nil,
        // A `bool` of C is an `int` there.
        1 => Raw::Bool(value as i32 != 0),
        2 => Raw::Light(value),
        6 => Raw::Other("function"),
        7 => Raw::Other("userdata"),
        8 => Raw::Other("thread"),
        _ => Raw::Other("value of an unknown type"),
    }
}

impl Slot {
    /// Returns the value.
    ///
    /// # Safety
    /// The slot is one of a table.
    #[inline(always)]
    pub(crate) unsafe fn get(&self) -> Raw {
        // SAFETY: as above.
        unsafe { raw(self.value, self.tag) }
    }

    /// Whether there is no value.
    #[inline(always)]
    pub(crate) fn is_nil(&self) -> bool {
        self.tag == 0
    }
}

impl Node {
    /// Returns the key. Only nodes with a value have one.
    ///
    /// # Safety
    /// The node is one of a table, and has a value.
    #[inline(always)]
    pub(crate) unsafe fn key(&self) -> Raw {
        // SAFETY: as above.
        unsafe { raw(self.key, self.key_tag) }
    }

    /// Returns where the value is.
    #[inline(always)]
    pub(crate) fn slot(&self) -> &Slot {
        &self.slot
    }
}

impl Table {
    /// Returns the value of the key 0, if it is in the array part: here it never is.
    #[inline(always)]
    #[allow(clippy::unused_self)] // as in the other layouts
    pub(crate) fn zero(&self) -> Option<&Slot> {
        None
    }

    /// Returns the array part: the values of the keys from 1.
    ///
    /// # Safety
    /// The table is alive, and nothing changes it meanwhile.
    #[inline(always)]
    pub(crate) unsafe fn array(&self) -> &[Slot] {
        if self.array.is_null() {
            return &[];
        }
        // SAFETY: the array has that many slots.
        unsafe { core::slice::from_raw_parts(self.array, self.size.unsigned_abs() as usize) }
    }

    /// Returns the hash part. Nodes without a value are free.
    ///
    /// # Safety
    /// As for [`array`](Self::array).
    #[inline(always)]
    pub(crate) unsafe fn nodes(&self) -> &[Node] {
        // SAFETY: an empty hash part is one node without a value, which all tables share.
        unsafe { core::slice::from_raw_parts(self.nodes, 1 << self.log2_nodes) }
    }

    /// Returns the metatable; null if there is none.
    #[inline(always)]
    pub(crate) fn metatable(&self) -> *const Self {
        self.metatable
    }

    /// Returns whether the header is that of a new table with room for so many items and so many fields. It reads the
    /// first bytes of the object only, which each object has.
    ///
    /// # Safety
    /// There is an object of at least the size of a table.
    pub(crate) unsafe fn is_new(table: *const Self, items: u32, log2_fields: u8) -> bool {
        // SAFETY: as above; all fields are plain numbers and pointers, which are not followed.
        unsafe {
            (*table).kind == TABLE
                && (*table).log2_nodes == log2_fields
                && u32::try_from((*table).size) == Ok(items)
                && (*table).array.is_aligned()
                && !(*table).array.is_null()
                && (*table).nodes.is_aligned()
                && !(*table).nodes.is_null()
                && (*table).metatable.is_null()
        }
    }
}
