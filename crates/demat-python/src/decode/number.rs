//! Decodes numbers, bools and None.

use super::Engine;
use crate::digits;
use crate::object::Object;
use demat_core::scalar::Int;
use demat_core::{Error, Mark, Result, Source};
use pyo3::ffi;

impl<'a, S: Source<'a>, const ALL: bool> Engine<'_, 'a, S, ALL> {
    #[inline(always)]
    pub(super) fn int(&mut self) -> Result<Object> {
        let mark = self.source.mark();
        match self.source.try_i64() {
            Ok(Some(int)) => self.small_int(int),
            Ok(None) => self.large_int(mark),
            Err(error) => self.other_int(mark, error),
        }
    }

    #[inline(always)]
    pub(super) fn small_int(&mut self, int: i64) -> Result<Object> {
        let spare = self.ints.take(int);
        // SAFETY: the GIL is held.
        self.made(if spare.is_null() { unsafe { ffi::PyLong_FromLongLong(int) } } else { spare })
    }

    /// Decodes an int beyond 64 bits: from its bytes, if the source has them, and otherwise from its digits.
    #[inline(never)]
    fn large_int(&mut self, mark: Mark) -> Result<Object> {
        if let Some((bytes, negative)) = self.source.int_bytes()?
            && bytes.len() <= MOST_BYTES
        {
            let object = int_of_bytes(&bytes, negative);
            return self.made(object);
        }
        self.source.reset(mark);
        let int = self.source.int()?;
        self.int_object(&int)
    }

    /// Handles a value that is not a 64-bit int: a larger one, or another kind.
    #[cold]
    #[inline(never)]
    fn other_int(&mut self, mark: Mark, error: Error) -> Result<Object> {
        self.source.reset(mark);
        match self.source.int() {
            Ok(int) => self.int_object(&int),
            Err(_) if !self.strict => self.lax_int(mark, error),
            Err(_) => Err(error),
        }
    }

    /// Builds an int. Fails if it has more digits than the interpreter allows.
    pub(super) fn int_object(&mut self, int: &Int<'_>) -> Result<Object> {
        if let Int::Big(digits) = int {
            let count = digits.len() - usize::from(digits.starts_with('-'));
            digits::check(self.py, count).map_err(|error| error.at(self.source.position()))?;
        }
        let object = int_object(int);
        self.made(object)
    }

    #[inline(always)]
    pub(super) fn float(&mut self) -> Result<Object> {
        let mark = self.source.mark();
        match self.source.float() {
            // SAFETY: the GIL is held.
            Ok(float) => self.made(unsafe { ffi::PyFloat_FromDouble(float) }),
            Err(error) if self.strict => Err(error),
            Err(error) => self.lax_float(mark, error),
        }
    }

    #[inline]
    pub(super) fn bool(&mut self) -> Result<Object> {
        let mark = self.source.mark();
        match self.source.bool() {
            Ok(bool) => Ok(Object::bool(bool)),
            Err(error) if self.strict => Err(error),
            Err(error) => self.lax_bool(mark, error),
        }
    }

    pub(super) fn none(&mut self) -> Result<Object> {
        let mark = self.source.mark();
        if self.source.null()? {
            return Ok(Object::none());
        }
        let error = self.source.mismatch("None");
        if self.strict { Err(error) } else { self.lax_none(mark, error) }
    }
}

/// An int of so many bytes has no more digits than any interpreter allows: a limit is 640 digits at least.
pub(crate) const MOST_BYTES: usize = 256;

/// Creates an int of big-endian bytes, or -1 minus it. Null if memory runs out.
fn int_of_bytes(bytes: &[u8], negative: bool) -> *mut ffi::PyObject {
    // SAFETY: the GIL is held; the bytes are read within their length; the first int is dropped or returned.
    unsafe {
        let int = ffi::_PyLong_FromByteArray(bytes.as_ptr(), bytes.len(), 0, 0);
        if !negative || int.is_null() {
            return int;
        }
        let inverted = ffi::PyNumber_Invert(int);
        ffi::Py_DECREF(int);
        inverted
    }
}

