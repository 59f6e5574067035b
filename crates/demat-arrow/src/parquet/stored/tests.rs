use super::{in_schema, stored};
use arrow_array::types::{Date64Type, Int8Type, Int32Type, Time32SecondType, TimestampSecondType};
use arrow_array::{
    Array, ArrayRef, DictionaryArray, Int32Array, ListArray, PrimitiveArray, RecordBatch, RunArray, StructArray,
};
use arrow_buffer::OffsetBuffer;
use arrow_schema::{DataType, Field, IntervalUnit, Schema, TimeUnit, UnionFields, UnionMode};
use demat_core::{ErrorKind, Result};
use std::sync::Arc;

fn seconds() -> ArrayRef {
    Arc::new(PrimitiveArray::<TimestampSecondType>::from(vec![Some(-1), None, Some(3)]).with_timezone("+02:00"))
}

/// Converts a single column.
fn through(array: ArrayRef) -> Result<ArrayRef> {
    let batch = RecordBatch::try_from_iter([("a", array)]).unwrap();
    match stored(&batch.schema())? {
        Some(schema) => Ok(in_schema(&batch, &schema)?.column(0).clone()),
        None => Ok(batch.column(0).clone()),
    }
}

fn listed(array: ArrayRef) -> ArrayRef {
    let field = Arc::new(Field::new("item", array.data_type().clone(), true));
    let offsets = OffsetBuffer::new(vec![0, 1, 1, i32::try_from(array.len()).unwrap()].into());
    Arc::new(ListArray::new(field, offsets, array, None))
}

fn shown(array: &dyn Array) -> String {
    format!("{array:?}").split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn what_parquet_has_stays_the_same_array() {
    let numbers: ArrayRef = Arc::new(Int32Array::from(vec![1, 2, 3]));
    assert!(Arc::ptr_eq(&numbers, &through(numbers.clone()).unwrap()));
    let list = listed(numbers);
    assert_eq!(list.data_type(), through(list.clone()).unwrap().data_type());
}

#[test]
fn seconds_and_days_keep_what_they_say_however_deep() {
    let whole = through(seconds()).unwrap();
    assert_eq!(*whole.data_type(), DataType::Timestamp(TimeUnit::Millisecond, Some("+02:00".into())));
    assert_eq!(whole.to_data().buffers()[0].typed_data::<i64>()[0], -1000);
    assert!(whole.is_null(1));
    let times: ArrayRef = Arc::new(PrimitiveArray::<Time32SecondType>::from(vec![86_399]));
    assert!(shown(&through(times).unwrap()).contains("23:59:59"));
    let days: ArrayRef = Arc::new(PrimitiveArray::<Date64Type>::from(vec![-86_400_000, 0]));
    assert!(shown(&through(days).unwrap()).contains("1969-12-31"));

    let list = through(listed(seconds())).unwrap();
    assert!(shown(&list).contains("1970-01-01T02:00:03"), "{}", shown(&list));
    let field = Field::new("b", seconds().data_type().clone(), true);
    let record = StructArray::from(vec![(Arc::new(field), seconds())]);
    // Sliced columns, whose children are longer than the slice.
    for from in 0..3 {
        let part = through(Arc::new(record.slice(from, 3 - from))).unwrap();
        assert_eq!(part.len(), 3 - from);
        assert!(shown(&part).contains("1970-01-01T02:00:03"), "{}", shown(&part));
    }
    let keys = PrimitiveArray::<Int8Type>::from(vec![2, 0, 1]);
    let dictionary = DictionaryArray::new(keys, seconds());
    let own = through(Arc::new(dictionary)).unwrap();
    assert!(matches!(own.data_type(), DataType::Dictionary(_, value) if **value == *whole.data_type()));
    let ends = PrimitiveArray::<Int32Type>::from(vec![1, 5, 6]);
    let runs: ArrayRef = Arc::new(RunArray::try_new(&ends, &seconds()).unwrap());
    assert_eq!(through(runs.slice(1, 5)).unwrap().len(), 5);
}

#[test]
fn what_does_not_fit_is_refused() {
    let far: ArrayRef = Arc::new(PrimitiveArray::<TimestampSecondType>::from(vec![i64::MAX]));
    let part: ArrayRef = Arc::new(PrimitiveArray::<Date64Type>::from(vec![1]));
    let late: ArrayRef = Arc::new(PrimitiveArray::<Date64Type>::from(vec![i64::MAX / 86_400_000 * 86_400_000]));
    for array in [far, part, late] {
        let error = through(array.clone()).unwrap_err();
        assert_eq!((error.kind(), error.path()), (ErrorKind::Encode, "$.a".to_string()), "{error}");
        // Nulls are always accepted: they have no value to refuse.
        assert!(through(arrow_array::new_null_array(array.data_type(), 2)).is_ok());
    }
}

#[test]
fn types_that_parquet_has_not_are_refused_by_the_path_of_the_column() {
    let union = DataType::Union(UnionFields::empty(), UnionMode::Sparse);
    let decimal = DataType::Decimal128(5, -2);
    for data_type in [union, decimal, DataType::Interval(IntervalUnit::MonthDayNano), DataType::Struct([].into())] {
        let inner = Field::new("inner", data_type, true);
        let list = DataType::List(Arc::new(Field::new("item", DataType::Struct(vec![inner].into()), true)));
        let error = stored(&Arc::new(Schema::new(vec![Field::new("a", list, true)]))).unwrap_err();
        assert_eq!((error.kind(), error.path()), (ErrorKind::Encode, "$.a.item.inner".to_string()), "{error}");
    }
}
