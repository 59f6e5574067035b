//! Encodes arrays of numbers, as NumPy has them, from their memory: lists of lists, without an object for each number.

use super::{EncodeSink, Engine, ObjectRef};
use demat_core::{Error, Result};
use pyo3::PyTypeInfo;
use pyo3::buffer::PyUntypedBuffer;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;

/// The numbers of an array, of any number of dimensions but none.
///
/// What a hook returns for an array. It holds the array's memory, which can't move or shrink meanwhile.
#[pyclass(frozen, module = "demat._native")]
#[derive(Debug)]
pub(crate) struct Numbers {
    buffer: PyUntypedBuffer,
    kind: NumberKind,
}

/// How a number is kept in memory, in the machine's order of bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum NumberKind {
    Bool,
    I8,
    I16,
    I32,
    I64,
    U8,
    U16,
    U32,
    U64,
    F32,
    F64,
}

impl NumberKind {
    /// Returns the kind that NumPy calls so (`dtype.kind`), of so many bytes.
    fn of(kind: &str, bytes: usize) -> Option<Self> {
        Some(match (kind, bytes) {
            ("b", 1) => Self::Bool,
            ("i", 1) => Self::I8,
            ("i", 2) => Self::I16,
            ("i", 4) => Self::I32,
            ("i", 8) => Self::I64,
            ("u", 1) => Self::U8,
            ("u", 2) => Self::U16,
            ("u", 4) => Self::U32,
            ("u", 8) => Self::U64,
            ("f", 4) => Self::F32,
            ("f", 8) => Self::F64,
            _ => return None,
        })
    }
}

#[pymethods]
impl Numbers {
    /// Takes an array whose items are one behind the other in the machine's order of bytes, and its `dtype.kind`.
    ///
    /// Raises `TypeError` for another kind of items, `ValueError` for another order of them, and `BufferError` for an
    /// object without a buffer.
    #[new]
    fn new(array: &Bound<'_, PyAny>, kind: &str) -> PyResult<Self> {
        let buffer = PyUntypedBuffer::get(array)?;
        let Some(kind) = NumberKind::of(kind, buffer.item_size()) else {
            return Err(PyTypeError::new_err(format!("no numbers: `{kind}` of {} bytes", buffer.item_size())));
        };
        if buffer.dimensions() == 0 || !buffer.is_c_contiguous() {
            return Err(PyValueError::new_err("the numbers are not one behind the other"));
        }
        Ok(Self { buffer, kind })
    }
}

/// Returns whether an object is of this class.
#[inline]
pub(super) fn is_numbers(object: ObjectRef) -> bool {
    // SAFETY: engines run with the GIL held.
    object.is_exactly(Numbers::type_object_raw(unsafe { Python::assume_attached() }))
}

/// How many numbers are written before the next look at the buffer, and for signals.
const TOGETHER: usize = 16;

/// The rest of an array that is written: where it is, and how long its dimensions are.
#[derive(Clone, Copy)]
struct Rest<'n> {
    at: *const u8,
    shape: &'n [usize],
    /// The size of a number.
    size: usize,
}

impl<K: EncodeSink> Engine<'_, K> {
    /// Encodes the numbers of an array.
    ///
    /// # Errors
    /// If the sink refuses a number, or the array has too many dimensions.
    #[inline(never)]
    pub(super) fn numbers(&mut self, object: ObjectRef) -> Result<()> {
        // A signal handler may drop the last reference to it.
        let held = object.hold();
        // SAFETY: engines run with the GIL held.
        let held = held.into_bound(unsafe { Python::assume_attached() });
        // The class was checked.
        let Ok(numbers) = held.cast::<Numbers>() else { return Err(super::fault::changed("array")) };
        let Numbers { buffer, kind } = numbers.get();
        let rest = Rest { at: buffer.buf_ptr().cast_const().cast(), shape: buffer.shape(), size: buffer.item_size() };
        // SAFETY: the buffer has as many numbers of this kind as its shape says, one behind the other.
        unsafe {
            match kind {
                NumberKind::Bool => self.dimension(rest, &|sink: &mut K, byte: u8| sink.bool(byte != 0)),
                NumberKind::I8 => self.dimension(rest, &|sink: &mut K, value: i8| sink.i64(value.into())),
                NumberKind::I16 => self.dimension(rest, &|sink: &mut K, value: i16| sink.i64(value.into())),
                NumberKind::I32 => self.dimension(rest, &|sink: &mut K, value: i32| sink.i64(value.into())),
                NumberKind::I64 => self.dimension(rest, &|sink: &mut K, value: i64| sink.i64(value)),
                NumberKind::U8 => self.dimension(rest, &|sink: &mut K, value: u8| sink.i64(value.into())),
                NumberKind::U16 => self.dimension(rest, &|sink: &mut K, value: u16| sink.i64(value.into())),
                NumberKind::U32 => self.dimension(rest, &|sink: &mut K, value: u32| sink.i64(value.into())),
                NumberKind::U64 => self.dimension(rest, &|sink: &mut K, value: u64| match i64::try_from(value) {
                    Ok(value) => sink.i64(value),
                    Err(_) => sink.u64(value),
                }),
                // With the shortest digits that give the same number in its own width, as a number of the usual width.
                NumberKind::F32 if K::SHORTEST_FLOAT32 => {
                    self.dimension(rest, &|sink: &mut K, value: f32| sink.float32(value))
                }
                NumberKind::F32 => self.dimension(rest, &|sink: &mut K, value: f32| sink.float(widened(value))),
                NumberKind::F64 => self.dimension(rest, &|sink: &mut K, value: f64| sink.float(value)),
            }
        }
    }

    /// Encodes the first dimension of the rest.
    ///
    /// # Safety
    /// The memory has numbers of type `T`, as many as the shape says.
    unsafe fn dimension<T: Copy>(&mut self, rest: Rest<'_>, write: &impl Fn(&mut K, T) -> Result<()>) -> Result<()> {
        debug_assert_eq!(size_of::<T>(), rest.size);
        let Some((&len, inner)) = rest.shape.split_first() else { return Ok(()) };
        let stride = inner.iter().product::<usize>() * rest.size;
        self.deeper()?;
        self.sink.begin_list(Some(len))?;
        for index in 0..len {
            self.sink.item()?;
            // SAFETY: the index is below the length of this dimension, and an item of it takes `stride` bytes.
            let at = unsafe { rest.at.add(index * stride) };
            let written = if inner.is_empty() {
                // SAFETY: a number of this type, which may stand anywhere.
                write(&mut self.sink, unsafe { at.cast::<T>().read_unaligned() })
            } else {
                // SAFETY: as of this dimension.
                unsafe { self.dimension(Rest { at, shape: inner, ..rest }, write) }
            };
            written.map_err(|error| within(error, index))?;
            // Numbers are short, and looking takes as long as writing one.
            if !inner.is_empty() || index % TOGETHER == TOGETHER - 1 {
                self.border()?;
                self.step()?;
            }
        }
        self.back();
        self.sink.end_list()
    }
}

#[cold]
fn within(error: Error, index: usize) -> Error {
    error.within_item(index)
}

/// Returns the number whose shortest digits are those of a narrower one.
fn widened(value: f32) -> f64 {
    if value.is_finite() {
        let mut digits = Vec::with_capacity(24);
        demat_formats::text::write_f32(&mut digits, value);
        core::str::from_utf8(&digits).ok().and_then(|digits| digits.parse().ok()).unwrap_or(f64::from(value))
    } else {
        value.into()
    }
}
