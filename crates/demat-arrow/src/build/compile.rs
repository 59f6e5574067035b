//! Makes the builders from a schema's fields and their shapes.

use super::dictionary::Dictionary;
use super::node::{Builders, Decimals, Ints, Node, Nodes, StructPlan, Values};
use super::nulls::Nulls;
use super::texts::Texts;
use crate::schema::notes;
use arrow_buffer::BooleanBufferBuilder;
use arrow_schema::{DataType, Field, Fields, TimeUnit};
use demat_core::{Error, ErrorKind, IntWidth, RecordRef, Result, Shape, Unknown};

impl<T> Ints<T> {
    /// Returns a column of this type for ints of a shape, of which it may hold less: those that notes allow.
    fn new(shape: IntWidth, column: IntWidth) -> Self {
        let width = narrower(shape, column);
        let (low, high) = match width {
            IntWidth::Any => (i64::MIN, i64::MAX),
            IntWidth::Signed(bits) => {
                let half = 1i64 << (bits.clamp(1, 63) - 1);
                (-half, half - 1)
            }
            IntWidth::Unsigned(bits) => (0, (1i64 << bits.min(62)) - 1),
        };
        Self { values: Vec::new(), width, low, high }
    }
}

/// Returns the shape's width if a column of this type holds all of it, else the column's.
fn narrower(shape: IntWidth, column: IntWidth) -> IntWidth {
    match (shape, column) {
        (IntWidth::Unsigned(own), IntWidth::Unsigned(bits)) | (IntWidth::Signed(own), IntWidth::Signed(bits))
            if own <= bits =>
        {
            shape
        }
        (IntWidth::Unsigned(own), IntWidth::Signed(bits)) if own < bits => shape,
        _ => column,
    }
}

impl Builders {
    /// Returns the builders of a table's columns.
    pub(crate) fn new(record: &RecordRef, fields: &Fields) -> Result<Self> {
        let mut own = Self { nodes: Nodes::default(), plans: Vec::new(), root: 0 };
        own.root = own.compile_record(record, fields)?;
        Ok(own)
    }

    /// Adds the columns of a record's fields. Returns the number of their struct.
    fn compile_record(&mut self, record: &RecordRef, fields: &Fields) -> Result<usize> {
        let own = record.own();
        let mut children = Vec::with_capacity(fields.len());
        for (field, arrow) in own.fields().iter().zip(fields) {
            let child = self.compile(arrow, field.shape()).map_err(|error| error.within_field(field.path_name()))?;
            children.push(child);
        }
        let rest = match own.unknown() {
            Unknown::Keep(index) => {
                let kept = children.get(index).map(|child| &self.nodes.nodes[*child].values);
                if !matches!(kept, Some(Values::Map { .. })) {
                    let message = "the field that keeps unknown ones is no map from text";
                    return Err(Error::new(ErrorKind::Encode, message));
                }
                Some(index)
            }
            _ => None,
        };
        let plan = self.plans.len();
        self.plans.push(StructPlan { record: own, children, rest });
        Ok(self.add(false, Values::Struct { len: 0, plan }))
    }

    fn add(&mut self, optional: bool, values: Values) -> usize {
        self.nodes.nodes.push(Node { optional, nulls: Nulls::default(), values });
        self.nodes.nodes.len() - 1
    }

    fn compile(&mut self, field: &Field, shape: &Shape) -> Result<usize> {
        let values = if notes::is_extension(field, notes::JSON) {
            Values::Json(Texts::default(), shape.inner().clone())
        } else {
            self.values(field.data_type(), shape.inner())?
        };
        if let Values::Struct { .. } = values
            && let Some(last) = self.nodes.nodes.last_mut()
        {
            // A record was added as a whole.
            last.optional = shape.allows_null();
            return Ok(self.nodes.nodes.len() - 1);
        }
        Ok(self.add(shape.allows_null(), values))
    }

