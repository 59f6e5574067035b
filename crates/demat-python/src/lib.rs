//! The native module of the Python package.
//!
//! Python describes types ([`plan`]), and everything that is done a million times is done here: values are asked for and
//! built ([`decode`]) or told ([`encode`]) as a plan says, with the contract's sources and sinks at the other end.

mod collector;
mod error;
mod format;
mod object;
mod plan;

use pyo3::prelude::*;

#[pymodule]
fn _native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<plan::Plan>()?;
    Ok(())
}
