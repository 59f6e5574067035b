//! Shapes as options.

use crate::run::Folder;

fn copy(folder: &Folder, shape: &str, input: &str) -> crate::run::Outcome {
    folder.run_with(&["copy", "--from", "json", "--to", "ndjson", "--shape", shape], input.as_bytes())
}

#[test]
fn a_record_is_one_record_or_that_of_all() {
    let folder = Folder::new();
    let shape = "id: int, when: date?";
    assert_eq!(
        copy(&folder, shape, "{\"when\":\"2026-01-02\",\"id\":1,\"x\":[]}").ok(),
        "{\"when\":\"2026-01-02\",\"id\":1}\n"
    );
    assert_eq!(copy(&folder, shape, "[{\"id\":1},{\"id\":2}]").ok(), "{\"id\":1}\n{\"id\":2}\n");
    assert_eq!(copy(&folder, "[{id: int}]", "[{\"id\":1}]").ok(), "{\"id\":1}\n");
    assert_eq!(copy(&folder, "[int]", "[1,2]").ok(), "1\n2\n");
    assert_eq!(copy(&folder, "int", "[1,2]").ok(), "1\n2\n");
    assert_eq!(copy(&folder, "any", "[1,{}]").ok(), "1\n{}\n");
    assert!(copy(&folder, "[{id: int}]", "{\"id\":1}").failed(1).contains("expected `list`, found `record`"));
}

#[test]
fn cells_are_read_as_their_field_says() {
    let folder = Folder::new();
    let shape = ["copy", "--from", "csv", "--to", "json", "--shape", "ok: bool, id: int, d: decimal?, t: text"];
    let out = folder.run_with(&shape, b"id,t,ok,more,d\n007,1,true,x,1.10\n2,,1,y,\n").ok();
    assert_eq!(out, "[{\"id\":7,\"t\":\"1\",\"ok\":true,\"d\":1.10},{\"id\":2,\"t\":\"\",\"ok\":true,\"d\":null}]\n");
}

#[test]
fn an_empty_table_has_the_shapes_header() {
    let folder = Folder::new();
    let out = folder.run_with(&["copy", "--from", "json", "--to", "csv", "--shape", "a: int, b: text"], b"[]").ok();
    assert_eq!(out, "a,b\n");
}

#[test]
fn a_shape_may_stand_in_a_file() {
    let folder = Folder::with(&[
        ("s.shape", "id: int\n"),
        ("a.json", "[{\"id\":1,\"x\":2}]"),
        ("bad.shape", "id: int,\n\tb: txt"),
    ]);
    assert_eq!(folder.run("copy a.json --to csv --shape @s.shape").ok(), "id\n1\n");
    assert_eq!(folder.run("copy a.json --to csv --shape s.shape").ok(), "id\n1\n");
    let err = folder.run("copy a.json --to csv --shape @bad.shape").failed(2);
    assert!(err.starts_with("error: bad.shape: not a shape: expected a kind"), "{err}");
    assert!(err.contains("\n  | \tb: txt\n  | \t   ^\nhint: "), "{err}");
    let err = folder.run("copy a.json --to csv --shape @none.shape").failed(3);
    assert_eq!(err, "error: none.shape can't be read: No such file or directory (os error 2)\n");
}

#[test]
fn what_is_no_shape_is_shown() {
    let folder = Folder::with(&[("a.json", "[]")]);
    let err = folder.run_with(&["copy", "a.json", "b.csv", "--shape", "id: int, nam: txt"], b"").failed(2);
    let expected = "error: --shape: not a shape: expected a kind, or the name of a type around or before it, \
                    found `txt` (line 1, column 15)\n  | id: int, nam: txt\n  |               ^\n\
                    hint: a shape is text like `id: int, title: text, tags: [text]?`\n";
    assert_eq!(err, expected);
}

#[test]
fn wrong_notes_are_refused() {
    let folder = Folder::with(&[("a.json", "[]")]);
    for (shape, reason) in [
        ("id: int #xlm:attribute", "no format has notes for `xlm`; there are "),
        ("id: int #xml:atribute", "`atribute` is no note for xml"),
        ("a: [{id: text #nbt:byte}]", "`byte` is for ints, not for text at `$.a.id`"),
    ] {
        let err = folder.run_with(&["copy", "a.json", "b.csv", "--shape", shape], b"").failed(2);
        assert!(err.starts_with(&format!("error: --shape: {reason}")), "{err}");
    }
}

