//! Converts shapes to Arrow's types.

use super::said::{Part, Said};
use super::shape::{is_text, same_form};
use super::{Options, notes, of_field};
use arrow_schema::{DataType, Field, Fields, TimeUnit};
use demat_core::{Error, ErrorKind, FloatWidth, IntWidth, Record, Shape};
use demat_core::{RecordRef, Result};
use std::sync::Arc;

/// The name of Arrow fields without a name of their own.
const ITEM: &str = "item";

/// The number of digits in a Decimal128.
const DIGITS_128: u8 = 38;
/// The number of digits in a Decimal256.
const DIGITS_256: u8 = 76;

/// The maximum nesting of columns; deeper values are written as JSON.
const DEEPEST: usize = 64;

/// The identities of the enclosing records, to detect recursion.
type Around = Vec<u64>;

/// Limit on nested columns within one record: shapes that share parts may expand to exponentially many.
const WITHIN: usize = 1 << 16;

/// A column before its field is built, with what decides whether the field needs a note of its shape.
struct Column {
    name: String,
    /// Its shape, without options.
    shape: Shape,
    nullable: bool,
    form: Form,
    /// Whether a reader derives the shape (without options) from the Arrow type alone.
    plain: bool,
}

enum Form {
    Json,
    Single(DataType),
    List(Box<Column>),
    Tuple(Box<Column>, i32),
    Map(Box<[Column; 2]>),
    Struct(Vec<Column>),
}

/// Builds columns from shapes. It visits each part once for each column that it becomes.
struct Columns<'o> {
    options: &'o Options,
    around: Around,
    /// The number of nested columns so far.
    within: usize,
}

/// Returns the Arrow fields of a record.
pub(super) fn fields(record: &Record, options: &Options) -> Result<Fields> {
    let mut columns = Columns { options, around: Vec::new(), within: 0 };
    let columns = columns.of_record(record, |field| Said::of_column(field, options))?;
    Ok(columns.into_iter().map(|column| column.field(false)).collect())
}

impl Columns<'_> {
    fn of_record<'r>(
        &mut self,
        record: &'r Record,
        said: impl Fn(&'r demat_core::Field) -> Said<'r>,
    ) -> Result<Vec<Column>> {
        self.around.push(record.identity());
        let columns = record.fields().iter().map(|own| {
            let column = self.named(own.key(), own.shape(), &said(own));
            let column = column.map_err(|error| error.within_field(own.path_name()))?;
            let may_miss = !own.required() && own.default().is_none();
            Ok(Column { nullable: column.nullable || may_miss, ..column })
        });
        let columns = columns.collect();
        self.around.pop();
        columns
    }

    /// Builds a column with this name for values of this shape.
    fn named(&mut self, name: &str, shape: &Shape, said: &Said<'_>) -> Result<Column> {
        if self.around.len() > 1 {
            self.within += 1;
            if self.within > WITHIN {
                return Err(Error::limit("the number of columns within columns", WITHIN));
            }
        }
        let inner = match shape.inner() {
            Shape::Instant if self.options.naive => &Shape::DateTime,
            inner => inner,
        };
        let (form, plain) =
            if is_json(inner, &self.around) { (Form::Json, *inner == Shape::Any) } else { self.form(inner, said)? };
        Ok(Column { name: name.to_string(), shape: inner.clone(), nullable: shape.allows_null(), form, plain })
    }

    fn form(&mut self, shape: &Shape, said: &Said<'_>) -> Result<(Form, bool)> {
        Ok(match shape {
            Shape::List(item) => {
                let column = self.within(ITEM, item, &said.within(Part::Item))?;
                let plain = column.says(item);
                (Form::List(Box::new(column)), plain)
            }
            Shape::Tuple(items) => {
                let item = items.first().map_or(&Shape::Null, |item| item);
                let len = i32::try_from(items.len()).map_err(|_| Error::limit("the items of a tuple", i32::MAX))?;
                let said = said.within_tuple(items.len());
                (Form::Tuple(Box::new(self.within(ITEM, item, &said)?), len), false)
            }
            Shape::Map(key, value) => {
                let keys = self.within("keys", key, &said.within(Part::Key))?;
                let entry = [keys, self.within("values", value, &said.within(Part::Value))?];
                let plain = entry[0].plain && **key == entry[0].shape && entry[1].says(value);
                (Form::Map(Box::new(entry)), plain)
            }
            Shape::Record(record) => {
                let record = record.get();
                let columns = self.of_record(&record, |field| said.of_inner(field))?;
                let plain = is_plain(&record, &columns);
                (Form::Struct(columns), plain)
            }
            single => {
                let data_type = match single {
                    Shape::Int(width) => int(said.width(*width)),
                    Shape::Text if said.dictionary => dictionary(DataType::Int32),
                    _ => single_type(single, self.options)?,
                };
                let field = extended(Field::new("", data_type.clone(), false), single);
                (Form::Single(data_type), of_field(&field).is_ok_and(|read| read == *single))
            }
        })
    }

    /// Builds a nested column that is no field of a record, such as a list's item.
    fn within(&mut self, name: &str, shape: &Shape, said: &Said<'_>) -> Result<Column> {
        self.around.push(0);
        let column = self.named(name, shape, said);
        self.around.pop();
        column
    }
}

