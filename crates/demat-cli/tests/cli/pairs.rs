//! Copies from every format to every format.

use crate::run::Folder;

/// The same table in each format. In tables, everything is text, except empty cells.
const FORMATS: [(&str, &str, &str); 4] = [
    (
        "json",
        "[{\"id\":1,\"ok\":true,\"text\":\"a, \\\"b\\\"\",\"x\":1.5},{\"id\":-2,\"ok\":false,\"text\":\"é\\tü\",\"x\":null}]\n",
        "[{\"id\":\"1\",\"ok\":\"true\",\"text\":\"a, \\\"b\\\"\",\"x\":\"1.5\"},{\"id\":\"-2\",\"ok\":\"false\",\"text\":\"é\\tü\",\"x\":null}]\n",
    ),
    (
        "ndjson",
        "{\"id\":1,\"ok\":true,\"text\":\"a, \\\"b\\\"\",\"x\":1.5}\n{\"id\":-2,\"ok\":false,\"text\":\"é\\tü\",\"x\":null}\n",
        "{\"id\":\"1\",\"ok\":\"true\",\"text\":\"a, \\\"b\\\"\",\"x\":\"1.5\"}\n{\"id\":\"-2\",\"ok\":\"false\",\"text\":\"é\\tü\",\"x\":null}\n",
    ),
    ("csv", "id,ok,text,x\n1,true,\"a, \"\"b\"\"\",1.5\n-2,false,é\tü,\n", ""),
    ("tsv", "id\tok\ttext\tx\n1\ttrue\t\"a, \"\"b\"\"\"\t1.5\n-2\tfalse\t\"é\tü\"\t\n", ""),
];

fn is_table(format: &str) -> bool {
    format.ends_with("sv")
}

#[test]
fn all_pairs_by_suffix() {
    for (from, content, _) in FORMATS {
        for (to, expected, untyped) in FORMATS {
            let folder = Folder::with(&[(&format!("in.{from}"), content)]);
            folder.run(&format!("copy in.{from} out.{to}")).ok();
            let expected = if is_table(from) && !is_table(to) { untyped } else { expected };
            assert_eq!(folder.read(&format!("out.{to}")), expected, "{from} to {to}");
        }
    }
}

#[test]
fn all_pairs_typed_through_pipes() {
    for (from, content, _) in FORMATS {
        for (to, expected, _) in FORMATS {
            let folder = Folder::new();
            let out = folder.feed(&format!("copy --from {from} --to {to} --infer"), content).ok();
            assert_eq!(out, expected, "{from} to {to}");
        }
    }
}

#[test]
fn a_single_record_stays_single() {
    let folder = Folder::with(&[("a.json", " {\"id\": 1, \"t\": \"x\"} ")]);
    assert_eq!(folder.run("copy a.json --to json").ok(), "{\"id\":1,\"t\":\"x\"}\n");
    assert_eq!(folder.run("copy a.json --to ndjson").ok(), "{\"id\":1,\"t\":\"x\"}\n");
    assert_eq!(folder.run("copy a.json --to csv").ok(), "id,t\n1,x\n");
}

#[test]
fn nothing_stays_nothing() {
    let folder = Folder::new();
    assert_eq!(folder.feed("copy --from json --to ndjson", "[]").ok(), "");
    assert_eq!(folder.feed("copy --from json --to csv", "[]").ok(), "");
    assert_eq!(folder.feed("copy --from ndjson --to json", "").ok(), "[]\n");
    assert_eq!(folder.feed("copy --from ndjson --to json", "\n \n").ok(), "[]\n");
    assert_eq!(folder.feed("copy --from csv --to json", "").ok(), "[]\n");
    assert_eq!(folder.feed("copy --from csv --to json", "a,b\n").ok(), "[]\n");
    assert_eq!(folder.feed("copy --from csv --to tsv", "a,b\n").ok(), "a\tb\n", "a header is kept");
}

#[test]
fn tables_without_a_header_are_lists() {
    let folder = Folder::new();
    assert_eq!(
        folder.feed("copy --from csv --to json --no-header", "1,a\n2,\n").ok(),
        "[[\"1\",\"a\"],[\"2\",null]]\n"
    );
    assert_eq!(folder.feed("copy --from csv --to tsv --no-header", "1,a\n").ok(), "1\ta\n");
    assert_eq!(folder.feed("copy --from json --to csv", "[[1,\"a\"],[2,null]]").ok(), "1,a\n2,\n");
}

#[test]
fn what_a_table_makes_of_json_reads_back() {
    let folder = Folder::new();
    let json = "[{\"empty\":\"\",\"null\":null,\"n\":1},{\"empty\":\"x\",\"null\":\"\\n\",\"n\":-0.5}]\n";
    let table = folder.feed("copy --from json --to csv", json).ok();
    let back = folder.feed("copy --from csv --to json --infer", table).ok();
    assert_eq!(back, "[{\"empty\":\"\",\"null\":null,\"n\":1.0},{\"empty\":\"x\",\"null\":\"\\n\",\"n\":-0.5}]\n");
}
