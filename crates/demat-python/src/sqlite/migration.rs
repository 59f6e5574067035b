//! Migrations of tables to classes.

use super::detached;
use demat_sqlite::Allow;
use pyo3::prelude::*;

/// A planned migration; the base of `demat.sqlite.Migration`.
#[pyclass(frozen, module = "demat._native", name = "Migration")]
pub(crate) struct Migration(demat_sqlite::Migration);

impl Migration {
    /// Wraps a migration.
    pub(super) fn new(migration: demat_sqlite::Migration) -> Self {
        Self(migration)
    }
}

#[pymethods]
impl Migration {
    /// Returns what each step does, and its SQL.
    fn steps(&self) -> Vec<(String, String)> {
        self.0.steps().iter().map(|step| (step.what.clone(), step.sql.clone())).collect()
    }

    /// Returns the word that allows each loss, and what is lost.
    fn losses(&self) -> Vec<(&'static str, String)> {
        self.0.losses().iter().map(|loss| (loss.word(), loss.what.clone())).collect()
    }

    /// Returns the SQL of all steps.
    fn sql(&self) -> String {
        self.0.to_string()
    }

    /// Takes all steps in one transaction.
    fn apply(&self, py: Python<'_>, drop: bool, narrow: bool) -> PyResult<()> {
        detached(py, || self.0.apply(Allow { drop, narrow }))
    }
}
