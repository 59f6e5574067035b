//! `demat check`.

use crate::run::Folder;

#[test]
fn all_that_is_invalid_is_reported() {
    let folder = Folder::with(&[
        ("a.ndjson", "{\"id\":1}\n{\"id\":\"x\"}\n}\n{\"id\":2}\n"),
        ("a.csv", "id,n\n1,2\n3\n4,5,6\n"),
        ("a.json", "{\"items\":[{\"id\":1},{\"id\":null}]}"),
    ]);
    let failed = folder.run("check a.ndjson --shape id:int").failed(1);
    for part in ["record 2", "record 3", "2 of 4 records are invalid"] {
        assert!(failed.contains(part), "{part}: {failed}");
    }
    let failed = folder.run("check a.csv").failed(1);
    assert!(failed.contains("2 of 3 records are invalid"), "{failed}");
    let failed = folder.run("check a.json --at $.items[*] --shape id:int").failed(1);
    assert!(failed.contains("1 of 2 records is invalid"), "{failed}");
    let failed = folder.run("check a.ndjson --class app:Task").failed(2);
    assert!(failed.contains("classes of Python"), "{failed}");
    for rejects in ["a.ndjson", "./a.ndjson"] {
        let failed = folder.run_with(&["check", "a.ndjson", "--shape", "id:int", "--rejects", rejects], b"").failed(1);
        assert!(failed.contains("refused records can't be written to"), "{failed}");
    }
    folder.run("check a.ndjson --shape id:int --rejects bad.ndjson").failed(1);
    assert_eq!(folder.read("bad.ndjson").lines().count(), 2);
    assert!(folder.run("check a.ndjson --lax").failed(2).contains("needs to know the shape"));
    assert_eq!(folder.names(), ["a.csv", "a.json", "a.ndjson", "bad.ndjson"]);
}

#[test]
fn what_is_valid_is_silent() {
    let folder = Folder::with(&[("a.ndjson", "{\"id\":1}\n{\"id\":\"2\"}\n"), ("b.json", "[1,2")]);
    for arguments in ["check a.ndjson", "check a.ndjson --shape id:int --lax"] {
        let outcome = folder.run(arguments);
        assert_eq!((outcome.code, &*outcome.out, &*outcome.err), (Some(0), "", ""), "{arguments}");
    }
    let told = folder.run("check -v a.ndjson");
    assert_eq!((told.code, &*told.err), (Some(0), "2 records of a.ndjson: no error\n"));
    assert!(folder.run("check b.json").failed(1).contains("b.json"));
    assert_eq!(folder.feed("check - --from ndjson", "1\n2\n").code, Some(0));
    folder.run("copy a.ndjson a.db#rows").ok();
    assert_eq!(folder.run("check a.db#rows").code, Some(0));
    assert_eq!(folder.run("check missing.json").code, Some(3));
}
