use super::compare::Comparison;
use demat_core::Value;

fn value(text: &str) -> Value {
    demat_formats::json::decode(text.as_bytes()).unwrap()
}

/// Returns the changes between two lists, as lines.
fn changes(key: &[&str], old: &str, new: &str) -> String {
    let key: Vec<_> = key.iter().map(ToString::to_string).collect();
    let mut comparison = Comparison::new(&key);
    let records = |text: &str| match value(text) {
        Value::List(records) => records,
        other => panic!("{other:?}"),
    };
    for record in records(old) {
        comparison.old(record).unwrap();
    }
    for record in records(new) {
        if let Err(error) = comparison.new_record(record) {
            return error.to_string();
        }
    }
    comparison.changes().iter().map(ToString::to_string).collect()
}

#[test]
fn records_are_found_by_key() {
    let old = r#"[{"id":1,"t":"a","by":{"n":1,"m":2}},{"id":2,"t":"b"},{"id":3}]"#;
    let new = r#"[{"id":3,"x":null},{"t":"c","id":1,"by":{"m":2,"n":3}},{"id":4}]"#;
    let wanted = "- {\"id\":2,\"t\":\"b\"}\n~ id 1: t \"a\" -> \"c\", by.n 1 -> 3\n+ {\"id\":4}\n";
    assert_eq!(changes(&["id"], old, new), wanted);
    assert_eq!(changes(&["id"], old, old), "");
}

#[test]
fn without_a_key_records_are_compared_as_a_whole() {
    let (old, new) = ("[1,1,{\"a\":1,\"b\":2}]", "[{\"b\":2,\"a\":1.0},1,3]");
    assert_eq!(changes(&[], old, new), "- 1\n+ 3\n");
}

#[test]
fn values_are_compared_with_their_types() {
    for (old, new, differs) in [
        ("1", "1.0", false),
        ("1", "\"1\"", true),
        ("1.5", "1.5", false),
        ("0", "-0.0", false),
        ("9007199254740993", "9007199254740992.0", true),
        ("9007199254740992", "9007199254740992.0", false),
        ("[1,2]", "[1,2.0]", false),
        ("[1,2]", "[2,1]", true),
        ("[{\"a\":null}]", "[{}]", false),
        ("null", "false", true),
        ("{\"a\":1}", "[1]", true),
    ] {
        let list = |value: &str| format!("[{{\"id\":1,\"v\":{value}}}]");
        assert_eq!(!changes(&["id"], &list(old), &list(new)).is_empty(), differs, "{old} {new}");
        assert_eq!(!changes(&[], &list(old), &list(new)).is_empty(), differs, "{old} {new}, as a whole");
    }
}

#[test]
fn keys_are_unique_and_there() {
    assert_eq!(changes(&["id"], "[]", "[{\"id\":1},{\"id\":1}]"), "two records have the key id 1");
    assert!(changes(&["id"], "[]", "[{\"x\":1}]").starts_with("a record has no value in the key field `id`"));
    assert!(changes(&["by.id"], "[]", "[{\"by\":{\"id\":null}}]").contains("the key field `by.id`"));
    assert_eq!(changes(&["by.id", "n"], "[{\"by\":{\"id\":1},\"n\":1}]", "[{\"n\":1,\"by\":{\"id\":1}}]"), "");
}

#[test]
fn decimals_are_compared_by_their_number() {
    let record = |text: &str| {
        let decimal = demat_core::scalar::Decimal::parse(text).unwrap().into_owned();
        let name = |name: &str| Value::Text(name.to_string().into());
        let inner = Value::Map(vec![(name("price"), Value::Decimal(decimal.clone()))]);
        Value::Map(vec![(name("price"), Value::Decimal(decimal)), (name("all"), Value::List(vec![inner]))])
    };
    for key in [&[][..], &["price".to_string()]] {
        for (new, differs) in [("1.1", false), ("11e-1", false), ("1.2", true)] {
            let mut comparison = Comparison::new(key);
            comparison.old(record("1.10")).unwrap();
            comparison.new_record(record(new)).unwrap();
            assert_eq!(!comparison.changes().is_empty(), differs, "{new}");
        }
    }
}
