//! The native module of the Python package.
//!
//! Python describes types ([`plan`]), and everything that is done a million times is done here: values are asked for and
//! built ([`decode`]) or told ([`encode`]) as a plan says, with the contract's sources and sinks at the other end.

mod collector;
mod encode;
mod error;
mod format;
mod object;
mod plan;
mod raw;

use pyo3::prelude::*;

#[pymodule]
fn _native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    encode::know_layout(module.py())?;
    module.add_class::<plan::Plan>()?;
    module.add_class::<raw::Raw>()?;
    module.add_class::<encode::Encoder>()?;
    module.add_function(wrap_pyfunction!(encode::encoder::encoder_of, module)?)?;
    Ok(())
}