    fn values(&mut self, data_type: &DataType, shape: &Shape) -> Result<Values> {
        const US: TimeUnit = TimeUnit::Microsecond;
        Ok(match (data_type, shape) {
            (DataType::Null, Shape::Null) => Values::Null(0),
            (DataType::Boolean, Shape::Bool) => Values::Bool(BooleanBufferBuilder::new(0)),
            (DataType::Int8, Shape::Int(width)) => Values::I8(Ints::new(*width, IntWidth::Signed(8))),
            (DataType::Int16, Shape::Int(width)) => Values::I16(Ints::new(*width, IntWidth::Signed(16))),
            (DataType::Int32, Shape::Int(width)) => Values::I32(Ints::new(*width, IntWidth::Signed(32))),
            (DataType::Int64, Shape::Int(IntWidth::Any | IntWidth::Signed(64..))) => Values::I64(Vec::new()),
            (DataType::Int64, Shape::Int(width)) => Values::I33(Ints::new(*width, IntWidth::Signed(64))),
            (DataType::UInt8, Shape::Int(width)) => Values::U8(Ints::new(*width, IntWidth::Unsigned(8))),
            (DataType::UInt16, Shape::Int(width)) => Values::U16(Ints::new(*width, IntWidth::Unsigned(16))),
            (DataType::UInt32, Shape::Int(width)) => Values::U32(Ints::new(*width, IntWidth::Unsigned(32))),
            (DataType::UInt64, Shape::Int(width)) => Values::U64(Vec::new(), narrower(*width, IntWidth::Unsigned(64))),
            (DataType::Float32, Shape::Float(_)) => Values::F32(Vec::new()),
            (DataType::Float64, Shape::Float(_)) => Values::F64(Vec::new()),
            (DataType::Decimal128(precision, scale), Shape::Int(_) | Shape::Decimal) => {
                Values::D128(decimals(shape, *precision, *scale))
            }
            (DataType::Decimal256(precision, scale), Shape::Int(_) | Shape::Decimal) => {
                Values::D256(decimals(shape, *precision, *scale))
            }
            (DataType::Dictionary(..), Shape::Text) => Values::Dictionary(Dictionary::default()),
            (DataType::Utf8, Shape::Text) => Values::Text(Texts::default()),
            (DataType::Utf8, Shape::Decimal) => Values::Digits(Texts::default()),
            (DataType::Binary, Shape::Bytes) => Values::Bytes(Texts::default()),
            (DataType::Date32, Shape::Date) => Values::Date(Vec::new()),
            (DataType::Time64(US), Shape::Time) => Values::Time(Vec::new()),
            (DataType::Timestamp(US, None), Shape::DateTime | Shape::Instant) => Values::DateTime(Vec::new()),
            (DataType::Timestamp(US, Some(_)), Shape::Instant) => Values::Instant(Vec::new()),
            (DataType::Duration(US), Shape::Duration) => Values::Duration(Vec::new()),
            (DataType::FixedSizeBinary(16), Shape::Uuid) => Values::Uuid(Vec::new()),
            (DataType::Dictionary(..), Shape::Enum(names)) => Values::Enum(Vec::new(), names.clone()),
            (DataType::List(field), Shape::List(item)) => {
                Values::List { offsets: vec![0], item: self.compile(field, item)? }
            }
            (DataType::FixedSizeList(field, _), Shape::Tuple(items)) => {
                let item = items.first().map_or(&Shape::Null, |item| item);
                Values::Tuple { len: 0, size: items.len(), item: self.compile(field, item)? }
            }
            (DataType::Map(entry, _), Shape::Map(key, value)) => {
                let DataType::Struct(pair) = entry.data_type() else { return Err(mismatch(data_type, shape)) };
                let (key, value) = (self.compile(&pair[0], key)?, self.compile(&pair[1], value)?);
                Values::Map { offsets: vec![0], key, value }
            }
            (DataType::Struct(fields), Shape::Record(record)) => {
                let id = self.compile_record(record, fields)?;
                let Values::Struct { plan, .. } = self.nodes.nodes[id].values else {
                    return Err(mismatch(data_type, shape));
                };
                Values::Struct { len: 0, plan }
            }
            _ => return Err(mismatch(data_type, shape)),
        })
    }
}

fn decimals<T>(shape: &Shape, precision: u8, scale: i8) -> Decimals<T> {
    let width = if let Shape::Int(width) = shape { Some(*width) } else { None };
    Decimals { values: Vec::new(), precision, scale, width }
}

#[cold]
fn mismatch(data_type: &DataType, shape: &Shape) -> Error {
    Error::new(ErrorKind::Encode, format!("a column of type {data_type} can't be filled with `{}`", shape.name()))
}
