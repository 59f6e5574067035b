//! The proof that the running interpreter lays out its memory as [`layout`](crate::layout) says.
//!
//! It checks the version, then the headers of new tables of known sizes, whose pointers are followed only if all is as
//! expected. Then it compares what it reads beneath the API with what the API answers, for tables of all forms: each
//! key, each value and each string by its address, in the same order. Any difference, and the API serves.

use crate::ffi::{self, Number, lua_State};
use crate::host::Refs;
use crate::layout::{FITS, Raw, Table};
use crate::walk::beneath::Known;
use core::ffi::{c_int, c_void};

/// A chunk that returns a list of tables to compare.
const PROBES: &str = include_str!("probes.lua");

/// Proves the layout, or returns why it can't. *Raises.*
///
/// # Safety
/// The interpreter has called the module.
pub(crate) unsafe fn prove(state: *mut lua_State, refs: Refs) -> Result<Known, &'static str> {
    // SAFETY: a function that was called has room for 20 values. Nothing here owns anything.
    unsafe {
        let top = ffi::lua_gettop(state);
        let proved = proved(state, refs);
        ffi::lua_settop(state, top);
        proved
    }
}

unsafe fn proved(state: *mut lua_State, refs: Refs) -> Result<Known, &'static str> {
    // SAFETY: as the caller says.
    unsafe {
        if !FITS {
            return Err("the machine is of another kind than those whose layouts are known");
        }
        if !is_flavour(state) {
            return Err("the interpreter is another one than the module was built for");
        }
        for (items, log2_fields) in [(8, 2), (1, 1), (100, 5), (33, 3)] {
            ffi::lua_createtable(state, items, 1 << log2_fields);
            let table = ffi::lua_topointer(state, -1).cast::<Table>();
            if !table.is_aligned() || table.is_null() || !Table::is_new(table, items.unsigned_abs(), log2_fields) {
                return Err("the headers of tables differ");
            }
            ffi::lua_pop(state, 1);
        }
        if ffi::load(state, PROBES, c"=demat".as_ptr()) != 0 {
            return Err("the probes can't be compiled");
        }
        if ffi::protected_call(state, 0, 1) != 0 {
            return Err("the probes can't be run");
        }
        if !same(state, ffi::lua_gettop(state), 0) {
            return Err("the contents of tables differ");
        }
        known(state, refs)
    }
}

/// Returns whether the version is that of the flavour.
unsafe fn is_flavour(state: *mut lua_State) -> bool {
    // SAFETY: as the caller says.
    unsafe {
        ffi::get_global(state, c"_VERSION".as_ptr());
        let version =
            ffi::lua_type(state, -1) == ffi::LUA_TSTRING && ffi::bytes_at(state, -1) == ffi::FLAVOUR.as_bytes();
        ffi::get_global(state, c"jit".as_ptr());
        let is_jit = ffi::lua_type(state, -1) == ffi::LUA_TTABLE;
        if !is_jit {
            return version && !cfg!(feature = "luajit");
        }
        ffi::get_field(state, -1, c"version".as_ptr());
        let two_one =
            ffi::lua_type(state, -1) == ffi::LUA_TSTRING && ffi::bytes_at(state, -1).starts_with(b"LuaJIT 2.1");
        version && two_one && cfg!(feature = "luajit")
    }
}

/// Returns what a walk must know.
unsafe fn known(state: *mut lua_State, refs: Refs) -> Result<Known, &'static str> {
    // SAFETY: as the caller says; the registry has these values.
    unsafe {
        let pointer = |reference| {
            ffi::raw_get_int(state, ffi::LUA_REGISTRYINDEX, reference);
            ffi::lua_topointer(state, -1).cast::<Table>()
        };
        let text = |reference| {
            ffi::raw_get_int(state, ffi::LUA_REGISTRYINDEX, reference);
            ffi::bytes_at(state, -1).as_ptr()
        };
        ffi::lua_createtable(state, 1, 0);
        ffi::lua_pushlightuserdata(state, core::ptr::null_mut());
        ffi::raw_set_int(state, -2, 1);
        let table = &*ffi::lua_topointer(state, -1).cast::<Table>();
        let Some(Raw::Light(null)) = table.array().first().map(|slot| slot.get()) else {
            return Err("light userdata differ");
        };
        Ok(Known {
            array: pointer(refs.array),
            object: pointer(refs.object),
            null,
            demat: text(refs.demat),
            pairs: text(refs.pairs),
            json_type: text(refs.json_type),
        })
    }
}

