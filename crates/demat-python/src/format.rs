//! The formats that have a module of the package.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// The formats, by which the engines are instantiated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Format {
    Json,
    Ndjson,
    Csv,
    Proto,
}

impl Format {
    /// All of them.
    pub(crate) const ALL: [Self; 4] = [Self::Json, Self::Ndjson, Self::Csv, Self::Proto];

    /// The format as places know it: with its name, suffixes and media types.
    pub(crate) fn of_places(self) -> demat_place::Format {
        match self {
            Self::Json => demat_place::Format::Json,
            Self::Ndjson => demat_place::Format::Ndjson,
            Self::Csv => demat_place::Format::Csv,
            Self::Proto => demat_place::Format::Proto,
        }
    }

    /// Its name, which is that of its module, too.
    pub(crate) fn name(self) -> &'static str {
        self.of_places().name()
    }

    /// The format whose options a format of places takes, if any: TSV takes those of CSV.
    pub(crate) fn of_options(format: demat_place::Format) -> Option<Self> {
        let like = if format.is_table() { Self::Csv.of_places() } else { format };
        Self::ALL.into_iter().find(|own| own.of_places() == like)
    }

    /// The format of this name.
    pub(crate) fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|format| format.name() == name)
    }

    /// The format of this name.
    ///
    /// # Errors
    /// `ValueError` with all names if there is none.
    pub(crate) fn find(name: &str) -> PyResult<Self> {
        Self::named(name).ok_or_else(|| {
            let names: Vec<_> = Self::ALL.into_iter().map(Self::name).collect();
            PyValueError::new_err(format!("no format is called {name:?}; there are {}", names.join(", ")))
        })
    }
}

/// The `Content-Type` of a format, by its name.
///
/// # Errors
/// `ValueError` if no format is called so.
#[pyfunction]
pub(crate) fn content_type(format: &str) -> PyResult<&'static str> {
    Ok(Format::find(format)?.of_places().content_type())
}
