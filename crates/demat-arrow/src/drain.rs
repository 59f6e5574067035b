use arrow_array::RecordBatch;
use arrow_schema::SchemaRef;
use demat_core::Result;

/// Where finished batches go.
pub trait BatchDrain {
    /// Batches of this schema follow.
    ///
    /// # Errors
    /// What the place says.
    fn begin(&mut self, schema: &SchemaRef) -> Result<()> {
        let _ = schema;
        Ok(())
    }

    /// Takes a batch.
    ///
    /// # Errors
    /// What the place says.
    fn batch(&mut self, batch: RecordBatch) -> Result<()>;

    /// No more batches follow.
    ///
    /// # Errors
    /// What the place says.
    fn finish(&mut self) -> Result<()> {
        Ok(())
    }
}

/// Keeps them.
impl BatchDrain for Vec<RecordBatch> {
    fn batch(&mut self, batch: RecordBatch) -> Result<()> {
        self.push(batch);
        Ok(())
    }
}
