//! Whole numbers, as the interpreter keeps them.

use super::big;
use demat_core::scalar::Int;
use pyo3::ffi;
use pyo3::prelude::*;
use std::borrow::Cow;
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether the digits of small numbers stand where they are looked for: it is tried before it is believed.
static KNOWN_LAYOUT: AtomicBool = AtomicBool::new(false);

/// The head of an `int`, with the first two digits. The second is there only where there are two.
#[repr(C)]
struct Digits {
    head: ffi::PyObject,
    /// Up to 3.11 the number of digits, negative for a negative number; from 3.12 on, the number of digits from bit 3 on,
    /// and one less than zero, and more, for the sign: 0 positive, 1 zero, 2 negative.
    tag: isize,
    parts: [u32; 2],
}

/// The tags of positive numbers of one digit, and of two.
const ONE: isize = if cfg!(Py_3_12) { 0b01_000 } else { 1 };
const TWO: isize = if cfg!(Py_3_12) { 0b10_000 } else { 2 };

/// How many bits of a digit count.
const DIGIT: u32 = 30;

/// The number, if it is of two digits at most: those below 2⁶⁰ are all that most data has.
///
/// # Safety
/// The pointer is to a living `int`, and the layout is known.
#[inline(always)]
unsafe fn of_two_digits(int: *mut ffi::PyObject) -> Option<i64> {
    let int = int.cast::<Digits>();
    // SAFETY: an `int` has at least one digit's memory; the second is read only where it is there.
    unsafe {
        let tag = (*int).tag;
        let digits = &raw const (*int).parts;
        let first = i64::from(*digits.cast::<u32>());
        let both = || first | i64::from(*digits.cast::<u32>().add(1)) << DIGIT;
        // Most numbers are one of these two, and to ask for them costs less than a jump by the tag.
        if tag == ONE {
            return Some(first);
        }
        if tag == TWO {
            return Some(both());
        }
        #[cfg(not(Py_3_12))]
        return match tag {
            0 => Some(0),
            -1 => Some(-first),
            -2 => Some(-both()),
            _ => None,
        };
        #[cfg(Py_3_12)]
        return match tag {
            0b00_001 => Some(0),
            0b01_010 => Some(-first),
            0b10_010 => Some(-both()),
            _ => None,
        };
    }
}

/// What the tag says of a positive number of one digit.
#[cfg(not(Py_3_12))]
const ONE_DIGIT: isize = 1;
#[cfg(Py_3_12)]
const ONE_DIGIT: isize = 0b01_000;

/// Whether an object is an `int`, of no subclass, that is positive and of one digit.
///
/// # Safety
/// The pointer is to a living object.
#[inline(always)]
pub(crate) unsafe fn one_digit(object: *mut ffi::PyObject) -> bool {
    // SAFETY: the class is compared before the object is looked at as an `int`.
    unsafe {
        ffi::Py_TYPE(object) == &raw mut ffi::PyLong_Type
            && KNOWN_LAYOUT.load(Ordering::Relaxed)
            && (*object.cast::<Digits>()).tag == ONE_DIGIT
    }
}

/// Makes an int another one.
///
/// # Safety
/// It is [of one digit](one_digit), nobody else has it, and the number is positive and of one digit, too.
#[inline(always)]
pub(crate) unsafe fn set_digit(int: *mut ffi::PyObject, digit: u32) {
    // SAFETY: an `int` has at least one digit's memory, as the caller says that this is one.
    unsafe { (&raw mut (*int.cast::<Digits>()).parts).cast::<u32>().write(digit) };
}

/// Finds out whether the layout is the one that this was written for.
///
/// # Errors
/// None that can be helped.
pub(super) fn know_layout(py: Python<'_>) -> PyResult<()> {
    // What lies right below, on and above where another digit begins.
    let borders = [0, 1, 5, (1 << 15) - 1, 1 << 15, (1 << 30) - 1, 1 << 30, (1 << 45) + 7, (1 << 60) - 1];
    let mut known = cfg!(target_pointer_width = "64");
    for value in borders.into_iter().flat_map(|value: i64| [value, -value]) {
        let int = value.into_pyobject(py)?;
        // SAFETY: an `int`, which is longer than what is read of it: two digits, and less where the tag says so.
        known = known && unsafe { of_two_digits(int.as_ptr()) } == Some(value);
    }
    for value in [1_i64 << 60, i64::MAX, i64::MIN] {
        let int = value.into_pyobject(py)?;
        // SAFETY: as above.
        known = known && unsafe { of_two_digits(int.as_ptr()) }.is_none();
    }
    KNOWN_LAYOUT.store(known, Ordering::Relaxed);
    Ok(())
}

/// The number, where it fits 64 bits and is quickly had.
///
/// # Safety
/// The pointer is to a living `int`, or an instance of a subclass.
#[inline(always)]
pub(super) unsafe fn small(int: *mut ffi::PyObject) -> Option<i64> {
    // SAFETY: as the caller says.
    if KNOWN_LAYOUT.load(Ordering::Relaxed) { unsafe { of_two_digits(int) } } else { None }
}

/// A number of any size.
///
/// # Safety
/// As [`small`].
///
/// # Errors
/// If memory runs out. The inner error: the int has more digits than the interpreter allows.
#[inline(never)]
pub(super) unsafe fn any<'a>(int: *mut ffi::PyObject) -> PyResult<demat_core::Result<Int<'a>>> {
    let mut overflow = 0;
    // SAFETY: an `int`, as the caller says; it can't fail for one.
    let value = unsafe { ffi::PyLong_AsLongLongAndOverflow(int, &raw mut overflow) };
    if overflow == 0 {
        return Ok(Ok(Int::I64(value)));
    }
    if overflow > 0 {
        // SAFETY: as above.
        let value = unsafe { ffi::PyLong_AsUnsignedLongLong(int) };
        // SAFETY: the GIL is held.
        if unsafe { ffi::PyErr_Occurred() }.is_null() {
            return Ok(Ok(Int::from(value)));
        }
        // SAFETY: it was too large, which is no error here.
        unsafe { ffi::PyErr_Clear() };
    }
    // SAFETY: the GIL is held, and the object lives.
    let int = unsafe { pyo3::Borrowed::from_ptr(Python::assume_attached(), int) };
    Ok(big::digits(&int)?.map(|digits| Int::Big(Cow::Owned(digits))))
}
