//! `--where`: records that a condition chooses.

use crate::run::Folder;

const TASKS: &str = "{\"id\":1,\"title\":\"a\",\"done\":true,\"by\":{\"name\":\"Ada\"}}\n\
                     {\"id\":2,\"title\":\"b, x\",\"done\":false,\"by\":{\"name\":\"Bob\"}}\n\
                     {\"id\":3,\"title\":\"c\",\"done\":false,\"by\":null}\n";
const SHAPE: &str = "id: int, title: text, done: bool, by: {name: text}?";

fn fed(arguments: &[&str], input: &str) -> String {
    Folder::new().run_with(arguments, input.as_bytes()).ok()
}

fn refused(arguments: &[&str], input: &str) -> String {
    let run = Folder::new().run_with(arguments, input.as_bytes());
    assert_eq!((run.code == Some(1) || run.code == Some(2), run.out.as_str()), (true, ""), "{}", run.err);
    run.err
}

#[test]
fn records_of_untyped_text_are_chosen() {
    let lines = |condition: &str| {
        fed(&["copy", "--from", "ndjson", "--to", "csv", "--fields", "id", "--where", condition], TASKS)
    };
    assert_eq!(lines("done = false and title like '%x%'"), "id\n2\n");
    assert_eq!(lines("by.name = 'Ada' or by is null"), "id\n1\n3\n");
    assert_eq!(lines("not done"), "id\n2\n3\n");
    assert_eq!(lines("id > 7"), "id\n");
    let csv =
        |condition: &str| fed(&["copy", "--from", "csv", "--to", "ndjson", "--where", condition], "n,t\n10,x\n9,\n");
    assert_eq!(csv("t is null"), "{\"n\":\"9\",\"t\":null}\n");
    assert_eq!(csv("n = '10'"), "{\"n\":\"10\",\"t\":\"x\"}\n");
    let typed = ["copy", "--from", "csv", "--to", "ndjson", "--infer", "--where", "n >= 10"];
    assert_eq!(fed(&typed, "n,t\n10,x\n9,\n"), "{\"n\":10,\"t\":\"x\"}\n");
    let shaped = ["copy", "--from", "csv", "--to", "ndjson", "--shape", "n: int", "--where", "n < 10"];
    assert_eq!(fed(&shaped, "n,t\n10,x\n9,\n"), "{\"n\":9}\n");
}

#[test]
fn every_place_has_records_to_choose() {
    let folder = Folder::with(&[("a.ndjson", TASKS)]);
    let shape = ["--shape", SHAPE];
    for place in ["a.json", "a.msgpack", "a.cbor", "a.yaml", "a.parquet", "a.arrow", "a.arrows", "a.pb", "a.ndjson.gz"]
    {
        let mut copy = vec!["copy", "a.ndjson", place];
        copy.extend(shape);
        folder.run_with(&copy, b"").ok();
        let mut read = vec!["copy", place, "-", "--to", "csv", "--fields", "title", "--where"];
        read.push("by.name in ('Bob', 'x') and id >= 2");
        let list = format!("[{SHAPE}]").replace("[id", "[{id").replace("?]", "?}]");
        if place == "a.pb" {
            read.extend(["--shape", &*list]);
        }
        assert_eq!(folder.run_with(&read, b"").ok(), "title\n\"b, x\"\n", "{place}");
    }
    for place in ["t.db#tasks", "lmdb:t.lmdb#tasks", "t.csv", "t.tsv"] {
        let flat = "id: int #sql:key, title: text, done: bool";
        folder.run_with(&["copy", "a.ndjson", place, "--shape", flat], b"").ok();
        let mut read =
            vec!["copy", place, "-", "--to", "ndjson", "--fields", "title", "--where", "not done and id < 3"];
        if place.ends_with("sv") {
            read.push("--infer");
        }
        assert_eq!(folder.run_with(&read, b"").ok(), "{\"title\":\"b, x\"}\n", "{place}");
    }
    // Formats that write the number of records before them.
    let copy = ["copy", "a.msgpack", "b.msgpack", "--where", "id >= 2"];
    folder.run_with(&copy, b"").ok();
    assert_eq!(folder.run("copy b.msgpack - --to csv --fields id").ok(), "id\n2\n3\n");
    let query = "t.db?select id + 1 as n, title from tasks";
    let read = ["copy", query, "-", "--to", "ndjson", "--where", "n > 3"];
    assert_eq!(folder.run_with(&read, b"").ok(), "{\"n\":4,\"title\":\"c\"}\n");
    // Into a table, whose columns are the shape.
    folder.run_with(&["copy", "a.ndjson", "t.db#tasks", "--fields", "id,title,done", "--where", "id > 9"], b"").ok();
}

