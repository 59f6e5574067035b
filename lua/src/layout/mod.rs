//! The interpreter's own tables, read beneath its API.
//!
//! Each flavour has a `Layout`: the structures of its tables, strings and values as its sources define them. Nothing
//! reads them before [`proof`](crate::proof) has shown that the running interpreter lays out its memory so.
//!
//! Reading calls no function of the interpreter. So nothing can change a table meanwhile, move it or free it, as long
//! as something on the stack holds it.

#[cfg(feature = "lua51")]
mod lua51;
#[cfg(feature = "lua54")]
mod lua54;
#[cfg(feature = "luajit")]
mod luajit;

#[cfg(feature = "lua51")]
pub(crate) use lua51::{FITS, NAME, Node, Slot, Table};
#[cfg(feature = "lua54")]
pub(crate) use lua54::{FITS, NAME, Node, Slot, Table};
#[cfg(feature = "luajit")]
pub(crate) use luajit::{FITS, NAME, Node, Slot, Table};

/// A value in a table.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Raw {
    /// None.
    Nil,
    /// A boolean.
    Bool(bool),
    /// A number that is an integer.
    Int(i64),
    /// Any other number.
    Float(f64),
    /// A string: its bytes, and their number.
    Text(*const u8, usize),
    /// A table.
    Table(*const Table),
    /// Light userdata, as the interpreter represents it.
    Light(u64),
    /// Any other type, by its name.
    Other(&'static str),
}

impl Raw {
    /// Returns the bytes of a string as a slice.
    ///
    /// # Safety
    /// The two were read from a string, and something holds it for `'a`.
    #[inline(always)]
    pub(crate) unsafe fn bytes<'a>(data: *const u8, len: usize) -> &'a [u8] {
        // SAFETY: as above; strings never change.
        unsafe { core::slice::from_raw_parts(data, len) }
    }
}
