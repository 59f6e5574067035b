use super::{Options, schema, schema_with, shape};
use arrow_schema::{DataType, Field, Schema, TimeUnit};
use demat_core::{Record, Shape};
use std::sync::Arc;

fn types(text: &str) -> Vec<String> {
    let schema = schema(&text.parse().unwrap()).unwrap();
    schema
        .fields()
        .iter()
        .map(|field| format!("{}{}", field.data_type(), if field.is_nullable() { "?" } else { "" }))
        .collect()
}

#[test]
fn each_kind_has_its_type() {
    let rows = [
        ("a:bool, b:int8, c:int16, d:int32, e:int64, f:int", "Boolean Int8 Int16 Int32 Int64 Int64"),
        ("a:uint8, b:uint16, c:uint32, d:uint64, e:int7, f:uint33", "UInt8 UInt16 UInt32 UInt64 Int8 UInt64"),
        (
            "a:int65, b:int127, c:uint128, d:int252",
            "Decimal128(20, 0) Decimal128(38, 0) Decimal256(39, 0) Decimal256(76, 0)",
        ),
        ("a:float, b:float32, c:text?, d:bytes, e:decimal", "Float64 Float32 Utf8? Binary Utf8"),
        ("a:date, b:time, c:instant, d:duration", "Date32 Time64(µs) Timestamp(µs, \"UTC\") Duration(µs)"),
        ("a:datetime, b:instant", "Timestamp(µs) Timestamp(µs, \"UTC\")"),
        ("a:uuid, b:any, c:int500", "FixedSizeBinary(16) Utf8? Utf8"),
    ];
    for (text, expected) in rows {
        assert_eq!(types(text).join(" "), expected, "{text}");
    }
}

#[test]
fn a_shape_comes_back_from_its_schema() {
    for text in [
        "a:bool, b:int8, c:int7, d:int?, e:uint64, f:int100, g:uint200, h:int500",
        "a:float, b:float32?, c:text, d:bytes, e:decimal, f:decimal?",
        "a:date, b:time, c:instant, c2:datetime?, d:duration, e:uuid, f:any",
        "a:[int], b:[[text?]], c:[{x:float, y:float?}]?",
        "a:map(text, int), b:map(int, [text]), c:map(uuid, any), d:map(any, int)",
        "a:(float, float), b:(int, text)?",
        "a:{inner:{deep:int?}?}",
    ] {
        let own: Shape = text.parse().unwrap_or_else(|error| panic!("{text}: {error}"));
        let schema = schema(&own).unwrap();
        assert_eq!(shape(&schema).unwrap(), own.clone().list(), "{text}");
        let listed = super::schema(&own.list()).unwrap();
        assert_eq!(listed, schema);
    }
}

#[test]
fn names_that_columns_do_not_have_come_back_with_the_schema_and_not_with_another() {
    let field = demat_core::Field::new("id", 7, Shape::Text).with_key("ID");
    let own = Shape::record(Record::new("Task", vec![field]).unwrap());
    let schema = schema(&own).unwrap();
    assert_eq!(schema.field(0).name(), "ID");
    assert_eq!(shape(&schema).unwrap(), own.list());
    let changed = Schema::new(vec![Field::new("ID", DataType::Int8, false)]).with_metadata(schema.metadata().clone());
    assert_eq!(shape(&changed).unwrap(), "[{ID:int8}]".parse().unwrap());
}

#[test]
fn a_note_that_does_not_agree_is_none() {
    let field = Field::new("a", DataType::Int8, false);
    for note in ["date", "what", "int500", "[int8]"] {
        let field = field.clone().with_metadata([("demat.shape".to_string(), note.to_string())]);
        assert_eq!(shape(&Schema::new(vec![field])).unwrap(), "[{a:int8}]".parse().unwrap());
    }
    let noted = field.with_metadata([("demat.shape".to_string(), "int5".to_string())]);
    assert_eq!(shape(&Schema::new(vec![noted])).unwrap(), "[{a:int5}]".parse().unwrap());
}