#[test]
fn the_first_that_are_chosen_are_counted() {
    let head = ["head", "--from", "ndjson", "-n", "1", "--where", "done = false", "--fields", "id"];
    assert_eq!(fed(&head, TASKS), "{\"id\":2}\n");
    let limited =
        ["copy", "--from", "ndjson", "--to", "ndjson", "--limit", "1", "--where", "id >= 2", "--fields", "id"];
    assert_eq!(fed(&limited, TASKS), "{\"id\":2}\n");
    assert_eq!(
        fed(&["copy", "--from", "ndjson", "--to", "csv", "--limit", "2", "--fields", "id"], TASKS),
        "id\n1\n2\n"
    );
}

/// Records that are not chosen are no errors, except in the fields that the condition reads.
#[test]
fn refused_records_are_left_out() {
    let folder = Folder::with(&[(
        "a.ndjson",
        "{\"n\":1,\"t\":\"a\"}\n{\"n\":\"x\",\"t\":\"b\"}\n{\"n\":2,\"t\":7}\n{\"n\":3,\"t\":8}\n",
    )]);
    let shape = ["--shape", "n: int, t: text"];
    let skip = |condition: &str| {
        let mut arguments = vec!["copy", "a.ndjson", "b.ndjson", "--on-error", "skip", "--where", condition];
        arguments.extend(shape);
        folder.run_with(&arguments, b"")
    };
    let run = skip("n <> 2");
    assert_eq!((run.code, folder.read("b.ndjson")), (Some(1), "{\"n\":1,\"t\":\"a\"}\n".to_string()));
    assert!(run.err.contains("2 records were refused, 1 was written"), "{}", run.err);
    assert!(run.err.contains("`$[1].n` (a.ndjson, record 2, line 2, column 6)"), "{}", run.err);
    let run = skip("t <> 'a'");
    assert!(run.err.contains("3 records were refused, 0 were written"), "{}", run.err);
}

#[test]
fn wrong_conditions_are_refused_before_anything_is_written() {
    let copy = |condition: &str| refused(&["copy", "--from", "ndjson", "--to", "ndjson", "--where", condition], TASKS);
    assert_eq!(
        copy("done = false adn id = 3"),
        "error: --where: expected `and`, `or` or the end of the condition, found `adn`\n  \
         | done = false adn id = 3\n  |              ^\n\
         hint: a condition is like `done = false and (title like '%x%' or n >= 3)`\n"
    );
    let unknown = copy("tilte = 'x'");
    let says =
        "there is no field `tilte`; there are `id`, `title`, `done`, `by`; did you mean `title`? (standard input)";
    assert!(unknown.contains(says), "{unknown}");
    assert!(copy("id = 'x'").contains("`x` is no value of `id`"));
    let cells = refused(&["copy", "--from", "csv", "--to", "ndjson", "--where", "n > 3"], "n\n10\n");
    assert!(cells.contains("`n` is text, and 3 is not: text stands in quotes"), "{cells}");
    assert!(cells.contains("hint: cells are text without --infer or --shape"), "{cells}");
    let one = refused(&["copy", "--from", "json", "--to", "json", "--where", "n > 3"], "{\"n\":4}");
    assert!(one.contains("records are chosen from a list, and this is a record"), "{one}");
    let sampled = ["copy", "--from", "ndjson", "--to", "ndjson", "--sample", "1", "--where", "late = 1"];
    let sampled = refused(&sampled, "{\"n\":1}\n{\"late\":1}\n");
    assert!(sampled.contains("hint: the shape was inferred from the first record"), "{sampled}");
    assert_eq!(fed(&["copy", "--from", "ndjson", "--to", "ndjson", "--where", "n > 3"], ""), "");
}
