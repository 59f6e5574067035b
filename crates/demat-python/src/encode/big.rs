//! Converts ints of thousands of digits to decimal.

use demat_core::Result;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyInt};

/// Ints up to this number of bits are converted by the interpreter without a limit. Above 640 digits it may refuse, as
/// its conversion takes quadratic time.
const SMALL: usize = 2_000;

/// The decimal digits of a number, with its sign.
///
/// # Errors
/// If memory runs out. The inner error: the int has more digits than the interpreter allows.
#[cold]
pub(super) fn digits(int: &Bound<'_, PyAny>) -> PyResult<Result<String>> {
    let py = int.py();
    // A subclass may override the conversions.
    let int = match int.cast_exact::<PyInt>() {
        Ok(int) => int.as_any().clone(),
        Err(_) => py.get_type::<PyInt>().call_method1(intern!(py, "__pos__"), (int,))?,
    };
    let bits: usize = int.call_method0(intern!(py, "bit_length"))?.extract()?;
    if bits <= SMALL {
        return int.repr()?.to_str().map(|digits| Ok(digits.to_string()));
    }
    // Lower bound on the digits, at 0.301 digits per bit. It avoids the conversion for ints that are clearly too long.
    if let Err(error) = crate::digits::check(py, (bits - 1) / 100 * 30) {
        return Ok(Err(error));
    }
    let size = int.call_method0(intern!(py, "__abs__"))?;
    let halves = Halves::new(py)?;
    let digits = halves.decimal(&size, bits)?;
    let digits: String = digits.call_method0(intern!(py, "__str__"))?.extract()?;
    let allowed = crate::digits::check(py, digits.len());
    let signed = if int.lt(0)? { format!("-{digits}") } else { digits };
    Ok(allowed.map(|()| signed))
}

/// Converts an int to decimal by halves: converts each half, and multiplies the upper one by its power of two.
///
/// The multiplications are those of `decimal`, which take nearly linear time. They dominate.
struct Halves<'py> {
    /// A context with exact arithmetic of any size.
    context: Bound<'py, PyAny>,
    decimal: Bound<'py, PyAny>,
    /// Powers of two by exponent: each is needed many times.
    powers: Bound<'py, PyDict>,
}

impl<'py> Halves<'py> {
    fn new(py: Python<'py>) -> PyResult<Self> {
        let module = py.import(intern!(py, "decimal"))?;
        let given = PyDict::new(py);
        for (name, limit) in [("prec", "MAX_PREC"), ("Emax", "MAX_EMAX"), ("Emin", "MIN_EMIN")] {
            given.set_item(name, module.getattr(limit)?)?;
        }
        given.set_item("traps", [module.getattr("Inexact")?])?;
        let context = module.getattr("Context")?.call((), Some(&given))?;
        Ok(Self { context, decimal: module.getattr("Decimal")?, powers: PyDict::new(py) })
    }

    fn decimal(&self, int: &Bound<'py, PyAny>, bits: usize) -> PyResult<Bound<'py, PyAny>> {
        if bits <= SMALL {
            return self.decimal.call1((int,));
        }
        let py = int.py();
        let half = bits / 2;
        let upper = int.rshift(half)?;
        let lower = int.bitxor(upper.lshift(half)?)?;
        let upper = self.context.call_method1(
            intern!(py, "multiply"),
            (self.decimal(&upper, bits - half)?, self.power_of_two(py, half)?),
        )?;
        self.context.call_method1(intern!(py, "add"), (upper, self.decimal(&lower, half)?))
    }

    fn power_of_two(&self, py: Python<'py>, exponent: usize) -> PyResult<Bound<'py, PyAny>> {
        if let Some(known) = self.powers.get_item(exponent)? {
            return Ok(known);
        }
        let power = if exponent <= SMALL {
            self.decimal.call1((1_i32.into_pyobject(py)?.lshift(exponent)?,))?
        } else {
            let half = self.power_of_two(py, exponent / 2)?;
            let square = self.context.call_method1(intern!(py, "multiply"), (&half, &half))?;
            if exponent.is_multiple_of(2) {
                square
            } else {
                self.context.call_method1(intern!(py, "multiply"), (square, 2))?
            }
        };
        self.powers.set_item(exponent, &power)?;
        Ok(power)
    }
}
