use crate::schema::notes;
use arrow_array::cast::AsArray;
use arrow_array::types::{
    Date32Type, Date64Type, Decimal32Type, Decimal64Type, Decimal128Type, Decimal256Type, DurationMicrosecondType,
    DurationMillisecondType, DurationNanosecondType, DurationSecondType, Float16Type, Float32Type, Float64Type,
    Int8Type, Int16Type, Int32Type, Int64Type, Time32MillisecondType, Time32SecondType, Time64MicrosecondType,
    Time64NanosecondType, TimestampMicrosecondType, TimestampMillisecondType, TimestampNanosecondType,
    TimestampSecondType, UInt8Type, UInt16Type, UInt32Type, UInt64Type,
};
use arrow_array::{
    Array, ArrayRef, BinaryArray, BinaryViewArray, BooleanArray, FixedSizeBinaryArray, Float16Array, LargeBinaryArray,
    LargeStringArray, PrimitiveArray, RecordBatch, RunArray, StringArray, StringViewArray,
};
use arrow_buffer::{NullBuffer, OffsetBuffer, ScalarBuffer};
use arrow_schema::{DataType, Field, TimeUnit};
use demat_core::scalar::Offset;
use demat_core::{Error, ErrorKind, Kind, Result, Shape};

/// A column of a batch, or one nested in it.
#[derive(Debug)]
pub(super) struct Column {
    pub(super) nulls: Option<NullBuffer>,
    pub(super) values: Values,
    pub(super) kind: Kind,
}

/// A unit of time in nanoseconds.
pub(super) type Nanos = i64;

/// The zone of a column of timestamps.
#[derive(Debug, Clone, Copy)]
pub(super) enum Zone {
    /// Wall clock time.
    Naive,
    /// Points in time, shown with this offset.
    At(Offset),
}

/// The values by type.
#[derive(Debug)]
pub(super) enum Values {
    Null,
    Bool(BooleanArray),
    I8(PrimitiveArray<Int8Type>),
    I16(PrimitiveArray<Int16Type>),
    I32(PrimitiveArray<Int32Type>),
    I64(PrimitiveArray<Int64Type>),
    U8(PrimitiveArray<UInt8Type>),
    U16(PrimitiveArray<UInt16Type>),
    U32(PrimitiveArray<UInt32Type>),
    U64(PrimitiveArray<UInt64Type>),
    F16(Float16Array),
    F32(PrimitiveArray<Float32Type>),
    F64(PrimitiveArray<Float64Type>),
    D32(PrimitiveArray<Decimal32Type>, i8),
    D64(PrimitiveArray<Decimal64Type>, i8),
    D128(PrimitiveArray<Decimal128Type>, i8),
    D256(PrimitiveArray<Decimal256Type>, i8),
    Text(StringArray),
    LargeText(LargeStringArray),
    TextView(StringViewArray),
    Bytes(BinaryArray),
    LargeBytes(LargeBinaryArray),
    BytesView(BinaryViewArray),
    FixedBytes(FixedSizeBinaryArray),
    Date(PrimitiveArray<Date32Type>),
    Time32(ScalarBuffer<i32>, Nanos),
    Time64(ScalarBuffer<i64>, Nanos),
    Instant(ScalarBuffer<i64>, Nanos, Zone),
    Duration(ScalarBuffer<i64>, Nanos),
    /// The index of each row's value in another column.
    Dictionary(Vec<usize>, usize),
    Runs(Runs, usize),
    List(OffsetBuffer<i32>, usize),
    LargeList(OffsetBuffer<i64>, usize),
    /// Start and length of each list.
    ListView(Vec<(usize, usize)>, usize),
    FixedList(usize, usize),
    Map {
        offsets: OffsetBuffer<i32>,
        key: usize,
        value: usize,
    },
    Struct {
        names: Vec<String>,
        children: Vec<usize>,
    },
}

/// The runs, which map a row to a value.
#[derive(Debug)]
pub(super) enum Runs {
    I16(RunArray<Int16Type>),
    I32(RunArray<Int32Type>),
    I64(RunArray<Int64Type>),
}

impl Runs {
    pub(super) fn of(&self, row: usize) -> usize {
        match self {
            Self::I16(runs) => runs.get_physical_index(row),
            Self::I32(runs) => runs.get_physical_index(row),
            Self::I64(runs) => runs.get_physical_index(row),
        }
    }
}

/// The maximum nesting of columns.
const DEEPEST: usize = 128;

/// Returns the columns of a batch; the last one is the struct of all.
pub(super) fn columns_of(batch: &RecordBatch) -> Result<Vec<Column>> {
    let mut own = Vec::new();
    let (mut names, mut children) = (Vec::new(), Vec::new());
    for (field, array) in batch.schema_ref().fields().iter().zip(batch.columns()) {
        let child = add(&mut own, field, array, 0).map_err(|error| error.within_field(field.name().clone()))?;
        names.push(field.name().clone());
        children.push(child);
    }
    own.push(Column { nulls: None, values: Values::Struct { names, children }, kind: Kind::Map });
    Ok(own)
}

