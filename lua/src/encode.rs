//! Encodes values of Lua.

use crate::config::{Encoding, each};
use crate::ffi::{self, lua_State};
use crate::format::{at_upvalue, named};
use crate::host::{Host, Outcome, Work, protected, push, run};
use crate::tape::TapeSource;
use crate::walk::beneath::{Known, Stop, Walk};
use crate::walk::direct::Direct;
use crate::walk::public::Public;
use crate::walk::{TapeOut, WalkOptions};
use core::ffi::{c_int, c_void};
use demat_core::{Error, Inference, Kind, Result as DematResult, Shape, Sink, Source, copy};
use demat_formats::codec::Model;
use demat_formats::json::CompactSink;
use demat_formats::{Format, Keep, Output};

/// `encode(value, options)` of a format.
///
/// # Safety
/// The interpreter calls it.
pub(crate) unsafe extern "C-unwind" fn encode(state: *mut lua_State) -> c_int {
    // SAFETY: as above.
    unsafe { run(state, encode_with_options) }
}

unsafe fn encode_with_options(state: *mut lua_State, host: &Host) -> Result<c_int, Outcome> {
    // SAFETY: a function that was called has room for 20 values.
    unsafe {
        let format = at_upvalue(state)?;
        ffi::lua_settop(state, 2);
        let mut encoding = Encoding::new(format);
        each(state, 2, |name, index| encoding.set(state, host, name, index))?;
        if encoding.handler {
            push_handler(state, host, 2)?;
        }
        encoded(state, host, &encoding, 1)
    }
}

/// Pushes the handler of a table of options.
unsafe fn push_handler(state: *mut lua_State, host: &Host, index: c_int) -> Result<(), Outcome> {
    unsafe fn handler(state: *mut lua_State, _: *mut c_void) -> c_int {
        // SAFETY: the argument is the table.
        unsafe {
            ffi::push_bytes(state, b"handler");
            ffi::raw_get(state, 2);
        }
        1
    }
    // SAFETY: there is a table at the index.
    unsafe {
        ffi::lua_pushvalue(state, index);
        protected(state, host.refs, handler, &mut (), 1, 1)
    }
}

/// `encoder{format = …, …}`: pushes a function that encodes values.
///
/// # Safety
/// The interpreter calls it.
pub(crate) unsafe extern "C-unwind" fn encoder(state: *mut lua_State) -> c_int {
    // SAFETY: as above.
    unsafe { run(state, prepared) }
}

unsafe fn prepared(state: *mut lua_State, host: &Host) -> Result<c_int, Outcome> {
    // SAFETY: a function that was called has room for 20 values.
    unsafe {
        ffi::lua_settop(state, 1);
        let mut encoding = Encoding::new(named(state, host, 1)?);
        each(state, 1, |name, index| encoding.set(state, host, name, index))?;
        if encoding.handler {
            push_handler(state, host, 1)?;
        } else {
            ffi::lua_pushnil(state);
        }
        crate::prepared::push(state, host, encoding, encode_prepared)
    }
}

unsafe extern "C-unwind" fn encode_prepared(state: *mut lua_State) -> c_int {
    unsafe fn encode(state: *mut lua_State, host: &Host) -> Result<c_int, Outcome> {
        // SAFETY: the second value of the function is what `prepared` has made, and the third one is the handler.
        unsafe {
            ffi::lua_settop(state, 1);
            ffi::lua_pushvalue(state, ffi::upvalue(3));
            let encoding = crate::prepared::get::<Encoding>(state)?;
            encoded(state, host, encoding, 1)
        }
    }
    // SAFETY: the interpreter calls it.
    unsafe { run(state, encode) }
}

/// Pushes the encoded value at an index. The handler is on the top, if there is one.
unsafe fn encoded(state: *mut lua_State, host: &Host, encoding: &Encoding, index: c_int) -> Result<c_int, Outcome> {
    let work = host.enter();
    // SAFETY: the memory stays where it is until `leave`, and nothing else uses it.
    let result = unsafe { encode_to(state, host, &mut *work, encoding, index) };
    let result = match result {
        // SAFETY: as above; the stack has room.
        Ok(()) => unsafe { push(state, host.refs, &(*work).out) }.map(|()| 1),
        Err(outcome) => Err(outcome),
    };
    host.leave();
    result
}

/// Writes the encoded value to the output of the call.
pub(crate) unsafe fn encode_to(
    state: *mut lua_State,
    host: &Host,
    work: &mut Work,
    encoding: &Encoding,
    index: c_int,
) -> Result<(), Outcome> {
    // SAFETY: the type is checked; the value stays on the stack.
    let done = unsafe {
        match host.known() {
            Some(known) if ffi::lua_type(state, index) == ffi::LUA_TTABLE => {
                beneath(ffi::lua_topointer(state, index).cast(), known, work, encoding)
            }
            _ => Err(Stop::ByApi),
        }
    };
    match done {
        Ok(()) => {}
        Err(Stop::Error(error)) => return Err(error.into()),
        Err(Stop::ByApi) => {
            // SAFETY: as above.
            unsafe { to_tape(state, host, work, (encoding.walk, encoding.handler, encoding.shape.is_some()), index) }?;
            from_tape(work, encoding)?;
        }
    }
    if encoding.escape_slash {
        escape_slashes(&mut work.out);
    }
    Ok(())
}

