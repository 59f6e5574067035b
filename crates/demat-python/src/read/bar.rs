//! Telling how far reading has come.

use super::options::Told;
use demat_cli::Bar;
use demat_place::Progress;
use pyo3::prelude::*;

/// Who is told how far reading has come.
pub(crate) enum Meter {
    None,
    /// People, on standard error.
    Bar(Box<Bar>),
    Function(Py<PyAny>),
}

// SAFETY: a reader is used by one thread at a time.
unsafe impl Send for Meter {}

impl Meter {
    pub(crate) fn of(told: Told) -> Self {
        match told {
            Told::Nobody => Self::None,
            Told::Bar => Self::Bar(Box::new(Bar::new())),
            Told::Function(function) => Self::Function(function),
        }
    }

    /// # Errors
    /// What the function raises.
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
