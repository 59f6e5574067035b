use super::check;
use arrow_array::types::Int8Type;
use arrow_array::{ArrayRef, Decimal128Array, DictionaryArray, Int8Array, ListArray, RecordBatch, StructArray};
use arrow_buffer::OffsetBuffer;
use arrow_schema::{DataType, Field};
use std::sync::Arc;

fn checked(array: ArrayRef) -> Result<(), String> {
    let batch = RecordBatch::try_from_iter([("price", array)]).unwrap();
    check(&batch).map_err(|error| error.to_string())
}

fn decimals(values: Vec<Option<i128>>) -> ArrayRef {
    Arc::new(Decimal128Array::from(values).with_data_type(DataType::Decimal128(5, 2)))
}

#[test]
fn a_decimal_has_at_most_the_digits_of_its_type() {
    checked(decimals(vec![Some(99_999), None, Some(-99_999)])).unwrap();
    for value in [100_000, -100_000, i128::MAX, i128::MIN] {
        let error = checked(decimals(vec![Some(1), Some(value)])).unwrap_err();
        assert!(error.contains("more digits than the 5") && error.contains("$.price"), "{error}");
    }
}

#[test]
fn decimals_within_columns_are_checked() {
    let bad = decimals(vec![Some(1_000_000)]);
    let field = Arc::new(Field::new("item", bad.data_type().clone(), true));
    let list = ListArray::new(Arc::clone(&field), OffsetBuffer::new(vec![0, 1].into()), Arc::clone(&bad), None);
    let record = StructArray::from(vec![(field, Arc::clone(&bad))]);
    let keyed = DictionaryArray::<Int8Type>::new(Int8Array::from(vec![0]), bad);
    for array in [Arc::new(list) as ArrayRef, Arc::new(record), Arc::new(keyed)] {
        assert!(checked(array).is_err());
    }
}
