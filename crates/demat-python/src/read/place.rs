//! Opens places: the objects that bytes can be read from.

use super::buffer::Buffer;
use super::chunks::{Chunks, ReadCall};
use super::feed::Fed;
use super::options::Packed;
use super::pipe::{Counted, Pipe, Raw};
use super::raised::Raised;
use crate::error::{Failure, exception};
use crate::special_file;
use demat_core::{Error, ErrorKind};
use demat_place::{Compression, Unpacked};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyIterator, PyString};
use pyo3::{ffi, intern};
use std::fs::File;
use std::io;
use std::path::PathBuf;

/// An open place.
pub(crate) struct Open {
    pub(crate) pipe: Pipe,
    /// The size in bytes, before decompression.
    pub(crate) total: Option<u64>,
    /// Whether all bytes are in memory, so that reading never waits for more.
    pub(crate) at_hand: bool,
    pub(crate) raised: Raised,
}

pub(crate) enum Opened {
    /// Reading calls the place.
    Now(Open),
    /// The caller feeds the bytes as they arrive.
    Later(Fed, Open),
}

/// Opens a place.
///
/// # Errors
/// `TypeError` for objects that are no place; `demat.StoreError` for files that can't be opened.
pub(crate) fn open(place: &Bound<'_, PyAny>, packed: Packed) -> PyResult<Opened> {
    let py = place.py();
    if place.is_instance_of::<PyString>() || place.hasattr(intern!(py, "__fspath__"))? {
        let path: PathBuf = place.extract()?;
        if path.as_os_str() == "-" {
            let stdin = py.import(intern!(py, "sys"))?.getattr(intern!(py, "stdin"))?;
            let bytes = stdin.getattr(intern!(py, "buffer")).unwrap_or(stdin);
            return now(file(&bytes)?, None, false, packed);
        }
        return open_file(py, path, packed);
    }
    if let Some(buffer) = Buffer::of(place)? {
        let total = buffer.len() as u64;
        return now(Raw::Buffer(buffer), Some(total), true, packed);
    }
    if is_async(place) {
        let fed = Fed::default();
        let Opened::Now(open) = now(Raw::Fed(fed.clone()), None, false, packed)? else { return Err(none(place)) };
        return Ok(Opened::Later(fed, open));
    }
    if place.hasattr(intern!(py, "read"))? {
        return now(file(place)?, None, false, packed);
    }
    if place.hasattr(intern!(py, "recv"))? {
        let method = place.getattr(intern!(py, "recv"))?.unbind();
        return now(Raw::Chunks(Chunks::new(ReadCall::Method(method, "recv"))), None, false, packed);
    }
    if place.hasattr(intern!(py, "__iter__"))? {
        let iterator = PyIterator::from_object(place)?.unbind();
        return now(Raw::Chunks(Chunks::new(ReadCall::Iterator(iterator))), None, false, packed);
    }
    Err(none(place))
}

fn none(place: &Bound<'_, PyAny>) -> PyErr {
    let found = place.get_type().name().map_or_else(|_| "this".to_string(), |name| name.to_string());
    let places = "a path, bytes, an open file, a socket, or an iterable of chunks, which may be asynchronous";
    PyTypeError::new_err(format!("expected a place to read: {places}; not {found}"))
}

/// Reads from a file object: with `read1` if it has one, which returns what is available without waiting for more.
fn file(place: &Bound<'_, PyAny>) -> PyResult<Raw> {
    let py = place.py();
    let found = match place.getattr(intern!(py, "read1")) {
        Ok(method) => (method, "read1"),
        Err(_) => (place.getattr(intern!(py, "read"))?, "read"),
    };
    Ok(Raw::Chunks(Chunks::new(ReadCall::Method(found.0.unbind(), found.1))))
}

fn open_file(py: Python<'_>, path: PathBuf, packed: Packed) -> PyResult<Opened> {
    let opened = special_file::open(py, &path, special_file::Way::In)?.unwrap_or_else(|| File::open(&path));
    let opened = opened.and_then(|file| match file.metadata()? {
        about if about.is_dir() => Err(io::ErrorKind::IsADirectory.into()),
        about => Ok((file, about)),
    });
    let (file, about) = opened.map_err(|cause| {
        let error = Error::new(ErrorKind::Io, "can't be opened").because(cause).in_place(path.display().to_string());
        exception(py, Failure::from(error))
    })?;
    let total = about.is_file().then_some(about.len());
    now(Raw::File(file, path), total, total.is_some(), packed)
}

fn now(raw: Raw, total: Option<u64>, at_hand: bool, packed: Packed) -> PyResult<Opened> {
    let raised = Raised::default();
    let counted = Counted::new(raw, raised.clone());
    let pipe = match packed {
        Packed::Sniffed => Unpacked::new(counted),
        Packed::Not => Unpacked::plain(counted),
        Packed::As(compression) => packed_as(counted, compression)?,
    };
    Ok(Opened::Now(Open { pipe, total, at_hand, raised }))
}

fn packed_as(counted: Counted, compression: Compression) -> PyResult<Pipe> {
    Ok(Unpacked::packed(counted, compression)?)
}

/// Returns whether reading must be awaited: the object is an asynchronous iterable, or its `read` is a coroutine
/// function.
fn is_async(place: &Bound<'_, PyAny>) -> bool {
    let py = place.py();
    // SAFETY: a live object has a type; its table of asynchronous slots may be null.
    let own = unsafe {
        let slots = (*ffi::Py_TYPE(place.as_ptr())).tp_as_async;
        !slots.is_null() && (*slots).am_aiter.is_some()
    };
    if own {
        return true;
    }
    place.getattr(intern!(py, "read")).is_ok_and(|read| is_coroutine_function(&read))
}

/// Returns whether calling an object makes a coroutine: it is an `async def`.
pub(crate) fn is_coroutine_function(object: &Bound<'_, PyAny>) -> bool {
    const COROUTINE: u32 = 0x80; // `inspect.CO_COROUTINE`
    let py = object.py();
    let flags = object.getattr(intern!(py, "__code__")).and_then(|code| code.getattr(intern!(py, "co_flags")));
    flags.and_then(|flags| flags.extract::<u32>()).is_ok_and(|flags| flags & COROUTINE != 0)
}
