//! Numbers in all encodings of messages, as bits and as objects.

use demat_formats::proto::Form;
use demat_formats::proto::raw::{EIGHT, FOUR, VARINT};
use demat_formats::proto::read_varint;
use pyo3::ffi;

/// Returns the wire type of a single value of a form.
#[inline(always)]
pub(super) const fn wire_of(form: Form) -> u8 {
    match form {
        Form::Fixed32 | Form::Sfixed32 | Form::Float => FOUR,
        Form::Fixed64 | Form::Sfixed64 | Form::Double => EIGHT,
        _ => VARINT,
    }
}

/// Returns the number of bytes of a value, if the form has a fixed width.
pub(super) const fn width(form: Form) -> Option<usize> {
    match wire_of(form) {
        FOUR => Some(4),
        EIGHT => Some(8),
        _ => None,
    }
}

/// Reads the bits of a number at an offset; returns them and their number of bytes.
#[inline(always)]
pub(super) fn bits(bytes: &[u8], at: usize, form: Form) -> Option<(u64, usize)> {
    match wire_of(form) {
        FOUR => {
            let four: [u8; 4] = bytes.get(at..at + 4)?.try_into().ok()?;
            Some((u64::from(u32::from_le_bytes(four)), 4))
        }
        EIGHT => {
            let eight: [u8; 8] = bytes.get(at..at + 8)?.try_into().ok()?;
            Some((u64::from_le_bytes(eight), 8))
        }
        _ => read_varint(bytes.get(at..)?),
    }
}

/// Creates the object of a number. Null if memory runs out.
///
/// # Safety
/// The GIL is held.
#[inline(always)]
pub(super) unsafe fn object(bits: u64, form: Form) -> *mut ffi::PyObject {
    // SAFETY: as the caller guarantees.
    unsafe {
        match form {
            Form::Bool => {
                let value = if bits == 0 { ffi::Py_False() } else { ffi::Py_True() };
                ffi::Py_INCREF(value);
                value
            }
            Form::Float => ffi::PyFloat_FromDouble(f64::from(f32::from_bits(bits as u32))),
            Form::Double => ffi::PyFloat_FromDouble(f64::from_bits(bits)),
            Form::Uint64 | Form::Fixed64 => ffi::PyLong_FromUnsignedLongLong(bits),
            Form::Int32 | Form::Sfixed32 => ffi::PyLong_FromLongLong(i64::from(bits as u32 as i32)),
            Form::Uint32 | Form::Fixed32 => ffi::PyLong_FromLongLong(i64::from(bits as u32)),
            Form::Sint32 => ffi::PyLong_FromLongLong(i64::from(unzigzag(u64::from(bits as u32)) as i32)),
            Form::Sint64 => ffi::PyLong_FromLongLong(unzigzag(bits)),
            _ => ffi::PyLong_FromLongLong(bits.cast_signed()),
        }
    }
}

const fn unzigzag(bits: u64) -> i64 {
    (bits >> 1).cast_signed() ^ -((bits & 1).cast_signed())
}

/// Appends a number in its machine representation.
pub(super) fn push(bytes: &mut Vec<u8>, bits: u64, form: Form) {
    match form {
        Form::Bool => bytes.push(u8::from(bits != 0)),
        Form::Sint32 => bytes.extend_from_slice(&(unzigzag(u64::from(bits as u32)) as u32).to_le_bytes()),
        Form::Sint64 => bytes.extend_from_slice(&unzigzag(bits).to_le_bytes()),
        Form::Int32 | Form::Uint32 => bytes.extend_from_slice(&(bits as u32).to_le_bytes()),
        form => bytes.extend_from_slice(&bits.to_le_bytes()[..width(form).unwrap_or(8)]),
    }
}

/// Returns the type code of `struct` and NumPy for a form of fixed width.
pub(super) const fn letter(form: Form) -> Option<&'static core::ffi::CStr> {
    Some(match form {
        Form::Fixed32 => c"I",
        Form::Sfixed32 => c"i",
        Form::Fixed64 => c"Q",
        Form::Sfixed64 => c"q",
        Form::Float => c"f",
        Form::Double => c"d",
        _ => return None,
    })
}
