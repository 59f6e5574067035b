//! Options of writing, and what has no form.

use super::*;
use demat_core::ErrorKind;

fn with(value: &str, shape: &str, options: WriteOptions) -> String {
    let value: Value = crate::json::decode(value.as_bytes()).unwrap();
    written_with(&value, &shape.parse().unwrap(), options).unwrap()
}

#[test]
fn elements_are_indented_on_request() {
    let options = || WriteOptions { indent: Some(2), ..WriteOptions::default() };
    let shape = "[Task{id: int #xml:attribute, title: text, tags: [text] #xml:wrapped, note: text? #xml:text}]";
    let value = r#"[{"id":1,"title":"a","tags":["x","y"],"note":null},{"id":2,"title":"b","tags":[],"note":"n"}]"#;
    let text = with(value, shape, options());
    let wanted = r#"<?xml version="1.0" encoding="UTF-8"?>
<root>
  <Task id="1">
    <title>a</title>
    <tags>
      <item>x</item>
      <item>y</item>
    </tags>
  </Task>
  <Task id="2">
    <title>b</title>
    <tags/>n</Task>
</root>"#;
    assert_eq!(text, wanted);
    assert_eq!(read(&text, shape).unwrap(), read(&with(value, shape, bare()), shape).unwrap());
    let mixed = r##"{"p":{"c":["a",{"#name":"b","#text":"c"}]}}"##;
    let text = with(mixed, "{p: {c: [any] #xml:mixed}}", options());
    assert!(text.ends_with("<root>\n  <p>a<b>c</b></p>\n</root>"), "{text}");
}

#[test]
fn names_are_given() {
    let options = WriteOptions { root: Some("tasks".into()), item: Some("task".into()), ..bare() };
    assert_eq!(with("[1,2]", "[int]", options.clone()), "<tasks><task>1</task><task>2</task></tasks>");
    assert_eq!(with("[{\"a\":1}]", "[T{a: int}]", options.clone()), "<tasks><task><a>1</a></task></tasks>");
    assert_eq!(with("{\"a\":1}", "T{a: int}", options), "<tasks><a>1</a></tasks>");
    let root = ReadOptions { root: Some("b".into()), ..ReadOptions::default() };
    let error = read_with(b"<a/>", &Shape::Any, root).unwrap_err();
    assert_eq!(error.to_string(), "expected the root element `b`, found `a` (line 1, column 1)");
}

#[test]
fn attributes_may_come_late() {
    let shape = "{a: int, b: text #xml:attribute, c: {d: int, e: int #xml:attribute}, f: int #xml:attribute}";
    let text = xml(r#"{"a":1,"b":"x","c":{"d":2,"e":3},"f":4}"#, shape);
    assert_eq!(text, r#"<root b="x" f="4"><a>1</a><c e="3"><d>2</d></c></root>"#);
}

#[test]
fn what_has_no_form_is_refused() {
    for (value, shape, wanted) in [
        (r#""\u0000""#, "text", "XML 1.0 has no form for the character U+0000"),
        ("\"\u{ffff}\"", "text", "XML 1.0 has no form for the character U+FFFF"),
        (r#"{"a":{"b":1}}"#, "{a: {b: int} #xml:attribute}", "expected a scalar or a list in attributes"),
        (r#"{"a":["x","y"]}"#, "{a: [text] #xml:mixed}", "text after text"),
        (r#"{"a":"x"}"#, "{a: text #xml:mixed}", "`mixed` is for lists, not for text at `$.a`"),
        (r#"{"a":1,"b":2}"#, r#"{a "x": int #xml:attribute, b "@x": int}"#, "two fields have the name `x` in XML"),
        (r#"{"p:a":1}"#, r#"{"p:a": int}"#, "the prefix `p` has no namespace"),
        (r#"{"@a":null}"#, r#"{a "@a": int? = 1}"#, "XML has no null there"),
    ] {
        let value: Value = crate::json::decode(value.as_bytes()).unwrap();
        let error = written(&value, shape).unwrap_err();
        assert!(error.to_string().contains(wanted), "{shape}: {error}");
        assert_ne!(error.kind(), ErrorKind::Internal);
    }
}

#[test]
fn a_bad_record_leaves_nothing_behind() {
    let mut sink = XmlSink::new(Output::new(Vec::new(), Keep), bare());
    sink.begin_list(None).unwrap();
    sink.commit().unwrap();
    for text in ["a", "\0", "b"] {
        sink.item().unwrap();
        sink.begin_map(None).unwrap();
        sink.key("x").unwrap();
        match sink.text(text).and_then(|()| sink.end_map()) {
            Ok(()) => sink.commit().unwrap(),
            Err(_) => sink.rollback().unwrap(),
        }
    }
    sink.end_list().unwrap();
    sink.finish().unwrap();
    let text = sink.into_output().into_parts().0;
    assert_eq!(text, b"<root><item><x>a</x></item><item><x>b</x></item></root>");
}
