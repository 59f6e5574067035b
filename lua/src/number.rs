//! What the numbers of the flavour hold.

/// Whether there are unsigned integers of 64 bits: those of LuaJIT's FFI.
pub(crate) const HOLDS_UNSIGNED: bool = cfg!(feature = "luajit");

/// Returns whether the flavour has a number that is exactly this one. LuaJIT has: its FFI's, where floats end.
#[inline(always)]
pub(crate) fn holds(value: i64) -> bool {
    cfg!(feature = "luajit") || crate::ffi::holds_int(value)
}
