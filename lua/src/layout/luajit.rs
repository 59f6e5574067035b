//! The structures of LuaJIT 2.1 with 64-bit references (`lj_obj.h`, `LJ_GC64`).

use super::Raw;
use crate::ffi::Number;

/// What the layout is called.
pub(crate) const NAME: &str = "LuaJIT 2.1 (GC64)";

/// `TValue`: a float, or a tag in the upper 17 bits.
#[repr(C)]
#[derive(Clone, Copy)]
pub(crate) struct Slot {
    bits: u64,
}

/// `Node`: an entry of the hash part, with the value first.
#[repr(C)]
#[derive(Clone, Copy)]
pub(crate) struct Node {
    slot: Slot,
    key: Slot,
    next: u64,
}

/// `GCtab`.
#[repr(C)]
pub(crate) struct Table {
    gc_next: u64,
    marked: u8,
    kind: u8,
    no_metamethods: u8,
    colocated: i8,
    array: u64,
    gc_list: u64,
    metatable: u64,
    nodes: u64,
    size: u32,
    mask: u32,
}

/// `GCstr`, up to its bytes.
#[repr(C)]
struct Text {
    gc_next: u64,
    marked: u8,
    kind: u8,
    reserved: u8,
    hash_kind: u8,
    id: u32,
    hash: u32,
    len: u32,
}

/// Whether the structures are laid out so on this machine.
pub(crate) const FITS: bool = cfg!(target_pointer_width = "64")
    && cfg!(target_endian = "little")
    && size_of::<Slot>() == 8
    && size_of::<Node>() == 24
    && size_of::<Text>() == 24;

/// `~LJ_TTAB`: what objects have as their kind.
const TABLE: u8 = 11;
/// The bits of a reference.
const REFERENCE: u64 = (1 << 47) - 1;

/// The tags, which are the complements of small numbers.
const NIL: u64 = 0x1_ffff;
const FALSE: u64 = NIL - 1;
const TRUE: u64 = NIL - 2;
const LIGHT: u64 = NIL - 3;
const TEXT: u64 = NIL - 4;
const THREAD: u64 = NIL - 6;
const FUNCTION: u64 = NIL - 8;
const CDATA: u64 = NIL - 10;
const TAB: u64 = NIL - 11;
const USERDATA: u64 = NIL - 12;
/// `LJ_TISNUM`: tags below it belong to floats.
const NUMBERS: u64 = NIL - 13;

impl Slot {
    /// Returns the value.
    ///
    /// # Safety
    /// The slot is one of a table.
    #[inline(always)]
    pub(crate) unsafe fn get(&self) -> Raw {
        let tag = self.bits >> 47;
        if tag < NUMBERS {
            return match Number::of(f64::from_bits(self.bits)) {
                Number::Int(int) => Raw::Int(int),
                Number::Float(float) => Raw::Float(float),
            };
        }
        match tag {
            TEXT => {
                let text = (self.bits & REFERENCE) as *const Text;
                // SAFETY: the tag says that the rest is a reference to a string.
                unsafe { Raw::Text(text.add(1).cast(), (*text).len as usize) }
            }
            TAB => Raw::Table((self.bits & REFERENCE) as *const Table),
            NIL => Raw::Nil,
            FALSE => Raw::Bool(false),
            TRUE => Raw::Bool(true),
            LIGHT => Raw::Light(self.bits),
            FUNCTION => Raw::Other("function"),
            USERDATA => Raw::Other("userdata"),
            THREAD => Raw::Other("thread"),
            CDATA => Raw::Other("cdata"),
            _ => Raw::Other("value of an unknown type"),
        }
    }

    /// Whether there is no value.
    #[inline(always)]
    #[allow(clippy::trivially_copy_pass_by_ref)] // as in the other layouts
    pub(crate) fn is_nil(&self) -> bool {
        self.bits == u64::MAX
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
        unsafe { self.key.get() }
    }

    /// Returns where the value is.
    #[inline(always)]
    pub(crate) fn slot(&self) -> &Slot {
        &self.slot
    }
}

impl Table {
    /// All slots of the array part, from the key 0.
    #[inline(always)]
    unsafe fn slots(&self) -> &[Slot] {
        if self.size == 0 {
            return &[];
        }
        // SAFETY: the array has that many slots.
        unsafe { core::slice::from_raw_parts(self.array as *const Slot, self.size as usize) }
    }

    /// Returns the value of the key 0, if it is in the array part.
    #[inline(always)]
    pub(crate) fn zero(&self) -> Option<&Slot> {
        // SAFETY: the first slot is read while the table is borrowed.
        unsafe { self.slots() }.first()
    }

    /// Returns the array part: the values of the keys from 1.
    ///
    /// # Safety
    /// The table is alive, and nothing changes it meanwhile.
    #[inline(always)]
    pub(crate) unsafe fn array(&self) -> &[Slot] {
        // SAFETY: as above.
        unsafe { self.slots() }.get(1..).unwrap_or_default()
    }

    /// Returns the hash part. Nodes without a value are free.
    ///
    /// # Safety
    /// As for [`array`](Self::array).
    #[inline(always)]
    pub(crate) unsafe fn nodes(&self) -> &[Node] {
        // SAFETY: an empty hash part is one node without a value, which all tables share.
        unsafe { core::slice::from_raw_parts(self.nodes as *const Node, self.mask as usize + 1) }
    }

    /// Returns the metatable; null if there is none.
    #[inline(always)]
    pub(crate) fn metatable(&self) -> *const Self {
        self.metatable as *const Self
    }

    /// Returns whether the header is that of a new table with room for so many items and so many fields. It reads the
    /// first bytes of the object only, which each object has.
    ///
    /// # Safety
    /// There is an object of at least the size of a table.
    pub(crate) unsafe fn is_new(table: *const Self, items: u32, log2_fields: u8) -> bool {
        // SAFETY: as above; all fields are plain numbers, which are not followed.
        unsafe {
            (*table).kind == TABLE
                && (*table).size == items + 1
                && (*table).mask == (1 << log2_fields) - 1
                && (*table).array != 0
                && (*table).array.is_multiple_of(8)
                && (*table).nodes != 0
                && (*table).nodes.is_multiple_of(8)
                && (*table).metatable == 0
        }
    }
}
