//! Opens pipes and devices by their paths.

#[cfg(unix)]
use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;
use std::fs::File;
use std::io;
use std::path::Path;

/// What is done with the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Way {
    /// It is read.
    In,
    /// It is written to.
    Out,
}

/// Opens a named pipe or a device; `None` if the path is none, or is not there. Opening a pipe waits for its other end:
/// other threads run meanwhile, and signals are handled.
///
/// The inner error is the system's.
///
/// # Errors
/// What a signal handler raised.
#[cfg(unix)]
pub(crate) fn open(py: Python<'_>, path: &Path, way: Way) -> PyResult<Option<io::Result<File>>> {
    use std::fs;
    use std::os::fd::{FromRawFd, OwnedFd};

    match fs::metadata(path) {
        Ok(about) if !about.is_file() && !about.is_dir() => {}
        _ => return Ok(None),
    }
    let flags = match way {
        Way::In => libc::O_RDONLY,
        Way::Out => libc::O_WRONLY,
    };
    let opened = py.import("os")?.call_method1("open", (path.as_os_str(), flags | libc::O_CLOEXEC));
    let number: i32 = match opened {
        Ok(number) => number.extract()?,
        Err(raised) if raised.is_instance_of::<PyOSError>(py) => {
            let code = raised.value(py).getattr("errno")?.extract::<Option<i32>>()?;
            return Ok(Some(Err(code.map_or_else(|| io::ErrorKind::Other.into(), io::Error::from_raw_os_error))));
        }
        Err(raised) => return Err(raised),
    };
    // SAFETY: the descriptor was opened just now, and nobody else has it.
    Ok(Some(Ok(File::from(unsafe { OwnedFd::from_raw_fd(number) }))))
}

#[cfg(not(unix))]
pub(crate) fn open(_: Python<'_>, _: &Path, _: Way) -> PyResult<Option<io::Result<File>>> {
    Ok(None)
}
