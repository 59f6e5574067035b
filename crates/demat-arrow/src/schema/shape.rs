//! Converts Arrow's types to shapes.

use super::{data_type, notes};
use arrow_schema::{DataType, Field};
use demat_core::{Error, ErrorKind, FloatWidth, IntWidth, Record, Result, Shape};

/// The maximum nesting of Arrow's types, which are read by recursion.
const DEEPEST: usize = 128;

/// Returns the shape of a list of a field's values, as [`ArrowSource::of_values`](crate::ArrowSource::of_values) has it.
///
/// # Errors
/// As [`shape`](super::shape()).
///
/// ```
/// use arrow_schema::{DataType, Field};
/// let field = Field::new("", DataType::Int8, true);
/// assert_eq!(demat_arrow::values_shape(&field)?, "[int8?]".parse()?);
/// # Ok::<(), demat_core::Error>(())
/// ```
pub fn values_shape(field: &Field) -> Result<Shape> {
    Ok(of_field(field)?.list())
}

/// Returns the shape of a field's values: that in its metadata if it matches the type, otherwise that of the type.
pub(crate) fn of_field(field: &Field) -> Result<Shape> {
    of_nested(field, 0)
}

fn of_nested(field: &Field, depth: usize) -> Result<Shape> {
    if depth > DEEPEST {
        return Err(Error::limit("the depth of nesting of a schema", DEEPEST));
    }
    let shape = match notes::noted(field.metadata()) {
        Some(noted) if agrees(field, &noted) => noted,
        _ if notes::is_extension(field, notes::JSON) && is_text(field.data_type()) => Shape::Any,
        _ if notes::is_extension(field, notes::UUID) && *field.data_type() == DataType::FixedSizeBinary(16) => {
            Shape::Uuid
        }
        _ if notes::is_extension(field, notes::BOOL) && *field.data_type() == DataType::Int8 => Shape::Bool,
        _ => of_type(field.data_type(), depth)?,
    };
    Ok(if field.is_nullable() { shape.optional() } else { shape })
}

pub(super) fn is_text(data_type: &DataType) -> bool {
    matches!(data_type, DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View)
}

/// Whether the shape in the metadata matches the type. Another program may have changed one of them.
fn agrees(field: &Field, noted: &Shape) -> bool {
    if notes::is_extension(field, notes::JSON) {
        return is_text(field.data_type());
    }
    match (noted, field.data_type()) {
        (Shape::Decimal, own) if is_text(own) => true,
        (Shape::Enum(_), DataType::Dictionary(_, value)) => is_text(value),
        _ => data_type::fits(noted, field.data_type()),
    }
}

/// Whether two types differ at most in what writers of files change: the names of items, and metadata.
pub(super) fn same_form(one: &DataType, other: &DataType) -> bool {
    match (one, other) {
        (DataType::List(one), DataType::List(other) | DataType::LargeList(other))
        | (DataType::Map(one, _), DataType::Map(other, _)) => same_form(one.data_type(), other.data_type()),
        (DataType::FixedSizeList(one, len), DataType::FixedSizeList(other, other_len)) => {
            len == other_len && same_form(one.data_type(), other.data_type())
        }
        (DataType::Struct(one), DataType::Struct(other)) => {
            one.len() == other.len()
                && one.iter().zip(other).all(|(one, other)| {
                    (one.name() == other.name() || one.name() == "keys" || one.name() == "values")
                        && same_form(one.data_type(), other.data_type())
                })
        }
        // Timestamps without a zone hold other values than those with one; different zones do not matter.
        (DataType::Timestamp(_, one), DataType::Timestamp(_, other)) => one.is_none() == other.is_none(),
        (DataType::Utf8, DataType::Dictionary(_, value)) => is_text(value),
        (DataType::Utf8, other) => is_text(other),
        (one, other) => one == other,
    }
}

/// Whether all ints of an Arrow type are within a width.
pub(super) fn is_within(width: IntWidth, data_type: &DataType) -> bool {
    let Ok(Shape::Int(own)) = of_type(data_type, 0) else { return false };
    match (own, width) {
        (_, IntWidth::Any) => true,
        (IntWidth::Signed(own), IntWidth::Signed(width)) | (IntWidth::Unsigned(own), IntWidth::Unsigned(width)) => {
            own <= width
        }
        (IntWidth::Unsigned(own), IntWidth::Signed(width)) => own < width,
        _ => false,
    }
}

