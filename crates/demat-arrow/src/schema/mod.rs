//! Converts shapes to Arrow's schemas, and schemas to shapes.

mod column_index;
mod data_type;
pub(crate) mod notes;
mod options;
mod said;
mod shape;
#[cfg(test)]
mod tests;

pub use column_index::column_index;
pub use options::{Dictionaries, Options};
pub(crate) use shape::of_field;
pub use shape::values_shape;

use arrow_schema::Schema;
use demat_core::{Error, ErrorKind, Record, RecordRef, Result, Shape};
use std::collections::HashMap;

/// Returns the schema of columns for records of this shape, or for lists of them.
///
/// | shape | Arrow |
/// |---|---|
/// | `bool` | `Boolean` |
/// | ints of up to 64 bits | `Int8` … `UInt64`, the narrowest that holds all of them |
/// | `int` of any width | `Int64`, or the type of [`Options::narrow`]; a number that does not fit is refused |
/// | ints of more than 64 bits | `Decimal128` or `Decimal256` of scale 0, and beyond 76 digits JSON text |
/// | `float32`, `float64` | `Float32`, `Float64` |
/// | `text`, `bytes` | `Utf8` (or a [dictionary](Options::dictionary)), `Binary`; a batch ends before one of its columns has 2 GiB |
/// | `decimal` | `Utf8`, or the type of [`Options::decimals`] |
/// | `date`, `time`, `duration` | `Date32`, `Time64(us)`, `Duration(us)`; higher precision is refused |
/// | `datetime` | `Timestamp(us)`, without a zone |
/// | `instant` | `Timestamp(us, "UTC")`, or the type of [`Options::naive`]; the clock's offset is lost |
/// | `uuid` | `FixedSizeBinary(16)`, extension `arrow.uuid` |
/// | enums | `Dictionary` of `Utf8`, with all names in order |
/// | options | nullable |
/// | lists | `List` |
/// | tuples | `FixedSizeList` if all items have one shape, else JSON text |
/// | maps from text, ints, dates or UUIDs | `Map` |
/// | records | `Struct` |
/// | `any`, unions, other maps, recursive records | JSON text: `Utf8`, extension `arrow.json` |
///
/// If a type does not determine its shape, the shape's text is stored in the field's metadata as `demat.shape`, so that
/// [`shape`] can restore it.
///
/// # Errors
/// [`Encode`](ErrorKind::Encode) if the shape is neither a record nor a list of records.
///
/// ```
/// use demat_core::Shape;
/// let tasks: Shape = "id:int64, title:text, due:date?".parse()?;
/// let schema = demat_arrow::schema(&tasks)?;
/// assert_eq!(schema.field(1).data_type(), &arrow_schema::DataType::Utf8);
/// assert!(schema.field(2).is_nullable());
/// assert_eq!(demat_arrow::shape(&schema)?, tasks.list());
/// # Ok::<(), demat_core::Error>(())
/// ```
pub fn schema(shape: &Shape) -> Result<Schema> {
    schema_with(shape, &Options::default())
}

/// As [`schema`], with options for what the shape leaves open.
///
/// # Errors
/// As [`schema`], and if an option is invalid.
///
/// ```
/// use arrow_schema::DataType;
/// use demat_arrow::Options;
/// let options = Options { decimals: Some((10, 2)), ..Options::default() };
/// let schema = demat_arrow::schema_with(&"price:decimal".parse()?, &options)?;
/// assert_eq!(schema.field(0).data_type(), &DataType::Decimal128(10, 2));
/// # Ok::<(), demat_core::Error>(())
/// ```
pub fn schema_with(shape: &Shape, options: &Options) -> Result<Schema> {
    if let Some((precision, scale)) = options.decimals
        && (precision == 0 || precision > 76 || scale < 0 || scale.unsigned_abs() > precision)
    {
        let message =
            format!("decimals have 1 to 76 digits, some of them behind the point, not {precision} and {scale}");
        return Err(Error::new(ErrorKind::Encode, message));
    }
    let record = row(shape)?;
    let record = record.get();
    options.dictionary.verify(&record)?;
    let naive = if options.naive { Some(naive(&record)?) } else { None };
    let record = naive.as_ref().unwrap_or(&record);
    let schema = Schema::new(data_type::fields(record, options)?);
    if self::shape(&schema).is_ok_and(|read| row(&read).is_ok_and(|read| *read.get() == *record)) {
        return Ok(schema);
    }
    // The names, numbers and defaults of a record's fields are not part of Arrow's types.
    let note = Shape::record(Record::clone(record)).to_string();
    Ok(schema.with_metadata(HashMap::from([(notes::SHAPE.to_string(), note)])))
}

/// Returns the record with datetimes in place of instants.
fn naive(record: &Record) -> Result<Record> {
    let fields = record.fields().iter().map(|field| match field.shape().inner() {
        Shape::Instant => {
            let null = field.shape().allows_null();
            let shape = if null { Shape::DateTime.optional() } else { Shape::DateTime };
            field.clone().with_inner(shape).with_required(field.required())
        }
        _ => field.clone(),
    });
    let naive = Record::new(record.name().to_string(), fields.collect())?.with_unknown(record.unknown());
    Ok(naive.with_items(record.items().cloned()))
}

/// Returns the shape of the rows of columns with this schema: a list of records.
///
/// If [`schema`] made the schema and it is unchanged, the result is the original shape. For other schemas the types
/// determine it: every Arrow type has a shape, except intervals and unions. A `Date64` is a date, a `Timestamp` without a
/// zone a datetime, and the extension `arrow.bool8` a bool.
///
/// # Errors
/// [`Encode`](ErrorKind::Encode) for intervals and unions, and [`Constraint`](ErrorKind::Constraint) if two columns
/// have the same name.
///
/// ```
/// use arrow_schema::{DataType, Field, Schema};
/// let schema = Schema::new(vec![Field::new("id", DataType::UInt16, false), Field::new("note", DataType::LargeUtf8, true)]);
/// assert_eq!(demat_arrow::shape(&schema)?, "[{id:uint16, note:text?}]".parse()?);
/// # Ok::<(), demat_core::Error>(())
/// ```
pub fn shape(schema: &Schema) -> Result<Shape> {
    if let Some(noted) = notes::noted(schema.metadata())
        && let Ok(record) = row(&noted)
        && [false, true].into_iter().any(|narrow| has_fields(schema, &record.get(), narrow))
    {
        return Ok(noted.list());
    }
    Ok(Shape::record(shape::record(schema.fields(), 0)?).list())
}

/// Whether the schema is the one of this record, with narrow ints or without.
fn has_fields(schema: &Schema, record: &Record, narrow: bool) -> bool {
    data_type::fields(record, &Options { narrow, ..Options::default() }).is_ok_and(|fields| {
        fields.len() == schema.fields().len()
            && fields.iter().zip(schema.fields()).all(|(own, other)| shape::same_field(own, other))
    })
}

/// Returns the record of the rows.
pub(crate) fn row(shape: &Shape) -> Result<RecordRef> {
    match shape.inner() {
        Shape::Record(record) => Ok(record.clone()),
        Shape::List(item) if matches!(item.inner(), Shape::Record(_)) => row(item),
        other => Err(other.no_row("columns hold records")),
    }
}