/// Creates an int of any size. Null if memory runs out.
fn int_object(int: &Int<'_>) -> *mut ffi::PyObject {
    match int {
        // SAFETY: the GIL is held.
        Int::I64(int) => unsafe { ffi::PyLong_FromLongLong(*int) },
        // SAFETY: as above.
        Int::U64(int) => unsafe { ffi::PyLong_FromUnsignedLongLong(*int) },
        Int::Big(digits) => big_object(digits),
    }
}

/// Fewer digits than this are converted by arithmetic on 64 bits at a time. That takes quadratic time, but little of it.
const SHORT: usize = 200;
/// The number of 64-bit words that hold them, and the sign.
const WORDS: usize = 11;
/// The number of digits that a word surely holds.
const DIGITS_PER_WORD: usize = 19;

/// An int beyond 64 bits, from its digits.
///
/// The interpreter parses decimals in quadratic time, and so refuses more than a few thousand digits. This function
/// splits the digits in halves and uses the interpreter's fast multiplication, for programs that lifted the limit.
fn big_object(digits: &str) -> *mut ffi::PyObject {
    let (negative, digits) = match digits.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, digits),
    };
    if digits.len() < SHORT {
        let (words, count) = words_of(digits.as_bytes(), negative);
        let mut bytes = [0; 8 * WORDS];
        for (place, word) in bytes.chunks_exact_mut(8).zip(words) {
            place.copy_from_slice(&word.to_le_bytes());
        }
        // SAFETY: the GIL is held; the bytes are read within their length.
        return unsafe { ffi::_PyLong_FromByteArray(bytes.as_ptr(), 8 * count, 1, 1) };
    }
    // SAFETY: the GIL is held; every object is dropped or returned.
    unsafe {
        let size = halves(digits.as_bytes());
        if negative && !size.is_null() {
            let object = ffi::PyNumber_Negative(size);
            ffi::Py_DECREF(size);
            return object;
        }
        size
    }
}

/// Converts fewer than [`SHORT`] digits to words, the least significant first, as two's complement. Returns them with the
/// number of those that count.
fn words_of(digits: &[u8], negative: bool) -> ([u64; WORDS], usize) {
    let mut words = [0_u64; WORDS];
    let mut count = 1;
    for chunk in digits.chunks(DIGITS_PER_WORD) {
        let (mut carry, mut unit) = (0_u64, 1_u64);
        for digit in chunk {
            carry = carry * 10 + u64::from(digit.wrapping_sub(b'0'));
            unit *= 10;
        }
        for word in &mut words[..count] {
            let product = u128::from(*word) * u128::from(unit) + u128::from(carry);
            *word = product as u64;
            carry = (product >> 64) as u64;
        }
        if carry > 0 {
            words[count] = carry;
            count += 1;
        }
    }
    // One more bit, for the sign.
    if words[count - 1] >> 63 == 1 {
        count += 1;
    }
    if negative {
        let mut carry = true;
        for word in &mut words[..count] {
            (*word, carry) = (!*word).overflowing_add(u64::from(carry));
        }
    }
    (words, count)
}

/// Returns the int of decimal digits. Null if memory runs out.
///
/// # Safety
/// The GIL is held.
unsafe fn halves(digits: &[u8]) -> *mut ffi::PyObject {
    if digits.len() <= 18 {
        let small = digits.iter().fold(0i64, |value, digit| value * 10 + i64::from(digit - b'0'));
        // SAFETY: as the caller guarantees.
        return unsafe { ffi::PyLong_FromLongLong(small) };
    }
    let low_len = digits.len() / 2;
    let (high, low) = digits.split_at(digits.len() - low_len);
    // SAFETY: as the caller guarantees; each object is owned here and dropped at the end, null ones are skipped.
    unsafe {
        let parts = [halves(high), ffi::PyLong_FromLongLong(10), ffi::PyLong_FromSize_t(low_len), halves(low)];
        let mut result = std::ptr::null_mut();
        if parts.iter().all(|part| !part.is_null()) {
            let power = ffi::PyNumber_Power(parts[1], parts[2], ffi::Py_None());
            if !power.is_null() {
                let product = ffi::PyNumber_Multiply(parts[0], power);
                if !product.is_null() {
                    result = ffi::PyNumber_Add(product, parts[3]);
                    ffi::Py_DECREF(product);
                }
                ffi::Py_DECREF(power);
            }
        }
        for part in parts {
            ffi::Py_XDECREF(part);
        }
        result
    }
}
