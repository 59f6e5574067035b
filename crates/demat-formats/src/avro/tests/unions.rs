//! Unions: a reader of the same types finds what was written, or they can't be written.

use super::*;

/// Asserts that values survive: the names of variants are part of them.
fn survives(of: &str, text: &str) {
    let shape = shape(of);
    let value = value(text, &shape);
    let bytes = testing::written(&WriteOptions::default(), &value, &shape).unwrap();
    assert_eq!(testing::read(Avro::default(), &bytes, &shape).unwrap(), value, "{of}");
    testing::skipped(Avro::default(), &bytes, &shape).unwrap();
}

const ALIKE: &str = "a reader could not tell this variant from another one";

#[test]
fn records_are_told_by_their_exact_names_first() {
    survives("[union(a: V{x: int}, b: V_2{x: int})]", r#"[{"b":{"x":2}},{"a":{"x":1}}]"#);
    survives("[union(a: AB{x: int}, b: Ab{x: int})]", r#"[{"b":{"x":2}},{"a":{"x":1}}]"#);
    survives("[union(a: Item{x: int}, b: Item{x: int, y: int})]", r#"[{"b":{"x":2,"y":1}},{"a":{"x":1}}]"#);
    survives("[union(v: int, v_2: int, V: text)]", r#"[{"v_2":1},{"v":2},{"V":"t"}]"#);
    // The second name is taken before.
    survives("[{v: V{x: int}, u: union(a: V{y: int}, b: W{x: int})}]", r#"[{"v":{"x":1},"u":{"a":{"y":2}}}]"#);
    // A file of others: similar names are told if there is one.
    let schema = r#"["null", {"type": "record", "name": "my_item", "fields": []}]"#;
    let bytes = file(schema, 1, &[2]);
    assert_eq!(json(&bytes, "[union(a: MyItem{}, b: B{})]"), r#"[{"a":{}}]"#);
    let error = read(&bytes, "[union(a: MyItem{}, b: MYItem{}, c: C{})]").unwrap_err();
    assert_eq!(error.reason(), "expected `a` or `b` or `c`, found `my_item`");
}

#[test]
fn types_that_could_be_taken_for_each_other_are_refused() {
    for of in [
        // The first name is that of the second variant.
        "[{first: Item{y: int}, u: union(a: Item{x: int}, b: Item{y: int})}]",
        "[(int, text) | (text, int)]",
    ] {
        let error = written("[]", of, &WriteOptions::default()).unwrap_err();
        assert!(error.reason().contains(ALIKE), "{of}: {error}");
    }
}

#[test]
fn kinds_are_told_by_what_was_written() {
    survives("[float | text]", r#"[1.5,"t"]"#);
    survives("[float | null | text]", r#"["t",null,0.5]"#);
    survives("[bool | float | text]", r#"["t",true,0.5]"#);
    survives("[float | map(text, int)]", r#"[{"a":1},0.5]"#);
    survives("[float | decimal]", "[0.5]");
    survives("[V{x: int} | map(text, int)]", r#"[{"x":1}]"#);
    let shape = shape("[union(a: V{x: int}, b: map(text, int))]");
    survives(&shape.to_string(), r#"[{"b":{"x":1}},{"a":{"x":1}}]"#);
    survives("[(int, text) | V{x: int}]", r#"[[1,"a"],{"x":1}]"#);
    // A map that a file of others holds.
    let bytes = file(r#"["null", {"type": "map", "values": "int"}]"#, 1, &[2, 2, 2, b'x', 6, 0]);
    assert_eq!(json(&bytes, "[V{x: int} | map(text, int)]"), r#"[{"x":3}]"#);
}