/// Whether a field matches the one made from the shape.
pub(super) fn same_field(own: &Field, other: &Field) -> bool {
    let note = |field: &Field| field.metadata().get(notes::SHAPE).cloned();
    // `to_schema` writes no note on a field whose shape has no valid text alone: the note of the schema covers it.
    let same_note = note(other).is_none_or(|noted| Some(noted) == note(own))
        && [notes::JSON, notes::UUID]
            .iter()
            .all(|name| notes::is_extension(own, name) == notes::is_extension(other, name));
    let same = same_form(own.data_type(), other.data_type()) || agrees_by_note(own, other);
    own.name() == other.name() && own.is_nullable() == other.is_nullable() && same_note && same
}

/// Whether a decimal column with another type comes from an option.
fn agrees_by_note(own: &Field, other: &Field) -> bool {
    let decimal = matches!(other.data_type(), DataType::Decimal128(..) | DataType::Decimal256(..));
    decimal && notes::noted(own.metadata()) == Some(Shape::Decimal)
}

/// Returns the shape that the type alone determines.
fn of_type(data_type: &DataType, depth: usize) -> Result<Shape> {
    use DataType::*;
    Ok(match data_type {
        Null => Shape::Null,
        Boolean => Shape::Bool,
        Int8 => Shape::Int(IntWidth::Signed(8)),
        Int16 => Shape::Int(IntWidth::Signed(16)),
        Int32 => Shape::Int(IntWidth::Signed(32)),
        Int64 => Shape::Int(IntWidth::Signed(64)),
        UInt8 => Shape::Int(IntWidth::Unsigned(8)),
        UInt16 => Shape::Int(IntWidth::Unsigned(16)),
        UInt32 => Shape::Int(IntWidth::Unsigned(32)),
        UInt64 => Shape::Int(IntWidth::Unsigned(64)),
        Float16 | Float32 => Shape::Float(FloatWidth::F32),
        Float64 => Shape::Float(FloatWidth::F64),
        Utf8 | LargeUtf8 | Utf8View => Shape::Text,
        Binary | LargeBinary | BinaryView | FixedSizeBinary(_) => Shape::Bytes,
        Decimal32(..) | Decimal64(..) | Decimal128(..) | Decimal256(..) => Shape::Decimal,
        // The milliseconds of a `Date64` are whole days, as Arrow's format says.
        Date32 | Date64 => Shape::Date,
        Time32(_) | Time64(_) => Shape::Time,
        Timestamp(_, None) => Shape::DateTime,
        Timestamp(_, Some(_)) => Shape::Instant,
        Duration(_) => Shape::Duration,
        List(item) | LargeList(item) | ListView(item) | LargeListView(item) | FixedSizeList(item, _) => {
            of_nested(item, depth + 1)?.list()
        }
        Struct(fields) => Shape::record(record(fields, depth)?),
        Map(entry, _) => match entry.data_type() {
            Struct(pair) if pair.len() == 2 => {
                let key = of_nested(&pair[0], depth + 1)?;
                let value = of_nested(&pair[1], depth + 1)?;
                Shape::Map(demat_core::Ref::new(key.inner().clone()), demat_core::Ref::new(value))
            }
            _ => return Err(refused(data_type)),
        },
        Dictionary(_, value) => of_type(value, depth + 1)?,
        RunEndEncoded(_, value) => of_nested(value, depth + 1)?,
        Interval(_) | Union(..) => return Err(refused(data_type)),
    })
}

/// Returns the record of these fields, numbered by position.
pub(super) fn record(fields: &[std::sync::Arc<Field>], depth: usize) -> Result<Record> {
    let mut own = Vec::with_capacity(fields.len());
    for (index, field) in fields.iter().enumerate() {
        let shape = of_nested(field, depth + 1).map_err(|error| error.within_field(field.name().clone()))?;
        own.push(demat_core::Field::new(field.name().clone(), index as u32 + 1, shape));
    }
    Record::new("", own)
}

#[cold]
fn refused(data_type: &DataType) -> Error {
    Error::new(ErrorKind::Encode, format!("values of the Arrow type {data_type} have no kind"))
}
