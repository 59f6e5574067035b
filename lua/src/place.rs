//! Copies between places, and reads the records of one.

use crate::builder::BuildOptions;
use crate::config::each;
use crate::decode::build;
use crate::ffi::{self, lua_State};
use crate::host::{Host, Outcome, run, text_at, wrong};
use crate::records::Records;
use core::cell::RefCell;
use core::ffi::c_int;
use demat_core::{Error, Result as DematResult, Shape};
use demat_formats::Format;
use demat_formats::codec::{ReadOptions, WriteOptions};
use demat_place::{CopyJob, Input, OnError, Place, Sample};

/// `copy(source, target, options)`: returns the numbers of written and of refused records, and of bytes.
///
/// # Safety
/// The interpreter calls it.
pub(crate) unsafe extern "C-unwind" fn copy(state: *mut lua_State) -> c_int {
    // SAFETY: as above.
    unsafe { run(state, copied) }
}

/// The format of a place.
fn format_of(place: &Place, named: Option<Format>, option: &str) -> DematResult<Format> {
    named.or_else(|| place.format()).ok_or_else(|| {
        wrong(format!("the format of {place} can't be told by its name: the option `{option}` has to say it"))
    })
}

/// Options of a copy.
#[derive(Default)]
struct Copy {
    from: Option<Format>,
    to: Option<Format>,
    shape: Option<Shape>,
    fields: Option<Vec<String>>,
    on_error: OnError,
    infer: bool,
    flatten: bool,
    first: Option<u64>,
    sample: Option<u64>,
}

impl Copy {
    unsafe fn set(&mut self, state: *mut lua_State, host: &Host, name: &str, index: c_int) -> DematResult<()> {
        // SAFETY: the caller says that there is a value.
        unsafe {
            match name {
                "from" => self.from = Some(crate::format::of_name(text_at(state, index, "`from`")?)?),
                "to" => self.to = Some(crate::format::of_name(text_at(state, index, "`to`")?)?),
                "shape" => self.shape = Some(host.shape(text_at(state, index, "`shape`")?)?),
                "infer" => self.infer = crate::config::flag(state, index, name)?,
                "flatten" => self.flatten = crate::config::flag(state, index, name)?,
                "first" => self.first = Some(crate::config::count(state, index, name)?.into()),
                "sample" => self.sample = Some(crate::config::count(state, index, name)?.into()),
                "fields" => {
                    let names = text_at(state, index, "`fields`")?;
                    self.fields = Some(names.split(',').map(|name| name.trim().to_owned()).collect());
                }
                "on_error" => {
                    self.on_error = match crate::config::choice(state, index, name, &["stop", "skip", "all"])? {
                        0 => OnError::Stop,
                        1 => OnError::Skip,
                        _ => OnError::All,
                    }
                }
                "read" | "write" => {}
                _ => return Err(wrong(format!("a copy has no option `{name}`"))),
            }
        }
        Ok(())
    }
}

unsafe fn copied(state: *mut lua_State, host: &Host) -> Result<c_int, Outcome> {
    // SAFETY: a function that was called has room for 20 values. The arguments 4 and 5 are the tables `read` and
    // `write` of the third one.
    unsafe {
        ffi::lua_settop(state, 5);
        let from = Place::named(text_at(state, 1, "a place")?.as_ref());
        let to = Place::named(text_at(state, 2, "a place")?.as_ref());
        let mut copy = Copy::default();
        each(state, 3, |name, index| copy.set(state, host, name, index))?;
        let (source, target) = (format_of(&from, copy.from, "from")?, format_of(&to, copy.to, "to")?);
        let mut reading = source.read_options();
        each(state, 4, |name, index| set_read(state, source, &mut reading, name, index))?;
        let mut writing = WriteOptions::of(target);
        each(state, 5, |name, index| {
            target.set_write(&mut writing, name, |setting| crate::config::setting_value(state, index, setting))
        })?;
        let mut job = CopyJob::new(from, source, to, target)
            .read_options(reading)
            .write_options(writing)
            .infer(copy.infer)
            .flatten(copy.flatten)
            .sample(copy.sample.map_or(Sample::default(), Sample::First))
            .on_error(copy.on_error);
        if let Some(shape) = copy.shape {
            job = job.shape(shape);
        }
        if let Some(fields) = copy.fields {
            job = job.fields(fields);
        }
        if let Some(first) = copy.first {
            job = job.first(first);
        }
        let summary = job.run()?;
        for number in [summary.records, summary.rejected, summary.read] {
            ffi::push_int(state, number.cast_signed());
        }
        ffi::lua_pushboolean(state, summary.written.into());
    }
    Ok(4)
}

