//! Reads Python ints directly from their memory layout.

use super::big;
use demat_core::scalar::Int;
use pyo3::ffi;
use pyo3::prelude::*;
use std::borrow::Cow;
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether the layout of small ints is as expected here: it is verified at startup.
static KNOWN_LAYOUT: AtomicBool = AtomicBool::new(false);

/// The header of an `int`, with its first two digits. The second one only exists if the int has two.
#[repr(C)]
struct Digits {
    head: ffi::PyObject,
    /// Up to Python 3.11: the number of digits, negative for a negative int. From 3.12 on: the number of digits from
    /// bit 3 on, and the sign below: 0 positive, 1 zero, 2 negative.
    tag: isize,
    parts: [u32; 2],
}

/// The tags of positive ints of one and of two digits.
const ONE: isize = if cfg!(Py_3_12) { 0b01_000 } else { 1 };
const TWO: isize = if cfg!(Py_3_12) { 0b10_000 } else { 2 };

/// The number of bits per digit.
const DIGIT: u32 = 30;

/// Returns the value of an int of up to two digits: most data has no larger ones than these, below 2⁶⁰.
///
/// # Safety
/// The pointer is to a live `int`, and the layout is known.
#[inline(always)]
unsafe fn of_two_digits(int: *mut ffi::PyObject) -> Option<i64> {
    let int = int.cast::<Digits>();
    // SAFETY: an `int` has memory for at least one digit; the second is read only if it exists.
    unsafe {
        let tag = (*int).tag;
        let digits = &raw const (*int).parts;
        let first = i64::from(*digits.cast::<u32>());
        let both = || first | i64::from(*digits.cast::<u32>().add(1)) << DIGIT;
        // Most ints have one of these two tags, and comparing them is faster than a jump table.
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

/// The tag of a positive int of one digit.
#[cfg(not(Py_3_12))]
const ONE_DIGIT: isize = 1;
#[cfg(Py_3_12)]
const ONE_DIGIT: isize = 0b01_000;

/// Returns whether an object is an `int`, of no subclass, that is positive and of one digit.
///
/// # Safety
/// The pointer is to a live object.
#[inline(always)]
pub(crate) unsafe fn one_digit(object: *mut ffi::PyObject) -> bool {
    // SAFETY: the class is checked before the object is accessed as an `int`.
    unsafe {
        ffi::Py_TYPE(object) == &raw mut ffi::PyLong_Type
            && KNOWN_LAYOUT.load(Ordering::Relaxed)
            && (*object.cast::<Digits>()).tag == ONE_DIGIT
    }
}

/// Changes the value of an int in place.
///
/// # Safety
/// The int is [of one digit](one_digit) and has no other reference, and the new value is positive and of one digit.
#[inline(always)]
pub(crate) unsafe fn set_digit(int: *mut ffi::PyObject, digit: u32) {
    // SAFETY: an `int` has memory for at least one digit, and the caller guarantees that this is one.
    unsafe { (&raw mut (*int.cast::<Digits>()).parts).cast::<u32>().write(digit) };
}

/// Verifies that the layout is the one expected here.
///
/// # Errors
/// Never fails in practice.
pub(super) fn know_layout(py: Python<'_>) -> PyResult<()> {
    // Values at the limits of one and two digits, of 15 bits and of 30 bits.
    let borders = [0, 1, 5, (1 << 15) - 1, 1 << 15, (1 << 30) - 1, 1 << 30, (1 << 45) + 7, (1 << 60) - 1];
    let mut known = cfg!(target_pointer_width = "64");
    for value in borders.into_iter().flat_map(|value: i64| [value, -value]) {
        let int = value.into_pyobject(py)?;
        // SAFETY: an `int`. Only as many digits are read as its tag says.
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

/// Returns the value if it fits into 64 bits and the fast path applies.
///
/// # Safety
/// The pointer is to a live instance of `int` or a subclass.
#[inline(always)]
pub(super) unsafe fn small(int: *mut ffi::PyObject) -> Option<i64> {
    // SAFETY: as the caller guarantees.
    if KNOWN_LAYOUT.load(Ordering::Relaxed) { unsafe { of_two_digits(int) } } else { None }
}

/// Returns the value of an int that is not negative and has at most 128 bits, digit by digit; `None` for any other one,
/// or if the layout is unknown.
///
/// # Safety
/// As [`small`].
#[inline]
pub(super) unsafe fn of_128_bits(int: *mut ffi::PyObject) -> Option<u128> {
    if !KNOWN_LAYOUT.load(Ordering::Relaxed) {
        return None;
    }
    let int = int.cast::<Digits>();
    // SAFETY: an `int` has memory for as many digits as its tag says, and for at least one.
    unsafe {
        let tag = (*int).tag;
        // Zero and negative ints have other tags.
        let count = if cfg!(Py_3_12) { (tag.trailing_zeros() >= 3).then_some(tag >> 3)? } else { tag };
        if !(1..=5).contains(&count) {
            return None;
        }
        let digits = (&raw const (*int).parts).cast::<u32>();
        let digit = |at: isize| u128::from(*digits.offset(at));
        let lower = (0..count.min(4)).fold(0, |sum, at| sum | digit(at) << (30 * at));
        if count < 5 {
            return Some(lower);
        }
        let highest = digit(4);
        (highest < 1 << 8).then_some(lower | highest << 120)
    }
}

/// The most bytes that [`bytes`] has; see the decoder's limit of the same name.
pub(super) const MOST_BYTES: usize = crate::decode::MOST_BYTES;

/// Returns an int beyond 64 bits as big-endian bytes: their unsigned number, or, if the last part is true, -1 minus
/// that. `None` for other ints, and for one of more than [`MOST_BYTES`]. The bytes begin at the index.
///
/// # Safety
/// As [`small`].
pub(super) unsafe fn bytes(int: *mut ffi::PyObject) -> Option<([u8; MOST_BYTES], usize, bool)> {
    if !KNOWN_LAYOUT.load(Ordering::Relaxed) {
        return None;
    }
    // SAFETY: an `int`, as the caller guarantees.
    let (digits, negative) = unsafe { digits(int) };
    // Whole pairs of digits, 15 bytes in four, fit surely.
    if digits.len() * DIGIT as usize > (MOST_BYTES - 8) * 8 {
        return None;
    }
    let mut bytes = [0; MOST_BYTES];
    let (mut at, mut word, mut bits, mut borrow) = (MOST_BYTES, 0_u64, 0, u64::from(negative));
    for digit in digits {
        // -1 minus the bytes is the number, so that they are one less than its absolute value.
        let less = u64::from(*digit).wrapping_sub(borrow);
        borrow = less >> 63;
        word |= (less & ((1 << DIGIT) - 1)) << bits;
        bits += DIGIT;
        while bits >= 8 {
            at -= 1;
            bytes[at] = word as u8;
            word >>= 8;
            bits -= 8;
        }
    }
    at -= 1;
    bytes[at] = word as u8;
    let begin = at + bytes[at..].iter().take_while(|byte| **byte == 0).count();
    (MOST_BYTES - begin > 8).then_some((bytes, begin, negative))
}

/// The most digits of an int that [`decimal`] converts: 600 bits, fewer than 200 decimal digits.
const MOST_DIGITS: usize = 20;
/// The decimal digits of a word in [`decimal`].
const WORD: usize = 9;
/// The words that hold [`MOST_DIGITS`].
const WORDS: usize = MOST_DIGITS * DIGIT as usize * 31 / 100 / WORD + 1;

/// Returns the decimal digits of an int, with its sign; `None` if it is larger than [`MOST_DIGITS`], or if the layout is
/// unknown. The time is quadratic, but little.
///
/// # Safety
/// As [`small`].
unsafe fn decimal(int: *mut ffi::PyObject) -> Option<String> {
    /// One more than the largest word.
    const UNIT: u64 = 1_000_000_000;
    if !KNOWN_LAYOUT.load(Ordering::Relaxed) {
        return None;
    }
    // SAFETY: an `int`, as the caller guarantees.
    let (digits, negative) = unsafe { digits(int) };
    if digits.len() > MOST_DIGITS {
        return None;
    }
    let (mut words, mut count) = ([0_u64; WORDS], 0);
    for digit in digits.iter().rev() {
        let mut carry = u64::from(*digit);
        for word in &mut words[..count] {
            let sum = (*word << DIGIT) + carry;
            (*word, carry) = (sum % UNIT, sum / UNIT);
        }
        while carry > 0 {
            words[count] = carry % UNIT;
            carry /= UNIT;
            count += 1;
        }
    }
    let mut text = String::with_capacity(WORD * count + 1);
    if negative {
        text.push('-');
    }
    let highest = words[..count].last().copied().unwrap_or_default();
    let mut part = [0; WORD];
    let mut first = WORD - highest.checked_ilog10().unwrap_or_default() as usize - 1;
    for word in words[..count.max(1)].iter().rev() {
        let mut rest = *word as u32;
        for place in part.iter_mut().rev() {
            *place = b'0' + (rest % 10) as u8;
            rest /= 10;
        }
        text.push_str(core::str::from_utf8(&part[first..]).ok()?);
        first = 0;
    }
    Some(text)
}

/// Returns whether [`any`] runs user code for an int: Python converts it, which allocates objects and imports modules.
///
/// # Safety
/// As [`small`].
pub(super) unsafe fn is_huge(int: *mut ffi::PyObject) -> bool {
    // SAFETY: an `int`, as the caller guarantees.
    !KNOWN_LAYOUT.load(Ordering::Relaxed) || unsafe { digits(int) }.0.len() > MOST_DIGITS
}

/// Returns the value of an int if it fits into 64 bits, with a sign or without.
///
/// # Safety
/// As [`digits`].
unsafe fn of_64_bits(int: *mut ffi::PyObject) -> Option<Int<'static>> {
    // SAFETY: as the caller guarantees.
    let (digits, negative) = unsafe { digits(int) };
    if digits.len() > 3 {
        return None;
    }
    let size = digits.iter().rev().fold(0_u128, |size, digit| size << DIGIT | u128::from(*digit));
    let size = i128::try_from(size).ok()?;
    let value = if negative { -size } else { size };
    i64::try_from(value).map(Int::I64).or_else(|_| u64::try_from(value).map(Int::U64)).ok()
}

/// Returns the digits of an int, of 30 bits each, the least significant first; and whether it is negative.
///
/// # Safety
/// The pointer is to a live `int`, and the layout is known. The digits live as long as the int.
unsafe fn digits<'i>(int: *mut ffi::PyObject) -> (&'i [u32], bool) {
    let int = int.cast::<Digits>();
    // SAFETY: an `int`, whose digits are counted by its tag.
    unsafe {
        let tag = (*int).tag;
        #[cfg(not(Py_3_12))]
        let (count, negative) = (tag.unsigned_abs(), tag < 0);
        #[cfg(Py_3_12)]
        let (count, negative) = (tag.cast_unsigned() >> 3, tag & 3 == 2);
        (core::slice::from_raw_parts((&raw const (*int).parts).cast::<u32>(), count), negative)
    }
}

/// Returns an int of any size.
///
/// # Safety
/// As [`small`].
///
/// # Errors
/// If memory runs out. The inner error: the int has more digits than the interpreter allows.
#[inline(never)]
pub(super) unsafe fn any<'a>(int: *mut ffi::PyObject) -> PyResult<demat_core::Result<Int<'a>>> {
    if KNOWN_LAYOUT.load(Ordering::Relaxed) {
        // SAFETY: an `int`, as the caller guarantees.
        if let Some(int) = unsafe { of_64_bits(int) } {
            return Ok(Ok(int));
        }
    } else {
        let mut overflow = 0;
        // SAFETY: an `int`, as the caller guarantees; the call can't fail for one.
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
            // SAFETY: the GIL is held. The exception says that the int was too large, which is no error here.
            unsafe { ffi::PyErr_Clear() };
        }
    }
    // SAFETY: as above.
    if let Some(digits) = unsafe { decimal(int) } {
        return Ok(Ok(Int::Big(Cow::Owned(digits))));
    }
    // SAFETY: the GIL is held, and the object is alive.
    let int = unsafe { pyo3::Borrowed::from_ptr(Python::assume_attached(), int) };
    Ok(big::digits(&int)?.map(|digits| Int::Big(Cow::Owned(digits))))
}
