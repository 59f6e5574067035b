//! From shapes to Arrow's types.

use super::{Options, notes, of_field};
use arrow_schema::{DataType, Field, Fields, TimeUnit};
use demat_core::{Error, ErrorKind, FloatWidth, IntWidth, Record, Shape};
use demat_core::{RecordRef, Result};
use std::sync::Arc;

/// What an Arrow field is called that has no name of its own.
const ITEM: &str = "item";

/// Decimal128 holds so many digits.
const DIGITS_128: u8 = 38;
/// Decimal256 holds so many digits.
const DIGITS_256: u8 = 76;

/// Shapes nest so deep before what is within them is written as JSON.
const DEEPEST: usize = 64;

/// The records that a shape stands inside of, to find out where one is inside of itself.
type Around = Vec<u64>;

/// The fields of a record as Arrow has them.
pub(super) fn fields(record: &Record, options: Options, around: &mut Around) -> Result<Fields> {
    around.push(record.identity());
    let fields: Result<Vec<Field>> = record.fields().iter().map(|own| field_of_record(own, options, around)).collect();
    around.pop();
    Ok(fields?.into())
}

fn field_of_record(own: &demat_core::Field, options: Options, around: &mut Around) -> Result<Field> {
    let field = named(own.key(), own.shape(), options, around).map_err(|error| error.within_field(own.path_name()))?;
    let may_miss = !own.required() && own.default().is_none();
    Ok(if may_miss { field.with_nullable(true) } else { field })
}

/// The type of a column of this shape alone.
pub(super) fn named_type(shape: &Shape, options: Options) -> Result<DataType> {
    if is_json(shape, &Vec::new()) {
        return Ok(DataType::Utf8);
    }
    data_type(shape, options, &mut Vec::new())
}

/// A field of this name for values of this shape.
fn named(name: &str, shape: &Shape, options: Options, around: &mut Around) -> Result<Field> {
    let inner = shape.inner();
    let field = Field::new(name, DataType::Null, shape.allows_null());
    if is_json(inner, around) {
        let field = notes::with_extension(field.with_data_type(DataType::Utf8), notes::JSON);
        return Ok(if *inner == Shape::Any { field } else { noted(field, inner) });
    }
    let field = field.with_data_type(data_type(inner, options, around)?);
    let field = if *inner == Shape::Uuid { notes::with_extension(field, notes::UUID) } else { field };
    Ok(if of_field(&field).is_ok_and(|read| read.inner() == inner) { field } else { noted(field, inner) })
}

/// The field with the shape beside it, unless the text of a shape says nothing outside of the whole that it is from.
fn noted(field: Field, shape: &Shape) -> Field {
    let stands_alone = shape.to_string().parse::<Shape>().is_ok_and(|read| read == *shape);
    if stands_alone { notes::with_shape(field, shape) } else { field }
}

/// Whether its values have no type in Arrow that holds them all, and are kept as JSON text.
fn is_json(shape: &Shape, around: &Around) -> bool {
    match shape {
        Shape::Any | Shape::Union(_) => true,
        Shape::Int(width) => digits(*width).is_some_and(|digits| digits > u32::from(DIGITS_256)),
        Shape::Tuple(items) => !items.first().is_some_and(|first| items.iter().all(|item| *item == *first)),
        Shape::Record(record) => recurs(record, around),
        Shape::Map(key, _) => !matches!(
            **key,
            Shape::Text | Shape::Int(IntWidth::Signed(..=64) | IntWidth::Unsigned(..=64)) | Shape::Date | Shape::Uuid
        ),
        Shape::List(_) => around.len() > DEEPEST,
        _ => false,
    }
}

/// Whether the record is one that it stands inside of; nothing says how many columns that would be.
fn recurs(record: &RecordRef, around: &Around) -> bool {
    matches!(record, RecordRef::Link(..)) || around.contains(&record.get().identity()) || around.len() > DEEPEST
}

