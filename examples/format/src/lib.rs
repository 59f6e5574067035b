//! A format of your own, in one file and registered with one line.

pub mod rec;

use demat_place::{Format, TakenName};

/// Adds recfiles to the formats of this program.
///
/// # Errors
/// If another format has the name, the suffix or the media type.
pub fn register() -> Result<Format, TakenName> {
    Format::register(&rec::RecCodec)
}

/// The Python package's native module, with recfiles among its formats.
#[cfg(feature = "python")]
#[pyo3::pymodule]
mod demat_rec {
    use pyo3::exceptions::PyRuntimeError;
    use pyo3::prelude::*;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        crate::register().map_err(|error| PyRuntimeError::new_err(error.to_string()))?;
        demat_python::install(module)
    }
}
