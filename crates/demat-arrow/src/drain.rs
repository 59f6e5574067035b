use arrow_array::RecordBatch;
use arrow_schema::SchemaRef;
use demat_core::Result;

/// The destination of finished batches.
pub trait BatchDrain {
    /// Begins the output with a schema, before the first batch.
    ///
    /// # Errors
    /// The errors of the destination.
    fn begin(&mut self, schema: &SchemaRef) -> Result<()> {
        let _ = schema;
        Ok(())
    }

    /// Takes a batch.
    ///
    /// # Errors
    /// The errors of the destination.
    fn batch(&mut self, batch: RecordBatch) -> Result<()>;

    /// Ends the output, after the last batch.
    ///
    /// # Errors
    /// The errors of the destination.
    fn finish(&mut self) -> Result<()> {
        Ok(())
    }
}

/// Collects the batches.
impl BatchDrain for Vec<RecordBatch> {
    fn batch(&mut self, batch: RecordBatch) -> Result<()> {
        self.push(batch);
        Ok(())
    }
}
