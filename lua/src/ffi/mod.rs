//! The C API of the interpreter, as far as the module calls it. The interpreter that loads the module has the symbols.
//!
//! Functions whose comment says *raises* may leave by a jump or by unwinding, over all Rust frames up to the next
//! protected call. So they are called only in frames that own nothing to drop. The others never raise.
#![allow(non_camel_case_types, clippy::upper_case_acronyms)]

#[cfg(any(feature = "lua51", feature = "luajit"))]
mod lua51;
#[cfg(feature = "lua54")]
mod lua54;

#[cfg(any(feature = "lua51", feature = "luajit"))]
pub(crate) use lua51::*;
#[cfg(feature = "lua54")]
pub(crate) use lua54::*;

use core::ffi::{c_char, c_int, c_void};

/// The state of a thread of the interpreter.
#[repr(C)]
pub(crate) struct lua_State {
    _private: [u8; 0],
}

/// A function that Lua calls.
pub(crate) type lua_CFunction = unsafe extern "C-unwind" fn(L: *mut lua_State) -> c_int;

pub(crate) const LUA_TNIL: c_int = 0;
pub(crate) const LUA_TBOOLEAN: c_int = 1;
pub(crate) const LUA_TLIGHTUSERDATA: c_int = 2;
pub(crate) const LUA_TNUMBER: c_int = 3;
pub(crate) const LUA_TSTRING: c_int = 4;
pub(crate) const LUA_TTABLE: c_int = 5;
pub(crate) const LUA_TFUNCTION: c_int = 6;
pub(crate) const LUA_TUSERDATA: c_int = 7;
pub(crate) const LUA_TTHREAD: c_int = 8;

unsafe extern "C-unwind" {
    pub(crate) fn lua_gettop(L: *mut lua_State) -> c_int;
    pub(crate) fn lua_settop(L: *mut lua_State, index: c_int);
    pub(crate) fn lua_pushvalue(L: *mut lua_State, index: c_int);
    /// Grows the stack, or returns 0. *Raises* in 5.1 if memory runs out.
    pub(crate) fn lua_checkstack(L: *mut lua_State, extra: c_int) -> c_int;
    pub(crate) fn lua_type(L: *mut lua_State, index: c_int) -> c_int;
    pub(crate) fn lua_typename(L: *mut lua_State, kind: c_int) -> *const c_char;
    pub(crate) fn lua_toboolean(L: *mut lua_State, index: c_int) -> c_int;
    /// Call it on strings only: it would change a number, and *raise*.
    pub(crate) fn lua_tolstring(L: *mut lua_State, index: c_int, len: *mut usize) -> *const c_char;
    pub(crate) fn lua_touserdata(L: *mut lua_State, index: c_int) -> *mut c_void;
    pub(crate) fn lua_topointer(L: *mut lua_State, index: c_int) -> *const c_void;
    pub(crate) fn lua_pushnil(L: *mut lua_State);
    pub(crate) fn lua_pushboolean(L: *mut lua_State, value: c_int);
    pub(crate) fn lua_pushnumber(L: *mut lua_State, value: f64);
    pub(crate) fn lua_pushlightuserdata(L: *mut lua_State, value: *mut c_void);
    /// *Raises.*
    pub(crate) fn lua_pushcclosure(L: *mut lua_State, function: lua_CFunction, values: c_int);
    /// *Raises.*
    pub(crate) fn lua_createtable(L: *mut lua_State, items: c_int, fields: c_int);
    /// *Raises.*
    pub(crate) fn lua_setfield(L: *mut lua_State, index: c_int, key: *const c_char);
    /// *Raises.*
    pub(crate) fn lua_rawset(L: *mut lua_State, index: c_int);
    /// Returns 0 if there is none.
    pub(crate) fn lua_getmetatable(L: *mut lua_State, index: c_int) -> c_int;
    pub(crate) fn lua_setmetatable(L: *mut lua_State, index: c_int) -> c_int;
    /// *Raises* if the key is not in the table.
    pub(crate) fn lua_next(L: *mut lua_State, index: c_int) -> c_int;
    /// *Raises*, always.
    pub(crate) fn lua_error(L: *mut lua_State) -> c_int;
    /// *Raises.*
    pub(crate) fn luaL_ref(L: *mut lua_State, table: c_int) -> c_int;
}

/// Removes values from the top of the stack.
///
/// # Safety
/// The stack has as many.
pub(crate) unsafe fn lua_pop(L: *mut lua_State, count: c_int) {
    // SAFETY: as above.
    unsafe { lua_settop(L, -count - 1) }
}

/// Returns the bytes of a string on the stack. They live as long as the string stays there.
///
/// # Safety
/// There is a string at the index, which stays there for `'a`.
pub(crate) unsafe fn bytes_at<'a>(L: *mut lua_State, index: c_int) -> &'a [u8] {
    let mut len = 0;
    // SAFETY: of a string, the function returns its bytes and writes their number.
    unsafe {
        let data = lua_tolstring(L, index, &raw mut len);
        core::slice::from_raw_parts(data.cast(), len)
    }
}
