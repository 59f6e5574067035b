//! Errors as tables of Lua.

use crate::ffi::{self, lua_State};
use demat_core::Error;

/// The parts of an error that is about to be raised. They are kept here, as the frames that push them may be left at
/// any time.
#[derive(Debug, Default)]
pub(crate) struct Raised {
    texts: [(&'static [u8], String); 5],
    numbers: [(&'static [u8], Option<u64>); 4],
}

impl Raised {
    /// Notes an error.
    pub(crate) fn set(&mut self, error: &Error) {
        let position = error.position();
        self.texts = [
            (b"message", error.to_string()),
            (b"reason", error.reason()),
            (b"kind", format!("{:?}", error.kind()).to_lowercase()),
            (b"path", error.path()),
            (b"place", error.place().unwrap_or_default().to_owned()),
        ];
        self.numbers = [
            (b"line", position.line),
            (b"column", position.column),
            (b"offset", position.offset),
            (b"record", position.record),
        ];
    }

    /// Pushes the error as a table with the metatable of errors. *Raises.*
    ///
    /// # Safety
    /// The interpreter has called the module.
    pub(crate) unsafe fn push(&mut self, state: *mut lua_State, metatable: i64) {
        // SAFETY: a function that was called has room for 20 values.
        unsafe {
            ffi::lua_settop(state, 0);
            ffi::lua_createtable(state, 0, 8);
            for (name, text) in self.texts.iter().filter(|(_, text)| !text.is_empty()) {
                ffi::push_bytes(state, name);
                ffi::push_bytes(state, text.as_bytes());
                ffi::lua_rawset(state, 1);
            }
            for (name, number) in &self.numbers {
                if let Some(number) = number {
                    ffi::push_bytes(state, name);
                    ffi::push_int(state, number.cast_signed());
                    ffi::lua_rawset(state, 1);
                }
            }
            ffi::raw_get_int(state, ffi::LUA_REGISTRYINDEX, metatable);
            ffi::lua_setmetatable(state, 1);
        }
    }
}
