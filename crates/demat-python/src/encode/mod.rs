//! Encoding: an engine reads Python objects according to plans and writes them to a sink.
//!
//! | file | contents |
//! |---|---|
//! | `engine` | the core: selects how to encode an object |
//! | `asked` | checks against a given type |
//! | `shaped` | the shape of a value, for formats that must know it beforehand |
//! | `sequence`, `map`, `record`, `union`, `view` | values with parts |
//! | `text`, `int`, `big`, `temporal`, `scalar` | values without parts |
//! | `classes`, `base` | how to encode each class, and how that is determined |
//! | `hook`, `parts` | user functions |
//! | `drained`, `spare` | the memory that is written to |
//! | `numbers` | arrays of numbers, from their memory |
//! | `columns` | objects as Arrow columns |
//! | `rows` | objects as rows of a database table |
//! | `chunks`, `list_writer` | places that are written to while values come |
//! | `options`, `encoder`, `writer` | the Python API |

mod ahead;
mod apart;
mod asked;
mod base;
mod big;
mod built;
mod builtins;
mod chunks;
mod classes;
mod columns;
mod declared;
mod drained;
mod encode_sink;
pub(crate) mod encoder;
mod engine;
mod fault;
mod hint;
mod hook;
mod int;
mod items;
mod keys;
mod list_writer;
mod map;
pub(crate) mod numbers;
mod object_ref;
mod options;
mod pairs;
mod parts;
mod put;
mod record;
mod rows;
mod scalar;
mod scalars;
mod sequence;
mod shaped;
mod sinks;
mod spare;
mod temporal;
mod text;
mod union;
mod view;
mod writer;
mod written_keys;

pub(crate) use apart::{encode_rows, encode_source};
pub(crate) use built::{apart, build_accepted, build_rows};
pub(crate) use builtins::builtins;
pub(crate) use columns::columns_of;
pub(crate) use encoder::{Encoder, be_quick};
pub(crate) use int::{one_digit, set_digit};
pub(crate) use object_ref::{
    ObjectRef, bool_class, dict_class, float_class, int_class, list_class, text_class, tuple_class,
};
pub(crate) use options::{EncodeOptions, checked_hooks, checked_rename};
pub(crate) use pairs::{Pairs, of as entries_of};
pub(crate) use parts::PartSink;
pub(crate) use rows::{tell_rows, write_rows};
pub(crate) use text::{ascii, utf8};
pub(crate) use writer::{Writer, open_writer};

use crate::error::{Failure, exception};
use crate::format::Format;
use demat_core::{Result, Sink, Tape};
use demat_formats::Output;
use drained::{Drained, Into};
use encode_sink::{AnySink, EncodeSink, Fields};
use engine::Engine;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyBytes};
use pyo3::{Borrowed, ffi};
use std::sync::atomic::AtomicBool;

/// Verifies the interpreter's memory layout of objects.
///
/// # Errors
/// Never fails in practice.
pub(crate) fn know_layout(py: Python<'_>) -> PyResult<()> {
    int::know_layout(py)?;
    pairs::know_layout(py)
}

/// Encodes a value.
///
/// # Errors
/// `demat.EncodeError` if a part can't be encoded in the format; `demat.LimitError` if it is nested too deeply;
/// exceptions of user code, except those that say that a value is invalid.
#[inline]
pub(crate) fn encode<'py>(
    format: Format,
    value: &Bound<'py, PyAny>,
    options: &EncodeOptions,
) -> PyResult<Bound<'py, PyBytes>> {
    let mut drained = Drained::new();
    tell(format, value, options, &mut drained)?;
    let bytes = drained.finish(value.py())?;
    Ok(bytes.unwrap_or_else(|| PyBytes::new(value.py(), b"")))
}

/// As [`encode`], for functions that the interpreter calls directly. Returns `None` if a Python exception is set.
///
/// # Safety
/// The GIL is held, and the object is alive.
#[inline(always)]
pub(crate) unsafe fn encode_quickly(
    format: Format,
    value: *mut ffi::PyObject,
    options: &EncodeOptions,
) -> Option<*mut ffi::PyObject> {
    // SAFETY: as the caller guarantees. No reference that PyO3 counts is dropped in there.
    let (py, value) = unsafe { (Python::assume_attached(), Borrowed::from_ptr(Python::assume_attached(), value)) };
    match encode(format, &value, options) {
        Ok(bytes) => Some(bytes.into_ptr()),
        Err(error) => {
            error.restore(py);
            None
        }
    }
}

