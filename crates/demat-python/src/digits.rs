//! The limit on decimal digits of an int.

use demat_core::{Error, Result};
use pyo3::intern;
use pyo3::prelude::*;

/// The lowest limit that Python lets a program set. Up to this number of digits, no check is needed.
const ALWAYS: usize = 640;

/// Refuses more digits than `sys.get_int_max_str_digits()` allows: the time of a conversion grows with the square of
/// the number of digits.
///
/// # Errors
/// A limit error if there are more digits.
#[inline]
pub(crate) fn check(py: Python<'_>, digits: usize) -> Result<()> {
    if digits <= ALWAYS { Ok(()) } else { check_many(py, digits) }
}

#[cold]
#[inline(never)]
fn check_many(py: Python<'_>, digits: usize) -> Result<()> {
    // Without the function there is no limit; zero also means none.
    let limit = py.import(intern!(py, "sys")).and_then(|sys| sys.call_method0(intern!(py, "get_int_max_str_digits")));
    let limit: usize = limit.and_then(|limit| limit.extract()).unwrap_or(0);
    if limit == 0 || digits <= limit {
        return Ok(());
    }
    Err(Error::limit("the number of an int's digits", format!("{limit} (`sys.set_int_max_str_digits`)")))
}
