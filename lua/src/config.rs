//! Options of encoders and decoders, from tables of Lua.

use crate::builder::BuildOptions;
use crate::ffi::{self, lua_State};
use crate::host::{Host, text_at, wrong};
use crate::walk::{DEEPEST, Sparse, WalkOptions};
use core::ffi::c_int;
use demat_core::{Error, Result, Shape};
use demat_formats::codec::{Engine, ReadOptions, Setting, SettingValue, Values, WriteOptions};
use demat_formats::json::{self, CompactSink};
use demat_formats::{Format, Keep};

/// How values are encoded.
#[derive(Debug)]
pub(crate) struct Encoding {
    pub(crate) format: Format,
    pub(crate) options: WriteOptions,
    pub(crate) shape: Option<Shape>,
    pub(crate) walk: WalkOptions,
    /// Whether `/` becomes `\/`.
    pub(crate) escape_slash: bool,
    /// Whether there is a function for values that can't be encoded.
    pub(crate) handler: bool,
}

/// How text is decoded.
#[derive(Debug)]
pub(crate) struct Decoding {
    pub(crate) format: Format,
    pub(crate) options: ReadOptions,
    pub(crate) shape: Option<Shape>,
    pub(crate) marks: bool,
    pub(crate) omit_nulls: bool,
}

impl Encoding {
    /// Returns the default options.
    pub(crate) fn new(format: Format) -> Self {
        Self {
            format,
            options: format.write_options(),
            shape: None,
            walk: WalkOptions { text_keys: format.is_json(), ..WalkOptions::default() },
            escape_slash: false,
            handler: false,
        }
    }

    /// Returns whether the engine for JSON without options writes what is asked for.
    pub(crate) fn is_plain(&self) -> bool {
        self.shape.is_none()
            && self.format.about().engine == Engine::Json
            && CompactSink::<Keep>::writes(&json::WriteOptions::from(&self.options))
    }

    /// Sets an option to the value at an index. A handler is noted, and stays where it is.
    ///
    /// # Safety
    /// There is a value.
    pub(crate) unsafe fn set(&mut self, state: *mut lua_State, host: &Host, name: &str, index: c_int) -> Result<()> {
        // SAFETY: as above.
        unsafe {
            match name {
                "shape" => self.shape = Some(host.shape(text_at(state, index, "`shape`")?)?),
                "empty" => self.walk.empty_lists = choice(state, index, name, &["object", "array"])? == 1,
                "sparse" => {
                    self.walk.sparse = match choice(state, index, name, &["object", "nulls", "error"])? {
                        0 => Sparse::Object,
                        1 => Sparse::Nulls,
                        _ => Sparse::Refused,
                    }
                }
                "nonfinite" => {
                    self.walk.nulls_for_nonfinite = choice(state, index, name, &["error", "null"])? == 1;
                }
                "escape_slash" if self.format.is_json() => self.escape_slash = flag(state, index, name)?,
                "handler" => {
                    if ffi::lua_type(state, index) != ffi::LUA_TFUNCTION {
                        return Err(wrong("`handler` must be a function"));
                    }
                    self.handler = true;
                }
                "depth" => {
                    let depth = count(state, index, name)?;
                    if !(1..=DEEPEST as u32).contains(&depth) {
                        return Err(wrong(format!("`depth` must be from 1 to {DEEPEST}")));
                    }
                    self.walk.depth = depth as usize;
                    if self.format.write_setting(name).is_some() {
                        self.format
                            .set_write(&mut self.options, name, |_| Ok::<_, Error>(SettingValue::Count(depth)))?;
                    }
                }
                _ => {
                    self.format.set_write(&mut self.options, name, |setting| setting_value(state, index, setting))?;
                }
            }
        }
        Ok(())
    }
}

impl Decoding {
    /// Returns the default options.
    pub(crate) fn new(format: Format) -> Self {
        Self { format, options: format.read_options(), shape: None, marks: true, omit_nulls: false }
    }

    /// Returns how values are built.
    pub(crate) fn build(&self) -> BuildOptions {
        BuildOptions { typed: self.shape.is_some(), marks: self.marks, omit_nulls: self.omit_nulls }
    }

    /// Sets an option to the value at an index.
    ///
    /// # Safety
    /// There is a value.
    pub(crate) unsafe fn set(&mut self, state: *mut lua_State, host: &Host, name: &str, index: c_int) -> Result<()> {
        // SAFETY: as above.
        unsafe {
            match name {
                "shape" => self.shape = Some(host.shape(text_at(state, index, "`shape`")?)?),
                "marks" => self.marks = flag(state, index, name)?,
                "nulls" => self.omit_nulls = choice(state, index, name, &["null", "omit"])? == 1,
                "depth" if count(state, index, name)? > DEEPEST as u32 => {
                    return Err(wrong(format!("`depth` must be at most {DEEPEST}")));
                }
                _ => self.format.set_read(&mut self.options, name, |setting| setting_value(state, index, setting))?,
            }
        }
        Ok(())
    }
}

