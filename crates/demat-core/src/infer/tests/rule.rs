use super::tape::Tape;
use super::{Inference, InferenceOptions, options, shape, shape_with};
use crate::ValueSource;

#[test]
fn scalars() {
    for (sample, expected) in [
        (&[][..], "any"),
        (&["null"], "any"),
        (&["1"], "int"),
        (&["1", "123456789012345678901234567890"], "int"),
        (&["1", "null"], "int?"),
        (&["1.5"], "float"),
        (&["1", "1.5", "2"], "float"),
        (&["9007199254740992", "1.5"], "float"),
        (&["9007199254740993", "1.5"], "any"),
        (&["1.5", "9007199254740993"], "any"),
        (&["1", "decimal \"1.50\""], "decimal"),
        (&["1.5", "decimal \"1.50\""], "any"),
        (&["true", "false", "null"], "bool?"),
        (&["\"a\"", "\"2026-02-03\""], "text"),
        (&["date \"2026-02-03\""], "date"),
        (&["\"a\"", "1"], "any"),
        (&["\"a\"", "1", "null"], "any"),
        (&["1", "[1]"], "any"),
        (&["{\"a\": 1}", "1"], "any"),
    ] {
        assert_eq!(shape(sample), expected, "{sample:?}");
    }
}

#[test]
fn lists_and_records() {
    for (sample, expected) in [
        (&["[]"][..], "[any]"),
        (&["[]", "[1, null]", "[2.5]"], "[float?]"),
        (&["[1, \"a\"]"], "[any]"),
        (&["{\"b\": 1, \"a\": true}", "{\"a\": false, \"c\": null}"], "b:int?, a:bool, c:any"),
        (&["{\"a\": 1}", "{\"a\": null}"], "a:int?"),
        (&["{}"], "map(text, any)"),
        (&["{}", "{\"a\": 1}"], "a:int?"),
        (&["[{\"p\": {\"x\": 1}}, {\"p\": {\"x\": 1, \"y\": 2}}, {\"p\": null}]"], "[{p:{x:int, y:int?}?}]"),
        (&["{1: \"a\", 2: \"b\"}"], "map(int, text)"),
        (&["{1: 1, \"b\": 2.5}", "{}"], "map(any, float)"),
        (&["{\"a\": 1, \"a\": 2}", "{}"], "a:int?"),
    ] {
        assert_eq!(shape(sample), expected, "{sample:?}");
    }
}

#[test]
fn what_the_sample_does_not_have_is_forbidden() {
    assert_eq!(shape_with(InferenceOptions::default(), &["{\"a\": 1}"]), "a:int, !");
}

fn many(records: usize, keys: impl Fn(usize) -> Vec<String>) -> Vec<String> {
    let map =
        |keys: Vec<String>| keys.iter().map(|key| format!("\"{key}\": {{\"n\": 1}}")).collect::<Vec<_>>().join(",");
    (0..records).map(|record| format!("{{{}}}", map(keys(record)))).collect()
}

fn shape_of(samples: &[String]) -> String {
    let samples: Vec<&str> = samples.iter().map(String::as_str).collect();
    shape(&samples)
}

#[test]
fn too_many_or_growing_keys_make_a_map() {
    let wide = |keys: usize| shape_of(&many(1, |_| (0..keys).map(|key| format!("k{key}")).collect()));
    assert!(wide(1_000).starts_with("k0:{n:int}, k1:"));
    assert_eq!(wide(1_001), "map(text, {n:int})");

    let own = |record: usize| vec![format!("u{record}"), format!("v{record}")];
    assert!(shape_of(&many(15, own)).starts_with("u0:{n:int}?"));
    assert_eq!(shape_of(&many(16, own)), "map(text, {n:int})");
    // One key that occurs again and again makes them records.
    assert!(shape_of(&many(16, |record| [own(record), vec!["id".to_string()]].concat())).contains("id:{n:int}"));

    let long = format!("{{\"{}\": 1}}", "k".repeat(1_025));
    assert_eq!(shape(&[&long]), "map(text, int)");
}

#[test]
fn rows_may_have_more_fields_than_other_records() {
    let row = |from: usize, to: usize| (from..to).map(|n| format!("\"k{n}\": 1")).collect::<Vec<_>>().join(",");
    let rows = |rows: &[(usize, usize)]| {
        let rows: Vec<_> = rows.iter().map(|(from, to)| format!("{{{}}}", row(*from, *to))).collect();
        shape(&[&format!("[{}]", rows.join(","))])
    };
    assert!(rows(&[(0, 10_000)]).starts_with("[{k0:int, k1:int"));
    assert_eq!(rows(&[(0, 10_001)]), "[map(text, int)]");
    assert!(rows(&[(0, 2_000), (500, 2_500)]).starts_with("[{k0:int?, k1:int?"));
    // Their keys do not recur.
    assert_eq!(rows(&[(0, 600), (600, 1_200), (1_200, 1_800)]), "[map(text, int)]");
    assert_eq!(shape(&[&format!("[{{\"a\": {{{}}}}}]", row(0, 1_001))]), "[{a:map(text, int)}]");
    // Each value is a record: the keys are data.
    let many = many(1, |_| (0..2_000).map(|key| format!("k{key}")).collect());
    assert_eq!(shape(&[&format!("[{}]", many[0])]), "[map(text, {n:int})]");
}

/// A million levels use memory of the tape, but neither the call stack nor the shape's.
#[test]
fn depth_is_bounded() {
    let mut inference = Inference::new(options());
    inference.observe(&mut Tape::nest(1_000_000)).expect("lists");
    assert_eq!(inference.shape().to_string(), format!("{}any{}", "[".repeat(64), "]".repeat(64)));
}

#[test]
fn size_is_bounded() {
    let mut inference = Inference::new(options());
    for table in 0..40 {
        let record: Vec<_> = (0..900).map(|key| format!("\"k{key}\": {{\"t{table}\": [1]}}")).collect();
        let value = super::value(&format!("{{\"table{table}\": {{{}}}}}", record.join(",")));
        inference.observe(&mut ValueSource::new(&value)).expect("records");
    }
    assert!(inference.shape().to_string().len() < 1_000_000);
}
