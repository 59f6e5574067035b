//! Converts column vectors that were read from a table's pages to Arrow batches.

use arrow_array::{ArrayRef, BooleanArray, Float64Array, Int64Array, RecordBatch, StringArray};
use arrow_buffer::{Buffer, NullBuffer, OffsetBuffer, ScalarBuffer};
use arrow_schema::{ArrowError, SchemaRef};
use demat_core::{Error, ErrorKind, Result};
use demat_sqlite::scan::{Values, Vector, Vectors};
use std::sync::Arc;

/// Converts vectors to a batch without copying values.
///
/// # Errors
/// Never fails for vectors of a table.
pub(super) fn batch(schema: &SchemaRef, vectors: Vectors) -> Result<RecordBatch> {
    let columns: core::result::Result<Vec<_>, _> = vectors.columns.into_iter().map(array).collect();
    let batch = columns.and_then(|columns| RecordBatch::try_new(schema.clone(), columns));
    batch.map_err(|error| Error::new(ErrorKind::Encode, format!("the columns make no batch: {error}")))
}

/// Releases the unused capacity. Its pages were never touched, but would be counted as memory in use.
fn shrunk<T>(mut values: Vec<T>) -> Vec<T> {
    values.shrink_to_fit();
    values
}

fn array(vector: Vector) -> core::result::Result<ArrayRef, ArrowError> {
    let nulls = vector.valid.map(NullBuffer::from);
    Ok(match vector.values {
        Values::Ints(values) => Arc::new(Int64Array::try_new(shrunk(values).into(), nulls)?),
        Values::Floats(values) => Arc::new(Float64Array::try_new(shrunk(values).into(), nulls)?),
        Values::Bools(values) => Arc::new(BooleanArray::new(values.into(), nulls)),
        Values::Texts { offsets, data } => {
            let offsets = OffsetBuffer::new(ScalarBuffer::from(shrunk(offsets)));
            // SAFETY: all text was validated as UTF-8, value by value or as a whole; offsets ascend and are within the
            // data.
            Arc::new(unsafe { StringArray::new_unchecked(offsets, Buffer::from_vec(shrunk(data)), nulls) })
        }
    })
}
