use super::Renaming;
use demat_core::{Items, Shape, Sink as _, Value, ValueSink, ValueSource, copy};

fn renaming(shape: &str, renames: &[(&str, &str)]) -> demat_core::Result<Renaming> {
    let path = |(old, new): &(&str, &str)| (old.split('.').map(str::to_string).collect(), (*new).to_string());
    Renaming::new(&shape.parse().unwrap(), &renames.iter().map(path).collect::<Vec<_>>())
}

#[test]
fn values_are_written_with_new_names() {
    let by = renaming(
        "[{id: int, by: {name: text, id: int}?, all: [{id: int}], ...rest}]",
        &[("id", "key"), ("by.name", "who"), ("all.id", "n"), ("all", "each")],
    )
    .unwrap();
    assert_eq!(
        by.written.to_string(),
        "[{id \"key\":int, by:{name \"who\":text, id:int}?, all \"each\":[{id \"n\":int}], ...rest:map(text, any)}]"
    );
    let text = br#"[{"id":1,"by":{"name":"Ada","id":2},"all":[{"id":3}],"x":4},{"id":5,"by":null,"all":[]}]"#;
    let value: Value = demat_formats::json::decode(text).unwrap();
    let mut sink = ValueSink::default();
    copy(&mut ValueSource::new(&value), &by.read, &mut by.sink(&mut sink)).unwrap();
    sink.finish().unwrap();
    let wanted = br#"[{"key":1,"by":{"who":"Ada","id":2},"each":[{"n":3}],"x":4},{"key":5,"by":null,"each":[]}]"#;
    assert_eq!(sink.whole(), demat_formats::json::decode::<Value>(wanted).unwrap());
}

#[test]
fn names_may_change_places() {
    let by = renaming("a: int, b: int", &[("a", "b"), ("b", "a")]).unwrap();
    assert_eq!(by.written.to_string(), "a \"b\":int, b \"a\":int");
}

#[test]
fn what_can_not_be_renamed_is_refused() {
    for (shape, renames, says) in [
        ("a: int", &[("x", "y")][..], "there is no field `x`; there are `a`"),
        ("a: int", &[("a", "x"), ("a", "y")], "the field `a` gets two new names"),
        ("a: int, b: int", &[("a", "b")], "two fields have the name `b`"),
        ("a: {b: int, c: int}", &[("a.b", "c")], "two fields have the name `c`"),
        ("a: int", &[("a.b", "c")], "fields of records get new names, and this is a int"),
        ("[int]", &[("a", "b")], "fields of records get new names, and this is a int"),
    ] {
        let error = renaming(shape, renames).unwrap_err();
        assert!(error.to_string().contains(says), "{shape}: {error}");
    }
}

#[test]
fn a_record_that_is_written_as_a_list_has_no_names_to_change() {
    let of = |items: Items| {
        let Shape::Record(record) = "{id: int, title: text}".parse().unwrap() else { panic!() };
        let shape = Shape::record(record.get().clone().with_items(items)).list();
        Renaming::new(&shape, &[(vec!["id".to_string()], "key".to_string())])
    };
    assert_eq!(of(Items::in_order(2)).unwrap().written.to_string(), "[{id \"key\":int, title:text}]");
    let error = of(Items::in_order(2).written()).unwrap_err();
    assert!(error.to_string().contains("is written as a list: its fields have no names to change"), "{error}");
}
