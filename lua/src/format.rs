//! The formats, out of their registry.

use crate::ffi::{self, lua_State};
use crate::host::{Host, Outcome, protected, text_at, wrong};
use core::ffi::{c_int, c_void};
use demat_core::Error;
use demat_formats::Format;

/// Returns the formats of single documents and streams, each of which is a module.
pub(crate) fn modules() -> impl Iterator<Item = Format> {
    Format::all().filter(|format| format.is_streamed())
}

/// Returns the format of the function that runs, whose name is its second value.
///
/// # Safety
/// The function was made so.
pub(crate) unsafe fn at_upvalue(state: *mut lua_State) -> Result<Format, Error> {
    // SAFETY: as above; the string is a value of the running function.
    let index = unsafe { ffi::number(state, ffi::upvalue(2)) };
    let ffi::Number::Int(index) = index else { return Err(wrong("no format")) };
    usize::try_from(index).ok().and_then(|index| Format::all().nth(index)).ok_or_else(|| wrong("no format"))
}

/// Returns the format that the field `format` of a table names.
///
/// # Safety
/// The index is one of the stack.
pub(crate) unsafe fn named(state: *mut lua_State, host: &Host, index: c_int) -> Result<Format, Outcome> {
    unsafe fn field(state: *mut lua_State, _: *mut c_void) -> c_int {
        // SAFETY: the argument is a table.
        unsafe {
            ffi::push_bytes(state, b"format");
            ffi::raw_get(state, 2);
        }
        1
    }
    // SAFETY: the type is checked.
    unsafe {
        if ffi::lua_type(state, index) != ffi::LUA_TTABLE {
            return Err(wrong("options must be a table with a `format`").into());
        }
        ffi::lua_pushvalue(state, index);
        protected(state, host.refs, field, &mut (), 1, 1)?;
        let name = text_at(state, -1, "`format`")?;
        let format = of_name(name)?;
        ffi::lua_pop(state, 1);
        Ok(format)
    }
}

/// Returns the format with a name.
pub(crate) fn of_name(name: &str) -> Result<Format, Error> {
    let format: Format = name.parse().map_err(|unknown: demat_formats::UnknownFormat| wrong(unknown.to_string()))?;
    Ok(format)
}
