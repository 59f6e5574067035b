//! `demat diff`.

use crate::run::Folder;

fn folder() -> Folder {
    Folder::with(&[
        ("old.ndjson", "{\"id\":1,\"t\":\"a\"}\n{\"id\":2,\"t\":\"b\"}\n"),
        ("new.json", "[{\"t\":\"c\",\"id\":2},{\"id\":3,\"t\":\"d\"}]"),
        ("old.csv", "id,t\n1,a\n2,b\n"),
    ])
}

#[test]
fn changes_are_shown_and_the_status_is_that_of_diff() {
    let folder = folder();
    let run = folder.run("diff old.ndjson new.json --key id");
    let wanted = "- {\"id\":1,\"t\":\"a\"}\n~ id 2: t \"b\" -> \"c\"\n+ {\"id\":3,\"t\":\"d\"}\n";
    assert_eq!((run.code, run.out.as_str(), run.err.as_str()), (Some(1), wanted, ""));
    assert_eq!(folder.run("diff old.ndjson old.ndjson").ok(), "");
    assert_eq!(folder.run("diff old.ndjson old.csv --infer --key id").ok(), "");
    assert_eq!(folder.run("diff old.ndjson old.csv").code, Some(1), "text is no number");
    let chosen = folder.run("diff old.ndjson new.json --key id --fields id");
    assert_eq!(chosen.out, "- {\"id\":1}\n+ {\"id\":3}\n");
}

#[test]
fn changes_are_data() {
    let folder = folder();
    let run = folder.run("diff old.ndjson new.json --key id --to csv");
    let wanted = "change,key,field,old,new\nremoved,id 1,id,1,\nremoved,id 1,t,a,\nchanged,id 2,t,b,c\n\
                  added,id 3,id,,3\nadded,id 3,t,,d\n";
    assert_eq!((run.code, run.out.as_str()), (Some(1), wanted));
    assert_eq!(folder.run("diff old.csv old.csv --to ndjson").ok(), "");
}

#[test]
fn tables_and_columns_are_compared() {
    let folder = folder();
    for place in ["a.parquet", "a.db#rows", "lmdb:a.lmdb#rows"] {
        folder.run_with(&["copy", "old.csv", place, "--shape", "id: int #sql:key, t: text"], b"").ok();
        assert_eq!(folder.run_with(&["diff", "old.ndjson", place, "--key", "id"], b"").ok(), "", "{place}");
    }
}

#[test]
fn what_fails_is_neither() {
    let folder = folder();
    folder.write("bad.json", "[1,");
    for (arguments, says) in [
        ("diff old.ndjson nothing.json", "nothing.json can't be opened"),
        ("diff old.ndjson bad.json", "bad.json"),
        ("diff old.ndjson new.json --key x", "a record has no value in the key field `x`"),
        ("diff old.ndjson", "required"),
        ("diff old.ndjson new.json --to parquet", "the changes can only be written as text"),
    ] {
        let err = folder.run(arguments).failed(2);
        assert!(err.contains(says), "{arguments}: {err}");
    }
}
