use super::copy_at;
use crate::json::Json;
use crate::ndjson::Ndjson;
use crate::stream::{OnError, RecordPath, Stop, Summary, Window, Windowed};
use crate::xml::Xml;
use demat_core::{Error, Result, Shape, Sink as _, Value, ValueSink};

fn selected<F: Windowed>(
    format: &mut F,
    (text, at): (&str, &RecordPath),
    size: usize,
    shape: &Shape,
    on_error: &mut dyn OnError,
) -> Result<(Value, Summary)> {
    let mut sink = ValueSink::default();
    let mut window = Window::with_size(text.as_bytes(), size);
    let summary = copy_at(&mut window, format, at, shape, &mut sink, on_error, None)?;
    sink.finish()?;
    Ok((sink.whole(), summary))
}

fn ints(list: impl IntoIterator<Item = i64>) -> Value {
    Value::List(list.into_iter().map(|int| Value::Int(int.into())).collect())
}

#[test]
fn records_are_found_whatever_the_window() {
    let long = "7,".repeat(300);
    let text = format!("{{\"skip\":[{long}7],\"a\":[{{\"b\":[1,2]}},{{\"c\":\"{long}\",\"b\":[3]}}],\"z\":[{long}0]}}");
    let at = "$.a[*].b[*]".parse().unwrap();
    for size in [16, 64, 1000, 100_000] {
        let (found, summary) = selected(&mut Json::default(), (&text, &at), size, &Shape::Any, &mut Stop).unwrap();
        assert_eq!((found, summary.records), (ints(1..4), 3), "{size}");
    }
}

#[test]
fn a_path_is_that_in_each_line() {
    let at = "$.n".parse::<RecordPath>().unwrap().in_each();
    let found = selected(&mut Ndjson::default(), ("{\"n\":1}\n{\"n\":2}\n", &at), 16, &Shape::Any, &mut Stop).unwrap();
    assert_eq!(found.0, ints([1, 2]));
}

#[test]
fn elements_are_records() {
    let at = RecordPath::of_elements("list/n").unwrap();
    let shape = "[int]".parse().unwrap();
    let text = "<list><m>9</m><n>1</n><n>2</n></list>";
    let (found, _) = selected(&mut Xml::default(), (text, &at), 16, &shape, &mut Stop).unwrap();
    assert_eq!(found, ints([1, 2]));
}

#[test]
fn repeated_keys_and_refused_records() {
    struct Skip(Vec<(String, String)>);
    impl OnError for Skip {
        fn goes_on(&mut self, _: &Error) -> bool {
            true
        }
        fn reject(&mut self, error: Error, bytes: &[u8]) -> Result<()> {
            self.0.push((error.to_string(), String::from_utf8_lossy(bytes).into_owned()));
            Ok(())
        }
    }
    let (at, shape) = ("$.l[*]".parse().unwrap(), "[{n: int}]".parse().unwrap());
    let text = "{\"l\":[{\"n\":1,\"n\":2},{\"n\":\"x\"},{\"n\":3}],\"after\":0}";
    for size in [16, 1000] {
        let mut skip = Skip(Vec::new());
        let (found, summary) = selected(&mut Json::default(), (text, &at), size, &shape, &mut skip).unwrap();
        let n = |n: i64| Value::Map(vec![(Value::Text("n".into()), Value::Int(n.into()))]);
        assert_eq!((found, summary), (Value::List(vec![n(2), n(3)]), Summary { records: 2, rejected: 1 }));
        assert_eq!(skip.0[0].1, "{\"n\":\"x\"}");
        assert!(skip.0[0].0.contains("`$.l[1].n` (record 2"), "{}", skip.0[0].0);
    }
}

#[test]
fn what_is_not_there_and_what_is_broken_is_an_error() {
    for (text, at, says) in [
        ("{\"a\":1}", "$.b[*]", "expected field `b`"),
        ("{\"a\":1}", "$.a[*]", "expected `list`, found `int`"),
        ("{\"a\":[1]} x", "$.a[*]", "expected end of input"),
        ("{\"a\":[1,]}", "$.a[*]", "expected a value"),
        ("[[1]]", "$[3][*]", "expected item 3"),
    ] {
        let at = at.parse().unwrap();
        let error = selected(&mut Json::default(), (text, &at), 16, &Shape::Any, &mut Stop).unwrap_err();
        assert!(error.to_string().contains(says), "{text}: {error}");
    }
}
