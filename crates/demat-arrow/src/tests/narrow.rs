//! Columns as narrow as notes allow, and dictionaries of texts.

use super::round::json_of;
use crate::whole::of_parts;
use crate::{Columns, ColumnsSink, Dictionaries, Options, schema_with, shape};
use arrow_array::RecordBatch;
use arrow_schema::DataType;
use demat_core::{Shape, Source};
use demat_formats::json::{Json, JsonSource};

fn narrow() -> Options {
    Options { narrow: true, ..Options::default() }
}

fn types(own: &str, options: &Options) -> Vec<String> {
    let schema = schema_with(&own.parse().unwrap(), options).unwrap();
    schema.fields().iter().map(|field| field.data_type().to_string()).collect()
}

/// Reads rows by asking and by telling, as one part and as many. They have to be the same, but for dictionaries.
fn read(own: &str, json: &str, options: &Options) -> demat_core::Result<RecordBatch> {
    let own: Shape = own.parse().unwrap();
    let mut columns = Columns::with_options(&own, options)?;
    let mut source = JsonSource::new(json.as_bytes());
    source.list()?;
    let asked = columns.records(&mut source, usize::MAX).map(drop);
    let mut sink = ColumnsSink::new(Vec::new()).with_options(options.clone());
    let told = demat_core::copy(&mut JsonSource::new(json.as_bytes()), &own.clone().list(), &mut sink);
    assert_eq!(asked.is_err(), told.is_err(), "{asked:?} {told:?}");
    asked?;
    let batch = columns.finish()?;
    assert_eq!(sink.into_drain(), std::slice::from_ref(&batch));
    let parts = of_parts(json.as_bytes(), &Json::default(), &own, options, 3)?;
    assert!(parts.iter().all(|part| part.schema() == batch.schema()));
    assert_eq!(json_of(parts, &own.clone().list())?, json_of(vec![batch.clone()], &own.list())?);
    Ok(batch)
}

#[test]
fn the_bounds_of_each_place_count() {
    let own = "a:int #check:'ge 0' #check:'le 255', b:int #check:'gt -129' #check:'lt 128', c:int? #check:'ge 0' #check:'lt 65536', \
               d:int #check:'ge 0', e:int64 #check:'ge -1' #check:'le 1', f:int8 #check:'ge 0' #check:'le 200', \
               g:int #check:'one_of [1, 2, 3]', h:int #proto:sfixed32, i:int #proto:uint64, j:int #nbt:short, \
               k:int100 #check:'ge 0' #check:'le 9'";
    let own = own.replace('\'', "\"");
    let expected = "UInt8 Int8 UInt16 Int64 Int8 Int8 UInt8 Int32 UInt64 Int16 UInt8";
    assert_eq!(types(&own, &narrow()).join(" "), expected);
    let wide = types(&own, &Options::default());
    assert_eq!(wide.join(" "), "Int64 Int64 Int64 Int64 Int64 Int8 Int64 Int64 Int64 Int64 Decimal128(30, 0)");
    let nested = "l:[int] #check:\"item ge 0\" #check:\"item le 9\", m:map(text, int?) #check:\"value ge -9\" #check:\"value le 9\", \
                  n:map(int64, int) #check:\"key ge 0\" #check:\"key le 9\", o:{p:int #check:\"ge 0\" #check:\"le 9\"}?, \
                  q:[[int]] #check:\"item item ge 0\" #check:\"item item le 9\", r:[int] #proto:int32, s:[int] #nbt:byte_array, \
                  t:(int, int) #check:\"at 0 ge 0\" #check:\"at 0 le 9\" #check:\"at 1 ge -1\" #check:\"at 1 le 300\"";
    let schema = schema_with(&nested.parse().unwrap(), &narrow()).unwrap();
    let found: Vec<String> = schema.fields().iter().map(|field| innermost(field.data_type())).collect();
    assert_eq!(found.join(" "), "UInt8 Int8 UInt8:Int64 UInt8 UInt8 Int32 Int8 Int16");
}

/// The types of the numbers in a column.
fn innermost(data_type: &DataType) -> String {
    match data_type {
        DataType::List(item) | DataType::FixedSizeList(item, _) => innermost(item.data_type()),
        DataType::Map(entry, _) => match entry.data_type() {
            DataType::Struct(pair) if *pair[0].data_type() == DataType::Utf8 => innermost(pair[1].data_type()),
            DataType::Struct(pair) => format!("{}:{}", pair[0].data_type(), pair[1].data_type()),
            other => other.to_string(),
        },
        DataType::Struct(fields) => innermost(fields[0].data_type()),
        other => other.to_string(),
    }
}

