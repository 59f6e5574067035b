//! Values of Lua from a tape. It runs within a protected call, and owns nothing.

use crate::ffi::{self, lua_State};
use crate::host::Refs;
use crate::tape::{Part, Tape};
use core::ffi::c_int;
use demat_core::{Error, ErrorKind};

/// An open table.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Frame {
    /// Whether it is a map whose next part is a value.
    state: State,
    /// The number of items so far.
    at: i64,
    /// Whether a map has keys that are integers, so that it looks like an array.
    integers: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Item,
    Key,
    Value,
}

/// How values are built.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct BuildOptions {
    /// Whether a shape was given: all lists are marked then, and not only empty ones, and integers are exact.
    pub(crate) typed: bool,
    /// Whether there are marks at all.
    pub(crate) marks: bool,
    /// Whether nulls are left out.
    pub(crate) omit_nulls: bool,
}

/// What a build needs.
#[derive(Debug)]
pub(crate) struct Build<'b> {
    pub(crate) refs: Refs,
    pub(crate) tape: &'b Tape,
    pub(crate) input: &'b [u8],
    pub(crate) options: BuildOptions,
    pub(crate) frames: &'b mut Vec<Frame>,
    pub(crate) failure: &'b mut Option<Error>,
}

impl Build<'_> {
    /// Pushes the value on the tape, or nothing if a key can't be one. *Raises.*
    ///
    /// # Safety
    /// The stack has room for a few values.
    pub(crate) unsafe fn run(&mut self, state: *mut lua_State) -> c_int {
        self.frames.clear();
        let tape = self.tape;
        for part in &tape.parts {
            // SAFETY: each level has its table and at most a key on the stack, and room was made for more.
            unsafe {
                match *part {
                    Part::Null if self.options.omit_nulls => ffi::lua_pushnil(state),
                    Part::Null => ffi::lua_pushlightuserdata(state, core::ptr::null_mut()),
                    Part::Bool(value) => ffi::lua_pushboolean(state, value.into()),
                    Part::Int(value) | Part::Index(value) => self.int(state, value),
                    Part::Large(value) => self.wide(state, value, true),
                    Part::Float(value) => ffi::lua_pushnumber(state, value),
                    Part::Text { at, len } => ffi::push_bytes(state, &tape.bytes[at..at + len]),
                    Part::Input { at, len } => ffi::push_bytes(state, &self.input[at..at + len]),
                    Part::List { len, .. } => {
                        if !self.begin(state, len, 0, State::Item) {
                            return 0;
                        }
                        continue;
                    }
                    Part::Map { len, .. } => {
                        if !self.begin(state, 0, len, State::Key) {
                            return 0;
                        }
                        continue;
                    }
                    Part::End => self.end(state),
                }
                if !self.put(state) {
                    return 0;
                }
            }
        }
        1
    }

    /// Pushes a new table. Returns whether there is room for it.
    #[inline(always)]
    unsafe fn begin(&mut self, state: *mut lua_State, items: usize, fields: usize, first: State) -> bool {
        // SAFETY: there is room for the table and a few more after the check.
        unsafe {
            if ffi::lua_checkstack(state, 8) == 0 {
                *self.failure = Some(Error::limit("the interpreter's stack", "its size"));
                return false;
            }
            let most = |count: usize| c_int::try_from(count).unwrap_or(c_int::MAX).min(1 << 26);
            ffi::lua_createtable(state, most(items), most(fields));
        }
        self.frames.push(Frame { state: first, at: 0, integers: false });
        true
    }

    /// Marks the table on the top, which is complete.
    #[inline(always)]
    unsafe fn end(&mut self, state: *mut lua_State) {
        let Some(frame) = self.frames.pop() else { return };
        let mark = match frame.state {
            State::Item if self.options.typed || frame.at == 0 => self.refs.array,
            State::Key | State::Value if frame.integers => self.refs.object,
            _ => return,
        };
        if self.options.marks {
            // SAFETY: the registry has the metatable.
            unsafe {
                ffi::raw_get_int(state, ffi::LUA_REGISTRYINDEX, mark);
                ffi::lua_setmetatable(state, -2);
            }
        }
    }

    /// Moves the value on the top to where it belongs. Returns whether that is possible.
    #[inline(always)]
    unsafe fn put(&mut self, state: *mut lua_State) -> bool {
        let Some(frame) = self.frames.last_mut() else { return true };
        // SAFETY: below the value is the table, or its key and the table.
        unsafe {
            match frame.state {
                State::Item => {
                    frame.at += 1;
                    ffi::raw_set_int(state, -2, frame.at);
                }
                State::Value => {
                    frame.state = State::Key;
                    ffi::lua_rawset(state, -3);
                }
                State::Key => {
                    frame.state = State::Value;
                    let kind = ffi::lua_type(state, -1);
                    match kind {
                        ffi::LUA_TSTRING | ffi::LUA_TBOOLEAN => {}
                        ffi::LUA_TNUMBER => {
                            frame.integers = true;
                            let number = ffi::number(state, -1);
                            if matches!(number, ffi::Number::Float(float) if float.is_nan()) {
                                return self.no_key();
                            }
                        }
                        _ => return self.no_key(),
                    }
                }
            }
        }
        true
    }

    #[cold]
    fn no_key(&mut self) -> bool {
        let message = "a key of the map can't be one in Lua: null, NaN or an integer beyond its numbers";
        *self.failure = Some(Error::new(ErrorKind::Constraint, message));
        false
    }

    #[inline(always)]
    unsafe fn int(&mut self, state: *mut lua_State, value: i64) {
        // SAFETY: there is room.
        unsafe {
            if cfg!(feature = "luajit") && !ffi::holds_int(value) && self.options.typed {
                self.wide(state, value.cast_unsigned(), false);
            } else {
                ffi::push_int(state, value);
            }
        }
    }

    /// Pushes an integer of LuaJIT's FFI.
    #[cold]
    unsafe fn wide(&mut self, state: *mut lua_State, value: u64, unsigned: bool) {
        // SAFETY: there is room, and the registry has the function.
        unsafe {
            ffi::raw_get_int(state, ffi::LUA_REGISTRYINDEX, self.refs.wide);
            ffi::lua_pushnumber(state, f64::from((value >> 32) as u32));
            ffi::lua_pushnumber(state, f64::from(value as u32));
            ffi::lua_pushboolean(state, unsigned.into());
            ffi::call(state, 3, 1);
        }
    }
}
