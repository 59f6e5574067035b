//! Arrow's types as Parquet stores them.
//!
//! Parquet has no seconds, and no days in milliseconds. Left as they are, such columns would be bare integers to every reader
//! that does not know Arrow. So they become the type that Parquet has for the same values.

use arrow_array::types::{
    Date32Type, Date64Type, Time32MillisecondType, Time32SecondType, TimestampMillisecondType, TimestampSecondType,
};
use arrow_array::{Array, ArrayRef, PrimitiveArray, RecordBatch, RecordBatchOptions, make_array};
use arrow_schema::{DataType, Field, FieldRef, IntervalUnit, Schema, SchemaRef, TimeUnit};
use demat_core::{Error, ErrorKind, Result};
use std::sync::Arc;

#[cfg(test)]
mod tests;

/// Parquet nests so deep and no deeper: what reads it goes from one type to the next.
const DEEPEST: usize = 128;

/// The schema as Parquet stores it; `None` where it stores it as it is.
///
/// # Errors
/// [`Encode`](ErrorKind::Encode) with the path of a column of a type that Parquet has no form for.
pub(super) fn stored(schema: &SchemaRef) -> Result<Option<SchemaRef>> {
    let fields: Vec<FieldRef> = schema.fields().iter().map(|field| stored_field(field, 0)).collect::<Result<_>>()?;
    if fields.iter().zip(schema.fields()).all(|(own, other)| Arc::ptr_eq(own, other)) {
        return Ok(None);
    }
    Ok(Some(Arc::new(Schema::new(fields).with_metadata(schema.metadata().clone()))))
}

/// The same field, where its type stays as it is.
fn stored_field(field: &FieldRef, depth: usize) -> Result<FieldRef> {
    let stored = stored_type(field.data_type(), depth).map_err(|error| error.within_field(field.name().clone()))?;
    Ok(stored.map_or_else(|| field.clone(), |stored| Arc::new(Field::clone(field).with_data_type(stored))))
}

/// What a type becomes; `None` where it stays as it is.
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

/// A batch in the schema that [`stored`] gave.
///
/// # Errors
/// [`Encode`](ErrorKind::Encode) where a value does not fit the type.
pub(super) fn in_schema(batch: &RecordBatch, schema: &SchemaRef) -> Result<RecordBatch> {
    let columns = batch.columns().iter().zip(schema.fields()).map(|(column, field)| {
        converted(column, field.data_type()).map_err(|error| error.within_field(field.name().clone()))
    });
    let columns: Vec<ArrayRef> = columns.collect::<Result<_>>()?;
    let rows = RecordBatchOptions::new().with_row_count(Some(batch.num_rows()));
    RecordBatch::try_new_with_options(schema.clone(), columns, &rows).map_err(unlike)
}

/// The same values as another type, which [`stored_type`] gave.
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
        // What holds others stays; these become other ones.
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

/// The types of what stands within a column, in order.
fn children(data_type: &DataType) -> Vec<&DataType> {
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
fn refused(what: &str, instead: &str) -> Error {
    Error::new(ErrorKind::Encode, format!("Parquet has no form for {what}{instead}"))
}

#[cold]
fn too_far(what: &str) -> Error {
    Error::new(ErrorKind::Encode, format!("{what} is too far away for Parquet"))
}

#[cold]
#[allow(clippy::needless_pass_by_value)] // so errors are mapped
fn unlike(error: arrow_schema::ArrowError) -> Error {
    Error::new(ErrorKind::Encode, "the columns can't be written as Parquet").because(error)
}