/// Calls a function with each option of the table at an index, and where its value is on the stack. `format` is left
/// out, and a handler is copied to the top when all are read. Of no table, and of nil, there are none.
///
/// # Safety
/// The index is one of the stack, which has room.
pub(crate) unsafe fn each(
    state: *mut lua_State,
    index: c_int,
    mut set: impl FnMut(&str, c_int) -> Result<()>,
) -> Result<()> {
    // SAFETY: the type is checked; going through a table that nobody changes raises nothing.
    unsafe {
        match ffi::lua_type(state, index) {
            ffi::LUA_TTABLE => {}
            ..=ffi::LUA_TNIL => return Ok(()),
            _ => return Err(wrong("options must be a table")),
        }
        ffi::lua_pushnil(state);
        while ffi::lua_next(state, index) != 0 {
            let value = ffi::lua_gettop(state);
            let name = text_at(state, value - 1, "the name of an option")?;
            if name != "format" {
                set(name, value)?;
            }
            ffi::lua_pop(state, 1);
        }
    }
    Ok(())
}

/// Returns the index of the word at an index.
pub(crate) unsafe fn choice(state: *mut lua_State, index: c_int, name: &str, words: &[&str]) -> Result<usize> {
    // SAFETY: the caller says that there is a value.
    let word = unsafe { text_at(state, index, &format!("`{name}`")) }?;
    words.iter().position(|known| *known == word).ok_or_else(|| {
        let words = words.iter().map(|word| format!("{word:?}")).collect::<Vec<_>>().join(" or ");
        wrong(format!("`{name}` must be {words}, not `{word}`"))
    })
}

/// Returns the boolean at an index.
pub(crate) unsafe fn flag(state: *mut lua_State, index: c_int, name: &str) -> Result<bool> {
    // SAFETY: the caller says that there is a value.
    unsafe {
        if ffi::lua_type(state, index) != ffi::LUA_TBOOLEAN {
            return Err(wrong(format!("`{name}` must be true or false")));
        }
        Ok(ffi::lua_toboolean(state, index) != 0)
    }
}

/// Returns the whole number at an index.
#[allow(clippy::float_cmp)] // it asks whether it is whole
pub(crate) unsafe fn count(state: *mut lua_State, index: c_int, name: &str) -> Result<u32> {
    // SAFETY: the type is checked.
    let number = unsafe {
        if ffi::lua_type(state, index) != ffi::LUA_TNUMBER {
            return Err(wrong(format!("`{name}` must be a number")));
        }
        ffi::number(state, index)
    };
    let whole = match number {
        ffi::Number::Int(value) => u32::try_from(value).ok(),
        ffi::Number::Float(value) => Some(value as u32).filter(|whole| f64::from(*whole) == value),
    };
    whole.ok_or_else(|| wrong(format!("`{name}` must be a whole number from 0 to {}", u32::MAX)))
}

/// Returns the value of a format's option. `false` stands for none.
pub(crate) unsafe fn setting_value(
    state: *mut lua_State,
    index: c_int,
    setting: &'static Setting,
) -> Result<SettingValue> {
    // SAFETY: the caller says that there is a value.
    unsafe {
        match (ffi::lua_type(state, index), setting.values) {
            (ffi::LUA_TBOOLEAN, Values::Flag) => Ok(SettingValue::Flag(ffi::lua_toboolean(state, index) != 0)),
            (ffi::LUA_TBOOLEAN, _) if ffi::lua_toboolean(state, index) == 0 && setting.has(&SettingValue::None) => {
                Ok(SettingValue::None)
            }
            (ffi::LUA_TNUMBER, Values::Count | Values::OptionalCount) => {
                count(state, index, setting.name).map(SettingValue::Count)
            }
            (ffi::LUA_TSTRING, Values::Text | Values::OptionalText | Values::OptionalType) => {
                Ok(SettingValue::Text(text_at(state, index, setting.name)?.into()))
            }
            (
                ffi::LUA_TSTRING,
                Values::Character | Values::OptionalCharacter | Values::Choice(_) | Values::OptionalPair,
            ) => setting.parse(text_at(state, index, setting.name)?),
            (kind, _) => Err(setting.refused(&format!("a value of the type {kind}"))),
        }
    }
}
