//! The walk by the interpreter's API: of values with metamethods or handlers, and where the layout is not proved.
//!
//! It runs within a protected call. Nearly everything that it calls may raise, so no frame here owns anything.

use super::{Form, Keys, Mark, Out, TapeOut, WalkOptions, cycle, is_open, no_key, no_value, too_deep};
use crate::ffi::{self, Number, lua_State};
use crate::host::Refs;
use crate::walk::beneath::float_text;
use core::ffi::{CStr, c_int, c_void};
use demat_core::Error;
use demat_core::scalar::Int;

/// The type of LuaJIT's FFI values.
const CDATA: c_int = 10;

/// A failure, which the walk has stored.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Failed;

type Result<T> = core::result::Result<T, Failed>;

/// A walk.
pub(crate) struct Public<'w> {
    pub(crate) state: *mut lua_State,
    pub(crate) refs: Refs,
    pub(crate) options: WalkOptions,
    pub(crate) out: TapeOut<'w>,
    /// The open tables.
    pub(crate) path: &'w mut Vec<*const c_void>,
    /// Where the handler is on the stack; 0 if there is none.
    pub(crate) handler: c_int,
    pub(crate) failure: &'w mut Option<Error>,
}

impl Public<'_> {
    #[cold]
    fn fail(&mut self, error: Error) -> Failed {
        *self.failure = Some(error);
        Failed
    }

    /// Adds a step to the path of the failure.
    #[cold]
    fn within(&mut self, step: impl FnOnce(Error) -> Error) {
        *self.failure = self.failure.take().map(step);
    }

    /// Unwraps what can't fail, since a tape takes all values.
    fn told(&mut self, told: demat_core::Result<()>) -> Result<()> {
        told.map_err(|error| self.fail(error))
    }

    /// Writes the value at an index of the stack.
    ///
    /// # Safety
    /// There is one, and the stack has room for a few more.
    pub(crate) unsafe fn value(&mut self, index: c_int) -> Result<()> {
        let state = self.state;
        // SAFETY: each arm reads the value as the type that `lua_type` has found.
        unsafe {
            match ffi::lua_type(state, index) {
                ffi::LUA_TNIL => self.null(),
                ffi::LUA_TBOOLEAN => {
                    let told = self.out.bool(ffi::lua_toboolean(state, index) != 0);
                    self.told(told)
                }
                ffi::LUA_TNUMBER => self.number(ffi::number(state, index)),
                ffi::LUA_TSTRING => {
                    let told = self.out.text(ffi::bytes_at(state, index));
                    self.told(told)
                }
                ffi::LUA_TTABLE => self.table(index),
                ffi::LUA_TLIGHTUSERDATA if ffi::lua_touserdata(state, index).is_null() => self.null(),
                kind => self.other(index, kind),
            }
        }
    }

    fn null(&mut self) -> Result<()> {
        let told = self.out.null();
        self.told(told)
    }

    fn number(&mut self, number: Number) -> Result<()> {
        let told = match number {
            Number::Int(value) => self.out.int(value),
            Number::Float(value) if self.options.nulls_for_nonfinite && !value.is_finite() => self.out.null(),
            Number::Float(value) => self.out.float(value),
        };
        self.told(told)
    }

    /// Writes a value of a type that no format has.
    unsafe fn other(&mut self, index: c_int, kind: c_int) -> Result<()> {
        let state = self.state;
        // SAFETY: the stack has room; what is pushed is popped.
        unsafe {
            if ffi::lua_getmetatable(state, index) != 0 {
                ffi::raw_get_int(state, ffi::LUA_REGISTRYINDEX, self.refs.demat);
                ffi::raw_get(state, -2);
                let is_there = ffi::lua_type(state, -1) != ffi::LUA_TNIL;
                if is_there {
                    return self.replaced(index);
                }
                ffi::lua_pop(state, 2);
            }
            if kind == CDATA {
                ffi::raw_get_int(state, ffi::LUA_REGISTRYINDEX, self.refs.digits);
                ffi::lua_pushvalue(state, index);
                ffi::call(state, 1, 1);
                if ffi::lua_type(state, -1) == ffi::LUA_TSTRING {
                    let done = self.digits();
                    ffi::lua_pop(state, 1);
                    return done;
                }
                ffi::lua_pop(state, 1);
            }
            let name = CStr::from_ptr(ffi::lua_typename(state, kind)).to_str().unwrap_or("value");
            if self.handler == 0 {
                return Err(self.fail(no_value(name)));
            }
            ffi::lua_pushvalue(state, self.handler);
            self.replaced(index)
        }
    }

    /// Writes the integer whose digits are on the top.
    unsafe fn digits(&mut self) -> Result<()> {
        // SAFETY: there is a string.
        let digits = unsafe { core::str::from_utf8(ffi::bytes_at(self.state, -1)) }.unwrap_or_default();
        match Int::from_digits(digits) {
            Some(Int::I64(value)) => self.number(Number::Int(value)),
            Some(Int::U64(value)) => {
                self.out.large(value);
                Ok(())
            }
            _ => Err(self.fail(no_value("cdata"))),
        }
    }

    /// Calls the function on the top with the value, and writes what it returns.
    unsafe fn replaced(&mut self, index: c_int) -> Result<()> {
        let state = self.state;
        if self.path.len() >= self.options.depth {
            return Err(self.fail(too_deep(self.options.depth)));
        }
        // SAFETY: the stack has room, and there is a value on the top; if it is no function, the call raises.
        unsafe {
            if ffi::lua_checkstack(state, 20) == 0 {
                return Err(self.fail(Error::limit("the interpreter's stack", "its size")));
            }
            ffi::lua_pushvalue(state, index);
            ffi::call(state, 1, 1);
            // A replacement counts as a level, so that an endless chain of them ends.
            self.path.push(core::ptr::null());
            let done = self.value(ffi::lua_gettop(state));
            self.path.pop();
            done
        }
    }

    unsafe fn table(&mut self, index: c_int) -> Result<()> {
        let state = self.state;
        // SAFETY: there is a table, and the stack has room after the check.
        unsafe {
            let table = ffi::lua_topointer(state, index);
            if is_open(self.path.iter().copied(), table) {
                return Err(self.fail(cycle()));
            }
            if self.path.len() >= self.options.depth {
                return Err(self.fail(too_deep(self.options.depth)));
            }
            if ffi::lua_checkstack(state, 20) == 0 {
                return Err(self.fail(Error::limit("the interpreter's stack", "its size")));
            }
            let top = ffi::lua_gettop(state);
            self.path.push(table);
            let done = self.marked(index);
            self.path.pop();
            if done.is_ok() {
                ffi::lua_settop(state, top);
            }
            done
        }
    }

    /// Looks at the metatable, and writes the table as it says.
    unsafe fn marked(&mut self, index: c_int) -> Result<()> {
        let state = self.state;
        let mut mark = Mark::None;
        // SAFETY: there is a table, and the stack has room.
        unsafe {
            if ffi::lua_getmetatable(state, index) != 0 {
                let metatable = ffi::lua_gettop(state);
                ffi::raw_get_int(state, ffi::LUA_REGISTRYINDEX, self.refs.demat);
                ffi::raw_get(state, metatable);
                if ffi::lua_type(state, -1) != ffi::LUA_TNIL {
                    return self.replaced(index);
                }
                ffi::raw_get_int(state, ffi::LUA_REGISTRYINDEX, self.refs.json_type);
                ffi::raw_get(state, metatable);
                if ffi::lua_type(state, -1) == ffi::LUA_TSTRING {
                    mark = Mark::of(ffi::bytes_at(state, -1));
                }
                ffi::raw_get_int(state, ffi::LUA_REGISTRYINDEX, self.refs.pairs);
                ffi::raw_get(state, metatable);
                if ffi::lua_type(state, -1) != ffi::LUA_TNIL {
                    return self.by_pairs(index, mark);
                }
            }
            let keys = self.keys(index);
            let form = self.options.form(keys, mark).map_err(|error| self.fail(error))?;
            match form {
                Form::List(len) | Form::Filled(len) => self.list(index, len),
                Form::Map => self.map(index, 1),
            }
        }
    }

    /// Returns what the keys of a table are.
    unsafe fn keys(&mut self, index: c_int) -> Keys {
        let state = self.state;
        let (mut count, mut last) = (0, 0);
        // SAFETY: there is a table, and the stack has room.
        unsafe {
            ffi::lua_pushnil(state);
            while ffi::lua_next(state, index) != 0 {
                ffi::lua_pop(state, 1);
                if ffi::lua_type(state, -1) == ffi::LUA_TNUMBER
                    && let Number::Int(key @ 1..) = ffi::number(state, -1)
                {
                    count += 1;
                    last = last.max(key);
                } else {
                    ffi::lua_pop(state, 1);
                    return Keys::Any;
                }
            }
        }
        match count {
            0 => Keys::None,
            _ if count as i64 == last => Keys::Sequence(count),
            _ => Keys::Holes { count, last },
        }
    }

    unsafe fn list(&mut self, index: c_int, len: usize) -> Result<()> {
        let told = self.out.begin_list(len);
        self.told(told)?;
        for at in 1..=len {
            let told = self.out.item(at);
            self.told(told)?;
            // SAFETY: there is a table, and the stack has room.
            unsafe {
                ffi::raw_get_int(self.state, index, at as i64);
                let top = ffi::lua_gettop(self.state);
                if self.value(top).is_err() {
                    self.within(|error| error.within_item(at - 1));
                    return Err(Failed);
                }
                ffi::lua_settop(self.state, top - 1);
            }
        }
        let told = self.out.end_list();
        self.told(told)
    }

    /// Writes the entries of a table: its own, or, if `step` is 2, those that stand in it in turn.
    unsafe fn map(&mut self, index: c_int, step: usize) -> Result<()> {
        let state = self.state;
        let start = self.out.at();
        let told = self.out.begin_map(None);
        self.told(told)?;
        let (mut texts, mut others, mut count) = (false, false, 0);
        // SAFETY: there is a table, and the stack has room.
        unsafe {
            ffi::lua_pushnil(state);
            let key = ffi::lua_gettop(state);
            loop {
                if step == 1 {
                    if ffi::lua_next(state, index) == 0 {
                        break;
                    }
                } else {
                    ffi::lua_settop(state, key - 1);
                    ffi::raw_get_int(state, index, count as i64 * 2 + 1);
                    ffi::raw_get_int(state, index, count as i64 * 2 + 2);
                    if ffi::lua_type(state, key) == ffi::LUA_TNIL {
                        break;
                    }
                }
                count += 1;
                let is_text = ffi::lua_type(state, key) == ffi::LUA_TSTRING;
                (texts, others) = (texts || is_text, others || !is_text);
                self.key(key)?;
                if self.value(key + 1).is_err() {
                    self.within_key(key);
                    return Err(Failed);
                }
                ffi::lua_settop(state, key);
            }
        }
        self.out.end_map_of(start, count);
        if texts && others && self.options.text_keys {
            let told = self.out.clash(start);
            self.told(told)?;
        }
        Ok(())
    }

    unsafe fn key(&mut self, index: c_int) -> Result<()> {
        let state = self.state;
        // SAFETY: there is a value.
        let told = unsafe {
            match ffi::lua_type(state, index) {
                ffi::LUA_TSTRING => self.out.key(ffi::bytes_at(state, index)),
                ffi::LUA_TNUMBER => match ffi::number(state, index) {
                    Number::Int(key) => self.out.int(key),
                    Number::Float(key) => self.out.float(key),
                },
                ffi::LUA_TBOOLEAN => self.out.bool(ffi::lua_toboolean(state, index) != 0),
                ffi::LUA_TLIGHTUSERDATA => Err(no_key("userdata")),
                kind => Err(no_key(CStr::from_ptr(ffi::lua_typename(state, kind)).to_str().unwrap_or("value"))),
            }
        };
        self.told(told)
    }

    /// Adds a key to the path of the failure.
    #[cold]
    unsafe fn within_key(&mut self, index: c_int) {
        let state = self.state;
        // SAFETY: there is a value.
        let name = unsafe {
            match ffi::lua_type(state, index) {
                ffi::LUA_TSTRING => String::from_utf8_lossy(ffi::bytes_at(state, index)).into_owned(),
                ffi::LUA_TNUMBER => match ffi::number(state, index) {
                    Number::Int(key) => key.to_string(),
                    Number::Float(key) => float_text(key),
                },
                _ => (ffi::lua_toboolean(state, index) != 0).to_string(),
            }
        };
        self.within(|error| error.within_field(name));
    }

    /// Writes what the function on the top, `__pairs`, goes through.
    unsafe fn by_pairs(&mut self, index: c_int, mark: Mark) -> Result<()> {
        let state = self.state;
        // SAFETY: there is a table, and the stack has room.
        unsafe {
            ffi::lua_pushvalue(state, index);
            ffi::call(state, 1, 3);
            let first = ffi::lua_gettop(state) - 2;
            // The entries in turn, and those with a positive integer by it.
            ffi::lua_createtable(state, 0, 0);
            ffi::lua_createtable(state, 0, 0);
            let (entries, items) = (first + 3, first + 4);
            let (mut count, mut integers, mut last) = (0, 0, 0);
            loop {
                ffi::lua_pushvalue(state, first);
                ffi::lua_pushvalue(state, first + 1);
                ffi::lua_pushvalue(state, first + 2);
                ffi::call(state, 2, 2);
                let key = ffi::lua_gettop(state) - 1;
                if ffi::lua_type(state, key) == ffi::LUA_TNIL {
                    break;
                }
                if ffi::lua_type(state, key) == ffi::LUA_TNUMBER
                    && let Number::Int(at @ 1..) = ffi::number(state, key)
                    && at < i64::from(i32::MAX)
                {
                    integers += 1;
                    last = last.max(at);
                    ffi::lua_pushvalue(state, key + 1);
                    ffi::raw_set_int(state, items, at);
                }
                ffi::lua_pushvalue(state, key);
                ffi::raw_set_int(state, entries, count * 2 + 1);
                ffi::lua_pushvalue(state, key + 1);
                ffi::raw_set_int(state, entries, count * 2 + 2);
                count += 1;
                ffi::lua_pushvalue(state, key);
                ffi::replace(state, first + 2);
                ffi::lua_settop(state, items);
            }
            ffi::lua_settop(state, items);
            let keys = match count {
                0 => Keys::None,
                _ if integers < count => Keys::Any,
                _ if last == count => Keys::Sequence(count as usize),
                _ => Keys::Holes { count: count as usize, last },
            };
            let form = self.options.form(keys, mark).map_err(|error| self.fail(error))?;
            match form {
                Form::List(len) | Form::Filled(len) => self.list(items, len),
                Form::Map => self.map(entries, 2),
            }
        }
    }
}