/// How many decimal digits the numbers of a width have, where they do not fit 64 bits.
fn digits(width: IntWidth) -> Option<u32> {
    let bits = match width {
        IntWidth::Any | IntWidth::Signed(..=64) | IntWidth::Unsigned(..=64) => return None,
        IntWidth::Signed(bits) => u32::from(bits) - 1,
        IntWidth::Unsigned(bits) => u32::from(bits),
    };
    // log10(2) is a little below 0.30103.
    Some(bits * 30_103 / 100_000 + 1)
}

fn data_type(shape: &Shape, options: Options, around: &mut Around) -> Result<DataType> {
    Ok(match shape {
        Shape::Null => DataType::Null,
        Shape::Bool => DataType::Boolean,
        Shape::Int(width) => int(*width),
        Shape::Float(FloatWidth::F32) => DataType::Float32,
        Shape::Float(FloatWidth::F64) => DataType::Float64,
        Shape::Bytes => DataType::Binary,
        Shape::Decimal => match options.decimals {
            None => DataType::Utf8,
            Some((precision, scale)) if precision <= DIGITS_128 => DataType::Decimal128(precision, scale),
            Some((precision, scale)) => DataType::Decimal256(precision, scale),
        },
        Shape::Date => DataType::Date32,
        Shape::Time => DataType::Time64(TimeUnit::Microsecond),
        Shape::Instant if options.naive => DataType::Timestamp(TimeUnit::Microsecond, None),
        Shape::Instant => DataType::Timestamp(TimeUnit::Microsecond, Some("UTC".into())),
        Shape::Duration => DataType::Duration(TimeUnit::Microsecond),
        Shape::Uuid => DataType::FixedSizeBinary(16),
        Shape::Enum(names) => {
            let key = match names.len() {
                0..=0x80 => DataType::Int8,
                0x81..=0x8000 => DataType::Int16,
                _ => DataType::Int32,
            };
            DataType::Dictionary(Box::new(key), Box::new(DataType::Utf8))
        }
        Shape::List(item) => {
            around.push(0);
            let item = named(ITEM, item, options, around);
            around.pop();
            DataType::List(Arc::new(item?))
        }
        Shape::Tuple(items) => {
            let item = items.first().map_or(&Shape::Null, |item| item);
            let len = i32::try_from(items.len()).map_err(|_| Error::limit("the items of a tuple", i32::MAX))?;
            DataType::FixedSizeList(Arc::new(named(ITEM, item, options, around)?), len)
        }
        Shape::Map(key, value) => {
            around.push(0);
            let entry = [named("keys", key, options, around)?, named("values", value, options, around)?];
            around.pop();
            let entry = DataType::Struct(entry.into_iter().collect());
            DataType::Map(Arc::new(Field::new("entries", entry, false)), false)
        }
        Shape::Record(record) => DataType::Struct(fields(&record.get(), options, around)?),
        Shape::Text => DataType::Utf8,
        Shape::Any | Shape::Union(_) | Shape::Option(_) => {
            return Err(Error::new(ErrorKind::Encode, format!("a column can't hold `{}`", shape.name())));
        }
    })
}

fn int(width: IntWidth) -> DataType {
    match width {
        IntWidth::Signed(..=8) => DataType::Int8,
        IntWidth::Signed(9..=16) => DataType::Int16,
        IntWidth::Signed(17..=32) => DataType::Int32,
        IntWidth::Any | IntWidth::Signed(33..=64) => DataType::Int64,
        IntWidth::Unsigned(..=8) => DataType::UInt8,
        IntWidth::Unsigned(9..=16) => DataType::UInt16,
        IntWidth::Unsigned(17..=32) => DataType::UInt32,
        IntWidth::Unsigned(33..=64) => DataType::UInt64,
        wide => match digits(wide) {
            Some(digits) if digits <= u32::from(DIGITS_128) => DataType::Decimal128(digits as u8, 0),
            Some(digits) => DataType::Decimal256(digits.min(DIGITS_256.into()) as u8, 0),
            None => DataType::Int64,
        },
    }
}