#[test]
fn what_is_no_record_is_refused() {
    for text in ["int", "[text]", "any", "map(text, int)", "[any]"] {
        let error = schema(&text.parse().unwrap()).unwrap_err();
        assert!(error.to_string().starts_with("columns hold records"), "{error}");
    }
    let options = Options { decimals: Some((77, 0)), ..Options::default() };
    assert!(schema_with(&"a:decimal".parse().unwrap(), &options).is_err());
    let options = Options { decimals: Some((5, 6)), ..Options::default() };
    assert!(schema_with(&"a:decimal".parse().unwrap(), &options).is_err());
}

#[test]
fn other_types_have_shapes_too() {
    let of = |data_type| shape(&Schema::new(vec![Field::new("a", data_type, false)]));
    let item = Arc::new(Field::new("item", DataType::Utf8View, true));
    for (data_type, expected) in [
        (DataType::LargeUtf8, "[{a:text}]"),
        (DataType::BinaryView, "[{a:bytes}]"),
        (DataType::FixedSizeBinary(16), "[{a:bytes}]"),
        (DataType::Float16, "[{a:float32}]"),
        (DataType::Decimal64(10, 2), "[{a:decimal}]"),
        (DataType::Date64, "[{a:date}]"),
        (DataType::Timestamp(TimeUnit::Second, None), "[{a:datetime}]"),
        (DataType::Time32(TimeUnit::Second), "[{a:time}]"),
        (DataType::Timestamp(TimeUnit::Nanosecond, Some("+02:00".into())), "[{a:instant}]"),
        (DataType::LargeList(item.clone()), "[{a:[text?]}]"),
        (DataType::FixedSizeList(item, 3), "[{a:[text?]}]"),
        (DataType::Dictionary(Box::new(DataType::UInt64), Box::new(DataType::Utf8)), "[{a:text}]"),
    ] {
        assert_eq!(of(data_type.clone()).unwrap(), expected.parse().unwrap(), "{data_type}");
    }
    let error = of(DataType::Interval(arrow_schema::IntervalUnit::DayTime)).unwrap_err();
    assert_eq!(error.path(), "$.a");
}

#[test]
fn instants_written_without_a_zone_are_datetimes() {
    let options = Options { naive: true, ..Options::default() };
    for (own, read) in [
        ("a:instant, b:datetime", "a:datetime, b:datetime"),
        ("T{id@3:int8 #sql:key, at:instant?}", "T{id@3:int8 #sql:key, at:datetime?}"),
    ] {
        let schema = schema_with(&own.parse().unwrap(), &options).unwrap();
        assert_eq!(shape(&schema).unwrap(), read.parse::<Shape>().unwrap().list());
    }
    // Within another record, the note says `instant` and the column has no zone.
    let schema = schema_with(&"a:[instant], b:{c:instant}".parse().unwrap(), &options).unwrap();
    assert_eq!(schema.field(0).data_type().to_string(), "List(non-null Timestamp(µs))");
    assert_eq!(shape(&schema).unwrap(), "[{a:[datetime], b:{c:datetime}}]".parse().unwrap());
}

#[test]
fn a_note_of_the_other_sort_is_none() {
    for (data_type, note, read) in [
        (DataType::Timestamp(TimeUnit::Microsecond, None), "instant", "[{a:datetime}]"),
        (DataType::Timestamp(TimeUnit::Microsecond, Some("UTC".into())), "datetime", "[{a:instant}]"),
    ] {
        let field = Field::new("a", data_type, false);
        let field = field.with_metadata([("demat.shape".to_string(), note.to_string())]);
        assert_eq!(shape(&Schema::new(vec![field])).unwrap(), read.parse().unwrap());
    }
}

#[test]
fn recursion_ends_in_json() {
    let own: Shape = "Node{value:int, next:Node?}".parse().unwrap();
    let schema = schema(&own).unwrap();
    assert_eq!(schema.field(1).data_type(), &DataType::Utf8);
    assert_eq!(schema.field(1).metadata().get("ARROW:extension:name").map(String::as_str), Some("arrow.json"));
    assert_eq!(shape(&schema).unwrap(), own.list());
}
