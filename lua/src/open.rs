//! What `require "demat"` calls.

use crate::config::{count, each};
use crate::ffi::{self, lua_CFunction, lua_State};
use crate::host::{Host, Outcome, Refs, run, run_phase, wrong};
use crate::{decode, encode, format, place, proof, sqlite};
use core::ffi::{CStr, c_int};
use demat_formats::Format;

/// The part of the module that is written in Lua.
const PRELUDE: &str = include_str!("prelude.lua");

/// Pushes the module.
///
/// # Safety
/// The interpreter calls it.
#[unsafe(no_mangle)]
#[expect(unreachable_pub, reason = "the interpreter finds it by its name")]
pub unsafe extern "C-unwind" fn luaopen_demat(state: *mut lua_State) -> c_int {
    // SAFETY: the interpreter calls, so there is room for 20 values. The frame owns nothing.
    unsafe {
        ffi::lua_settop(state, 0);
        // 1: the userdata of the host, still without one.
        let userdata = ffi::new_userdata(state, size_of::<*mut Host>()).cast::<*mut Host>();
        userdata.write(core::ptr::null_mut());
        ffi::lua_createtable(state, 0, 1);
        ffi::lua_pushcclosure(state, free, 0);
        ffi::lua_setfield(state, -2, c"__gc".as_ptr());
        ffi::lua_setmetatable(state, 1);
        // 2: what the part in Lua gets.
        ffi::lua_createtable(state, 0, 16);
        let refs = refs(state);
        userdata.write(Box::into_raw(Box::new(Host::new(refs))));
        for (name, value) in
            [(c"array", refs.array), (c"object", refs.object), (c"error", refs.error), (c"wide", refs.wide)]
        {
            ffi::raw_get_int(state, ffi::LUA_REGISTRYINDEX, value);
            ffi::lua_setfield(state, 2, name.as_ptr());
        }
        let functions: [(&CStr, lua_CFunction); 9] = [
            (c"encoder", encode::encoder),
            (c"decoder", decode::decoder),
            (c"layout", layout),
            (c"configure", configure),
            (c"shape", shape),
            (c"copy", place::copy),
            (c"read", place::read),
            (c"database", sqlite::open),
            (c"build", sqlite::bulk::build),
        ];
        for (name, function) in functions {
            ffi::lua_pushvalue(state, 1);
            ffi::lua_pushcclosure(state, function, 1);
            ffi::lua_setfield(state, 2, name.as_ptr());
        }
        ffi::push_bytes(state, env!("CARGO_PKG_VERSION").as_bytes());
        ffi::lua_setfield(state, 2, c"version".as_ptr());
        ffi::lua_pushlightuserdata(state, core::ptr::null_mut());
        ffi::lua_setfield(state, 2, c"null".as_ptr());
        formats(state);
        match proof::prove(state, refs) {
            Ok(known) => (**userdata).known.set(Some(known)),
            Err(refusal) => (**userdata).refusal.set(Some(refusal)),
        }
        if ffi::load(state, PRELUDE, c"=demat.lua".as_ptr()) != 0 {
            return ffi::lua_error(state);
        }
        ffi::lua_pushvalue(state, 2);
        ffi::call(state, 1, 1);
    }
    1
}

/// Sets the field `formats` of the table at 2: for each module its name, what it is, and its functions.
unsafe fn formats(state: *mut lua_State) {
    // SAFETY: as the caller has it.
    unsafe {
        ffi::lua_createtable(state, 0, 0);
        let list = ffi::lua_gettop(state);
        let mut at = 0;
        for (index, format) in Format::all().enumerate() {
            if !format::modules().any(|module| module == format) {
                continue;
            }
            ffi::lua_createtable(state, 0, 4);
            ffi::push_bytes(state, format.name().as_bytes());
            ffi::lua_setfield(state, -2, c"name".as_ptr());
            ffi::push_bytes(state, format.description().as_bytes());
            ffi::lua_setfield(state, -2, c"description".as_ptr());
            let functions: [(&CStr, lua_CFunction); 2] = [(c"encode", encode::encode), (c"decode", decode::decode)];
            for (name, function) in functions {
                ffi::lua_pushvalue(state, 1);
                ffi::push_int(state, index as i64);
                ffi::lua_pushcclosure(state, function, 2);
                ffi::lua_setfield(state, -2, name.as_ptr());
            }
            at += 1;
            ffi::raw_set_int(state, list, at);
        }
        ffi::lua_setfield(state, 2, c"formats".as_ptr());
    }
}