unsafe fn set_read(
    state: *mut lua_State,
    format: Format,
    options: &mut ReadOptions,
    name: &str,
    index: c_int,
) -> DematResult<()> {
    // SAFETY: the caller says that there is a value.
    format.set_read(options, name, |setting| unsafe { crate::config::setting_value(state, index, setting) })
}

/// `read(place, shape, options)`: pushes a function that returns the next records as a list, and nil at the end.
///
/// # Safety
/// The interpreter calls it.
pub(crate) unsafe extern "C-unwind" fn read(state: *mut lua_State) -> c_int {
    unsafe fn reading(state: *mut lua_State, host: &Host) -> Result<c_int, Outcome> {
        // SAFETY: a function that was called has room for 20 values.
        unsafe {
            ffi::lua_settop(state, 3);
            let place = Place::named(text_at(state, 1, "a place")?.as_ref());
            let mut shape = match ffi::lua_type(state, 2) {
                ffi::LUA_TNIL => None,
                _ => Some(host.shape(text_at(state, 2, "a shape")?)?),
            };
            let mut named = None;
            let mut omit_nulls = false;
            each(state, 3, |name, index| {
                match name {
                    "from" => named = Some(crate::format::of_name(text_at(state, index, "`from`")?)?),
                    "shape" => shape = Some(host.shape(text_at(state, index, "`shape`")?)?),
                    "nulls" => omit_nulls = crate::config::choice(state, index, name, &["null", "omit"])? == 1,
                    _ => {}
                }
                Ok(())
            })?;
            let format = format_of(&place, named, "from")?;
            let mut options = format.read_options();
            each(state, 3, |name, index| match name {
                "from" | "shape" | "nulls" => Ok(()),
                _ => set_read(state, format, &mut options, name, index),
            })?;
            let typed = shape.is_some();
            let records = if let Place::Database(_) = place {
                return Err(wrong("a database is read with `demat.sqlite`").into());
            } else {
                Records::new(typed, move |sink| {
                    let input = Input::open(&place)?;
                    demat_place::tell(format, &options, input, shape.as_ref(), sink)
                        .map(drop)
                        .map_err(|error| error.in_place(place.to_string()))
                })?
            };
            ffi::lua_pushnil(state);
            let build = BuildOptions { typed, marks: true, omit_nulls };
            crate::prepared::push(state, host, RefCell::new((records, build)), next)
        }
    }
    // SAFETY: the interpreter calls it.
    unsafe { run(state, reading) }
}

unsafe extern "C-unwind" fn next(state: *mut lua_State) -> c_int {
    unsafe fn batch(state: *mut lua_State, host: &Host) -> Result<c_int, Outcome> {
        // SAFETY: the second value of the function is what `read` has made.
        let reader = unsafe { crate::prepared::get::<RefCell<(Records, BuildOptions)>>(state) }?;
        let mut reader = reader.try_borrow_mut().map_err(|_| wrong("the place is being read"))?;
        let options = reader.1;
        let Some(tape) = reader.0.next()? else {
            // SAFETY: there is room.
            unsafe { ffi::lua_pushnil(state) };
            return Ok(1);
        };
        drop(reader);
        let work = host.enter();
        // SAFETY: the memory stays where it is until `leave`, and nothing else uses it.
        let built = unsafe {
            (*work).tape = tape;
            build(state, host, &mut *work, &[], options)
        };
        host.leave();
        built.map(|()| 1)
    }
    // SAFETY: the interpreter calls it.
    unsafe { run(state, batch) }
}

/// The error for a reader that went away.
pub(crate) fn stopped() -> Error {
    wrong("nobody reads on")
}
