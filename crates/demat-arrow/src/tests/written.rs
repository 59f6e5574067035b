use super::columns;
use crate::{BatchDrain, ColumnsSink};
use arrow_array::RecordBatch;
use demat_core::{Result, Shape, Sink, Source, Value};
use demat_formats::json::{Json, JsonSource};
use demat_formats::stream::{Stop, Window};

fn written(shape: &str, json: &str) -> Result<Vec<RecordBatch>> {
    let shape: Shape = shape.parse()?;
    let mut sink = ColumnsSink::new(Vec::new());
    demat_core::copy(&mut JsonSource::new(json.as_bytes()), &shape.list(), &mut sink)?;
    Ok(sink.into_drain())
}

const SHAPE: &str = "a:int64 = 5, b:[{c:text, d:map(text, int8)?}]?, e:{f:(int8, int8)?, g:any}, h:date?, i:enum(x, y), \
    j:union(p:int, q), k:decimal, l:float32, m:bytes, n:uint64, o:int100, p:instant";
const JSON: &str = r#"[
    {"b":[{"c":"x","d":{"k":1,"l":2}},{"c":"","d":null}],"e":{"f":[1,2],"g":{"deep":[1,{"x":null}]}},"h":"2020-02-29","i":"y",
     "j":{"p":7},"k":1.50,"l":0.1,"m":"AAEC","n":18446744073709551615,"o":-12345678901234567890123,"p":"2020-01-01T00:00:00Z"},
    {"p":"1970-01-01T01:00:00+01:00","a":1,"e":{"g":null},"i":"x","j":"q","k":"-1e3","l":5,"m":"","n":0,"o":0},
    {"p":"0001-01-01T00:00:00Z","a":1,"b":null,"e":{"f":null,"g":"z"},"h":null,"i":"x","j":{"p":-1},"k":0,"l":-5,"m":"","n":1,"o":1}
]"#;

#[test]
fn what_is_told_is_what_is_asked() {
    assert_eq!(written(SHAPE, JSON).unwrap(), [columns(SHAPE, JSON).unwrap()]);
}

#[test]
fn windows_of_any_size_end_in_the_same_columns() {
    let whole = columns(SHAPE, JSON).unwrap();
    let shape = SHAPE.parse::<Shape>().unwrap().list();
    for size in (1..JSON.len()).step_by(7) {
        let mut sink = ColumnsSink::new(Vec::new());
        let mut window = Window::with_size(JSON.as_bytes(), size);
        demat_formats::stream::copy(&mut window, &mut Json::default(), &shape, &mut sink, &mut Stop)
            .unwrap_or_else(|error| panic!("{size}: {error}"));
        assert_eq!(sink.into_drain(), std::slice::from_ref(&whole), "{size}");
    }
}

#[test]
fn batches_have_as_many_rows_as_was_said() {
    let json = format!("[{}]", (0..10).map(|a| format!(r#"{{"a":{a}}}"#)).collect::<Vec<_>>().join(","));
    let shape = "[{a:int64}]".parse().unwrap();
    let rows = |mut sink: ColumnsSink<Vec<RecordBatch>>| {
        let mut window = Window::new(json.as_bytes());
        demat_formats::stream::copy(&mut window, &mut Json::default(), &shape, &mut sink, &mut Stop).unwrap();
        sink.into_drain().iter().map(RecordBatch::num_rows).collect::<Vec<_>>()
    };
    let sink = || ColumnsSink::new(Vec::new()).with_batches(4, usize::MAX);
    assert_eq!(rows(sink()), [4, 4, 2]);
    // The first batches may be smaller, but never larger.
    assert_eq!(rows(sink().with_first(1)), [1, 2, 4, 3]);
    assert_eq!(rows(sink().with_first(3)), [3, 4, 3]);
    assert_eq!(rows(sink().with_first(0)), [1, 2, 4, 3]);
    assert_eq!(rows(sink().with_first(100)), [4, 4, 2]);
    assert_eq!(rows(ColumnsSink::new(Vec::new()).with_first(2)), [2, 4, 4]);
}

#[test]
fn records_are_told_as_maps_and_in_any_order() {
    let value = |json: &str| {
        let mut source = JsonSource::new(json.as_bytes());
        <Value as demat_core::Decode>::decode(&mut source).unwrap()
    };
    let mut sink = ColumnsSink::new(Vec::new());
    sink.begin(&"a:int64, b:text?, c:[float]".parse().unwrap()).unwrap();
    demat_core::Encode::encode(&value(r#"[{"c":[1,2.5],"z":{"x":[1]},"a":1},{"a":2,"b":"x","c":[]}]"#), &mut sink)
        .unwrap();
    sink.finish().unwrap();
    let expected = columns("a:int64, b:text?, c:[float]", r#"[{"c":[1,2.5],"a":1},{"a":2,"b":"x","c":[]}]"#).unwrap();
    assert_eq!(sink.into_drain(), [expected]);
}

#[test]
fn what_does_not_fit_is_refused() {
    for (shape, json, reason) in [
        ("a:int8", r#"[{"a":200}]"#, "expected `int8`, found `200`"),
        ("a:text", r#"[{"a":null}]"#, "expected `text`, found `null`"),
        ("a:text", r#"[{"b":null}]"#, "expected field `a`, found nothing"),
        ("a:[int]", r#"[{"a":1}]"#, "expected `list`, found `int`"),
        ("a:int", r#"[{"a":[1]}]"#, "expected `int`, found `list`"),
        ("a:(int, int)", r#"[{"a":[1]}]"#, "expected a tuple of 2, found a list of 1"),
        ("a:date", r#"[{"a":"x"}]"#, "expected date as YYYY-MM-DD, found `text` \"x\""),
    ] {
        let mut sink = ColumnsSink::new(Vec::<RecordBatch>::new());
        sink.begin(&shape.parse().unwrap()).unwrap();
        let mut source = JsonSource::new(json.as_bytes());
        let value = <Value as demat_core::Decode>::decode(&mut source).unwrap();
        let error = demat_core::Encode::encode(&value, &mut sink).unwrap_err();
        assert_eq!(error.reason(), reason, "{shape} {json}");
        sink.rollback().unwrap();
        sink.begin_list(None).unwrap();
        sink.end_list().unwrap();
        sink.finish().unwrap();
        source.end().unwrap();
    }
    let mut sink = ColumnsSink::new(Vec::<RecordBatch>::new());
    assert!(sink.begin_list(None).is_err());
    assert!(sink.finish().is_err());
    assert!(sink.begin(&Shape::Any).is_err());
}

#[test]
fn the_drain_is_told_the_schema_of_no_rows() {
    #[derive(Default)]
    struct Names(Vec<String>, bool);
    impl BatchDrain for Names {
        fn begin(&mut self, schema: &arrow_schema::SchemaRef) -> Result<()> {
            self.0 = schema.fields().iter().map(|field| field.name().clone()).collect();
            Ok(())
        }
        fn batch(&mut self, _: RecordBatch) -> Result<()> {
            unreachable!("there is none")
        }
        fn finish(&mut self) -> Result<()> {
            self.1 = true;
            Ok(())
        }
    }
    let mut sink = ColumnsSink::new(Names::default());
    demat_core::copy(&mut JsonSource::new(b"[]"), &"[{a:int, b:text}]".parse().unwrap(), &mut sink).unwrap();
    let names = sink.into_drain();
    assert_eq!((names.0.join(" ").as_str(), names.1), ("a b", true));
}
