//! The `demat` command in the interpreter's process.

use crate::plan::{Face, Program, plan_of};
use demat_core::{Error, ErrorKind, Result, Shape};
use demat_place::{Format, Host};
use pyo3::prelude::*;
use std::ffi::OsString;

/// Runs the `demat` command in this process, which belongs to the command from now on. Returns the exit code.
#[pyfunction]
#[pyo3(signature = (arguments, /))]
pub(crate) fn command(py: Python<'_>, arguments: Vec<OsString>) -> u8 {
    py.detach(|| demat_cli::program_of(arguments, Some(class)))
}

/// Finds a class by `module:Class`, for records of a format.
fn class(name: &str, format: Format) -> Result<(Shape, Host)> {
    Python::attach(|py| {
        let found = || -> PyResult<(Shape, Host)> {
            let class = py.import("demat._command")?.getattr("class_of")?.call1((name,))?;
            let plan = plan_of(&class)?;
            plan.get().program.without_others()?;
            plan.get().program.without_arrays("the command")?;
            Ok((plan.get().program.shape_copied(py, format, &[], false)?, Program::host(&plan, Face::Read)?))
        };
        found().map_err(|raised| Error::new(ErrorKind::Constraint, raised.to_string()))
    })
}
