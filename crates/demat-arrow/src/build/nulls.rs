use arrow_buffer::{BooleanBufferBuilder, NullBuffer};

/// Which rows of a column are null; nothing is kept up to the first of them, nor behind the last.
#[derive(Debug, Default)]
pub(crate) struct Nulls(Option<BooleanBufferBuilder>);

impl Nulls {
    /// The next row, of this index, is null.
    #[inline(never)]
    pub(crate) fn push(&mut self, row: usize) {
        let bits = self.0.get_or_insert_with(|| BooleanBufferBuilder::new(row + 1024));
        bits.append_n(row - bits.len().min(row), true);
        bits.append(false);
    }

    /// Forgets the rows from this one on.
    pub(crate) fn truncate(&mut self, rows: usize) {
        if let Some(bits) = &mut self.0
            && bits.len() > rows
        {
            bits.truncate(rows);
        }
    }

    /// Those of so many rows, which begin anew.
    pub(crate) fn finish(&mut self, rows: usize) -> Option<NullBuffer> {
        let mut bits = self.0.take()?;
        bits.append_n(rows - bits.len().min(rows), true);
        let nulls = NullBuffer::new(bits.finish());
        (nulls.null_count() > 0).then_some(nulls)
    }

    /// Bytes held.
    pub(crate) fn bytes(&self) -> usize {
        self.0.as_ref().map_or(0, |bits| bits.len() / 8)
    }
}
