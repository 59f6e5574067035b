use pyo3::prelude::*;
use std::ffi::OsString;

/// Runs the `demat` command in this process, which belongs to the command from now on. Returns the exit code.
#[pyfunction]
#[pyo3(signature = (arguments, /))]
pub(crate) fn command(py: Python<'_>, arguments: Vec<OsString>) -> u8 {
    py.detach(|| demat_cli::program(arguments))
}
