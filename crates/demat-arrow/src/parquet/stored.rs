//! Converts Arrow types that Parquet lacks.
//!
//! Parquet has no unit of seconds, and no dates in milliseconds. Unconverted, every reader except Arrow would see such
//! columns as bare integers. So they become the Parquet type with the same values.

use arrow_array::types::{
    Date32Type, Date64Type, Time32MillisecondType, Time32SecondType, TimestampMillisecondType, TimestampSecondType,
};
use arrow_array::{Array, ArrayRef, PrimitiveArray, RecordBatch, RecordBatchOptions, make_array};
use arrow_schema::{DataType, Field, FieldRef, IntervalUnit, Schema, SchemaRef, TimeUnit};
use demat_core::{Error, ErrorKind, Result};
use std::sync::Arc;

#[cfg(test)]
mod tests;

/// The deepest schema that is accepted: readers of Parquet recurse over its types.
const DEEPEST: usize = 128;

/// Returns the schema as Parquet stores it; `None` if it is stored unchanged.
///
/// # Errors
/// [`Encode`](ErrorKind::Encode) with the column's path if Parquet can't represent its type.
pub(super) fn stored(schema: &SchemaRef) -> Result<Option<SchemaRef>> {
    let fields: Vec<FieldRef> = schema.fields().iter().map(|field| stored_field(field, 0)).collect::<Result<_>>()?;
    if fields.iter().zip(schema.fields()).all(|(own, other)| Arc::ptr_eq(own, other)) {
        return Ok(None);
    }
    Ok(Some(Arc::new(Schema::new(fields).with_metadata(schema.metadata().clone()))))
}

/// Returns the field as Parquet stores it: the same `Arc` if its type is unchanged.
fn stored_field(field: &FieldRef, depth: usize) -> Result<FieldRef> {
    let stored = stored_type(field.data_type(), depth).map_err(|error| error.within_field(field.name().clone()))?;
    Ok(stored.map_or_else(|| field.clone(), |stored| Arc::new(Field::clone(field).with_data_type(stored))))
}

/// Returns the type that Parquet stores instead; `None` if it is unchanged.
fn stored_type(data_type: &DataType, depth: usize) -> Result<Option<DataType>> {
    use DataType::*;
    if depth > DEEPEST {
        return Err(Error::limit("the depth of nesting of a schema", DEEPEST));
    }
    let item = |field: &FieldRef| -> Result<Option<FieldRef>> {
        let own = stored_field(field, depth + 1)?;
        Ok((!Arc::ptr_eq(&own, field)).then_some(own))
    };
    Ok(match data_type {
        Timestamp(TimeUnit::Second, zone) => Some(Timestamp(TimeUnit::Millisecond, zone.clone())),
        Time32(TimeUnit::Second) => Some(Time32(TimeUnit::Millisecond)),
        Date64 => Some(Date32),
        List(own) => item(own)?.map(List),
        LargeList(own) => item(own)?.map(LargeList),
        ListView(own) => item(own)?.map(ListView),
        LargeListView(own) => item(own)?.map(LargeListView),
        FixedSizeList(_, 0) => return Err(refused("a list of no items", "")),
        FixedSizeList(own, len) => item(own)?.map(|own| FixedSizeList(own, *len)),
        Map(own, sorted) => item(own)?.map(|own| Map(own, *sorted)),
        Dictionary(key, value) => stored_type(value, depth + 1)?.map(|value| Dictionary(key.clone(), Box::new(value))),
        RunEndEncoded(ends, own) => item(own)?.map(|own| RunEndEncoded(ends.clone(), own)),
        Struct(fields) if fields.is_empty() => return Err(refused("a record without fields", "")),
        Struct(fields) => {
            let own: Vec<FieldRef> =
                fields.iter().map(|field| stored_field(field, depth + 1)).collect::<Result<_>>()?;
            let same = own.iter().zip(fields).all(|(own, other)| Arc::ptr_eq(own, other));
            (!same).then(|| Struct(own.into()))
        }
        Union(..) => return Err(refused("a union", "; Arrow's own files have one")),
        Interval(IntervalUnit::MonthDayNano) => {
            return Err(refused("an interval of months, days and nanoseconds", "; Arrow's own files have one"));
        }
        Decimal32(_, scale) | Decimal64(_, scale) | Decimal128(_, scale) | Decimal256(_, scale) if *scale < 0 => {
            return Err(refused("a decimal of a negative scale", ""));
        }
        _ => None,
    })
}

