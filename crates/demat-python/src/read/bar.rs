//! Shows the progress of reading.

use super::options::ProgressTarget;
use demat_cli::Bar;
use demat_place::Progress;
use pyo3::prelude::*;

/// Shows the progress of reading.
pub(crate) enum Meter {
    None,
    /// A bar on standard error.
    Bar(Box<Bar>),
    Function(Py<PyAny>),
}

// SAFETY: a reader is used by one thread at a time.
unsafe impl Send for Meter {}

impl Meter {
    pub(crate) fn of(target: ProgressTarget) -> Self {
        match target {
            ProgressTarget::Nobody => Self::None,
            ProgressTarget::Bar => Self::Bar(Box::new(Bar::new())),
            ProgressTarget::Function(function) => Self::Function(function),
        }
    }

    /// # Errors
    /// The exception that the function raises.
    pub(crate) fn show(&mut self, py: Python<'_>, progress: Progress) -> PyResult<()> {
        match self {
            Self::None => {}
            Self::Bar(bar) => bar.show(progress),
            Self::Function(function) => {
                function.bind(py).call1((progress.read, progress.total))?;
            }
        }
        Ok(())
    }

    pub(crate) fn clear(&mut self) {
        if let Self::Bar(bar) = self {
            bar.clear();
            *self = Self::None;
        }
    }
}
