//! Converts the builders to Arrow's arrays.

use super::node::{Builders, Decimals, Ints, Nodes, StructPlan, Values};
use super::texts::Texts;
use arrow_array::types::{
    Date32Type, Decimal128Type, Decimal256Type, DurationMicrosecondType, Float32Type, Float64Type, Int8Type, Int16Type,
    Int32Type, Int64Type, Time64MicrosecondType, TimestampMicrosecondType, UInt8Type, UInt16Type, UInt32Type,
    UInt64Type,
};
use arrow_array::{
    ArrayRef, ArrowPrimitiveType, BinaryArray, BooleanArray, DictionaryArray, FixedSizeBinaryArray, FixedSizeListArray,
    ListArray, MapArray, NullArray, PrimitiveArray, RecordBatch, RecordBatchOptions, StringArray, StructArray,
};
use arrow_buffer::{Buffer, NullBuffer, OffsetBuffer, ScalarBuffer};
use arrow_schema::{ArrowError, DataType, Field, SchemaRef};
use core::mem::take;
use demat_core::{Enum, Error, ErrorKind, Result};
use std::sync::Arc;

impl Builders {
    /// Returns the rows so far as a batch. The builders are then empty.
    pub(crate) fn finish(&mut self, schema: &SchemaRef) -> Result<RecordBatch> {
        let Values::Struct { len, plan } = self.nodes.nodes[self.root].values else {
            return Err(Error::new(ErrorKind::Encode, "no columns"));
        };
        let columns = self.nodes.children(&self.plans, plan, schema.fields()).map_err(|error| made(&error))?;
        if let Values::Struct { len, .. } = &mut self.nodes.nodes[self.root].values {
            *len = 0;
        }
        let options = RecordBatchOptions::new().with_row_count(Some(len));
        RecordBatch::try_new_with_options(schema.clone(), columns, &options).map_err(|error| made(&error))
    }
}

/// Returns the error for an array that Arrow refuses; that would be a bug of this crate.
#[cold]
fn made(error: &ArrowError) -> Error {
    Error::new(ErrorKind::Encode, format!("the columns make no batch: {error}"))
}

fn primitive<T: ArrowPrimitiveType>(
    values: &mut Vec<T::Native>,
    nulls: Option<NullBuffer>,
) -> Result<PrimitiveArray<T>, ArrowError> {
    let mut values = take(values);
    // Reserved memory that was never touched; releasing it keeps it out of memory statistics.
    values.shrink_to_fit();
    PrimitiveArray::try_new(ScalarBuffer::from(values), nulls)
}

fn offsets(offsets: &mut Vec<i32>) -> OffsetBuffer<i32> {
    let mut offsets = core::mem::replace(offsets, vec![0]);
    offsets.shrink_to_fit();
    OffsetBuffer::new(ScalarBuffer::from(offsets))
}

fn data(texts: &mut Texts) -> (OffsetBuffer<i32>, Buffer) {
    let mut data = take(&mut texts.data);
    data.shrink_to_fit();
    (offsets(&mut texts.offsets), Buffer::from_vec(data))
}

fn dictionary(
    keys: &mut Vec<i32>,
    names: &Enum,
    key: &DataType,
    nulls: Option<NullBuffer>,
) -> Result<ArrayRef, ArrowError> {
    let names: ArrayRef = Arc::new((0..names.len()).map(|index| Some(names.name_at(index))).collect::<StringArray>());
    let keys = take(keys);
    // The key type was chosen to hold the index of every name.
    Ok(match key {
        DataType::Int8 => {
            let keys = keys.into_iter().map(|key| key as i8).collect::<Vec<_>>();
            Arc::new(DictionaryArray::<Int8Type>::try_new(PrimitiveArray::try_new(keys.into(), nulls)?, names)?)
        }
        DataType::Int16 => {
            let keys = keys.into_iter().map(|key| key as i16).collect::<Vec<_>>();
            Arc::new(DictionaryArray::<Int16Type>::try_new(PrimitiveArray::try_new(keys.into(), nulls)?, names)?)
        }
        _ => Arc::new(DictionaryArray::<Int32Type>::try_new(PrimitiveArray::try_new(keys.into(), nulls)?, names)?),
    })
}

impl Nodes {
    fn children(
        &mut self,
        plans: &[StructPlan],
        plan: usize,
        fields: &[Arc<Field>],
    ) -> Result<Vec<ArrayRef>, ArrowError> {
        let children = &plans[plan].children;
        children.iter().zip(fields).map(|(child, field)| self.array(plans, *child, field)).collect()
    }