/// Adds a column and those nested in it. Returns its number.
fn add(own: &mut Vec<Column>, field: &Field, array: &ArrayRef, depth: usize) -> Result<usize> {
    if depth > DEEPEST {
        return Err(Error::limit("the depth of nesting of a schema", DEEPEST));
    }
    let (values, kind) = values(own, field, array, depth)?;
    own.push(Column { nulls: array.nulls().cloned(), values, kind });
    Ok(own.len() - 1)
}

#[allow(clippy::too_many_lines)] // a table of Arrow's types
fn values(own: &mut Vec<Column>, field: &Field, array: &ArrayRef, depth: usize) -> Result<(Values, Kind)> {
    let text = if notes::is_extension(field, notes::JSON) {
        JSON
    } else if matches!(notes::noted(field.metadata()), Some(Shape::Decimal)) {
        Kind::Decimal
    } else {
        Kind::Text
    };
    let uuid = notes::is_extension(field, notes::UUID);
    macro_rules! primitive {
        ($variant:ident, $type:ty, $kind:ident) => {
            (Values::$variant(array.as_primitive::<$type>().clone()), Kind::$kind)
        };
    }
    macro_rules! buffer {
        ($type:ty) => {
            array.as_primitive::<$type>().values().clone()
        };
    }
    Ok(match array.data_type() {
        DataType::Null => (Values::Null, Kind::Null),
        DataType::Boolean => (Values::Bool(array.as_boolean().clone()), Kind::Bool),
        DataType::Int8 if notes::is_extension(field, notes::BOOL) => {
            let bools = BooleanArray::from_unary(array.as_primitive::<Int8Type>(), |byte| byte != 0);
            (Values::Bool(bools), Kind::Bool)
        }
        DataType::Int8 => primitive!(I8, Int8Type, Int),
        DataType::Int16 => primitive!(I16, Int16Type, Int),
        DataType::Int32 => primitive!(I32, Int32Type, Int),
        DataType::Int64 => primitive!(I64, Int64Type, Int),
        DataType::UInt8 => primitive!(U8, UInt8Type, Int),
        DataType::UInt16 => primitive!(U16, UInt16Type, Int),
        DataType::UInt32 => primitive!(U32, UInt32Type, Int),
        DataType::UInt64 => primitive!(U64, UInt64Type, Int),
        DataType::Float16 => primitive!(F16, Float16Type, Float),
        DataType::Float32 => primitive!(F32, Float32Type, Float),
        DataType::Float64 => primitive!(F64, Float64Type, Float),
        DataType::Decimal32(_, scale) => (Values::D32(array.as_primitive().clone(), *scale), Kind::Decimal),
        DataType::Decimal64(_, scale) => (Values::D64(array.as_primitive().clone(), *scale), Kind::Decimal),
        DataType::Decimal128(_, scale) => (Values::D128(array.as_primitive().clone(), *scale), Kind::Decimal),
        DataType::Decimal256(_, scale) => (Values::D256(array.as_primitive().clone(), *scale), Kind::Decimal),
        DataType::Utf8 => (Values::Text(array.as_string().clone()), text),
        DataType::LargeUtf8 => (Values::LargeText(array.as_string().clone()), text),
        DataType::Utf8View => (Values::TextView(array.as_string_view().clone()), text),
        DataType::Binary => (Values::Bytes(array.as_binary().clone()), Kind::Bytes),
        DataType::LargeBinary => (Values::LargeBytes(array.as_binary().clone()), Kind::Bytes),
        DataType::BinaryView => (Values::BytesView(array.as_binary_view().clone()), Kind::Bytes),
        DataType::FixedSizeBinary(16) if uuid => (Values::FixedBytes(array.as_fixed_size_binary().clone()), Kind::Uuid),
        DataType::FixedSizeBinary(_) => (Values::FixedBytes(array.as_fixed_size_binary().clone()), Kind::Bytes),
        DataType::Date32 => primitive!(Date, Date32Type, Date),
        DataType::Date64 => (Values::Instant(buffer!(Date64Type), MILLI, Zone::Naive), Kind::Date),
        DataType::Time32(TimeUnit::Second) => (Values::Time32(buffer!(Time32SecondType), SECOND), Kind::Time),
        DataType::Time32(_) => (Values::Time32(buffer!(Time32MillisecondType), MILLI), Kind::Time),
        DataType::Time64(TimeUnit::Microsecond) => (Values::Time64(buffer!(Time64MicrosecondType), MICRO), Kind::Time),
        DataType::Time64(_) => (Values::Time64(buffer!(Time64NanosecondType), 1), Kind::Time),
        DataType::Timestamp(unit, zone) => {
            let values = match unit {
                TimeUnit::Second => buffer!(TimestampSecondType),
                TimeUnit::Millisecond => buffer!(TimestampMillisecondType),
                TimeUnit::Microsecond => buffer!(TimestampMicrosecondType),
                TimeUnit::Nanosecond => buffer!(TimestampNanosecondType),
            };
            let kind = if zone.is_none() { Kind::DateTime } else { Kind::Instant };
            (Values::Instant(values, nanos(*unit), zone_of(zone.as_deref())), kind)
        }
        DataType::Duration(unit) => {
            let values = match unit {
                TimeUnit::Second => buffer!(DurationSecondType),
                TimeUnit::Millisecond => buffer!(DurationMillisecondType),
                TimeUnit::Microsecond => buffer!(DurationMicrosecondType),
                TimeUnit::Nanosecond => buffer!(DurationNanosecondType),
            };
            (Values::Duration(values, nanos(*unit)), Kind::Duration)
        }
        DataType::Dictionary(_, value) => {
            let array = array.as_any_dictionary();
            let item = Field::new("", DataType::clone(value), true).with_metadata(field.metadata().clone());
            let child = add(own, &item, array.values(), depth + 1)?;
            // Without values there is no valid key, so all rows are null and any index will do.
            let keys = if array.values().is_empty() { vec![0; array.len()] } else { array.normalized_keys() };
            (Values::Dictionary(keys, child), own[child].kind)
        }
        DataType::RunEndEncoded(ends, value) => {
            let any = array.as_any();
            let runs = match ends.data_type() {
                DataType::Int16 => any.downcast_ref::<RunArray<Int16Type>>().cloned().map(Runs::I16),
                DataType::Int32 => any.downcast_ref::<RunArray<Int32Type>>().cloned().map(Runs::I32),
                _ => any.downcast_ref::<RunArray<Int64Type>>().cloned().map(Runs::I64),
            };
            let Some(runs) = runs else { return Err(refused(array.data_type())) };
            let inner = match &runs {
                Runs::I16(runs) => runs.values(),
                Runs::I32(runs) => runs.values(),
                Runs::I64(runs) => runs.values(),
            };
            let child = add(own, value, inner, depth + 1)?;
            (Values::Runs(runs, child), own[child].kind)
        }
        DataType::List(item) => {
            let array = array.as_list::<i32>();
            let child = add(own, item, array.values(), depth + 1)?;
            (Values::List(array.offsets().clone(), child), Kind::List)
        }
        DataType::LargeList(item) => {
            let array = array.as_list::<i64>();
            let child = add(own, item, array.values(), depth + 1)?;
            (Values::LargeList(array.offsets().clone(), child), Kind::List)
        }
        DataType::ListView(item) => {
            let array = array.as_list_view::<i32>();
            let child = add(own, item, array.values(), depth + 1)?;
            let views = array.offsets().iter().zip(array.sizes()).map(|(at, len)| (*at as usize, *len as usize));
            (Values::ListView(views.collect(), child), Kind::List)
        }
        DataType::LargeListView(item) => {
            let array = array.as_list_view::<i64>();
            let child = add(own, item, array.values(), depth + 1)?;
            let views = array.offsets().iter().zip(array.sizes()).map(|(at, len)| (*at as usize, *len as usize));
            (Values::ListView(views.collect(), child), Kind::List)
        }
        DataType::FixedSizeList(item, size) => {
            let child = add(own, item, array.as_fixed_size_list().values(), depth + 1)?;
            (Values::FixedList(usize::try_from(*size).unwrap_or(0), child), Kind::List)
        }
        DataType::Map(entry, _) => {
            let array = array.as_map();
            let DataType::Struct(pair) = entry.data_type() else { return Err(refused(array.data_type())) };
            let key = add(own, &pair[0], array.keys(), depth + 1)?;
            let value = add(own, &pair[1], array.values(), depth + 1)?;
            (Values::Map { offsets: array.offsets().clone(), key, value }, Kind::Map)
        }
        DataType::Struct(fields) => {
            let array = array.as_struct();
            let (mut names, mut children) = (Vec::new(), Vec::new());
            for (field, column) in fields.iter().zip(array.columns()) {
                children.push(add(own, field, column, depth + 1).map_err(|e| e.within_field(field.name().clone()))?);
                names.push(field.name().clone());
            }
            (Values::Struct { names, children }, Kind::Map)
        }
        other @ (DataType::Interval(_) | DataType::Union(..)) => return Err(refused(other)),
    })
}

/// The kind that marks columns of JSON text, where each value has its own kind. No other column is both.
pub(super) const JSON: Kind = Kind::Null;

const SECOND: Nanos = 1_000_000_000;
const MILLI: Nanos = 1_000_000;
const MICRO: Nanos = 1_000;

fn nanos(unit: TimeUnit) -> Nanos {
    match unit {
        TimeUnit::Second => SECOND,
        TimeUnit::Millisecond => MILLI,
        TimeUnit::Microsecond => MICRO,
        TimeUnit::Nanosecond => 1,
    }
}

/// Converts a zone. An offset is used as it is. The offsets of named zones need a time zone database, so UTC is used;
/// the point in time is the same.
fn zone_of(zone: Option<&str>) -> Zone {
    match zone {
        None => Zone::Naive,
        Some(zone) => Zone::At(Offset::parse(zone).unwrap_or(Offset::UTC)),
    }
}

#[cold]
fn refused(data_type: &DataType) -> Error {
    Error::new(ErrorKind::Encode, format!("values of the Arrow type {data_type} have no kind"))
}
