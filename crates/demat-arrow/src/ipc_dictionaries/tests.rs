use crate::{BatchDrain, IpcBatches, IpcDrain, IpcForm};
use arrow_array::builder::{ListBuilder, StringDictionaryBuilder};
use arrow_array::cast::AsArray;
use arrow_array::types::{Int8Type, Int32Type};
use arrow_array::{Array, ArrayRef, DictionaryArray, RecordBatch, StringArray};
use arrow_schema::DataType;
use std::sync::Arc;

fn batch(array: ArrayRef) -> RecordBatch {
    RecordBatch::try_from_iter_with_nullable([("d", array, true)]).unwrap()
}

fn dictionary(texts: &[Option<&str>]) -> RecordBatch {
    batch(Arc::new(texts.iter().copied().collect::<DictionaryArray<Int8Type>>()))
}

fn written(form: IpcForm, batches: &[RecordBatch]) -> Vec<RecordBatch> {
    let mut drain = IpcDrain::new(Vec::new(), form);
    drain.begin(&batches[0].schema()).unwrap();
    for batch in batches {
        drain.batch(batch.clone()).unwrap();
    }
    drain.finish().unwrap();
    let bytes = drain.into_writer().unwrap();
    IpcBatches::new(&bytes[..]).unwrap().collect::<Result<_, _>>().unwrap()
}

fn texts(batch: &RecordBatch) -> Vec<Option<String>> {
    let column = super::plain(batch.column(0)).unwrap();
    column.as_string::<i32>().iter().map(|text| text.map(str::to_string)).collect()
}

#[test]
fn different_dictionaries_become_one() {
    let batches = [dictionary(&[Some("a"), Some("b"), None]), dictionary(&[Some("c"), Some("b")]), dictionary(&[None])];
    for form in [IpcForm::File, IpcForm::Stream] {
        let read = written(form, &batches);
        assert_eq!(read.iter().map(texts).collect::<Vec<_>>(), batches.iter().map(texts).collect::<Vec<_>>());
        assert!(read.iter().all(|batch| batch.schema() == batches[0].schema()), "{form:?}");
    }
    let read = written(IpcForm::File, &batches);
    let values: Vec<_> = read[2].column(0).as_any_dictionary().values().as_string::<i32>().iter().flatten().collect();
    assert_eq!(values, ["a", "b", "c"]);
}

#[test]
fn no_batch_and_one_batch_keep_the_schema() {
    let one = dictionary(&[Some("a")]);
    assert_eq!(written(IpcForm::File, std::slice::from_ref(&one)), std::slice::from_ref(&one));
    let mut drain = IpcDrain::new(Vec::new(), IpcForm::File);
    drain.begin(&one.schema()).unwrap();
    drain.finish().unwrap();
    let bytes = drain.into_writer().unwrap();
    assert_eq!(*IpcBatches::new(&bytes[..]).unwrap().schema(), one.schema());
}

/// Eight bits have 128 keys.
#[test]
fn too_many_values_for_the_keys_are_written_plainly() {
    let part = |from: usize| {
        let texts: Vec<_> = (from..from + 100).map(|n| n.to_string()).collect();
        dictionary(&texts.iter().map(|text| Some(text.as_str())).collect::<Vec<_>>())
    };
    let batches = [part(0), part(100)];
    let read = written(IpcForm::File, &batches);
    assert_eq!(*read[0].schema().field(0).data_type(), DataType::Utf8);
    assert_eq!(read.iter().map(texts).collect::<Vec<_>>(), batches.iter().map(texts).collect::<Vec<_>>());
}

#[test]
fn nested_dictionaries_that_differ_are_written_plainly() {
    let lists = |text: &str| {
        let mut builder = ListBuilder::new(StringDictionaryBuilder::<Int32Type>::new());
        builder.append_value([Some(text), None]);
        builder.append_null();
        batch(Arc::new(builder.finish()))
    };
    let same = written(IpcForm::File, &[lists("a"), lists("a")]);
    assert_eq!(same, [lists("a"), lists("a")]);
    let read = written(IpcForm::File, &[lists("a"), lists("b")]);
    let second = read[1].column(0).as_list::<i32>();
    assert_eq!(second.value_type(), DataType::Utf8);
    assert_eq!(second.value(0).as_string::<i32>(), &StringArray::from(vec![Some("b"), None]));
    assert!(second.is_null(1));
}

#[test]
fn batches_after_those_that_waited_are_written_plainly() {
    let wide = "x".repeat(1 << 20);
    let batches: Vec<_> = (0..70).map(|n| dictionary(&[Some(&format!("{n}{wide}")), Some("y")])).collect();
    let read = written(IpcForm::File, &batches);
    assert_eq!(*read[0].schema().field(0).data_type(), DataType::Utf8);
    assert_eq!(read.len(), 70);
    assert!(read.iter().zip(&batches).all(|(read, batch)| texts(read) == texts(batch)));
}
