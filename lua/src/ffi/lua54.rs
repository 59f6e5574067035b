//! What Lua 5.4 has in its own way.

use super::lua_State;
use core::ffi::{c_char, c_int, c_void};

/// The version that `lua_version` returns, as a number of `_VERSION`.
pub(crate) const FLAVOUR: &str = "Lua 5.4";
pub(crate) const LUA_REGISTRYINDEX: c_int = -1_001_000;

unsafe extern "C-unwind" {
    fn lua_rawgeti(L: *mut lua_State, index: c_int, key: i64) -> c_int;
    fn lua_rawseti(L: *mut lua_State, index: c_int, key: i64);
    fn lua_rawget(L: *mut lua_State, index: c_int) -> c_int;
    fn lua_pushlstring(L: *mut lua_State, text: *const c_char, len: usize) -> *const c_char;
    fn lua_tointegerx(L: *mut lua_State, index: c_int, is: *mut c_int) -> i64;
    fn lua_tonumberx(L: *mut lua_State, index: c_int, is: *mut c_int) -> f64;
    fn lua_isinteger(L: *mut lua_State, index: c_int) -> c_int;
    fn lua_pushinteger(L: *mut lua_State, value: i64);
    fn lua_callk(L: *mut lua_State, arguments: c_int, results: c_int, context: isize, k: *const c_void);
    fn lua_pcallk(
        L: *mut lua_State,
        arguments: c_int,
        results: c_int,
        handler: c_int,
        context: isize,
        k: *const c_void,
    ) -> c_int;
    fn lua_newuserdatauv(L: *mut lua_State, size: usize, values: c_int) -> *mut c_void;
    fn lua_getfield(L: *mut lua_State, index: c_int, key: *const c_char) -> c_int;
    fn lua_copy(L: *mut lua_State, from: c_int, to: c_int);
    fn lua_rotate(L: *mut lua_State, index: c_int, by: c_int);
    fn luaL_loadbufferx(
        L: *mut lua_State,
        text: *const c_char,
        len: usize,
        name: *const c_char,
        mode: *const c_char,
    ) -> c_int;
    fn lua_getglobal(L: *mut lua_State, name: *const c_char) -> c_int;
}

/// The index of a value of the running function's closure.
pub(crate) const fn upvalue(at: c_int) -> c_int {
    LUA_REGISTRYINDEX - at
}

/// A number as the interpreter holds it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Number {
    /// An integer.
    Int(i64),
    /// A float.
    Float(f64),
}

/// Returns the number at the index.
///
/// # Safety
/// There is a number.
pub(crate) unsafe fn number(L: *mut lua_State, index: c_int) -> Number {
    // SAFETY: of a number, none of these raises.
    unsafe {
        if lua_isinteger(L, index) != 0 {
            Number::Int(lua_tointegerx(L, index, core::ptr::null_mut()))
        } else {
            Number::Float(lua_tonumberx(L, index, core::ptr::null_mut()))
        }
    }
}

/// Pushes an integer.
///
/// # Safety
/// The stack has room.
pub(crate) unsafe fn push_int(L: *mut lua_State, value: i64) {
    // SAFETY: as above.
    unsafe { lua_pushinteger(L, value) }
}

/// Returns whether numbers hold this integer exactly.
pub(crate) fn holds_int(_: i64) -> bool {
    true
}

/// Pushes `table[key]` of the table at the index.
///
/// # Safety
/// There is a table, and the stack has room.
pub(crate) unsafe fn raw_get_int(L: *mut lua_State, index: c_int, key: i64) {
    // SAFETY: as above.
    unsafe { lua_rawgeti(L, index, key) };
}

/// Pops a value into `table[key]`. *Raises.*
///
/// # Safety
/// There is a table at the index, and a value on the top.
pub(crate) unsafe fn raw_set_int(L: *mut lua_State, index: c_int, key: i64) {
    // SAFETY: as above.
    unsafe { lua_rawseti(L, index, key) }
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
    unsafe { lua_callk(L, arguments, results, 0, core::ptr::null()) }
}

/// Calls the function below its arguments, and catches what it raises: then the error is on the top, and the result is
/// not 0.
///
/// # Safety
/// The stack has the function and the arguments.
pub(crate) unsafe fn protected_call(L: *mut lua_State, arguments: c_int, results: c_int) -> c_int {
    // SAFETY: as above.
    unsafe { lua_pcallk(L, arguments, results, 0, 0, core::ptr::null()) }
}

/// Pushes a new userdata. *Raises.*
///
/// # Safety
/// The stack has room.
pub(crate) unsafe fn new_userdata(L: *mut lua_State, size: usize) -> *mut c_void {
    // SAFETY: as above.
    unsafe { lua_newuserdatauv(L, size, 0) }
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
    unsafe { lua_getglobal(L, name) };
}

/// Moves the top below the values from the index on.
///
/// # Safety
/// The index is one of the stack.
pub(crate) unsafe fn insert(L: *mut lua_State, index: c_int) {
    // SAFETY: as above.
    unsafe { lua_rotate(L, index, 1) }
}

/// Pushes a chunk of source as a function; an error instead, if it returns other than 0.
///
/// # Safety
/// The stack has room, and the name ends with a zero.
pub(crate) unsafe fn load(L: *mut lua_State, text: &str, name: *const c_char) -> c_int {
    // SAFETY: as above.
    unsafe { luaL_loadbufferx(L, text.as_ptr().cast(), text.len(), name, core::ptr::null()) }
}

/// Pops a value into the index.
///
/// # Safety
/// The index is one of the stack.
pub(crate) unsafe fn replace(L: *mut lua_State, index: c_int) {
    // SAFETY: as above.
    unsafe {
        lua_copy(L, -1, index);
        super::lua_pop(L, 1);
    }
}