/// Returns whether a reader derives this record from the columns alone, without notes.
fn is_plain(record: &Record, columns: &[Column]) -> bool {
    let said = record.fields().iter().zip(columns).all(|(field, column)| column.says(field.shape()));
    if !said || !record.name().is_empty() {
        return false;
    }
    let fields = record.fields().iter().enumerate();
    let fields = fields
        .map(|(index, field)| demat_core::Field::new(field.key().to_string(), index as u32 + 1, field.shape().clone()));
    // The parts of both are shared, so this compares only the fields themselves.
    Record::new("", fields.collect()).is_ok_and(|read| read == *record)
}

impl Column {
    /// Returns whether a reader derives this shape, with options, from the column alone.
    fn says(&self, shape: &Shape) -> bool {
        let read = if self.nullable { self.shape.clone().optional() } else { self.shape.clone() };
        self.plain && read == *shape
    }

    /// Builds the field. `told`: an enclosing field has a note of its whole shape, which covers this one.
    fn field(self, told: bool) -> Field {
        let Self { name, shape, nullable, form, plain } = self;
        let compound = !matches!(form, Form::Single(_));
        // Parts of a recursive shape may have no valid text of their own; then there is no note.
        let note = if plain || told && compound {
            None
        } else {
            Some(shape.to_string()).filter(|text| text.parse::<Shape>().is_ok_and(|read| read == shape))
        };
        let told = told || note.is_some();
        let json = matches!(form, Form::Json);
        let data_type = match form {
            Form::Json => DataType::Utf8,
            Form::Single(data_type) => data_type,
            Form::List(item) => DataType::List(Arc::new(item.field(told))),
            Form::Tuple(item, len) => DataType::FixedSizeList(Arc::new(item.field(told)), len),
            Form::Map(entry) => {
                let entry = entry.into_iter().map(|column| column.field(told)).collect();
                DataType::Map(Arc::new(Field::new("entries", DataType::Struct(entry), false)), false)
            }
            Form::Struct(columns) => DataType::Struct(columns.into_iter().map(|column| column.field(told)).collect()),
        };
        let field = Field::new(name, data_type, nullable);
        let field = if json { notes::with_extension(field, notes::JSON) } else { extended(field, &shape) };
        match note {
            Some(note) => notes::with_shape(field, note),
            None => field,
        }
    }
}

/// Adds the extension type of the values, if they have one.
fn extended(field: Field, shape: &Shape) -> Field {
    if *shape == Shape::Uuid { notes::with_extension(field, notes::UUID) } else { field }
}

/// Returns whether a column of this type can hold values of this shape, by their layout alone.
pub(super) fn fits(shape: &Shape, data_type: &DataType) -> bool {
    fits_within(shape, data_type, &mut Vec::new())
}