/// Returns whether both ways give the same entries of the table at an index, and of those in it.
unsafe fn same(state: *mut lua_State, index: c_int, depth: u32) -> bool {
    if depth > 8 {
        return false;
    }
    // SAFETY: there is a table; its header was proved.
    unsafe {
        if ffi::lua_checkstack(state, 20) == 0 {
            return false;
        }
        let table = &*ffi::lua_topointer(state, index).cast::<Table>();
        let metatable = if ffi::lua_getmetatable(state, index) == 0 {
            core::ptr::null()
        } else {
            let metatable = ffi::lua_topointer(state, -1);
            ffi::lua_pop(state, 1);
            metatable
        };
        if metatable != table.metatable().cast() {
            return false;
        }
        ffi::lua_pushnil(state);
        let key = ffi::lua_gettop(state);
        let array = table.array();
        let zero = table.zero().map(|slot| (Raw::Int(0), slot));
        let items = array.iter().enumerate().map(|(at, slot)| (Raw::Int(at as i64 + 1), slot));
        for (own_key, slot) in zero.into_iter().chain(items).filter(|(_, slot)| !slot.is_nil()) {
            if !is_next(state, index, key, own_key, slot.get(), depth) {
                return false;
            }
        }
        for node in table.nodes().iter().filter(|node| !node.slot().is_nil()) {
            if !is_next(state, index, key, node.key(), node.slot().get(), depth) {
                return false;
            }
        }
        ffi::lua_next(state, index) == 0
    }
}

/// Returns whether the API's next entry is this one.
unsafe fn is_next(state: *mut lua_State, index: c_int, key: c_int, own_key: Raw, value: Raw, depth: u32) -> bool {
    // SAFETY: there are a table and a key of it.
    unsafe {
        if ffi::lua_next(state, index) == 0 || !is_value(state, key, own_key) || !is_value(state, key + 1, value) {
            return false;
        }
        if let Raw::Table(_) = value
            && !same(state, key + 1, depth + 1)
        {
            return false;
        }
        ffi::lua_settop(state, key);
        true
    }
}

/// Returns whether the API has this value at an index.
unsafe fn is_value(state: *mut lua_State, index: c_int, own: Raw) -> bool {
    // SAFETY: there is a value, whose type is checked.
    unsafe {
        let kind = ffi::lua_type(state, index);
        match own {
            Raw::Nil => false,
            Raw::Bool(value) => kind == ffi::LUA_TBOOLEAN && (ffi::lua_toboolean(state, index) != 0) == value,
            Raw::Int(value) => kind == ffi::LUA_TNUMBER && ffi::number(state, index) == Number::Int(value),
            Raw::Float(value) => {
                kind == ffi::LUA_TNUMBER
                    && matches!(ffi::number(state, index), Number::Float(same) if same.to_bits() == value.to_bits())
            }
            Raw::Text(data, len) => {
                kind == ffi::LUA_TSTRING && {
                    let bytes = ffi::bytes_at(state, index);
                    bytes.as_ptr() == data && bytes.len() == len
                }
            }
            Raw::Table(table) => kind == ffi::LUA_TTABLE && ffi::lua_topointer(state, index) == table.cast::<c_void>(),
            Raw::Light(_) => kind == ffi::LUA_TLIGHTUSERDATA,
            Raw::Other(name) => match name {
                "function" => kind == ffi::LUA_TFUNCTION,
                "thread" => kind == ffi::LUA_TTHREAD,
                "userdata" => kind == ffi::LUA_TUSERDATA,
                _ => false,
            },
        }
    }
}
