//! The grammar of numbers, RFC 8259 section 6.

use super::eight_digits::leading_digits;
use crate::scan::{digits_end, padded8};

/// The result of [`scan_number`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NumberScan {
    /// The end of the number. With a fault, the position of the wrong or missing byte.
    pub end: usize,
    /// Whether it has neither fraction nor exponent. `-0` is an integer by that; its sign is for the reader to
    /// interpret.
    pub integer: bool,
    /// Why the text is no number.
    pub fault: Option<NumberFault>,
}

/// Why text is no number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NumberFault {
    /// The input ends where a digit is required. With more input it could become a number.
    End,
    /// No digit where the number starts.
    Digit,
    /// A digit after a leading zero.
    LeadingZero,
    /// No digit after the decimal point.
    Fraction,
    /// No digit in the exponent.
    Exponent,
}

/// Finds the end of the number at `from` by the strict grammar: no leading zeros, no plus sign, digits on both sides of
/// the point.
///
/// It does not check what follows the number. A number that ends with the input may continue in a stream.
///
/// ```
/// use demat_formats::text::{NumberFault, scan_number};
/// let found = scan_number(b"[-12.5e3]", 1);
/// assert_eq!((found.end, found.integer, found.fault), (8, false, None));
/// assert!(scan_number(b"42", 0).integer);
/// assert_eq!(scan_number(b"1.", 0).fault, Some(NumberFault::End));
/// assert_eq!(scan_number(b"01", 0).fault, Some(NumberFault::LeadingZero));
/// ```
#[inline]
pub fn scan_number(bytes: &[u8], from: usize) -> NumberScan {
    let start = from.min(bytes.len());
    let first = start + usize::from(bytes.get(start) == Some(&b'-'));
    let mut end = run_end(bytes, first);
    if end == first {
        return fault(bytes, end, NumberFault::Digit);
    }
    if bytes[first] == b'0' && end > first + 1 {
        return fault(bytes, first + 1, NumberFault::LeadingZero);
    }
    let mut integer = true;
    if bytes.get(end) == Some(&b'.') {
        integer = false;
        let first = end + 1;
        end = run_end(bytes, first);
        if end == first {
            return fault(bytes, end, NumberFault::Fraction);
        }
    }
    if let Some(b'e' | b'E') = bytes.get(end) {
        integer = false;
        let first = end + 1 + usize::from(matches!(bytes.get(end + 1), Some(b'+' | b'-')));
        end = run_end(bytes, first);
        if end == first {
            return fault(bytes, end, NumberFault::Exponent);
        }
    }
    NumberScan { end, integer, fault: None }
}

/// Returns the end of the run of digits at `at`. Nearly all runs are shorter than eight digits.
#[inline(always)]
fn run_end(bytes: &[u8], at: usize) -> usize {
    let count = leading_digits(padded8(bytes, at));
    if count < 8 { at + count } else { long_run_end(bytes, at + 8) }
}

#[inline(never)]
fn long_run_end(bytes: &[u8], at: usize) -> usize {
    digits_end(bytes, at)
}

#[cold]
fn fault(bytes: &[u8], end: usize, fault: NumberFault) -> NumberScan {
    let fault = if end >= bytes.len() { NumberFault::End } else { fault };
    NumberScan { end, integer: false, fault: Some(fault) }
}