fn fits_within(shape: &Shape, data_type: &DataType, around: &mut Around) -> bool {
    let shape = shape.inner();
    if is_json(shape, around) {
        return is_text(data_type);
    }
    let deeper = |shape: &Shape, field: &Field, around: &mut Around| {
        around.push(0);
        let fits = fits_within(shape, field.data_type(), around);
        around.pop();
        fits
    };
    match (shape, data_type) {
        (Shape::List(item), DataType::List(field) | DataType::LargeList(field)) => deeper(item, field, around),
        (Shape::Tuple(items), DataType::FixedSizeList(field, len)) => {
            let item = items.first().map_or(&Shape::Null, |item| item);
            i32::try_from(items.len()) == Ok(*len) && deeper(item, field, around)
        }
        (Shape::Map(key, value), DataType::Map(entry, _)) => match entry.data_type() {
            DataType::Struct(pair) if pair.len() == 2 => {
                deeper(key, &pair[0], around) && deeper(value, &pair[1], around)
            }
            _ => false,
        },
        (Shape::Record(record), DataType::Struct(fields)) => {
            let record = record.get();
            around.push(record.identity());
            let fits = record.fields().len() == fields.len()
                && record.fields().iter().zip(fields).all(|(own, other)| {
                    own.key() == other.name() && fits_within(own.shape(), other.data_type(), around)
                });
            around.pop();
            fits
        }
        (Shape::List(_) | Shape::Tuple(_) | Shape::Map(..) | Shape::Record(_), _) => false,
        // A column of ints may be narrower than the shape; see `Options::narrow`.
        (Shape::Int(width), other) if super::shape::is_within(*width, other) => true,
        (single, other) => single_type(single, &Options::default()).is_ok_and(|own| same_form(&own, other)),
    }
}

/// Whether no Arrow type can hold all values of the shape, so that they are stored as JSON text.
fn is_json(shape: &Shape, around: &Around) -> bool {
    match shape {
        Shape::Any | Shape::Union(_) => true,
        Shape::Int(width) => digits(*width).is_some_and(|digits| digits > u32::from(DIGITS_256)),
        Shape::Tuple(items) => {
            around.len() > DEEPEST || !items.first().is_some_and(|first| items.iter().all(|item| *item == *first))
        }
        Shape::Record(record) => recurs(record, around),
        Shape::Map(key, _) => {
            use IntWidth::{Signed, Unsigned};
            let is_key =
                matches!(**key, Shape::Text | Shape::Int(Signed(..=64) | Unsigned(..=64)) | Shape::Date | Shape::Uuid);
            around.len() > DEEPEST || !is_key
        }
        Shape::List(_) => around.len() > DEEPEST,
        _ => false,
    }
}

/// Whether the record is recursive: its number of columns would be unlimited.
fn recurs(record: &RecordRef, around: &Around) -> bool {
    matches!(record, RecordRef::Link(..)) || around.contains(&record.get().identity()) || around.len() > DEEPEST
}

/// Returns the number of decimal digits of a width; `None` if it fits 64 bits.
fn digits(width: IntWidth) -> Option<u32> {
    let bits = match width {
        IntWidth::Any | IntWidth::Signed(..=64) | IntWidth::Unsigned(..=64) => return None,
        IntWidth::Signed(bits) => u32::from(bits) - 1,
        IntWidth::Unsigned(bits) => u32::from(bits),
    };
    // log10(2) is a little below 0.30103.
    Some(bits * 30_103 / 100_000 + 1)
}

fn single_type(shape: &Shape, options: &Options) -> Result<DataType> {
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
        Shape::DateTime => DataType::Timestamp(TimeUnit::Microsecond, None),
        Shape::Instant => DataType::Timestamp(TimeUnit::Microsecond, Some("UTC".into())),
        Shape::Duration => DataType::Duration(TimeUnit::Microsecond),
        Shape::Uuid => DataType::FixedSizeBinary(16),
        Shape::Enum(names) => {
            let key = match names.len() {
                0..=0x80 => DataType::Int8,
                0x81..=0x8000 => DataType::Int16,
                _ => DataType::Int32,
            };
            dictionary(key)
        }
        Shape::Text => DataType::Utf8,
        other => {
            let shape = other;
            return Err(Error::new(ErrorKind::Encode, format!("a column can't hold `{}`", shape.name())));
        }
    })
}

fn dictionary(key: DataType) -> DataType {
    DataType::Dictionary(Box::new(key), Box::new(DataType::Utf8))
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
