//! Encodes arrays of numbers, as NumPy has them, from their memory: lists of lists, without an object for each number.

mod half;
mod memory;
mod moment;

use super::encode_sink::{ItemsResult, each};
use super::{EncodeSink, Engine, ObjectRef};
use demat_core::scalar::ToShortText;
use demat_core::{Error, ErrorKind, Result};
pub(super) use memory::is_of_bytes;
use moment::{Moment, NO_TIME, Unit};
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
    F16,
    F32,
    F64,
    Moment(Unit),
}

impl NumberKind {
    /// Returns the kind that NumPy calls so (`dtype.kind`), of so many bytes.
    fn of(kind: &str, bytes: usize, unit: Option<&str>) -> Option<Self> {
        Some(match (kind, bytes) {
            ("M", 8) => Self::Moment(Unit::named(unit?)?),
            ("b", 1) => Self::Bool,
            ("i", 1) => Self::I8,
            ("i", 2) => Self::I16,
            ("i", 4) => Self::I32,
            ("i", 8) => Self::I64,
            ("u", 1) => Self::U8,
            ("u", 2) => Self::U16,
            ("u", 4) => Self::U32,
            ("u", 8) => Self::U64,
            ("f", 2) => Self::F16,
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
    /// A buffer has no `datetime64`: the array has its numbers as `int64`, and `unit` says what they count.
    ///
    /// Raises `TypeError` for another kind of items, `ValueError` for another order of them, and `BufferError` for an
    /// object without a buffer.
    #[new]
    #[pyo3(signature = (array, kind, unit=None))]
    fn new(array: &Bound<'_, PyAny>, kind: &str, unit: Option<&str>) -> PyResult<Self> {
        let buffer = PyUntypedBuffer::get(array)?;
        let Some(kind) = NumberKind::of(kind, buffer.item_size(), unit) else {
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
const TOGETHER: usize = 64;

/// Some of an array's numbers.
struct Values<T> {
    next: *const T,
    left: usize,
}

impl<T: Copy> Iterator for Values<T> {
    type Item = T;

    #[inline(always)]
    fn next(&mut self) -> Option<T> {
        self.left = self.left.checked_sub(1)?;
        // SAFETY: one was left. It is a number of this type, which may stand anywhere.
        unsafe {
            let value = self.next.read_unaligned();
            self.next = self.next.add(1);
            Some(value)
        }
    }

    #[inline(always)]
    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }
}

impl<T: Copy> ExactSizeIterator for Values<T> {}

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
        self.numbers_of(numbers.get())
    }

    fn numbers_of(&mut self, numbers: &Numbers) -> Result<()> {
        let Numbers { buffer, kind } = numbers;
        let rest = Rest { at: buffer.buf_ptr().cast_const().cast(), shape: buffer.shape(), size: buffer.item_size() };
        // SAFETY: the buffer has as many numbers of this kind as its shape says, one behind the other.
        unsafe {
            match kind {
                NumberKind::Bool => self
                    .dimension(rest, &|sink: &mut K, items: Values<u8>| sink.bool_items(items.map(|byte| byte != 0))),
                NumberKind::I8 => self.signed::<i8>(rest),
                NumberKind::I16 => self.signed::<i16>(rest),
                NumberKind::I32 => self.signed::<i32>(rest),
                NumberKind::I64 => self.signed::<i64>(rest),
                NumberKind::U8 => self.unsigned::<u8>(rest),
                NumberKind::U16 => self.unsigned::<u16>(rest),
                NumberKind::U32 => self.unsigned::<u32>(rest),
                NumberKind::U64 => self.unsigned::<u64>(rest),
                NumberKind::F16 => self.dimension(rest, &|sink: &mut K, items: Values<u16>| {
                    each(sink, items, |sink, bits| sink.float(half::shortest(bits)))
                }),
                // With the shortest digits that give the same number in its own width, as a number of the usual width.
                NumberKind::F32 if K::SHORTEST_FLOAT32 => {
                    self.dimension(rest, &|sink: &mut K, items: Values<f32>| each(sink, items, K::float32))
                }
                NumberKind::F32 => self.dimension(rest, &|sink: &mut K, items: Values<f32>| {
                    each(sink, items, |sink, value| sink.float(widened(value)))
                }),
                NumberKind::F64 => {
                    self.dimension(rest, &|sink: &mut K, items: Values<f64>| each(sink, items, K::float))
                }
                NumberKind::Moment(unit) => self.dimension(rest, &|sink: &mut K, items: Values<i64>| {
                    each(sink, items, |sink, count| moment(sink, *unit, count))
                }),
            }
        }
    }

    /// # Safety
    /// As for `dimension`.
    unsafe fn signed<T: Copy + Into<i64>>(&mut self, rest: Rest<'_>) -> Result<()> {
        // SAFETY: as the caller guarantees.
        unsafe { self.dimension(rest, &|sink: &mut K, items: Values<T>| sink.i64_items(items.map(T::into))) }
    }

    /// # Safety
    /// As for `dimension`.
    unsafe fn unsigned<T: Copy + Into<u64>>(&mut self, rest: Rest<'_>) -> Result<()> {
        // SAFETY: as the caller guarantees.
        unsafe { self.dimension(rest, &|sink: &mut K, items: Values<T>| sink.u64_items(items.map(T::into))) }
    }

    /// Encodes the first dimension of the rest.
    ///
    /// # Safety
    /// The memory has numbers of type `T`, as many as the shape says.
    unsafe fn dimension<T: Copy>(
        &mut self,
        rest: Rest<'_>,
        write: &impl Fn(&mut K, Values<T>) -> ItemsResult,
    ) -> Result<()> {
        debug_assert_eq!(size_of::<T>(), rest.size);
        let Some((&len, inner)) = rest.shape.split_first() else { return Ok(()) };
        self.deeper()?;
        self.sink.begin_list(Some(len))?;
        if inner.is_empty() {
            for first in (0..len).step_by(TOGETHER) {
                // SAFETY: there are `len` numbers of this type.
                let next = unsafe { rest.at.cast::<T>().add(first) };
                let items = Values { next, left: TOGETHER.min(len - first) };
                write(&mut self.sink, items).map_err(|(index, error)| within(error, first + index))?;
                self.border()?;
                self.step()?;
            }
        } else {
            let stride = inner.iter().product::<usize>() * rest.size;
            for index in 0..len {
                self.sink.item()?;
                // SAFETY: the index is below the length of this dimension, and an item of it takes `stride` bytes.
                let written =
                    unsafe { self.dimension(Rest { at: rest.at.add(index * stride), shape: inner, ..rest }, write) };
                written.map_err(|error| within(error, index))?;
                self.border()?;
                self.step()?;
            }
        }
        self.back();
        self.sink.end_list()
    }
}

/// Writes a date, or a date and time, as text.
#[inline(always)]
fn moment<K: EncodeSink>(sink: &mut K, unit: Unit, count: i64) -> Result<()> {
    if count == NO_TIME {
        return sink.null();
    }
    match unit.moment(count) {
        // The same text, which this sink writes faster.
        Some(Moment::Date(date)) if K::TIMES_ARE_TEXT => sink.date(date),
        Some(Moment::At(at)) if K::TIMES_ARE_TEXT => sink.date_time(at),
        Some(Moment::Date(date)) => sink.text(date.to_short_text().as_str()),
        Some(Moment::At(at)) => sink.text(at.to_short_text().as_str()),
        None => {
            Err(Error::new(ErrorKind::Encode, "a datetime64 outside the years 1 to 9999, which dates and times have"))
        }
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
