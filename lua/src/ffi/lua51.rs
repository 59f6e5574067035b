//! What Lua 5.1 and LuaJIT have in their own way.

use super::{lua_State, lua_pushnumber};
use core::ffi::{c_char, c_int, c_void};

/// The `_VERSION` of both.
pub(crate) const FLAVOUR: &str = "Lua 5.1";
pub(crate) const LUA_REGISTRYINDEX: c_int = -10_000;
const LUA_GLOBALSINDEX: c_int = -10_002;

unsafe extern "C-unwind" {
    fn lua_rawgeti(L: *mut lua_State, index: c_int, key: c_int);
    fn lua_rawseti(L: *mut lua_State, index: c_int, key: c_int);
    fn lua_rawget(L: *mut lua_State, index: c_int);
    fn lua_pushlstring(L: *mut lua_State, text: *const c_char, len: usize);
    fn lua_tonumber(L: *mut lua_State, index: c_int) -> f64;
    fn lua_call(L: *mut lua_State, arguments: c_int, results: c_int);
    fn lua_pcall(L: *mut lua_State, arguments: c_int, results: c_int, handler: c_int) -> c_int;
    fn lua_newuserdata(L: *mut lua_State, size: usize) -> *mut c_void;
    fn lua_getfield(L: *mut lua_State, index: c_int, key: *const c_char);
    fn lua_replace(L: *mut lua_State, index: c_int);
    fn lua_insert(L: *mut lua_State, index: c_int);
    fn luaL_loadbuffer(L: *mut lua_State, text: *const c_char, len: usize, name: *const c_char) -> c_int;
}

/// The index of a value of the running function's closure.
pub(crate) const fn upvalue(at: c_int) -> c_int {
    LUA_GLOBALSINDEX - at
}

/// A number. These interpreters know only floats; a whole one is taken for an integer where all integers are exact.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Number {
    /// A whole number.
    Int(i64),
    /// Any other.
    Float(f64),
}

/// The number of integers on either side of zero that a float holds without gaps.
const EXACT: f64 = 9_007_199_254_740_992.0;

impl Number {
    /// Returns a float as a number.
    #[inline(always)]
    #[allow(clippy::float_cmp, clippy::cast_precision_loss)] // it asks whether nothing is lost
    pub(crate) fn of(float: f64) -> Self {
        let whole = float as i64;
        // Minus zero equals zero, and is no integer.
        if whole as f64 == float && (whole != 0 || float.to_bits() == 0) && (-EXACT..=EXACT).contains(&float) {
            Self::Int(whole)
        } else {
            Self::Float(float)
        }
    }
}

/// Returns the number at the index.
///
/// # Safety
/// There is a number.
pub(crate) unsafe fn number(L: *mut lua_State, index: c_int) -> Number {
    // SAFETY: of a number, this does not raise.
    Number::of(unsafe { lua_tonumber(L, index) })
}

/// Pushes an integer as the nearest float.
///
/// # Safety
/// The stack has room.
#[allow(clippy::cast_precision_loss)] // callers ask `holds_int` where it matters
pub(crate) unsafe fn push_int(L: *mut lua_State, value: i64) {
    // SAFETY: as above.
    unsafe { lua_pushnumber(L, value as f64) }
}

/// Returns whether numbers hold this integer exactly.
pub(crate) fn holds_int(value: i64) -> bool {
    value.unsigned_abs() <= EXACT as u64
}

/// Pushes `table[key]` of the table at the index.
///
/// # Safety
/// There is a table, and the stack has room.
pub(crate) unsafe fn raw_get_int(L: *mut lua_State, index: c_int, key: i64) {
    // SAFETY: as above. Tables have no array parts with more items than the type holds.
    unsafe { lua_rawgeti(L, index, key as c_int) };
}

/// Pops a value into `table[key]`. *Raises.*
///
/// # Safety
/// There is a table at the index, and a value on the top.
pub(crate) unsafe fn raw_set_int(L: *mut lua_State, index: c_int, key: i64) {
    // SAFETY: as above.
    unsafe { lua_rawseti(L, index, key as c_int) }
}

/// Replaces the key on the top by its value in the table at the index.
///
/// # Safety
/// There is a table at the index.
pub(crate) unsafe fn raw_get(L: *mut lua_State, index: c_int) {
    // SAFETY: as above.
    unsafe { lua_rawget(L, index) };
}

/// Pushes a string. *Raises.*
///
/// # Safety
/// The stack has room.
pub(crate) unsafe fn push_bytes(L: *mut lua_State, bytes: &[u8]) {
    // SAFETY: as above; the function copies the bytes.
    unsafe { lua_pushlstring(L, bytes.as_ptr().cast(), bytes.len()) };
}

/// Calls the function below its arguments. *Raises.*
///
/// # Safety
/// The stack has the function and the arguments.
pub(crate) unsafe fn call(L: *mut lua_State, arguments: c_int, results: c_int) {
    // SAFETY: as above.
    unsafe { lua_call(L, arguments, results) }
}

/// Calls the function below its arguments, and catches what it raises: then the error is on the top, and the result is
/// not 0.
///
/// # Safety
/// The stack has the function and the arguments.
pub(crate) unsafe fn protected_call(L: *mut lua_State, arguments: c_int, results: c_int) -> c_int {
    // SAFETY: as above.
    unsafe { lua_pcall(L, arguments, results, 0) }
}

/// Pushes a new userdata. *Raises.*
///
/// # Safety
/// The stack has room.
pub(crate) unsafe fn new_userdata(L: *mut lua_State, size: usize) -> *mut c_void {
    // SAFETY: as above.
    unsafe { lua_newuserdata(L, size) }
}

/// Pushes a field. *Raises* with a metatable.
///
/// # Safety
/// There is a table at the index, and the stack has room.
pub(crate) unsafe fn get_field(L: *mut lua_State, index: c_int, key: *const c_char) {
    // SAFETY: as above.
    unsafe { lua_getfield(L, index, key) };
}

/// Pushes a global. *Raises.*
///
/// # Safety
/// The stack has room.
pub(crate) unsafe fn get_global(L: *mut lua_State, name: *const c_char) {
    // SAFETY: as above.
    unsafe { lua_getfield(L, LUA_GLOBALSINDEX, name) };
}

/// Moves the top below the values from the index on.
///
/// # Safety
/// The index is one of the stack.
pub(crate) unsafe fn insert(L: *mut lua_State, index: c_int) {
    // SAFETY: as above.
    unsafe { lua_insert(L, index) }
}

/// Pushes a chunk of source as a function; an error instead, if it returns other than 0.
///
/// # Safety
/// The stack has room, and the name ends with a zero.
pub(crate) unsafe fn load(L: *mut lua_State, text: &str, name: *const c_char) -> c_int {
    // SAFETY: as above.
    unsafe { luaL_loadbuffer(L, text.as_ptr().cast(), text.len(), name) }
}

/// Pops a value into the index.
///
/// # Safety
/// The index is one of the stack.
pub(crate) unsafe fn replace(L: *mut lua_State, index: c_int) {
    // SAFETY: as above.
    unsafe { lua_replace(L, index) }
}
