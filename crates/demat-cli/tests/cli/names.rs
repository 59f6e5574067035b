//! `--fields` and `--rename`, and `--at`: what is copied of a document.

use crate::run::Folder;

const NESTED: &str = "[{\"id\":1,\"by\":{\"name\":\"Ada\",\"age\":36},\"tags\":[{\"k\":\"x\",\"v\":1}]}]";

fn fed(options: &str, input: &str) -> String {
    Folder::new().feed(options, input).ok()
}

#[test]
fn fields_lead_into_records() {
    assert_eq!(
        fed("copy --from json --to ndjson --fields by.name,id", NESTED),
        "{\"id\":1,\"by\":{\"name\":\"Ada\"}}\n"
    );
    assert_eq!(fed("copy --from json --to csv --flatten --fields id,by.age", NESTED), "id,by.age\n1,36\n");
    assert_eq!(fed("head --from json --fields tags.v", NESTED), "{\"tags\":[{\"v\":1}]}\n");
    for (fields, says) in [
        ("by.nam", "there is no field `nam`; there are `name`, `age`; did you mean `name`?"),
        ("by,by.name", "the field `by.name` is named twice"),
        ("id.x", "fields are chosen of records, and this is a int"),
    ] {
        let run = Folder::new().feed(&format!("copy --from json --to ndjson --fields {fields}"), NESTED);
        assert!(run.failed(1).contains(says), "{fields}");
    }
}

#[test]
fn fields_get_other_names() {
    let copy = |options: &str| fed(&format!("copy --from json --to ndjson {options}"), NESTED);
    assert_eq!(copy("--rename id=key --fields id"), "{\"key\":1}\n");
    assert_eq!(
        copy("--rename by.name=who --rename by=author --fields by.name,by.age"),
        "{\"author\":{\"who\":\"Ada\",\"age\":36}}\n"
    );
    assert_eq!(fed("copy --from csv --to csv --rename a=b --rename b=a", "a,b\n1,2\n"), "b,a\n1,2\n");
    assert_eq!(
        fed("copy --from json --to csv --flatten --rename by.age=years --fields by.age", NESTED),
        "by.years\n36\n"
    );
    let where_ =
        ["copy", "--from", "json", "--to", "ndjson", "--rename", "id=n", "--fields", "id", "--where", "id = 1"];
    assert_eq!(Folder::new().run_with(&where_, NESTED.as_bytes()).ok(), "{\"n\":1}\n");
    for (renames, code, says) in [
        ("--rename x=y", 1, "there is no field `x`; there are `id`, `by`, `tags`"),
        ("--rename id=by", 1, "two fields have the name `by`"),
        ("--rename id=a --rename id=b", 1, "the field `id` gets two new names"),
        ("--rename id", 2, "expected OLD=NEW"),
        ("--rename =x", 2, "expected OLD=NEW"),
    ] {
        let run = Folder::new().feed(&format!("copy --from json --to ndjson {renames}"), NESTED);
        assert!(run.failed(code).contains(says), "{renames}");
    }
}

#[test]
fn every_target_has_the_new_names() {
    let folder = Folder::with(&[("a.csv", "id,t\n1,x\n")]);
    for place in ["b.parquet", "b.arrow", "b.msgpack", "b.db#rows", "b.json", "b.cbor", "lmdb:b.lmdb#rows"] {
        folder
            .run_with(&["copy", "a.csv", place, "--shape", "id: int #sql:key, t: text", "--rename", "t=title"], b"")
            .ok();
        let back = folder.run_with(&["copy", place, "-", "--to", "ndjson", "--fields", "title"], b"").ok();
        assert_eq!(back, "{\"title\":\"x\"}\n", "{place}");
    }
    // From columns, rows and records, whose shape is their own.
    for place in ["b.parquet", "b.db#rows", "lmdb:b.lmdb#rows"] {
        let back =
            folder.run_with(&["copy", place, "-", "--to", "csv", "--rename", "title=t", "--where", "id = 1"], b"");
        assert_eq!(back.ok(), "id,t\n1,x\n", "{place}");
    }
    // Into a table that is there: its columns have the new names.
    folder.write("c.csv", "id,t\n2,y\n");
    folder.run("copy c.csv b.db#rows --rename t=title").ok();
    assert_eq!(folder.run("copy b.db#rows - --to csv").ok(), "id,title\n1,x\n2,y\n");
    let none = folder.run("copy c.csv b.db#rows --rename t=name").failed(1);
    assert!(none.contains("there is no field `name`; there are `id`, `title`"), "{none}");
}