/// Converts a batch to the schema that [`stored`] returned.
///
/// # Errors
/// [`Encode`](ErrorKind::Encode) if a value does not fit the new type.
pub(super) fn in_schema(batch: &RecordBatch, schema: &SchemaRef) -> Result<RecordBatch> {
    let columns = batch.columns().iter().zip(schema.fields()).map(|(column, field)| {
        converted(column, field.data_type()).map_err(|error| error.within_field(field.name().clone()))
    });
    let columns: Vec<ArrayRef> = columns.collect::<Result<_>>()?;
    let rows = RecordBatchOptions::new().with_row_count(Some(batch.num_rows()));
    RecordBatch::try_new_with_options(schema.clone(), columns, &rows).map_err(unlike)
}

/// Converts an array to the type that [`stored_type`] returned.
fn converted(array: &ArrayRef, to: &DataType) -> Result<ArrayRef> {
    if array.data_type() == to {
        return Ok(array.clone());
    }
    let from = array.to_data();
    Ok(match to {
        DataType::Timestamp(TimeUnit::Millisecond, zone) => {
            let seconds = PrimitiveArray::<TimestampSecondType>::from(from);
            let times = |value: i64| value.checked_mul(1000).ok_or_else(|| too_far("a timestamp"));
            let milliseconds = seconds.try_unary::<_, TimestampMillisecondType, Error>(times)?;
            Arc::new(milliseconds.with_timezone_opt(zone.clone()))
        }
        DataType::Time32(_) => {
            let times = |value: i32| value.checked_mul(1000).ok_or_else(|| too_far("a time"));
            let seconds = PrimitiveArray::<Time32SecondType>::from(from);
            Arc::new(seconds.try_unary::<_, Time32MillisecondType, Error>(times)?)
        }
        DataType::Date32 => {
            const DAY: i64 = 86_400_000;
            let days = |value: i64| match i32::try_from(value / DAY) {
                Ok(day) if value % DAY == 0 => Ok(day),
                Ok(_) => Err(refused("a time within a day of type date64", "; make it a timestamp")),
                Err(_) => Err(too_far("a date")),
            };
            let milliseconds = PrimitiveArray::<Date64Type>::from(from);
            Arc::new(milliseconds.try_unary::<_, Date32Type, Error>(days)?)
        }
        // Containers keep their own layout; only their children are converted.
        _ => {
            let types = children(to);
            let offset = types.len().saturating_sub(from.child_data().len());
            let own = from.child_data().iter().enumerate().map(|(at, child)| {
                let to = types.get(at + offset).copied().unwrap_or(child.data_type());
                Ok(converted(&make_array(child.clone()), to)?.to_data())
            });
            let own: Vec<_> = own.collect::<Result<_>>()?;
            make_array(from.into_builder().data_type(to.clone()).child_data(own).build().map_err(unlike)?)
        }
    })
}

/// Returns the types of a container's children, in order.
pub(super) fn children(data_type: &DataType) -> Vec<&DataType> {
    use DataType::*;
    match data_type {
        List(own) | LargeList(own) | ListView(own) | LargeListView(own) | FixedSizeList(own, _) | Map(own, _) => {
            vec![own.data_type()]
        }
        Struct(fields) => fields.iter().map(|field| field.data_type()).collect(),
        Dictionary(_, value) => vec![value],
        RunEndEncoded(ends, own) => vec![ends.data_type(), own.data_type()],
        _ => Vec::new(),
    }
}

#[cold]
pub(super) fn refused(what: &str, instead: &str) -> Error {
    Error::new(ErrorKind::Encode, format!("Parquet has no form for {what}{instead}"))
}

#[cold]
fn too_far(what: &str) -> Error {
    Error::new(ErrorKind::Encode, format!("{what} is too far away for Parquet"))
}

#[cold]
#[allow(clippy::needless_pass_by_value)] // the signature that `map_err` needs
fn unlike(error: arrow_schema::ArrowError) -> Error {
    Error::new(ErrorKind::Encode, "the columns can't be written as Parquet").because(error)
}
