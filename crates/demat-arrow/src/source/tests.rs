use crate::tests::round::json_of;
use crate::{ArrowSource, shape};
use arrow_array::builder::{FixedSizeListBuilder, Int32Builder, LargeListBuilder, ListViewBuilder, StringBuilder};
use arrow_array::types::{Float16Type, Int8Type, Int32Type, UInt64Type};
use arrow_array::*;
use arrow_buffer::i256;
use demat_core::{Decode, Kind, Shape, Source, Text, Value};
use std::sync::Arc;

fn batch(array: impl Array + 'static) -> RecordBatch {
    RecordBatch::try_from_iter_with_nullable([("a", Arc::new(array) as ArrayRef, true)]).unwrap()
}

/// Returns the column as JSON, read without a shape. Checks that its shape gives the same.
fn json(array: impl Array + 'static) -> String {
    let batch = batch(array);
    let untyped = json_of(vec![batch.clone()], &Shape::Any).unwrap();
    let own = shape(batch.schema_ref()).unwrap();
    assert_eq!(json_of(vec![batch], &own).unwrap(), untyped, "by its shape {own}");
    untyped.replace("{\"a\":", "").replace("},", ",").replace("}]", "]")
}

#[test]
fn every_type_is_read() {
    assert_eq!(json(LargeStringArray::from(vec![Some("x"), None])), r#"["x",null]"#);
    assert_eq!(
        json(StringViewArray::from(vec!["short", "and a text longer than a view"])),
        r#"["short","and a text longer than a view"]"#
    );
    assert_eq!(json(BinaryViewArray::from(vec![&b"\0\x01\x02"[..]])), r#"["AAEC"]"#);
    assert_eq!(json(LargeBinaryArray::from(vec![&b"\0"[..]])), r#"["AA=="]"#);
    assert_eq!(json(FixedSizeBinaryArray::try_from_iter([[0u8, 1, 2]].into_iter()).unwrap()), r#"["AAEC"]"#);
    assert_eq!(json(NullArray::new(2)), "[null,null]");
    assert_eq!(json(UInt64Array::from(vec![u64::MAX])), "[18446744073709551615]");
    let halves = [Some(1.5f32), None].map(|one| one.map(<Float16Type as ArrowPrimitiveType>::Native::from_f32));
    assert_eq!(json(halves.into_iter().collect::<Float16Array>()), "[1.5,null]");
    assert_eq!(json(Date64Array::from(vec![86_400_000])), r#"["1970-01-02"]"#);
    assert_eq!(json(Time32SecondArray::from(vec![61])), r#"["00:01:01"]"#);
    assert_eq!(json(Time32MillisecondArray::from(vec![1])), r#"["00:00:00.001"]"#);
    assert_eq!(json(Time64NanosecondArray::from(vec![1])), r#"["00:00:00.000000001"]"#);
    assert_eq!(json(DurationSecondArray::from(vec![-1])), r#"["-PT1S"]"#);
    assert_eq!(json(DurationNanosecondArray::from(vec![1])), r#"["PT0.000000001S"]"#);
}

#[test]
fn instants_of_all_units_and_zones_are_read() {
    assert_eq!(json(TimestampSecondArray::from(vec![-1])), r#"["1969-12-31T23:59:59"]"#);
    assert_eq!(json(TimestampMillisecondArray::from(vec![1]).with_timezone("UTC")), r#"["1970-01-01T00:00:00.001Z"]"#);
    assert_eq!(
        json(TimestampNanosecondArray::from(vec![1]).with_timezone("+02:00")),
        r#"["1970-01-01T02:00:00.000000001+02:00"]"#
    );
    assert_eq!(
        json(TimestampMicrosecondArray::from(vec![0]).with_timezone("Europe/Berlin")),
        r#"["1970-01-01T00:00:00Z"]"#
    );
}

#[test]
fn timestamps_without_a_zone_are_another_kind() {
    let kind = |array: ArrayRef| {
        let batch = RecordBatch::try_from_iter_with_nullable([("a", array, true)]).unwrap();
        let Value::List(rows) = Value::decode(&mut ArrowSource::new([Ok(batch)])).unwrap() else { panic!("rows") };
        rows[0].get("a").map(Value::kind)
    };
    assert_eq!(kind(Arc::new(TimestampSecondArray::from(vec![1]))), Some(Kind::DateTime));
    assert_eq!(kind(Arc::new(Date64Array::from(vec![86_400_000]))), Some(Kind::Date));
    assert_eq!(kind(Arc::new(TimestampSecondArray::from(vec![1]).with_timezone("+02:00"))), Some(Kind::Instant));
    assert_eq!(kind(Arc::new(TimestampSecondArray::from(vec![1]).with_timezone("Asia/Tokyo"))), Some(Kind::Instant));
}

#[test]
fn decimals_of_all_widths_are_read() {
    let of = Decimal128Array::from(vec![150, -5]).with_precision_and_scale(10, 2).unwrap();
    assert_eq!(json(of), "[1.50,-0.05]");
    assert_eq!(json(Decimal32Array::from(vec![7]).with_precision_and_scale(5, -2).unwrap()), "[700]");
    assert_eq!(json(Decimal64Array::from(vec![7]).with_precision_and_scale(5, 0).unwrap()), "[7]");
    let huge = i256::from_string(&"9".repeat(76)).unwrap();
    assert_eq!(
        json(Decimal256Array::from(vec![huge]).with_precision_and_scale(76, 1).unwrap()),
        format!("[{}.9]", "9".repeat(75))
    );
}

#[test]
fn dictionaries_and_runs_are_their_values() {
    let of: DictionaryArray<Int8Type> = [Some("x"), None, Some("y"), Some("x")].into_iter().collect();
    assert_eq!(json(of), r#"["x",null,"y","x"]"#);
    let keys = UInt64Array::from(vec![Some(1), Some(0), None]);
    let of = DictionaryArray::<UInt64Type>::try_new(keys, Arc::new(Int32Array::from(vec![None, Some(5)]))).unwrap();
    assert_eq!(json(of), "[5,null,null]");
    let none =
        DictionaryArray::<Int8Type>::try_new(Int8Array::from(vec![None, None]), Arc::new(StringArray::new_null(0)))
            .unwrap();
    assert_eq!(json(none), "[null,null]");
    let runs = RunArray::<Int32Type>::try_new(
        &Int32Array::from(vec![2, 3, 6]),
        &StringArray::from(vec![Some("p"), None, Some("q")]),
    )
    .unwrap();
    assert_eq!(json(runs.clone()), r#"["p","p",null,"q","q","q"]"#);
    assert_eq!(json(runs.slice(1, 3)), r#"["p",null,"q"]"#);
}

#[test]
fn lists_of_all_sorts_are_read_also_where_they_are_slices() {
    let mut lists = LargeListBuilder::new(StringBuilder::new());
    lists.append_value([Some("x"), None]);
    lists.append_null();
    lists.append_value([Some("z")]);
    let lists = lists.finish();
    assert_eq!(json(lists.clone()), r#"[["x",null],null,["z"]]"#);
    assert_eq!(json(lists.slice(1, 2)), r#"[null,["z"]]"#);
    let mut views = ListViewBuilder::new(Int32Builder::new());
    views.append_value([Some(1), Some(2)]);
    views.append_value([None]);
    assert_eq!(json(views.finish()), "[[1,2],[null]]");
    let mut fixed = FixedSizeListBuilder::new(Int32Builder::new(), 2);
    for pair in [[1, 2], [3, 4], [5, 6]] {
        fixed.values().append_slice(&pair);
        fixed.append(true);
    }
    assert_eq!(json(fixed.finish().slice(1, 2)), "[[3,4],[5,6]]");
}

#[test]
fn what_is_out_of_range_or_another_kind_is_said_with_its_row() {
    let error = |array: ArrayRef, own: &str| {
        let batch = RecordBatch::try_from_iter_with_nullable([("a", array, true)]).unwrap();
        json_of(vec![batch], &own.parse::<Shape>().unwrap().list()).unwrap_err().to_string()
    };
    assert_eq!(
        error(Arc::new(Date32Array::from(vec![0, i32::MAX])), "a:date"),
        "expected a date of the years 1 to 9999, found day 2147483647 since 1970 at `$[1].a` (record 2)"
    );
    assert_eq!(
        error(Arc::new(Int8Array::from(vec![1])), "a:text"),
        "expected `text`, found `int` 1 at `$[0].a` (record 1)"
    );
    assert_eq!(
        error(Arc::new(Int8Array::from(vec![1, -1])), "a:uint8"),
        "expected `uint8`, found `-1` at `$[1].a` (record 2)"
    );
    assert_eq!(
        error(Arc::new(Int8Array::from(vec![None])), "a:int8"),
        "expected `int`, found `null` at `$[0].a` (record 1)"
    );
    assert_eq!(
        error(Arc::new(Int8Array::from(vec![1])), "b:int8"),
        "expected field `b`, found nothing at `$[0]` (record 1)"
    );
    assert_eq!(
        error(Arc::new(Int8Array::from(vec![1])), "b:int8?, !"),
        "unknown field `a`; the fields are `b` at `$[0]` (record 1)"
    );
}

#[test]
fn marks_lead_back_into_everything() {
    let batch = crate::tests::columns(
        "a:[{b:any, c:map(text, int)}], d:text",
        r#"[{"a":[{"b":[1,{"x":2}],"c":{"k":3}}],"d":"e"}]"#,
    )
    .unwrap();
    let mut source = ArrowSource::new([Ok(batch)]);
    let mut marks = Vec::new();
    let mut answers = Vec::new();
    // The same calls twice, the second time from each mark to the end.
    for from in 0.. {
        if from > 0 {
            let Some((mark, _)) = marks.get(from - 1) else { break };
            source.reset(*mark);
        }
        let start = if from > 0 { marks[from - 1].1 } else { 0 };
        let mut steps = Vec::new();
        let mut asked = 0;
        let questions: [fn(&mut ArrowSource<_>) -> String; 23] = [
            |s| format!("{:?}", s.list().is_ok()),
            |s| format!("{:?}", s.item().unwrap()),
            |s| format!("{:?}", s.map().is_ok()),
            |s| format!("{:?}", s.entry().unwrap()),
            |s| s.text().unwrap().to_string(),
            |s| format!("{:?}", s.value().is_ok()),
            |s| format!("{:?}", s.list().unwrap()),
            |s| format!("{:?}", s.item().unwrap()),
            |s| format!("{:?}", s.map().is_ok()),
            |s| format!("{:?}", s.entry().unwrap()),
            |s| s.text().unwrap().to_string(),
            |s| format!("{:?}", s.value().is_ok()),
            |s| format!("{:?}", s.list().unwrap()),
            |s| format!("{:?}", s.item().unwrap()),
            |s| format!("{:?}", s.i64().unwrap()),
            |s| format!("{:?}", s.item().unwrap()),
            |s| format!("{:?}", s.skip().is_ok()),
            |s| format!("{:?}", s.item().unwrap()),
            |s| format!("{:?}", s.entry().unwrap()),
            |s| s.text().unwrap().to_string(),
            |s| format!("{:?}", s.value().is_ok()),
            |s| format!("{:?}", s.peek().unwrap()),
            |s| String::from_utf8(s.span().unwrap().into_owned()).unwrap(),
        ];
        for (at, question) in questions.iter().enumerate().skip(start) {
            if from == 0 {
                marks.push((source.mark(), at));
            }
            steps.push(question(&mut source));
            asked += 1;
        }
        if from == 0 {
            answers = steps;
            // A mark is valid only while its container is open.
            marks.retain(|(_, at)| matches!(at, 0..=12 | 18..));
        } else {
            assert_eq!(steps, answers[answers.len() - asked..], "from {start}");
        }
    }
    assert_eq!(answers[22], r#"{"k":3}"#);
}

#[test]
fn marks_lead_back_into_json() {
    let batch = crate::tests::columns("a:any", r#"[{"a":[1,{"x":"\n"},[3]]}]"#).unwrap();
    let mut source = ArrowSource::new([Ok(batch)]);
    source.list().unwrap();
    source.item().unwrap();
    source.map().unwrap();
    source.entry().unwrap();
    source.value().unwrap();
    let whole = source.mark();
    source.list().unwrap();
    source.item().unwrap();
    assert_eq!(source.u64().unwrap(), 1);
    source.item().unwrap();
    let inner = source.mark();
    for _ in 0..2 {
        source.map().unwrap();
        assert!(source.entry().unwrap());
        let key = source.mark();
        assert_eq!(&*source.text().unwrap(), "x");
        source.reset(key);
        assert_eq!(&*source.text().unwrap(), "x");
        source.value().unwrap();
        assert_eq!(&*source.text().unwrap(), "\n");
        assert!(!source.entry().unwrap());
        assert!(source.item().unwrap());
        source.reset(inner);
    }
    source.reset(whole);
    assert_eq!(source.span().unwrap(), &br#"[1,{"x":"\n"},[3]]"#[..]);
    assert!(!source.entry().unwrap());
    assert!(!source.item().unwrap());
    source.end().unwrap();
}

#[test]
fn narrow_floats_are_asked_for_as_such() {
    let mut source = ArrowSource::new([Ok(batch(Float32Array::from(vec![0.1])))]);
    let rows = Vec::<std::collections::BTreeMap<String, f32>>::decode(&mut source).unwrap();
    assert_eq!(rows[0]["a"].to_bits(), 0.1f32.to_bits());
}

#[test]
fn an_error_of_the_batches_is_one_of_the_source() {
    let failure = || Err(demat_core::Error::new(demat_core::ErrorKind::Io, "gone"));
    let mut source = ArrowSource::new([Ok(batch(Int8Array::from(vec![1]))), failure()]);
    assert_eq!(source.peek().unwrap(), Kind::List);
    source.list().unwrap();
    assert!(source.item().unwrap());
    source.skip().unwrap();
    assert_eq!(source.item().unwrap_err().reason(), "gone");
}

#[test]
fn bad_json_in_a_cell_is_an_error_of_its_row() {
    use arrow_schema::{DataType, Field, Schema};
    let field = Field::new("a", DataType::Utf8, true)
        .with_metadata([("ARROW:extension:name".to_string(), "arrow.json".to_string())]);
    for bad in ["", "{", "1 2", "[1,]", "nul", "\u{feff}"] {
        let array = Arc::new(StringArray::from(vec![Some(" null "), Some(" {\"a\": [1 ] } "), Some(bad)]));
        let batch = RecordBatch::try_new(Arc::new(Schema::new(vec![field.clone()])), vec![array]).unwrap();
        let mut source = ArrowSource::new([Ok(batch)]);
        let error = demat_core::Value::decode(&mut source).unwrap_err();
        assert_eq!(error.position().record, Some(3), "{bad}: {error}");
        assert!(error.path().starts_with("$[2].a"), "{bad}: {error}");
    }
}

#[test]
fn text_is_lent_until_the_next_question() {
    let mut source = ArrowSource::new([Ok(batch(StringArray::from(vec!["x"])))]);
    source.list().unwrap();
    source.item().unwrap();
    source.map().unwrap();
    source.entry().unwrap();
    source.value().unwrap();
    assert!(source.bool().is_err());
    assert!(matches!(source.text().unwrap(), Text::Scratch("x")));
}
