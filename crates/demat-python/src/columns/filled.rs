//! Converts column vectors that were read from a table's pages to Arrow batches.

use arrow_array::builder::StringDictionaryBuilder;
use arrow_array::types::{Int8Type, Int16Type, Int32Type, UInt8Type, UInt16Type, UInt32Type, UInt64Type};
use arrow_array::{
    ArrayRef, ArrowPrimitiveType, BooleanArray, Float64Array, Int64Array, PrimitiveArray, RecordBatch, StringArray,
};
use arrow_buffer::{Buffer, NullBuffer, OffsetBuffer, ScalarBuffer};
use arrow_schema::{ArrowError, DataType, SchemaRef};
use demat_core::{Error, ErrorKind, Result};
use demat_sqlite::scan::{Values, Vector, Vectors};
use std::sync::Arc;

/// Converts vectors to a batch, without copying values except to narrower columns and to dictionaries.
///
/// # Errors
/// If a number is beyond its narrow column.
pub(super) fn batch(schema: &SchemaRef, vectors: Vectors) -> Result<RecordBatch> {
    let columns: core::result::Result<Vec<_>, _> = {
        let fields = schema.fields().iter().map(|field| field.data_type());
        vectors.columns.into_iter().zip(fields).map(|(vector, data_type)| array(vector, data_type)).collect()
    };
    let batch = columns.and_then(|columns| RecordBatch::try_new(schema.clone(), columns));
    batch.map_err(|error| Error::new(ErrorKind::Encode, format!("the columns make no batch: {error}")))
}

/// Releases the unused capacity. Its pages were never touched, but would be counted as memory in use.
fn shrunk<T>(mut values: Vec<T>) -> Vec<T> {
    values.shrink_to_fit();
    values
}

/// Copies numbers to a narrower column. What stands at a null is arbitrary.
pub(super) fn narrow<T: ArrowPrimitiveType>(
    values: &[i64],
    nulls: Option<NullBuffer>,
) -> core::result::Result<ArrayRef, ArrowError>
where
    T::Native: TryFrom<i64>,
{
    let is_null = |row| nulls.as_ref().is_some_and(|nulls: &NullBuffer| nulls.is_null(row));
    let value = |(row, value): (usize, &i64)| T::Native::try_from(if is_null(row) { 0 } else { *value });
    let narrow = values.iter().enumerate().map(value).collect::<core::result::Result<Vec<_>, _>>();
    let narrow = narrow.map_err(|_| ArrowError::ComputeError("a number is beyond its column".to_string()))?;
    Ok(Arc::new(PrimitiveArray::<T>::try_new(narrow.into(), nulls)?))
}

fn array(vector: Vector, data_type: &DataType) -> core::result::Result<ArrayRef, ArrowError> {
    let nulls = vector.valid.map(NullBuffer::from);
    Ok(match vector.values {
        Values::Ints(values) if *data_type != DataType::Int64 => match data_type {
            DataType::Int8 => narrow::<Int8Type>(&values, nulls)?,
            DataType::Int16 => narrow::<Int16Type>(&values, nulls)?,
            DataType::Int32 => narrow::<Int32Type>(&values, nulls)?,
            DataType::UInt8 => narrow::<UInt8Type>(&values, nulls)?,
            DataType::UInt16 => narrow::<UInt16Type>(&values, nulls)?,
            DataType::UInt32 => narrow::<UInt32Type>(&values, nulls)?,
            _ => narrow::<UInt64Type>(&values, nulls)?,
        },
        Values::Ints(values) => Arc::new(Int64Array::try_new(shrunk(values).into(), nulls)?),
        Values::Floats(values) => Arc::new(Float64Array::try_new(shrunk(values).into(), nulls)?),
        Values::Bools(values) => Arc::new(BooleanArray::new(values.into(), nulls)),
        Values::Texts { offsets, data } => {
            let offsets = OffsetBuffer::new(ScalarBuffer::from(shrunk(offsets)));
            // SAFETY: all text was validated as UTF-8, value by value or as a whole; offsets ascend and are within the
            // data.
            let texts = unsafe { StringArray::new_unchecked(offsets, Buffer::from_vec(shrunk(data)), nulls) };
            if let DataType::Dictionary(..) = data_type {
                let mut dictionary = StringDictionaryBuilder::<Int32Type>::new();
                for text in &texts {
                    match text {
                        Some(text) => {
                            dictionary.append(text)?;
                        }
                        None => dictionary.append_null(),
                    }
                }
                return Ok(Arc::new(dictionary.finish()));
            }
            Arc::new(texts)
        }
    })
}
