//! Writes rows with the GIL released.

use demat_core::Result;
use demat_postgres::{CopyIn, RowWriter};
use pyo3::prelude::*;
use std::sync::Arc;

/// Passes rows on while other threads run.
pub(super) struct Detached<'py> {
    py: Python<'py>,
    inner: CopyIn,
}

impl<'py> Detached<'py> {
    pub(super) fn new(py: Python<'py>, inner: CopyIn) -> Self {
        Self { py, inner }
    }
}

impl RowWriter for Detached<'_> {
    fn write(&mut self, columns: &Arc<[usize]>, rows: &[u8], count: u64) -> Result<()> {
        let inner = &mut self.inner;
        self.py.detach(|| inner.write(columns, rows, count))
    }

    fn finish(&mut self) -> Result<()> {
        let inner = &mut self.inner;
        self.py.detach(|| inner.finish())
    }
}
