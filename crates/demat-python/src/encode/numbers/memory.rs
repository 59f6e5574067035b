//! Encodes memoryviews: those of bytes as bytes, those of numbers as lists of them.

use super::{NumberKind, Numbers};
use crate::encode::base::Base;
use crate::encode::{EncodeSink, Engine, ObjectRef};
use demat_core::Result;
use pyo3::buffer::PyUntypedBuffer;
use pyo3::prelude::*;
use pyo3::{ffi, intern};

/// What a buffer has, by the letter of its `struct` format.
enum Letter {
    /// Of this `dtype.kind`.
    Numbers(&'static str),
    /// Bytes, or what has no form but its bytes.
    Bytes,
}

/// Reads a format of one letter. `None`: its numbers are in another machine's order.
fn letter(buffer: &PyUntypedBuffer) -> Option<Letter> {
    let (order, letter) = match buffer.format().to_bytes() {
        [letter] => (b'@', *letter),
        [order @ (b'@' | b'=' | b'<' | b'>' | b'!'), letter] => (*order, *letter),
        _ => return Some(Letter::Bytes),
    };
    let kind = match letter {
        b'?' => "b",
        b'b' | b'h' | b'i' | b'l' | b'q' | b'n' => "i",
        b'H' | b'I' | b'L' | b'Q' | b'N' => "u",
        b'e' | b'f' | b'd' => "f",
        _ => return Some(Letter::Bytes),
    };
    let foreign = if cfg!(target_endian = "little") { matches!(order, b'>' | b'!') } else { order == b'<' };
    (!foreign || buffer.item_size() == 1).then_some(Letter::Numbers(kind))
}

/// Returns whether a memoryview is one of bytes. One that was released is none of numbers, either.
pub(in crate::encode) fn is_of_bytes(object: ObjectRef) -> bool {
    // SAFETY: engines run with the GIL held.
    let held = object.hold().into_bound(unsafe { Python::assume_attached() });
    PyUntypedBuffer::get(&held).is_ok_and(|buffer| matches!(letter(&buffer), Some(Letter::Bytes)))
}

impl<K: EncodeSink> Engine<'_, K> {
    /// Encodes a memoryview.
    ///
    /// # Errors
    /// If it was released, or the sink refuses a value.
    #[inline(never)]
    pub(in crate::encode) fn memoryview(&mut self, object: ObjectRef) -> Result<()> {
        // A signal handler may drop the last reference to it.
        // SAFETY: engines run with the GIL held.
        let held = object.hold().into_bound(unsafe { Python::assume_attached() });
        let buffer = PyUntypedBuffer::get(&held).map_err(|raised| self.raised(raised))?;
        let kind = match letter(&buffer) {
            // SAFETY: it is a memoryview, as the caller found.
            Some(Letter::Bytes) => return unsafe { self.bytes(Base::Memoryview, object) },
            Some(Letter::Numbers(kind)) => NumberKind::of(kind, buffer.item_size(), None),
            None => None,
        };
        match kind {
            Some(kind) if buffer.dimensions() > 0 && buffer.is_c_contiguous() => {
                self.numbers_of(&Numbers { buffer, kind })
            }
            // With gaps, in another order, or a single number: rare enough for objects.
            _ => {
                let listed = held.call_method0(intern!(held.py(), "tolist"));
                let listed = listed.map_err(|raised| self.raised(raised))?;
                // SAFETY: a live object, which `listed` holds.
                self.plain(super::super::hint::Anything, unsafe {
                    ObjectRef::new(listed.as_ptr().cast::<ffi::PyObject>())
                })
            }
        }
    }
}
