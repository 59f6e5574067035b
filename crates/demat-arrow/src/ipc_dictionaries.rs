//! The dictionaries of a file, which has one for all batches of a column.

use arrow_array::cast::AsArray;
use arrow_array::types::{
    ArrowDictionaryKeyType, Int8Type, Int16Type, Int32Type, Int64Type, UInt8Type, UInt16Type, UInt32Type, UInt64Type,
};
use arrow_array::{
    Array, ArrayRef, DictionaryArray, LargeStringArray, PrimitiveArray, RecordBatch, RecordBatchOptions, StringArray,
    StringViewArray, make_array,
};
use arrow_buffer::ArrowNativeType;
use arrow_data::ArrayData;
use arrow_schema::{ArrowError, DataType, Field, FieldRef, Schema, SchemaRef};
use arrow_select::take::take;
use std::collections::HashMap;
use std::sync::Arc;

/// The most bytes of batches that wait for the others.
const MOST: usize = 64 << 20;

/// The first batches of a file, which wait until it is known whether all dictionaries of a column are the same.
///
/// Readers of files need one dictionary per column; few of them take one that grows. If the batches of a file take more
/// than 64 MiB, columns of dictionaries become columns of values, unless a column is an enum, whose dictionary is known.
#[derive(Debug)]
pub(crate) struct Waiting {
    schema: SchemaRef,
    batches: Vec<RecordBatch>,
    bytes: usize,
    /// The dictionaries of the last batch.
    last: Vec<ArrayData>,
}

impl Waiting {
    /// Returns `None` if the schema has no dictionaries that may differ.
    pub(crate) fn new(schema: &SchemaRef) -> Option<Self> {
        let may_differ = schema.fields().iter().any(|field| may_differ(field));
        may_differ.then(|| Self { schema: schema.clone(), batches: Vec::new(), bytes: 0, last: Vec::new() })
    }

    /// Adds a batch. Returns whether those that wait are too many.
    pub(crate) fn push(&mut self, batch: RecordBatch) -> bool {
        let size = |data: &ArrayData| data.get_slice_memory_size().unwrap_or(0);
        let columns: Vec<_> = batch.columns().iter().map(Array::to_data).collect();
        let mut own = Vec::new();
        for column in &columns {
            dictionaries(column, &mut own);
        }
        // Dictionaries that batches share count once.
        let again = own.iter().zip(&self.last).filter(|(one, other)| one.ptr_eq(other)).map(|(one, _)| size(one));
        let again: usize = again.sum();
        self.bytes += columns.iter().map(size).sum::<usize>().saturating_sub(again);
        self.last = own;
        self.batches.push(batch);
        self.bytes > MOST
    }

    /// Returns the schema to write, and the batches so far in this schema. `whole`: whether no batch follows.
    ///
    /// # Errors
    /// If the arrays can't be rebuilt.
    pub(crate) fn decide(self, whole: bool) -> Result<(SchemaRef, Vec<RecordBatch>), ArrowError> {
        let Self { schema, batches, .. } = self;
        let mut columns = Vec::new();
        for (at, field) in schema.fields().iter().enumerate() {
            let own: Vec<ArrayRef> = batches.iter().map(|batch| batch.column(at).clone()).collect();
            columns.push(if !may_differ(field) || (whole && all_same(&own)) {
                (field.clone(), own)
            } else if let Some(unified) = whole.then(|| unified(&own)).flatten() {
                (field.clone(), unified)
            } else {
                let own = own.iter().map(plain).collect::<Result<Vec<_>, _>>()?;
                (plain_field(field), own)
            });
        }
        let (fields, columns): (Vec<_>, Vec<_>) = columns.into_iter().unzip();
        let schema = Arc::new(Schema::new(fields).with_metadata(schema.metadata().clone()));
        let batches = batches.iter().enumerate().map(|(at, batch)| {
            rebuilt(&schema, columns.iter().map(|column| column[at].clone()).collect(), batch.num_rows())
        });
        let batches = batches.collect::<Result<_, _>>()?;
        Ok((schema, batches))
    }
}

/// Converts a batch to the schema that [`Waiting::decide`] returned.
///
/// # Errors
/// If the arrays can't be rebuilt.
pub(crate) fn in_schema(batch: &RecordBatch, schema: &SchemaRef) -> Result<RecordBatch, ArrowError> {
    let columns = batch.columns().iter().zip(schema.fields()).map(|(column, field)| {
        if column.data_type() == field.data_type() { Ok(column.clone()) } else { plain(column) }
    });
    rebuilt(schema, columns.collect::<Result<_, _>>()?, batch.num_rows())
}

fn rebuilt(schema: &SchemaRef, columns: Vec<ArrayRef>, rows: usize) -> Result<RecordBatch, ArrowError> {
    let options = RecordBatchOptions::new().with_row_count(Some(rows));
    RecordBatch::try_new_with_options(schema.clone(), columns, &options)
}

/// Whether batches of the column may have other dictionaries. Those of enums are made of the shape.
fn may_differ(field: &Field) -> bool {
    let is_enum = crate::schema::of_field(field).is_ok_and(|shape| matches!(shape.inner(), demat_core::Shape::Enum(_)));
    !is_enum && has_dictionary(field.data_type())
}

fn has_dictionary(data_type: &DataType) -> bool {
    match data_type {
        DataType::Dictionary(..) => true,
        DataType::List(item)
        | DataType::LargeList(item)
        | DataType::ListView(item)
        | DataType::LargeListView(item)
        | DataType::FixedSizeList(item, _)
        | DataType::Map(item, _)
        | DataType::RunEndEncoded(_, item) => has_dictionary(item.data_type()),
        DataType::Struct(fields) => fields.iter().any(|field| has_dictionary(field.data_type())),
        _ => false,
    }
}