/// Makes the values that the registry keeps.
unsafe fn refs(state: *mut lua_State) -> Refs {
    // SAFETY: as the caller has it.
    unsafe {
        let keep = |state| i64::from(ffi::luaL_ref(state, ffi::LUA_REGISTRYINDEX));
        let table = |state| {
            ffi::lua_createtable(state, 0, 4);
            keep(state)
        };
        let text = |state, text: &[u8]| {
            ffi::push_bytes(state, text);
            keep(state)
        };
        let (digits, wide) = wide_integers(state);
        ffi::lua_pushcclosure(state, run_phase, 0);
        let phase = keep(state);
        Refs {
            array: table(state),
            object: table(state),
            error: table(state),
            demat: text(state, b"__demat"),
            json_type: text(state, b"__jsontype"),
            pairs: text(state, b"__pairs"),
            phase,
            digits,
            wide,
        }
    }
}

/// Returns references to the two functions for integers of LuaJIT's FFI.
#[cfg(feature = "luajit")]
unsafe fn wide_integers(state: *mut lua_State) -> (i64, i64) {
    const WIDE: &str = include_str!("wide.lua");
    // SAFETY: as the caller has it.
    unsafe {
        // Without the FFI there are no such integers, and nobody asks for them.
        if ffi::load(state, WIDE, c"=demat.wide".as_ptr()) != 0 || ffi::protected_call(state, 0, 2) != 0 {
            ffi::lua_pop(state, 1);
            return (0, 0);
        }
        let wide = i64::from(ffi::luaL_ref(state, ffi::LUA_REGISTRYINDEX));
        (i64::from(ffi::luaL_ref(state, ffi::LUA_REGISTRYINDEX)), wide)
    }
}

/// The other flavours have none.
#[cfg(not(feature = "luajit"))]
unsafe fn wide_integers(_: *mut lua_State) -> (i64, i64) {
    (0, 0)
}

/// Frees the host.
unsafe extern "C-unwind" fn free(state: *mut lua_State) -> c_int {
    // SAFETY: the argument is the userdata that was made above.
    unsafe {
        let userdata = ffi::lua_touserdata(state, 1).cast::<*mut Host>();
        if !userdata.is_null() && !(*userdata).is_null() {
            drop(Box::from_raw(userdata.replace(core::ptr::null_mut())));
        }
    }
    0
}

/// `layout()`: which way tables are read, and why it is not beneath the API.
unsafe extern "C-unwind" fn layout(state: *mut lua_State) -> c_int {
    unsafe fn layout(state: *mut lua_State, host: &Host) -> Result<c_int, Outcome> {
        let (name, refusal) = host.layout();
        // SAFETY: there is room.
        unsafe {
            crate::host::push(state, host.refs, name.as_bytes())?;
            if refusal.is_empty() {
                return Ok(1);
            }
            crate::host::push(state, host.refs, refusal.as_bytes())?;
        }
        Ok(2)
    }
    // SAFETY: the interpreter calls.
    unsafe { run(state, layout) }
}

/// `configure{beneath = …, keep = …}`.
unsafe extern "C-unwind" fn configure(state: *mut lua_State) -> c_int {
    unsafe fn configure(state: *mut lua_State, host: &Host) -> Result<c_int, Outcome> {
        // SAFETY: there is room.
        unsafe {
            ffi::lua_settop(state, 1);
            each(state, 1, |name, index| {
                match name {
                    "beneath" => host.beneath.set(ffi::lua_toboolean(state, index) != 0),
                    "keep" => host.keep.set(count(state, index, name)? as usize),
                    _ => return Err(wrong(format!("there is no setting `{name}`: there are beneath and keep"))),
                }
                Ok(())
            })?;
        }
        Ok(0)
    }
    // SAFETY: the interpreter calls.
    unsafe { run(state, configure) }
}

/// `shape(text)`: the text of a shape as Demat writes it, after a check.
unsafe extern "C-unwind" fn shape(state: *mut lua_State) -> c_int {
    unsafe fn shape(state: *mut lua_State, host: &Host) -> Result<c_int, Outcome> {
        // SAFETY: there is room.
        unsafe {
            ffi::lua_settop(state, 1);
            let shape = host.shape(crate::host::text_at(state, 1, "a shape")?)?;
            crate::host::push(state, host.refs, shape.to_string().as_bytes())?;
        }
        Ok(1)
    }
    // SAFETY: the interpreter calls.
    unsafe { run(state, shape) }
}
