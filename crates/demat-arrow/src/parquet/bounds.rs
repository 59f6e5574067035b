//! What the footer says of the values of a column in each group of rows.

use super::PARQUET;
use crate::ArrowSource;
use crate::fault::guarded;
use crate::schema::column_index;
use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{DataType, Field, Schema};
use demat_core::{Error, ErrorKind, Result, Shape, Value};
use parquet::arrow::arrow_reader::statistics::StatisticsConverter;
use parquet::basic::{ColumnOrder, SortOrder};
use parquet::file::metadata::{ParquetMetaData, RowGroupMetaData};
use parquet::file::statistics::Statistics;
use std::sync::Arc;

/// What is known of the values of a column in a group of rows.
#[derive(Debug, Clone, PartialEq)]
pub struct GroupBounds {
    /// The number of rows.
    pub rows: u64,
    /// The number of nulls; `None` if it is not known.
    pub nulls: Option<u64>,
    /// A value that no other is less than, and one that no other is greater than; NaN is not counted. The column need
    /// not have these values: a long text is cut off. `None` if they are not known.
    pub ends: Option<(Value, Value)>,
}

/// Returns the bounds of a column in each group, if it is read as this shape; `None` if its values are not ordered as
/// those of the shape.
pub(super) fn of(footer: &ParquetMetaData, schema: &Schema, name: &str, shape: &Shape) -> Option<Vec<GroupBounds>> {
    let found = guarded(PARQUET, || {
        let index = column_index(schema, name)?;
        let field = schema.field(index);
        Ok(if is_ordered(field.data_type(), shape.inner()) { found(footer, schema, field, shape) } else { None })
    });
    found.ok().flatten()
}

/// Whether values of a column compare as the values that they are read as.
fn is_ordered(data_type: &DataType, shape: &Shape) -> bool {
    match (data_type, shape) {
        (DataType::Boolean, Shape::Bool)
        | (DataType::Float32 | DataType::Float64, Shape::Float(_))
        | (DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View, Shape::Text)
        | (DataType::Date32, Shape::Date)
        | (DataType::Timestamp(_, None), Shape::DateTime)
        | (DataType::Timestamp(_, Some(_)), Shape::Instant)
        | (DataType::Decimal128(..), Shape::Decimal) => true,
        (DataType::Dictionary(_, values), Shape::Text) => matches!(**values, DataType::Utf8 | DataType::LargeUtf8),
        (own, Shape::Int(_)) => own.is_integer(),
        _ => false,
    }
}

fn found(footer: &ParquetMetaData, schema: &Schema, field: &Field, shape: &Shape) -> Option<Vec<GroupBounds>> {
    let file = footer.file_metadata();
    let converter = StatisticsConverter::try_new(field.name(), schema, file.schema_descr()).ok()?;
    let converter = converter.with_column_orders(file.column_orders().map(Vec::as_slice));
    let index = converter.parquet_column_index()?;
    let groups = footer.row_groups();
    // Without an order, writers sorted texts and unsigned numbers as if they were signed.
    let has_order = match file.column_orders().and_then(|orders| orders.get(index)) {
        Some(ColumnOrder::TYPE_DEFINED_ORDER(order)) => *order != SortOrder::UNDEFINED,
        Some(ColumnOrder::IEEE_754_TOTAL_ORDER) => true,
        _ => false,
    };
    let ends = if has_order {
        converter.row_group_mins(groups).ok().zip(converter.row_group_maxes(groups).ok())
    } else {
        None
    };
    let bounds = |(number, group): (usize, &RowGroupMetaData)| {
        let said = group.column(index).statistics();
        let is_sure = said.is_some_and(|said| !said.is_min_max_deprecated());
        let end = |ends: &ArrayRef| value(ends, number, shape);
        let ends = ends.as_ref().filter(|_| is_sure).and_then(|(least, most)| Some((end(least)?, end(most)?)));
        GroupBounds {
            rows: u64::try_from(group.num_rows()).unwrap_or_default(),
            nulls: said.and_then(Statistics::null_count_opt),
            ends,
        }
    };
    Some(groups.iter().enumerate().map(bounds).collect())
}

/// Returns a value as it is read; `None` for null, for what the shape does not have, and for NaN.
fn value(ends: &ArrayRef, row: usize, shape: &Shape) -> Option<Value> {
    if row >= ends.len() || ends.is_null(row) {
        return None;
    }
    let read = || -> Result<Value> {
        let field = Field::new("", ends.data_type().clone(), true);
        let batch = RecordBatch::try_new(Arc::new(Schema::new(vec![field])), vec![ends.slice(row, 1)]);
        let batch = batch.map_err(|error| Error::new(ErrorKind::Syntax, error.to_string()))?;
        match Value::decode_as(&mut ArrowSource::of_values([Ok(batch)]), &shape.inner().clone().list())? {
            Value::List(mut values) if values.len() == 1 => Ok(values.swap_remove(0)),
            _ => Ok(Value::Null),
        }
    };
    match read().ok()? {
        Value::Null => None,
        Value::Float(float) if float.is_nan() => None,
        value => Some(value),
    }
}