#[test]
fn what_is_not_of_the_shape_is_refused() {
    let folder = Folder::with(&[("a.ndjson", "{\"id\":1}\n{\"id\":\"x\"}\n")]);
    assert_eq!(
        folder.run("copy a.ndjson b.csv --shape id:int").failed(1),
        "error: expected `int`, found `text` \"x\" at `$[1].id` (a.ndjson, record 2, line 2, column 7)\n  \
         2 | {\"id\":\"x\"}\n    |       ^\n"
    );
    assert_eq!(folder.names(), ["a.ndjson"]);
}

#[test]
fn lax_converts_to_the_kinds_of_the_shape() {
    let input =
        "[{\"id\":\"12\",\"part\":\" 0.5\",\"done\":\"Yes\",\"at\":0},{\"id\":3.0,\"part\":1,\"done\":0,\"at\":1.5}]";
    let shape = "id: int, part: float, done: bool, at: instant";
    let folder = Folder::with(&[("a.json", input), ("b.csv", "id,done\n 7 ,off\n")]);
    let command =
        |more: &'static [&'static str]| [&["copy", "a.json", "--to", "ndjson", "--shape", shape], more].concat();
    let err = folder.run_with(&command(&[]), b"").failed(1);
    assert!(err.contains("expected `int`, found `text` \"12\""), "{err}");
    assert!(err.contains("hint: --lax converts text to numbers and bools"), "{err}");
    assert_eq!(
        folder.run_with(&command(&["--lax"]), b"").ok(),
        "{\"id\":12,\"part\":0.5,\"done\":true,\"at\":\"1970-01-01T00:00:00Z\"}\n\
         {\"id\":3,\"part\":1.0,\"done\":false,\"at\":\"1970-01-01T00:00:01.500Z\"}\n"
    );
    let cells = ["copy", "b.csv", "--to", "json", "--lax", "--shape", "id: int, done: bool"];
    assert_eq!(folder.run_with(&cells, b"").ok(), "[{\"id\":7,\"done\":false}]\n");
    let heads = ["head", "-n", "1", "a.json", "--lax", "--fields", "id", "--shape", shape];
    assert_eq!(folder.run_with(&heads, b"").ok(), "{\"id\":12}\n");
    let both = ["copy", "b.csv", "b.csv", "-", "--to", "csv", "--lax", "--shape", "id: int, done: bool"];
    assert_eq!(folder.run_with(&both, b"").ok(), "id,done\n7,false\n7,false\n");
}

#[test]
fn lax_needs_kinds_to_convert_to_and_values_without_types() {
    let folder = Folder::with(&[("a.json", "[{\"id\":\"1\"}]"), ("c.csv", "id\n1\n")]);
    let err = folder.run("copy c.csv c.json --lax").failed(1);
    assert!(err.contains("without a shape there is nothing to convert values to") && err.contains("c.csv"), "{err}");
    let selected = ["copy", "a.json?select id + 1 as n from a", "--to", "ndjson", "--lax", "--shape", "id: int"];
    assert_eq!(folder.run_with(&selected, b"").out, "{\"n\":2}\n");
    let err = folder.run("copy a.json b.json --lax").failed(1);
    assert!(err.contains("without a shape there is nothing to convert values to"), "{err}");
    folder.run("copy a.json a.db#a").ok();
    folder.run("copy a.json a.parquet").ok();
    let err = folder.run_with(&["copy", "a.db#a", "-", "--to", "csv", "--lax", "--shape", "id: int"], b"").failed(1);
    assert!(err.contains("no value of a database is converted, as they have types"), "{err}");
    let err = folder.run_with(&["copy", "a.parquet", "-", "--to", "csv", "--lax", "--shape", "id: int"], b"").failed(1);
    assert!(err.contains("no value of parquet is converted, as they have types"), "{err}");
}
