//! Nested records as tables.

use crate::run::Folder;

const NESTED: &str = "{\"id\":1,\"at\":{\"x\":1,\"y\":{\"z\":\"a\"}},\"tags\":[\"p\",\"q\"]}\n\
                      {\"id\":2,\"at\":{\"x\":2,\"y\":null},\"tags\":[]}\n";

#[test]
fn nested_fields_are_refused_by_name() {
    let folder = Folder::with(&[("a.ndjson", NESTED), ("b.ndjson", "{\"tags\":[1]}")]);
    assert_eq!(
        folder.run("copy a.ndjson b.csv").failed(1),
        "error: the field `at` is a record, and a cell holds one value (a.ndjson)\n\
         hint: --flatten turns nested records into columns, and lists and maps into JSON text\n"
    );
    assert!(folder.run("copy b.ndjson b.csv").failed(1).contains("the field `tags` is a list"));
    assert_eq!(folder.names(), ["a.ndjson", "b.ndjson"]);
}

#[test]
fn flattened_they_are_columns() {
    let folder = Folder::with(&[("a.ndjson", NESTED)]);
    let table = folder.run("copy a.ndjson --to csv --flatten").ok();
    assert_eq!(table, "id,at.x,at.y.z,tags\n1,1,a,\"[\"\"p\"\",\"\"q\"\"]\"\n2,2,,[]\n");
    let array = folder.run("copy a.ndjson --to json").ok();
    assert_eq!(folder.feed("copy --from json --to csv --flatten", array).ok(), table);
}

#[test]
fn of_a_given_shape_as_well() {
    let folder = Folder::with(&[("a.ndjson", NESTED)]);
    let shape = "tags: any, at: {y: {z: text}?, x: int}";
    let table = folder.run_with(&["copy", "a.ndjson", "--to", "tsv", "--flatten", "--shape", shape], b"").ok();
    assert_eq!(table, "tags\tat.y.z\tat.x\n\"[\"\"p\"\",\"\"q\"\"]\"\ta\t1\n[]\t\t2\n");
}

#[test]
fn what_has_no_records_is_no_table() {
    let folder = Folder::new();
    let err = folder.feed("copy --from json --to csv --flatten", "[1,2]").failed(1);
    assert!(err.starts_with("error: only records can be flattened"), "{err}");
    assert_eq!(folder.feed("copy --from json --to csv --flatten", "[]").ok(), "");
}

/// A record longer than the window is copied in parts, and still flattened.
#[test]
fn a_long_record_is_flattened_in_pieces() {
    let folder = Folder::new();
    let list = format!("[{}]", vec!["12345678"; 200_000].join(","));
    let json = format!("[{{\"a\":{{\"b\":{list},\"c\":1}}}},{{\"a\":{{\"b\":[],\"c\":2}}}}]");
    let table = folder.run_with(
        &["copy", "--from", "json", "--to", "csv", "--flatten", "--shape", "a: {b: [int], c: int}"],
        json.as_bytes(),
    );
    assert_eq!(table.ok(), format!("a.b,a.c\n\"{list}\",1\n[],2\n"));
}