/// Encodes a table beneath the API.
unsafe fn beneath(
    table: *const crate::layout::Table,
    known: Known,
    work: &mut Work,
    encoding: &Encoding,
) -> Result<(), Stop> {
    let Work { out, tape, memory, open, .. } = work;
    let walk = Walk::new(known, &encoding.walk, memory);
    if encoding.is_plain() {
        let mut sink = CompactSink::new(Output::new(core::mem::take(out), Keep));
        // SAFETY: the table is on the stack, the layout is proved, and nothing calls the interpreter.
        let told = unsafe { walk.run(table, &mut Direct::<_, false>(&mut sink)) };
        let told = told.and_then(|()| Ok(sink.finish()?));
        *out = sink.into_output().into_parts().0;
        return told;
    }
    if encoding.shape.is_some() || encoding.format.about().needs_shape {
        // SAFETY: as above.
        unsafe { walk.run(table, &mut TapeOut::new(tape, open, true)) }?;
        return Ok(from_tape(work, encoding)?);
    }
    out.clear();
    let mut sink = demat_place::sink(encoding.format, &encoding.options, &mut *out)?;
    // SAFETY: as above.
    unsafe { walk.run(table, &mut Direct::<_, true>(&mut *sink)) }?;
    Ok(sink.finish()?)
}

/// Writes the value at an index to the tape, for a reader with a shape.
///
/// # Safety
/// There is a value at the index.
pub(crate) unsafe fn on_tape(state: *mut lua_State, host: &Host, work: &mut Work, index: c_int) -> Result<(), Outcome> {
    let options = WalkOptions { text_keys: false, ..WalkOptions::default() };
    // SAFETY: the type is checked; the table is on the stack, the layout is proved, and nothing calls the interpreter.
    let done = unsafe {
        match host.known() {
            Some(known) if ffi::lua_type(state, index) == ffi::LUA_TTABLE => {
                let table = ffi::lua_topointer(state, index).cast();
                let walk = Walk::new(known, &options, &mut work.memory);
                walk.run(table, &mut TapeOut::new(&mut work.tape, &mut work.open, true))
            }
            _ => Err(Stop::ByApi),
        }
    };
    match done {
        Ok(()) => Ok(()),
        Err(Stop::Error(error)) => Err(error.into()),
        // SAFETY: as above.
        Err(Stop::ByApi) => unsafe { to_tape(state, host, work, (options, false, true), index) },
    }
}

/// Writes the value at an index to the tape, by the API. The handler is on the top, if there is one.
unsafe fn to_tape(
    state: *mut lua_State,
    host: &Host,
    work: &mut Work,
    (options, has_handler, indexed): (WalkOptions, bool, bool),
    index: c_int,
) -> Result<(), Outcome> {
    unsafe fn walk(_: *mut lua_State, data: *mut c_void) -> c_int {
        // SAFETY: the data is the walk, and the arguments are the value and the handler.
        unsafe {
            let walk = data.cast::<Public<'_>>();
            let _ = (*walk).value(2);
        }
        0
    }
    let Work { tape, open, path, failure, .. } = work;
    path.clear();
    *failure = None;
    let mut public = Public {
        state,
        refs: host.refs,
        options,
        out: TapeOut::new(tape, open, indexed),
        path,
        handler: if has_handler { 3 } else { 0 },
        failure,
    };
    // SAFETY: the walk owns nothing.
    unsafe {
        let handler = ffi::lua_gettop(state);
        ffi::lua_pushvalue(state, index);
        if has_handler {
            ffi::lua_pushvalue(state, handler);
        } else {
            ffi::lua_pushnil(state);
        }
        protected(state, host.refs, walk, &mut public, 2, 0)?;
    }
    match work.failure.take() {
        Some(error) => Err(error.into()),
        None => Ok(()),
    }
}

/// Writes the value on the tape to the output.
fn from_tape(work: &mut Work, encoding: &Encoding) -> DematResult<()> {
    let Work { out, tape, .. } = work;
    if encoding.is_plain() {
        let mut sink = CompactSink::new(Output::new(core::mem::take(out), Keep));
        let told = copy(&mut TapeSource::new(tape), &Shape::Any, &mut sink);
        *out = sink.into_output().into_parts().0;
        return told;
    }
    let shape = shape_of(encoding, &mut TapeSource::new(tape))?;
    out.clear();
    let mut sink = demat_place::sink(encoding.format, &encoding.options, &mut *out)?;
    copy(&mut TapeSource::new(tape), &shape, &mut *sink)
}

/// Returns the shape of the value: the one that was given, as a list if the value is one; for a table, that of its
/// rows.
fn shape_of(encoding: &Encoding, source: &mut TapeSource<'_>) -> DematResult<Shape> {
    let is_list = source.peek()? == Kind::List;
    match &encoding.shape {
        // The indices of a list may be what the shape has as keys.
        Some(shape @ Shape::Map(key, _)) if key.accepts(Kind::Int) => Ok(shape.clone()),
        Some(shape) if is_list && !shape.accepts(Kind::List) => Ok(shape.clone().list()),
        Some(shape) => Ok(shape.clone()),
        None if matches!(encoding.format.about().model, Model::Cells | Model::Columns) => {
            let mut inference = Inference::new(demat_core::InferenceOptions::default());
            inference.observe(source)?;
            Ok(inference.shape())
        }
        None if encoding.format.needs_type() => Err(no_shape(encoding.format)),
        None => Ok(Shape::Any),
    }
}

#[cold]
fn no_shape(format: Format) -> Error {
    crate::host::wrong(format!("{format} does not say what its fields are: the option `shape` has to"))
}

/// Writes `\/` for `/`, which JSON has in strings only, and never behind a backslash of ours.
fn escape_slashes(out: &mut Vec<u8>) {
    if out.contains(&b'/') {
        *out = out.iter().flat_map(|byte| (*byte == b'/').then_some(b'\\').into_iter().chain([*byte])).collect();
    }
}
