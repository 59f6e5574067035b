use arrow_buffer::{BooleanBufferBuilder, NullBuffer};

/// The null rows of a column. Stores nothing up to the first null, nor behind the last.
#[derive(Debug, Default)]
pub(crate) struct Nulls(Option<BooleanBufferBuilder>);

impl Nulls {
    /// Marks the next row, which has this index, as null.
    #[inline(never)]
    pub(crate) fn push(&mut self, row: usize) {
        let bits = self.0.get_or_insert_with(|| BooleanBufferBuilder::new(row + 1024));
        bits.append_n(row - bits.len().min(row), true);
        bits.append(false);
    }

    /// Removes the rows from this one on.
    pub(crate) fn truncate(&mut self, rows: usize) {
        if let Some(bits) = &mut self.0
            && bits.len() > rows
        {
            bits.truncate(rows);
        }
    }

    /// Returns the null buffer for a number of rows, and resets itself.
    pub(crate) fn finish(&mut self, rows: usize) -> Option<NullBuffer> {
        let mut bits = self.0.take()?;
        bits.append_n(rows - bits.len().min(rows), true);
        let nulls = NullBuffer::new(bits.finish());
        (nulls.null_count() > 0).then_some(nulls)
    }

    /// The number of bytes held.
    pub(crate) fn bytes(&self) -> usize {
        self.0.as_ref().map_or(0, |bits| bits.len() / 8)
    }
}
