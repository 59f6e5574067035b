use super::columns;
use crate::{Columns, Options};
use arrow_array::cast::AsArray;
use arrow_array::types::{Date32Type, Decimal128Type, Int8Type, Int64Type, TimestampMicrosecondType};
use arrow_array::{Array, Int64Array, StringArray, UInt16Array};
use demat_core::{Signal, Source};
use demat_formats::json::{JsonSource, ReadOptions};
use demat_formats::stream::Part;

#[test]
fn what_did_not_come_is_null_and_shifts_nothing() {
    let json = r#"[{"a":1,"b":"x"},{"b":"y"},{"a":3},{},{"b":null,"a":5}]"#;
    let batch = columns("a:int64?, b:text?", json).unwrap();
    assert_eq!(
        batch.column(0).as_primitive::<Int64Type>(),
        &Int64Array::from(vec![Some(1), None, Some(3), None, Some(5)])
    );
    assert_eq!(batch.column(1).as_string::<i32>(), &StringArray::from(vec![Some("x"), Some("y"), None, None, None]));
}

#[test]
fn what_did_not_come_has_its_default_or_is_missed() {
    let batch = columns("a:int64 = 7, b:text", r#"[{"b":"x"},{"b":"y","a":1}]"#).unwrap();
    assert_eq!(batch.column(0).as_primitive::<Int64Type>(), &Int64Array::from(vec![7, 1]));
    let error = columns("a:int64 = 7, b:text", r#"[{"b":"x"},{"a":1}]"#).unwrap_err();
    assert_eq!(error.reason(), "expected field `b`, found nothing");
    assert_eq!((error.path().as_str(), error.position().record), ("$[1]", Some(2)));
}

#[test]
fn of_a_key_that_repeats_the_last_one_counts() {
    let batch = columns("a:int64, b:text?", r#"[{"a":1,"b":"x","a":2},{"b":"y","b":null,"a":3,"b":"z"}]"#).unwrap();
    assert_eq!(batch.column(0).as_primitive::<Int64Type>(), &Int64Array::from(vec![2, 3]));
    assert_eq!(batch.column(1).as_string::<i32>(), &StringArray::from(vec![Some("x"), Some("z")]));
    let batch = columns("m:map(text, [int64])", r#"[{"m":{"a":[1],"b":[2,3],"a":[4,5]}},{"m":{}}]"#).unwrap();
    let map = batch.column(0).as_map();
    assert_eq!(map.value_offsets(), [0, 2, 2]);
    assert_eq!(map.keys().as_string::<i32>(), &StringArray::from(vec!["b", "a"]));
    assert_eq!(map.values().as_list::<i32>().values().as_primitive::<Int64Type>(), &Int64Array::from(vec![2, 3, 4, 5]));
}

#[test]
fn repeats_are_refused_where_the_source_was_told_to() {
    let options = ReadOptions { repeated_keys: demat_formats::json::RepeatedKeys::Refuse, ..ReadOptions::default() };
    for (shape, json) in
        [("b:text?, a:int64", r#"[{"a":1,"b":"x","a":2}]"#), ("m:map(text, int64)", r#"[{"m":{"a":1,"b":2,"a":3}}]"#)]
    {
        let mut columns = Columns::new(&shape.parse().unwrap()).unwrap();
        let mut source = JsonSource::with_options(json.as_bytes(), options);
        source.list().unwrap();
        let error = columns.records(&mut source, 9).unwrap_err();
        assert!(error.reason().contains("the key `a` stands here again"), "{error}");
        assert_eq!(columns.rows(), 0);
    }
}

#[test]
fn ints_out_of_range_are_refused_where_they_stand() {
    let batch = columns("a:uint16, b:int8", r#"[{"a":65535,"b":-128}]"#).unwrap();
    assert_eq!(batch.column(0).as_any().downcast_ref::<UInt16Array>(), Some(&UInt16Array::from(vec![65_535])));
    let error = columns("a:uint16, b:int8", "[{\"a\":1,\"b\":2},\n {\"a\":1,\"b\":128}]").unwrap_err();
    assert_eq!(error.to_string(), "expected `int8`, found `128` at `$[1].b` (record 2, line 2, column 13)");
    let error = columns("a:int", r#"[{"a":9223372036854775808}]"#).unwrap_err();
    assert_eq!(error.reason(), "expected `int64`, found `9223372036854775808`");
    let error = columns("a:uint5", r#"[{"a":32}]"#).unwrap_err();
    assert_eq!(error.reason(), "expected `uint5`, found `32`");
}

#[test]
fn kinds_that_text_writes_as_text_become_numbers() {
    let json = r#"[{"d":"1970-01-03","t":"00:00:01.5","i":"1970-01-01T01:00:00.000001+01:00","s":"PT0.000003S",
        "u":"00000000-0000-0000-0000-0000000000ff","n":-12.50,"e":"red"}]"#;
    let shape = "d:date, t:time, i:instant, s:duration, u:uuid, n:decimal, e:enum(blue, red)";
    let mut columns =
        Columns::with_options(&shape.parse().unwrap(), &Options { decimals: Some((6, 3)), ..Options::default() })
            .unwrap();
    let mut source = JsonSource::new(json.as_bytes());
    source.list().unwrap();
    columns.records(&mut source, 9).unwrap();
    let batch = columns.finish().unwrap();
    assert_eq!(batch.column(0).as_primitive::<Date32Type>().value(0), 2);
    assert_eq!(batch.column(2).as_primitive::<TimestampMicrosecondType>().value(0), 1);
    assert_eq!(batch.column(4).as_fixed_size_binary().value(0)[15], 255);
    assert_eq!(batch.column(5).as_primitive::<Decimal128Type>().value(0), -12_500);
    assert_eq!(batch.column(6).as_dictionary::<Int8Type>().keys().value(0), 1);
}

#[test]
fn what_is_finer_than_a_column_is_refused() {
    for (shape, json, reason) in [
        (
            "a:time",
            r#"[{"a":"00:00:00.0000001"}]"#,
            "expected a time of whole microseconds, found `00:00:00.000000100`",
        ),
        ("a:duration", r#"[{"a":"PT0.0000001S"}]"#, "expected a duration of whole microseconds, found `PT0.0000001S`"),
        (
            "a:instant",
            r#"[{"a":"2024-01-01T00:00:00"}]"#,
            "expected an instant with an offset, found `2024-01-01T00:00:00`",
        ),
        (
            "a:datetime",
            r#"[{"a":"2024-01-01T00:00:00Z"}]"#,
            "expected `datetime` as YYYY-MM-DDTHH:MM:SS, found `2024-01-01T00:00:00Z`, which has an offset",
        ),
        (
            "a:datetime",
            r#"[{"a":"2024-01-01T00:00:00.0000001"}]"#,
            "expected a datetime of whole microseconds, found `2024-01-01T00:00:00.000000100`",
        ),
        ("a:int100", r#"[{"a":1e3}]"#, "expected `int`, found `float` 1e3"),
    ] {
        assert_eq!(columns(shape, json).unwrap_err().reason(), reason);
    }
}

#[test]
fn what_has_no_type_is_json() {
    let batch =
        columns("a:any, b:(int, text)", r#"[{"a":{"x":[1, 2.50]},"b":[1,"x"]},{"a":null,"b":[2,"y"]}]"#).unwrap();
    assert_eq!(batch.column(0).as_string::<i32>(), &StringArray::from(vec![Some(r#"{"x":[1,2.5]}"#), None]));
    assert_eq!(batch.column(1).as_string::<i32>(), &StringArray::from(vec![r#"[1,"x"]"#, r#"[2,"y"]"#]));
}

#[test]
fn nulls_of_records_leave_their_columns_whole() {
    let shape = "a:{x:int64, y:[text], z:(float, float)}?, b:int8";
    let batch = columns(shape, r#"[{"a":null,"b":1},{"a":{"x":1,"y":["p","q"],"z":[1,2]},"b":2},{"b":3}]"#).unwrap();
    let inner = batch.column(0).as_struct();
    assert_eq!((inner.len(), inner.null_count()), (3, 2));
    assert_eq!(inner.column(1).as_list::<i32>().value(1).len(), 2);
}

#[test]
fn a_record_that_fails_or_is_incomplete_leaves_nothing() {
    let shape = "a:int64, b:[{c:text, d:map(text, int8)?}], e:{f:(int8, int8)?}";
    let json = r#"[{"a":1,"b":[{"c":"x","d":{"k":1}}],"e":{"f":[1,2]}},{"e":{"f":null},"b":[],"a":2},{"a":3,"b":[{"c":"zz"}],"e":{}}]"#;
    let whole = columns(shape, json).unwrap();
    for cut in 0..json.len() {
        let mut columns = Columns::new(&shape.parse().unwrap()).unwrap();
        let (first, last) = json.as_bytes().split_at(cut);
        let part = Part { bytes: first, last: false, base: demat_formats::stream::Base::default() };
        let mut source = JsonSource::over(part, ReadOptions::default());
        let begun = source.list().is_ok();
        if begun {
            match columns.records(&mut source, usize::MAX) {
                Ok(_) => assert!(columns.has_ended()),
                Err(error) => assert_eq!(error.signal(), Some(Signal::Incomplete), "{cut}: {error}"),
            }
        }
        if !columns.has_ended() {
            let joined = [first, last].concat();
            let mut source = JsonSource::new(&joined);
            if begun {
                source.reset(columns.mark());
            } else {
                source.list().unwrap();
            }
            columns.records(&mut source, usize::MAX).unwrap();
        }
        assert_eq!(columns.finish().unwrap(), whole, "{cut}");
    }
}

#[test]
fn batches_follow_one_another() {
    let mut columns = Columns::new(&"a:int64".parse().unwrap()).unwrap();
    let mut source = JsonSource::new(br#"[{"a":1},{"a":2},{"a":3},{"a":"x"}]"#);
    source.list().unwrap();
    assert_eq!(columns.records(&mut source, 2).unwrap(), 2);
    assert!(!columns.has_ended());
    assert_eq!(columns.finish().unwrap().num_rows(), 2);
    let error = columns.records(&mut source, 2).unwrap_err();
    assert_eq!((error.path().as_str(), error.position().record), ("$[3].a", Some(4)));
    assert_eq!(columns.finish().unwrap().num_rows(), 1);
    assert_eq!(columns.finish().unwrap().num_rows(), 0);
}

#[test]
fn unknown_fields_that_are_kept_are_a_map() {
    use demat_core::{Field, Record, Ref, Shape, Unknown};
    let rest = Shape::Map(Ref::new(Shape::Text), Ref::new("int64".parse().unwrap()));
    let fields = vec![Field::new("a", 1, "int64".parse().unwrap()), Field::new("rest", 2, rest).with_required(false)];
    let record = Record::new("", fields).unwrap().with_unknown(Unknown::Keep(1));
    let mut columns = Columns::new(&Shape::record(record)).unwrap();
    let json = br#"[{"x":1,"a":2,"y":3},{"a":4},{"rest":5,"a":6,"x":7,"rest":8}]"#;
    let mut source = JsonSource::new(json);
    source.list().unwrap();
    columns.records(&mut source, 9).unwrap();
    let batch = columns.finish().unwrap();
    assert_eq!(batch.column(0).as_primitive::<Int64Type>(), &Int64Array::from(vec![2, 4, 6]));
    let map = batch.column(1).as_map();
    assert_eq!(map.value_offsets(), [0, 2, 2, 4]);
    assert_eq!(map.keys().as_string::<i32>(), &StringArray::from(vec!["x", "y", "x", "rest"]));
    assert_eq!(map.values().as_primitive::<Int64Type>(), &Int64Array::from(vec![1, 3, 7, 8]));
}
