//! Reads the rows of a server as columns: directly where each column has the type of its field, else by a sink.

use super::filled::narrow;
use arrow_array::types::{
    Date32Type, DurationMicrosecondType, Float32Type, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type,
    Time64MicrosecondType, TimestampMicrosecondType, UInt8Type, UInt16Type, UInt32Type, UInt64Type,
};
use arrow_array::{
    ArrayRef, ArrowPrimitiveType, BinaryArray, BooleanArray, FixedSizeBinaryArray, PrimitiveArray, RecordBatch,
    StringArray,
};
use arrow_buffer::{Buffer, NullBuffer, OffsetBuffer, ScalarBuffer};
use arrow_schema::{ArrowError, DataType, SchemaRef, TimeUnit};
use demat_arrow::{ColumnsSink, Dictionaries, Options};
use demat_core::{Error, ErrorKind, Result, Shape, Sink};
use demat_postgres::{ColumnFiller, RowSource, Rows, Values, Vector, Vectors};
use std::sync::Arc;

type Sunk = ColumnsSink<Vec<RecordBatch>>;
type AnyRows = RowSource<Box<dyn Rows + Send>>;

/// Reads all rows as batches of a schema.
///
/// # Errors
/// If a row does not match the shape, or the server fails.
pub(super) fn batches(
    rows: &mut AnyRows,
    shape: &Shape,
    schema: &SchemaRef,
    options: &Options,
) -> Result<Vec<RecordBatch>> {
    // Other options change types of columns.
    let is_plain = !options.naive
        && !options.narrow
        && options.decimals.is_none()
        && matches!(options.dictionary, Dictionaries::None);
    let filler = if is_plain { ColumnFiller::of(rows, shape, Sunk::ROWS, Sunk::BYTES) } else { None };
    let Some(filler) = filler else { return one_by_one(rows, shape, options) };
    let mut batches = Vec::new();
    let filled = filler.fill(rows, |vectors| {
        batches.push(batch(schema, vectors)?);
        Ok(())
    })?;
    if !filled.whole {
        // It reports the error of the next row.
        let rest = one_by_one(rows, shape, options);
        batches.extend(rest.map_err(|error| error.behind_items(filled.rows as usize))?);
    }
    Ok(batches)
}

fn one_by_one(rows: &mut AnyRows, shape: &Shape, options: &Options) -> Result<Vec<RecordBatch>> {
    let mut sink = Sunk::new(Vec::new()).with_options(options.clone());
    let sink_any: &mut dyn Sink = &mut sink;
    demat_core::copy(rows, shape, sink_any)?;
    Ok(sink.into_drain())
}

fn batch(schema: &SchemaRef, vectors: Vectors) -> Result<RecordBatch> {
    let fields = schema.fields().iter().map(|field| field.data_type());
    let columns: core::result::Result<Vec<_>, _> =
        vectors.columns.into_iter().zip(fields).map(|(vector, data_type)| array(vector, data_type)).collect();
    let batch = columns.and_then(|columns| RecordBatch::try_new(schema.clone(), columns));
    batch.map_err(|error| Error::new(ErrorKind::Encode, format!("the columns make no batch: {error}")))
}

fn array(vector: Vector, data_type: &DataType) -> core::result::Result<ArrayRef, ArrowError> {
    let nulls = vector.valid.map(NullBuffer::from);
    Ok(match vector.values {
        Values::Bools(values) => Arc::new(BooleanArray::new(values.into(), nulls)),
        Values::Days(values) => primitive::<Date32Type>(values, nulls, data_type)?,
        Values::Singles(values) => primitive::<Float32Type>(values, nulls, data_type)?,
        Values::Floats(values) => primitive::<Float64Type>(values, nulls, data_type)?,
        Values::Ints(values) => match data_type {
            DataType::Int8 => narrow::<Int8Type>(&values, nulls)?,
            DataType::Int16 => narrow::<Int16Type>(&values, nulls)?,
            DataType::Int32 => narrow::<Int32Type>(&values, nulls)?,
            DataType::UInt8 => narrow::<UInt8Type>(&values, nulls)?,
            DataType::UInt16 => narrow::<UInt16Type>(&values, nulls)?,
            DataType::UInt32 => narrow::<UInt32Type>(&values, nulls)?,
            DataType::UInt64 => narrow::<UInt64Type>(&values, nulls)?,
            DataType::Time64(TimeUnit::Microsecond) => primitive::<Time64MicrosecondType>(values, nulls, data_type)?,
            DataType::Timestamp(TimeUnit::Microsecond, _) => {
                primitive::<TimestampMicrosecondType>(values, nulls, data_type)?
            }
            DataType::Duration(TimeUnit::Microsecond) => {
                primitive::<DurationMicrosecondType>(values, nulls, data_type)?
            }
            _ => primitive::<Int64Type>(values, nulls, data_type)?,
        },
        Values::Texts(offsets, data) => {
            let offsets = OffsetBuffer::new(ScalarBuffer::from(offsets));
            // SAFETY: each text was validated as UTF-8; offsets ascend and are within the data.
            Arc::new(unsafe { StringArray::new_unchecked(offsets, Buffer::from_vec(data), nulls) })
        }
        Values::Bytes(offsets, data) => {
            let offsets = OffsetBuffer::new(ScalarBuffer::from(offsets));
            Arc::new(BinaryArray::try_new(offsets, Buffer::from_vec(data), nulls)?)
        }
        Values::Uuids(bytes) => Arc::new(FixedSizeBinaryArray::try_new(16, Buffer::from_vec(bytes), nulls)?),
    })
}

/// Returns a column of numbers. Its type has a time zone, if there is one.
fn primitive<T: ArrowPrimitiveType>(
    values: Vec<T::Native>,
    nulls: Option<NullBuffer>,
    data_type: &DataType,
) -> core::result::Result<ArrayRef, ArrowError> {
    let array = PrimitiveArray::<T>::try_new(values.into(), nulls)?;
    Ok(match data_type {
        DataType::Timestamp(..) => Arc::new(array.with_data_type(data_type.clone())),
        _ => Arc::new(array),
    })
}
