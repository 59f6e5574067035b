//! Decodes text to values of Lua.

use crate::builder::{Build, BuildOptions};
use crate::config::{Decoding, each};
use crate::ffi::{self, lua_State};
use crate::format::{at_upvalue, named};
use crate::host::{Host, Outcome, Work, protected, run, wrong};
use crate::tape::{Tape, TapeSink};
use crate::untyped::read_any;
use core::ffi::{c_int, c_void};
use demat_core::{Kind, Result as DematResult, Shape, Source, copy};
use demat_formats::codec::Reader;
use demat_formats::json::{Json, RepeatedKeys};
use demat_formats::stream::{Part, Windowed};

/// `decode(text, shape, options)` of a format.
///
/// # Safety
/// The interpreter calls it.
pub(crate) unsafe extern "C-unwind" fn decode(state: *mut lua_State) -> c_int {
    // SAFETY: as above.
    unsafe { run(state, decode_with_options) }
}

unsafe fn decode_with_options(state: *mut lua_State, host: &Host) -> Result<c_int, Outcome> {
    // SAFETY: a function that was called has room for 20 values.
    unsafe {
        let mut decoding = Decoding::new(at_upvalue(state)?);
        ffi::lua_settop(state, 3);
        match ffi::lua_type(state, 2) {
            ffi::LUA_TNIL => {}
            // The shape may be left out.
            ffi::LUA_TTABLE => each(state, 2, |name, index| decoding.set(state, host, name, index))?,
            _ => decoding.set(state, host, "shape", 2)?,
        }
        each(state, 3, |name, index| decoding.set(state, host, name, index))?;
        decoded(state, host, &decoding)
    }
}

/// `decoder{format = …, …}`: pushes a function that decodes text.
///
/// # Safety
/// The interpreter calls it.
pub(crate) unsafe extern "C-unwind" fn decoder(state: *mut lua_State) -> c_int {
    // SAFETY: as above.
    unsafe { run(state, prepared) }
}

unsafe fn prepared(state: *mut lua_State, host: &Host) -> Result<c_int, Outcome> {
    // SAFETY: a function that was called has room for 20 values.
    unsafe {
        ffi::lua_settop(state, 1);
        let mut decoding = Decoding::new(named(state, host, 1)?);
        each(state, 1, |name, index| decoding.set(state, host, name, index))?;
        ffi::lua_pushnil(state);
        crate::prepared::push(state, host, decoding, decode_prepared)
    }
}

unsafe extern "C-unwind" fn decode_prepared(state: *mut lua_State) -> c_int {
    unsafe fn decode(state: *mut lua_State, host: &Host) -> Result<c_int, Outcome> {
        // SAFETY: the second value of the function is what `prepared` has made.
        unsafe {
            ffi::lua_settop(state, 1);
            let decoding = crate::prepared::get::<Decoding>(state)?;
            decoded(state, host, decoding)
        }
    }
    // SAFETY: the interpreter calls it.
    unsafe { run(state, decode) }
}

/// Pushes the value of the text at the index 1.
unsafe fn decoded(state: *mut lua_State, host: &Host, decoding: &Decoding) -> Result<c_int, Outcome> {
    // SAFETY: the type is checked, and the string stays on the stack.
    let input = unsafe {
        if ffi::lua_type(state, 1) != ffi::LUA_TSTRING {
            return Err(wrong("what is decoded must be a string").into());
        }
        ffi::bytes_at(state, 1)
    };
    let work = host.enter();
    // SAFETY: the memory stays where it is until `leave`, and nothing else uses it.
    let result = unsafe {
        let work = &mut *work;
        match read(input, decoding, &mut work.tape) {
            Ok(()) => build(state, host, work, input, decoding.build()),
            Err(error) => Err(Outcome::Failed(error)),
        }
    };
    host.leave();
    result.map(|()| 1)
}

/// Writes the value of a text to the tape.
fn read(input: &[u8], decoding: &Decoding, tape: &mut Tape) -> DematResult<()> {
    let Decoding { format, options, shape, .. } = decoding;
    let mut sink = TapeSink::new(tape, input, shape.is_some());
    match format.codec().map(|codec| codec.reader(options)).transpose()? {
        Some(Reader::Json(mut reader)) if shape.is_none() && options.repeated_keys == RepeatedKeys::LastWins => {
            read_any(&mut reader.source(Part::whole(input)), &mut sink)
        }
        Some(Reader::Json(reader)) => whole(reader, input, shape.as_ref(), &mut sink),
        _ => demat_place::tell(*format, options, input, shape.as_ref(), &mut sink).map(drop),
    }
}

/// Reads a whole document, which needs no window.
fn whole(mut reader: Json, input: &[u8], shape: Option<&Shape>, sink: &mut TapeSink<'_>) -> DematResult<()> {
    let mut source = reader.source(Part::whole(input));
    let listed;
    let shape = match shape {
        None => &Shape::Any,
        Some(shape) if !shape.accepts(Kind::List) && source.peek()? == Kind::List => {
            listed = shape.clone().list();
            &listed
        }
        Some(shape) => shape,
    };
    copy(&mut source, shape, sink)
}

/// Pushes the value on the tape.
///
/// # Safety
/// A function of the module runs, and the stack has room.
pub(crate) unsafe fn build(
    state: *mut lua_State,
    host: &Host,
    work: &mut Work,
    input: &[u8],
    options: BuildOptions,
) -> Result<(), Outcome> {
    unsafe fn built(state: *mut lua_State, data: *mut c_void) -> c_int {
        // SAFETY: the data is the build of the caller.
        unsafe { (*data.cast::<Build<'_>>()).run(state) }
    }
    let Work { tape, frames, failure, .. } = work;
    *failure = None;
    let mut build = Build { refs: host.refs, tape, input, options, frames, failure };
    // SAFETY: the build owns nothing.
    unsafe { protected(state, host.refs, built, &mut build, 0, 1) }?;
    match work.failure.take() {
        Some(error) => Err(error.into()),
        None => Ok(()),
    }
}