    fn array(&mut self, plans: &[StructPlan], id: usize, field: &Field) -> Result<ArrayRef, ArrowError> {
        let node = &mut self.nodes[id];
        let rows = node.len();
        let nulls = node.nulls.finish(rows);
        Ok(match (&mut self.nodes[id].values, field.data_type()) {
            (Values::Null(len), _) => Arc::new(NullArray::new(take(len))),
            (Values::Bool(bits), _) => Arc::new(BooleanArray::new(bits.finish(), nulls)),
            (Values::I8(Ints { values, .. }), _) => Arc::new(primitive::<Int8Type>(values, nulls)?),
            (Values::I16(Ints { values, .. }), _) => Arc::new(primitive::<Int16Type>(values, nulls)?),
            (Values::I32(Ints { values, .. }), _) => Arc::new(primitive::<Int32Type>(values, nulls)?),
            (Values::I33(Ints { values, .. }) | Values::I64(values), _) => {
                Arc::new(primitive::<Int64Type>(values, nulls)?)
            }
            (Values::U8(Ints { values, .. }), _) => Arc::new(primitive::<UInt8Type>(values, nulls)?),
            (Values::U16(Ints { values, .. }), _) => Arc::new(primitive::<UInt16Type>(values, nulls)?),
            (Values::U32(Ints { values, .. }), _) => Arc::new(primitive::<UInt32Type>(values, nulls)?),
            (Values::U64(values, _), _) => Arc::new(primitive::<UInt64Type>(values, nulls)?),
            (Values::F32(values), _) => Arc::new(primitive::<Float32Type>(values, nulls)?),
            (Values::F64(values), _) => Arc::new(primitive::<Float64Type>(values, nulls)?),
            (Values::D128(Decimals { values, precision, scale, .. }), _) => {
                Arc::new(primitive::<Decimal128Type>(values, nulls)?.with_precision_and_scale(*precision, *scale)?)
            }
            (Values::D256(Decimals { values, precision, scale, .. }), _) => {
                Arc::new(primitive::<Decimal256Type>(values, nulls)?.with_precision_and_scale(*precision, *scale)?)
            }
            (Values::Text(texts) | Values::Digits(texts) | Values::Json(texts, _), _) => {
                let (offsets, data) = data(texts);
                Arc::new(StringArray::try_new(offsets, data, nulls)?)
            }
            (Values::Dictionary(own), _) => own.finish(nulls)?,
            (Values::Bytes(texts), _) => {
                let (offsets, data) = data(texts);
                Arc::new(BinaryArray::try_new(offsets, data, nulls)?)
            }
            (Values::Date(values), _) => Arc::new(primitive::<Date32Type>(values, nulls)?),
            (Values::Time(values), _) => Arc::new(primitive::<Time64MicrosecondType>(values, nulls)?),
            (Values::DateTime(values) | Values::Instant(values), DataType::Timestamp(_, zone)) => {
                Arc::new(primitive::<TimestampMicrosecondType>(values, nulls)?.with_timezone_opt(zone.clone()))
            }
            (Values::Duration(values), _) => Arc::new(primitive::<DurationMicrosecondType>(values, nulls)?),
            (Values::Uuid(bytes), _) => {
                Arc::new(FixedSizeBinaryArray::try_new_with_len(16, Buffer::from_vec(take(bytes)), nulls, rows)?)
            }
            (Values::Enum(keys, names), DataType::Dictionary(key, _)) => dictionary(keys, names, key, nulls)?,
            (Values::List { offsets: own, item }, DataType::List(field)) => {
                let (own, item) = (offsets(own), *item);
                let items = self.array(plans, item, field)?;
                Arc::new(ListArray::try_new(field.clone(), own, items, nulls)?)
            }
            (Values::Tuple { len, size, item }, DataType::FixedSizeList(field, _)) => {
                let (len, size, item) = (take(len), *size as i32, *item);
                let items = self.array(plans, item, field)?;
                Arc::new(FixedSizeListArray::try_new_with_length(field.clone(), size, items, nulls, len)?)
            }
            (Values::Map { offsets: own, key, value }, DataType::Map(entry, sorted)) => {
                let (own, key, value) = (offsets(own), *key, *value);
                let DataType::Struct(pair) = entry.data_type() else {
                    return Err(ArrowError::SchemaError("a map without entries".to_string()));
                };
                let keys = self.array(plans, key, &pair[0])?;
                let values = self.array(plans, value, &pair[1])?;
                let entries = StructArray::try_new(pair.clone(), vec![keys, values], None)?;
                Arc::new(MapArray::try_new(entry.clone(), own, entries, nulls, *sorted)?)
            }
            (Values::Struct { len, plan }, DataType::Struct(fields)) => {
                let (len, plan) = (take(len), *plan);
                let columns = self.children(plans, plan, fields)?;
                Arc::new(StructArray::try_new_with_length(fields.clone(), columns, nulls, len)?)
            }
            (_, other) => return Err(ArrowError::SchemaError(format!("{other} is not what was built"))),
        })
    }
}