#[test]
fn records_are_where_a_path_leads() {
    let text = "{\"meta\":{\"n\":2},\"data\":{\"items\":[{\"id\":1,\"t\":[5]},{\"id\":2,\"t\":[6,7]}]}}";
    let folder = Folder::with(&[
        ("a.json", text),
        ("a.ndjson", "{\"t\":[{\"k\":1},{\"k\":2}]}\n{\"t\":[]}\n{\"t\":[{\"k\":3}]}\n"),
        ("a.xml", "<catalog><x>9</x><book><id>1</id><t>a</t></book><book><id>2</id><t>b</t></book></catalog>"),
    ]);
    for place in ["a.json", "b.yaml", "b.msgpack", "b.cbor", "b.toml", "b.plist"] {
        if place != "a.json" {
            folder.run(&format!("copy a.json {place}")).ok();
        }
        let ids = folder.run(&format!("copy {place} - --to csv --at $.data.items[*] --fields id")).ok();
        assert_eq!(ids, "id\n1\n2\n", "{place}");
    }
    assert_eq!(folder.run("copy a.json - --to json --at $.data.items[*].t[*]").ok(), "[5,6,7]\n");
    assert_eq!(folder.run("copy a.json - --to ndjson --at $.meta").ok(), "{\"n\":2}\n");
    assert_eq!(folder.run("head a.json --at $.data.items[*] -n 1").ok(), "{\"id\":1,\"t\":[5]}\n");
    let chosen = ["copy", "a.json", "-", "--to", "ndjson", "--at", "$.data.items[*]", "--where", "id > 1"];
    assert_eq!(folder.run_with(&chosen, b"").ok(), "{\"id\":2,\"t\":[6,7]}\n");
    assert_eq!(folder.run("copy a.ndjson - --to csv --at $.t[*]").ok(), "k\n1\n2\n3\n");
    assert_eq!(folder.run("copy a.xml - --to csv --infer --at catalog/book").ok(), "id,t\n1,a\n2,b\n");
    assert_eq!(folder.run("schema a.json --at $.data.items[*]").ok(), "id:int, t:[int], !\n");
    assert!(folder.run("info a.json --at $.data.items[*]").ok().contains("records: 2\nshape: id:int, t:[int], !\n"));
    let piped = folder.feed("copy --from json --to parquet --at $.data.items[*] -o b.parquet", text);
    piped.ok();
    assert_eq!(folder.run("copy b.parquet - --to csv --fields id").ok(), "id\n1\n2\n");
}

#[test]
fn paths_that_lead_nowhere_are_refused() {
    let folder = Folder::with(&[("a.json", "{\"a\":[1]}"), ("a.csv", "a\n1\n"), ("a.xml", "<a/>")]);
    for (arguments, code, says) in [
        ("copy a.json - --to json --at $.b[*]", 1, "expected field `b`"),
        ("copy a.json - --to json --at $.a.b", 1, "expected `record`, found `list` at `$.a`"),
        ("copy a.json - --to json --at a", 2, "--at: expected `$`, which is the document, at the beginning"),
        ("copy a.xml - --to json --at $.a", 2, "--at: expected names of elements between `/`"),
        (
            "copy a.csv - --to json --at $[*]",
            2,
            "--at: a path leads to records within others, and the records of csv are",
        ),
        ("schema a.csv --at $[*]", 2, "the records of csv are its items"),
        ("info a.csv --at $[*]", 2, "the records of csv are its items"),
    ] {
        let err = folder.run(arguments).failed(code);
        assert!(err.contains(says), "{arguments}: {err}");
    }
}