/// Whether the dictionaries of all arrays are the same, in the same order.
fn all_same(columns: &[ArrayRef]) -> bool {
    let mut first = Vec::new();
    let Some((one, others)) = columns.split_first() else { return true };
    dictionaries(&one.to_data(), &mut first);
    others.iter().all(|other| {
        let mut own = Vec::new();
        dictionaries(&other.to_data(), &mut own);
        own.len() == first.len() && own.iter().zip(&first).all(|(one, other)| one.ptr_eq(other) || one == other)
    })
}

/// Collects the dictionaries of an array and those nested in it.
fn dictionaries(data: &ArrayData, into: &mut Vec<ArrayData>) {
    if matches!(data.data_type(), DataType::Dictionary(..)) {
        into.extend(data.child_data().iter().cloned());
    }
    for child in data.child_data() {
        dictionaries(child, into);
    }
}

/// Returns the arrays with one dictionary for all of them, if they are dictionaries of text and it is not too large for
/// their keys.
fn unified(columns: &[ArrayRef]) -> Option<Vec<ArrayRef>> {
    let DataType::Dictionary(key, _) = columns.first()?.data_type() else { return None };
    match **key {
        DataType::Int8 => unified_by::<Int8Type>(columns),
        DataType::Int16 => unified_by::<Int16Type>(columns),
        DataType::Int32 => unified_by::<Int32Type>(columns),
        DataType::Int64 => unified_by::<Int64Type>(columns),
        DataType::UInt8 => unified_by::<UInt8Type>(columns),
        DataType::UInt16 => unified_by::<UInt16Type>(columns),
        DataType::UInt32 => unified_by::<UInt32Type>(columns),
        _ => unified_by::<UInt64Type>(columns),
    }
}

fn unified_by<K: ArrowDictionaryKeyType>(columns: &[ArrayRef]) -> Option<Vec<ArrayRef>> {
    let mut keys = Vec::new();
    let mut places = HashMap::new();
    let mut values = Vec::new();
    for column in columns {
        let own = column.as_dictionary_opt::<K>()?;
        let mut moved = Vec::new();
        for text in texts(own.values())? {
            let Some(text) = text else {
                moved.push(None);
                continue;
            };
            let at = *places.entry(text).or_insert(values.len());
            if at == values.len() {
                values.push(text);
            }
            // `None` if the keys are too narrow.
            moved.push(Some(K::Native::from_usize(at)?));
        }
        let moved: PrimitiveArray<K> = moved.into_iter().collect();
        keys.push(take(&moved, own.keys(), None).ok()?);
    }
    let values: ArrayRef = match columns.first()?.as_any_dictionary_opt()?.values().data_type() {
        DataType::Utf8 => Arc::new(StringArray::from_iter_values(&values)),
        DataType::LargeUtf8 => Arc::new(LargeStringArray::from_iter_values(&values)),
        _ => Arc::new(StringViewArray::from_iter_values(&values)),
    };
    let made = keys.iter().map(|keys| {
        let made = DictionaryArray::try_new(keys.as_primitive::<K>().clone(), values.clone()).ok()?;
        Some(Arc::new(made) as ArrayRef)
    });
    made.collect()
}

fn texts(array: &ArrayRef) -> Option<Vec<Option<&str>>> {
    Some(match array.data_type() {
        DataType::Utf8 => array.as_string::<i32>().iter().collect(),
        DataType::LargeUtf8 => array.as_string::<i64>().iter().collect(),
        DataType::Utf8View => array.as_string_view().iter().collect(),
        _ => return None,
    })
}

/// Returns the field of the values in place of dictionaries.
fn plain_field(field: &FieldRef) -> FieldRef {
    if !has_dictionary(field.data_type()) {
        return field.clone();
    }
    Arc::new(Field::clone(field).with_data_type(plain_type(field.data_type())))
}

fn plain_type(data_type: &DataType) -> DataType {
    use DataType::*;
    match data_type {
        Dictionary(_, value) => plain_type(value),
        List(item) => List(plain_field(item)),
        LargeList(item) => LargeList(plain_field(item)),
        ListView(item) => ListView(plain_field(item)),
        LargeListView(item) => LargeListView(plain_field(item)),
        FixedSizeList(item, len) => FixedSizeList(plain_field(item), *len),
        Map(item, sorted) => Map(plain_field(item), *sorted),
        RunEndEncoded(ends, item) => RunEndEncoded(ends.clone(), plain_field(item)),
        Struct(fields) => Struct(fields.iter().map(plain_field).collect()),
        other => other.clone(),
    }
}

/// Returns the array with the values in place of dictionaries.
fn plain(array: &ArrayRef) -> Result<ArrayRef, ArrowError> {
    if !has_dictionary(array.data_type()) {
        return Ok(array.clone());
    }
    if let Some(own) = array.as_any_dictionary_opt() {
        return plain(&take(own.values(), own.keys(), None)?);
    }
    // Containers keep their own layout; only their children are converted.
    let data = array.to_data();
    let children = data.child_data().iter().map(|child| Ok(plain(&make_array(child.clone()))?.to_data()));
    let children = children.collect::<Result<_, ArrowError>>()?;
    let data_type = plain_type(data.data_type());
    Ok(make_array(data.into_builder().data_type(data_type).child_data(children).build()?))
}

#[cfg(test)]
mod tests;