/// Encodes a value into a bytearray at an offset (-1 is its end), and truncates the bytearray after it.
///
/// # Errors
/// As [`encode`]; then nothing is written, and the bytearray is truncated at the offset. `TypeError` if it is no
/// bytearray. `ValueError` if the offset is beyond its end, also after a hook has shortened it. `BufferError` if a
/// buffer of it is exported.
pub(crate) fn encode_into(
    format: Format,
    value: &Bound<'_, PyAny>,
    buffer: &Bound<'_, PyAny>,
    offset: isize,
    options: &EncodeOptions,
) -> PyResult<()> {
    let Ok(buffer) = buffer.cast::<PyByteArray>() else {
        let found = buffer.get_type().name()?;
        return Err(PyTypeError::new_err(format!("encode_into needs a bytearray, not {found}")));
    };
    let len = buffer.len();
    let offset = if offset == -1 { len } else { usize::try_from(offset).unwrap_or(usize::MAX) };
    if offset > len {
        return Err(PyValueError::new_err(format!(
            "offset must be from 0 to the bytearray's length, {len}, or -1 for that"
        )));
    }
    let mut drained = Drained::into_bytearray(buffer, offset);
    tell(format, value, options, &mut drained)?;
    drained.finish(value.py())?;
    Ok(())
}

/// Encodes a view for `copy` or `pickle`, at least as deep as `depth` allows. Copies its bytes without verifying them.
///
/// # Errors
/// As [`encode`].
pub(crate) fn encode_within<'py>(
    format: Format,
    value: &Bound<'py, PyAny>,
    depth: u32,
) -> PyResult<Bound<'py, PyBytes>> {
    let mut options = EncodeOptions::default();
    options.write.depth = options.write.depth.max(depth);
    options.trusts_views = true;
    encode(format, value, &options)
}

#[inline]
fn tell(format: Format, value: &Bound<'_, PyAny>, options: &EncodeOptions, drained: &mut Drained) -> PyResult<()> {
    let ends = AtomicBool::new(false);
    let into = Into::Memory { memory: drained, ends: &ends };
    let told =
        sinks::visit(format, options, Output::new(spare::take(), into), EncodeWhole { value, options, ends: &ends });
    let told = told.unwrap_or_else(|error| Err(Box::new(Failure::from(error))));
    told.map_err(|failure| Python::attach(|py| drained.give_up().unwrap_or_else(|| exception(py, *failure))))
}

/// Records a value for a conversion.
///
/// # Errors
/// As [`encode`].
pub(crate) fn record(value: &Bound<'_, PyAny>, options: &EncodeOptions) -> PyResult<Tape> {
    let mut failure = None;
    let tape = Tape::record(|sink| {
        let whole = EncodeWhole { value, options, ends: &AtomicBool::new(false) };
        whole.written(AnySink::new(sink)).or_else(|failed| {
            failure = Some(failed);
            Ok(())
        })
    });
    match failure {
        Some(failure) => Err(exception(value.py(), *failure)),
        None => tape.map_err(|error| exception(value.py(), Failure::from(error))),
    }
}

/// Writes a value to a sink of another kind than a format's.
///
/// # Errors
/// As [`encode`].
pub(crate) fn write_to(
    value: &Bound<'_, PyAny>,
    options: &EncodeOptions,
    sink: &mut dyn Sink,
) -> Result<(), Box<Failure>> {
    EncodeWhole { value, options, ends: &AtomicBool::new(false) }.written(AnySink::new(sink))
}

/// Encodes a whole value.
struct EncodeWhole<'v, 'py> {
    value: &'v Bound<'py, PyAny>,
    options: &'v EncodeOptions,
    ends: &'v AtomicBool,
}

impl EncodeWhole<'_, '_> {
    #[inline(always)]
    fn written<K: EncodeSink>(self, sink: K) -> Result<(), Box<Failure>> {
        let mut engine = Engine::new(sink, self.options);
        // SAFETY: the caller holds the value; the GIL is held.
        let told = engine.whole(unsafe { ObjectRef::new(self.value.as_ptr()) }, self.ends);
        told.map_err(|error| Box::new(Failure::one(error, engine.raised.take().map(|raised| *raised))))
    }
}

impl<'d> sinks::Visitor<'d> for EncodeWhole<'_, '_> {
    type Output = Result<(), Box<Failure>>;

    #[inline(always)]
    fn visit<K: EncodeSink + Send + 'd>(self, sink: K) -> Self::Output {
        self.written(sink)
    }

    #[inline(never)]
    fn visit_any(self, mut sink: Box<dyn Sink + Send + 'd>) -> Self::Output {
        self.written(AnySink::new(&mut *sink))
    }

    #[inline(never)]
    fn visit_shaped(self, mut sink: Box<dyn Sink + Send + 'd>, fields: Fields) -> Self::Output {
        self.written(AnySink::shaped(&mut *sink, fields))
    }
}
