//! The structures of Lua 5.4 (`lobject.h`).

use super::Raw;

/// What the layout is called.
pub(crate) const NAME: &str = "Lua 5.4";

/// `TValue`: a value and its tag.
#[repr(C)]
#[derive(Clone, Copy)]
pub(crate) struct Slot {
    value: u64,
    tag: u8,
}

/// `Node`: an entry of the hash part, with the value first.
#[repr(C)]
#[derive(Clone, Copy)]
pub(crate) struct Node {
    value: u64,
    tag: u8,
    key_tag: u8,
    next: i32,
    key: u64,
}

/// `Table`.
#[repr(C)]
pub(crate) struct Table {
    gc_next: *const u8,
    kind: u8,
    marked: u8,
    flags: u8,
    log2_nodes: u8,
    limit: u32,
    array: *const Slot,
    nodes: *const Node,
    last_free: *const Node,
    metatable: *const Table,
    gc_list: *const u8,
}

/// `TString`, up to its bytes.
#[repr(C)]
struct Text {
    gc_next: *const u8,
    kind: u8,
    marked: u8,
    extra: u8,
    short_len: u8,
    hash: u32,
    long_len: usize,
}

/// Whether the structures are laid out so on this machine.
pub(crate) const FITS: bool = cfg!(target_pointer_width = "64")
    && cfg!(target_endian = "little")
    && size_of::<Slot>() == 16
    && size_of::<Node>() == 24
    && size_of::<Text>() == 24;

/// `LUA_VTABLE`, as objects have it.
const TABLE: u8 = 5;
/// The bit in `flags` that says that `limit` is not the array's size.
const NOT_SIZE: u8 = 1 << 7;

/// Returns a tagged value.
#[inline(always)]
#[allow(clippy::verbose_bit_mask)] // the lower bits are the type
unsafe fn raw(value: u64, tag: u8) -> Raw {
    match tag {
        // Collectable values have bit 6.
        0x44 | 0x54 => {
            let text = value as *const Text;
            // SAFETY: such a tag says that the value is a pointer to a string. Short ones have their length in a byte.
            unsafe {
                let len = if tag == 0x44 { usize::from((*text).short_len) } else { (*text).long_len };
                Raw::Text(text.add(1).cast(), len)
            }
        }
        0x03 => Raw::Int(value.cast_signed()),
        0x13 => Raw::Float(f64::from_bits(value)),
        0x45 => Raw::Table(value as *const Table),
        0x01 => Raw::Bool(false),
        0x11 => Raw::Bool(true),
        0x02 => Raw::Light(value),
        _ if tag & 0x0f == 0 => Raw::Nil,
        0x46 | 0x16 | 0x66 => Raw::Other("function"),
        0x47 => Raw::Other("userdata"),
        0x48 => Raw::Other("thread"),
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
    #[allow(clippy::verbose_bit_mask)] // the lower bits are the type
    pub(crate) fn is_nil(&self) -> bool {
        self.tag & 0x0f == 0
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
        // SAFETY: a node begins with the fields of a slot, at the same offsets; its size is larger.
        unsafe { &*core::ptr::from_ref(self).cast() }
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
        // `limit` may be a hint for the length; then the size is the next power of two.
        let size = if self.flags & NOT_SIZE == 0 { self.limit } else { self.limit.next_power_of_two() };
        // SAFETY: the array has that many slots.
        unsafe { core::slice::from_raw_parts(self.array, size as usize) }
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
                && (*table).flags & NOT_SIZE == 0
                && (*table).log2_nodes == log2_fields
                && (*table).limit == items
                && (*table).array.is_aligned()
                && !(*table).array.is_null()
                && (*table).nodes.is_aligned()
                && !(*table).nodes.is_null()
                && (*table).metatable.is_null()
        }
    }
}