#[test]
fn values_within_come_back_and_others_are_refused() {
    let own = "R{id!:int #check:\"ge 0\" #check:\"le 255\", n:int? #check:\"ge -1\" #check:\"le 1\", \
               l:[int?] #check:\"item ge 0\" #check:\"item le 4294967295\", m:map(int64, int) #check:\"key ge 0\" #check:\"key le 255\"}";
    let json = r#"[{"id":0,"n":null,"l":[],"m":{}},{"id":255,"n":-1,"l":[4294967295,null,0],"m":{"255":7,"0":1}}]"#;
    let batch = read(own, json, &narrow()).unwrap();
    assert_eq!(json_of(vec![batch.clone()], &own.parse::<Shape>().unwrap().list()).unwrap(), json);
    // The names, numbers and notes of the record are those of the schema, which is as wide as it is.
    assert_eq!(shape(batch.schema_ref()).unwrap(), own.parse::<Shape>().unwrap().list());
    for (row, path, expected) in [
        (r#"{"id":256,"l":[],"m":{}}"#, "$[1].id", "uint8"),
        (r#"{"id":-1,"l":[],"m":{}}"#, "$[1].id", "uint8"),
        (r#"{"id":18446744073709551616,"l":[],"m":{}}"#, "$[1].id", "int64"),
        (r#"{"id":1,"n":128,"l":[],"m":{}}"#, "$[1].n", "int8"),
        (r#"{"id":1,"l":[0,-1],"m":{}}"#, "$[1].l[1]", "uint32"),
        (r#"{"id":1,"l":[],"m":{"256":1}}"#, "$[1].m", "uint8"),
    ] {
        let json = format!(r#"[{{"id":1,"l":[],"m":{{}}}},{row}]"#);
        let error = read(own, &json, &narrow()).unwrap_err();
        assert!(error.path().starts_with(path), "{} is not {path}", error.path());
        assert_eq!(error.expectation(), Some(expected), "{row}");
    }
}

#[test]
fn a_schema_with_wide_columns_is_still_the_same_record() {
    let own = "R{id:int #check:\"ge 0\" #check:\"le 255\", name:text}";
    for options in [Options::default(), narrow(), Options { dictionary: Dictionaries::All, ..narrow() }] {
        let schema = schema_with(&own.parse().unwrap(), &options).unwrap();
        assert_eq!(shape(&schema).unwrap(), own.parse::<Shape>().unwrap().list(), "{options:?}");
    }
}

#[test]
fn dictionaries_are_of_all_texts_of_a_column() {
    let own = "a:text, b:text?, c:[text], d:{e:text, f:int}?, g:map(text, text), h:int, i:enum(x, y)";
    let options = Options { dictionary: Dictionaries::All, ..Options::default() };
    let schema = schema_with(&own.parse().unwrap(), &options).unwrap();
    let has = |name: &str| schema.field_with_name(name).unwrap().data_type().to_string().contains("Dictionary");
    assert!(["a", "b", "c", "d", "g", "i"].into_iter().all(has) && !has("h"));
    let json = r#"[{"a":"x","b":null,"c":[],"d":null,"g":{},"h":1,"i":"x"},{"a":"y","b":"y","c":["p","q","p"],"d":{"e":"x","f":2},"g":{"k":"v","l":"v"},"h":2,"i":"y"},{"a":"x","b":"x","c":["q"],"d":null,"g":{"k":"w"},"h":3,"i":"x"}]"#;
    let batch = read(own, json, &options).unwrap();
    assert_eq!(json_of(vec![batch], &own.parse::<Shape>().unwrap().list()).unwrap(), json);
    let some = Options { dictionary: Dictionaries::of(["c", "i"]), ..Options::default() };
    assert!(types(own, &some)[0] == "Utf8" && types(own, &some)[2].contains("Dictionary"));
    for (name, reason) in [("h", "has no texts"), ("z", "no column `z`")] {
        let options = Options { dictionary: Dictionaries::of([name]), ..Options::default() };
        let error = schema_with(&own.parse().unwrap(), &options).unwrap_err();
        assert!(error.to_string().contains(reason), "{error}");
    }
}

#[test]
fn texts_of_refused_rows_are_in_no_dictionary() {
    let options = Options { dictionary: Dictionaries::All, ..Options::default() };
    let mut columns = Columns::with_options(&"t:text, n:int".parse().unwrap(), &options).unwrap();
    let mut source = JsonSource::new(br#"[{"t":"a","n":1},{"t":"b","n":"no"}]"#);
    source.list().unwrap();
    assert!(columns.records(&mut source, usize::MAX).is_err());
    let mut source = JsonSource::new(br#"[{"t":"c","n":2},{"t":"a","n":3}]"#);
    source.list().unwrap();
    columns.records(&mut source, usize::MAX).unwrap();
    let batch = columns.finish().unwrap();
    let values = batch.column(0).to_data().child_data()[0].clone();
    assert_eq!(values.len(), 2);
    let own = "[{t:text, n:int}]".parse().unwrap();
    assert_eq!(json_of(vec![batch], &own).unwrap(), r#"[{"t":"a","n":1},{"t":"c","n":2},{"t":"a","n":3}]"#);
}

/// What the values of other kinds become in a column of texts.
#[test]
fn other_kinds_become_texts_of_a_dictionary() {
    let options = Options { dictionary: Dictionaries::All, ..Options::default() };
    let mut sink = ColumnsSink::new(Vec::<RecordBatch>::new()).with_options(options);
    demat_core::Sink::begin(&mut sink, &"[{t:text}]".parse().unwrap()).unwrap();
    let source = r#"[{"t":"2024-05-06"},{"t":"2024-05-06"},{"t":"2024-05-07"}]"#;
    demat_core::copy(&mut JsonSource::new(source.as_bytes()), &"[{t:date}]".parse().unwrap(), &mut sink).unwrap();
    let batches = sink.into_drain();
    assert_eq!(batches[0].column(0).to_data().child_data()[0].len(), 2);
    assert_eq!(json_of(batches, &Shape::Any).unwrap(), source);
}
