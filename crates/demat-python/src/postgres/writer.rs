//! Writes rows with the GIL released.

use demat_core::Result;
use demat_postgres::RowWriter;
use pyo3::prelude::*;
use std::sync::Arc;

/// Passes rows on while other threads run.
pub(super) struct Detached<'py, W> {
    py: Python<'py>,
    inner: W,
}

impl<'py, W> Detached<'py, W> {
    pub(super) fn new(py: Python<'py>, inner: W) -> Self {
        Self { py, inner }
    }

    pub(super) fn into_inner(self) -> W {
        self.inner
    }
}

impl<W: RowWriter + Send> RowWriter for Detached<'_, W> {
    fn write(&mut self, columns: &Arc<[usize]>, rows: &[u8], count: u64) -> Result<()> {
        let inner = &mut self.inner;
        self.py.detach(|| inner.write(columns, rows, count))
    }

    fn finish(&mut self) -> Result<()> {
        let inner = &mut self.inner;
        self.py.detach(|| inner.finish())
    }
}
