//! Errors as tables of Lua.

use crate::ffi::{self, lua_State};
use core::ffi::{c_int, c_void};
use demat_core::Error;

/// The parts of an error that becomes a table.
#[derive(Debug)]
pub(crate) struct Raised {
    texts: [(&'static [u8], String); 5],
    numbers: [(&'static [u8], Option<u64>); 4],
    metatable: i64,
}

impl Raised {
    /// Returns the parts of an error, and the metatable of its table.
    pub(crate) fn new(error: &Error, metatable: i64) -> Self {
        let position = error.position();
        let texts: [(&'static [u8], String); 5] = [
            (b"message", error.to_string()),
            (b"reason", error.reason()),
            (b"kind", format!("{:?}", error.kind()).to_lowercase()),
            (b"path", error.path()),
            (b"place", error.place().unwrap_or_default().to_owned()),
        ];
        let numbers: [(&'static [u8], Option<u64>); 4] = [
            (b"line", position.line),
            (b"column", position.column),
            (b"offset", position.offset),
            (b"record", position.record),
        ];
        Self { texts, numbers, metatable }
    }

    /// A phase that pushes the table. Its data is the error.
    ///
    /// # Safety
    /// It runs as a phase.
    pub(crate) unsafe fn push(state: *mut lua_State, data: *mut c_void) -> c_int {
        // SAFETY: the caller of the phase has the error. A function that was called has room for 20 values.
        unsafe {
            let error = &*data.cast::<Self>();
            ffi::lua_settop(state, 0);
            ffi::lua_createtable(state, 0, 8);
            for (name, text) in error.texts.iter().filter(|(_, text)| !text.is_empty()) {
                ffi::push_bytes(state, name);
                ffi::push_bytes(state, text.as_bytes());
                ffi::lua_rawset(state, 1);
            }
            for (name, number) in &error.numbers {
                if let Some(number) = number {
                    ffi::push_bytes(state, name);
                    ffi::push_int(state, number.cast_signed());
                    ffi::lua_rawset(state, 1);
                }
            }
            ffi::raw_get_int(state, ffi::LUA_REGISTRYINDEX, error.metatable);
            ffi::lua_setmetatable(state, 1);
        }
        1
    }
}
