//! Several sources, patterns, and `--add-path`.

use crate::run::Folder;

fn folder() -> Folder {
    let folder = Folder::with(&[
        ("a.csv", "id,t\n1,x\n"),
        ("b.csv", "t,id\ny,2\n"),
        ("c.csv", "id,u\n3,z\n"),
        ("d.csv", "id,t,u\n3,z,\n"),
        ("one.json", "{\"id\":4,\"t\":\"w\"}"),
        ("more.ndjson", "{\"id\":5,\"t\":\"v\"}\n{\"id\":6,\"t\":\"u\"}\n"),
    ]);
    std::fs::create_dir_all(folder.path("logs/2024/.hidden")).unwrap();
    folder.write("logs/1.ndjson", "{\"n\":1}\n");
    folder.write("logs/2024/2.ndjson", "{\"n\":2}\n");
    folder.write("logs/2024/3.json", "[{\"n\":3}]");
    folder.write("logs/2024/.hidden/9.ndjson", "{\"n\":9}\n");
    folder
}

#[test]
fn the_last_of_many_places_is_the_target() {
    let folder = folder();
    folder.run("copy a.csv b.csv all.csv").ok();
    assert_eq!(folder.read("all.csv"), "id,t\n1,x\n2,y\n");
    folder.run("copy a.csv b.csv one.json more.ndjson -o all.json --shape id:int,t:text").ok();
    let all = "[{\"id\":1,\"t\":\"x\"},{\"t\":\"y\",\"id\":2},{\"id\":4,\"t\":\"w\"},{\"id\":5,\"t\":\"v\"},{\"id\":6,\"t\":\"u\"}]\n";
    assert_eq!(folder.read("all.json"), all);
    assert_eq!(folder.run("copy one.json more.ndjson - --to csv").ok(), "id,t\n4,w\n5,v\n6,u\n");
    assert_eq!(folder.feed("copy a.csv - all.ndjson --from csv", "id,t\n7,q\n").code, Some(0));
    assert_eq!(folder.read("all.ndjson"), "{\"id\":\"1\",\"t\":\"x\"}\n{\"id\":\"7\",\"t\":\"q\"}\n");
}

#[test]
fn every_sort_of_place_is_joined() {
    let folder = folder();
    for place in ["a.parquet", "a.arrow", "a.db#rows", "a.msgpack", "lmdb:a.lmdb#rows"] {
        folder.run_with(&["copy", "a.csv", place, "--shape", "id: int #sql:key, t: text"], b"").ok();
        let all = folder.run_with(&["copy", place, "more.ndjson", place, "-", "--to", "csv", "--limit", "4"], b"");
        assert_eq!(all.ok(), "id,t\n1,x\n5,v\n6,u\n1,x\n", "{place}");
    }
    for target in ["all.parquet", "all.db#rows", "all.msgpack", "all.arrows"] {
        folder.run_with(&["copy", "a.csv", "b.csv", target, "--infer"], b"").ok();
        assert_eq!(folder.run_with(&["copy", target, "-", "--to", "csv"], b"").ok(), "id,t\n1,x\n2,y\n", "{target}");
    }
    // A source in the target's own database.
    folder.run("copy a.db#rows more.ndjson a.db#again").ok();
    assert_eq!(folder.run("copy a.db#again - --to csv").ok(), "id,t\n1,x\n5,v\n6,u\n");
}

#[test]
fn patterns_are_expanded_in_order() {
    let folder = folder();
    assert_eq!(folder.run("copy logs/*.ndjson - --to ndjson").ok(), "{\"n\":1}\n");
    assert_eq!(folder.run("copy logs/**/*.ndjson - --to ndjson").ok(), "{\"n\":1}\n{\"n\":2}\n");
    assert_eq!(folder.run("copy logs/**/[23].* - --to ndjson").ok(), "{\"n\":2}\n{\"n\":3}\n");
    folder.write("x[1].ndjson", "7\n");
    assert_eq!(folder.run("copy x[1].ndjson - --to ndjson").ok(), "7\n", "a file of that name comes first");
    let none = folder.run("copy nothing/*.csv all.csv").failed(2);
    assert_eq!(none, "error: no file matches `nothing/*.csv`\n");
    assert!(folder.run("copy a[.csv all.csv").failed(2).contains("`a[.csv` is not a pattern of files"));
}

/// A name that is no Unicode stops no pattern, and is matched by one.
#[cfg(unix)]
#[test]
fn patterns_match_any_name() {
    use std::os::unix::ffi::OsStrExt;
    let folder = folder();
    let name = std::ffi::OsStr::from_bytes(b"logs/n\xff.ndjson");
    std::fs::write(folder.path("").join(name), "{\"n\":9}\n").unwrap();
    assert_eq!(folder.run("copy logs/*.ndjson - --to ndjson").ok(), "{\"n\":1}\n{\"n\":9}\n");
    assert_eq!(folder.run("copy logs/**/n?.ndjson - --to ndjson").ok(), "{\"n\":9}\n");
    folder.write("logs/.n.ndjson", "8\n");
    std::fs::create_dir(folder.path("logs/.hidden")).unwrap();
    folder.write("logs/.hidden/n.ndjson", "7\n");
    std::os::unix::fs::symlink("..", folder.path("logs/up")).unwrap();
    assert_eq!(folder.run("copy logs/**/*.ndjson - --to ndjson").ok(), "{\"n\":1}\n{\"n\":2}\n{\"n\":9}\n");
    assert_eq!(folder.run("copy logs/.*.ndjson - --to ndjson").ok(), "8\n");
    assert_eq!(folder.run("copy logs/.hid*/*.ndjson - --to ndjson").ok(), "7\n");
    folder.run("copy logs/*.ndjson/ - --to ndjson").failed(2);
}

#[test]
fn sources_that_differ_are_named() {
    let folder = folder();
    for (arguments, code, says) in [
        ("copy a.csv c.csv -o all.json", 1, "there is no field `t`, which a.csv has (c.csv)"),
        ("copy a.csv d.csv -o all.json", 1, "there is a field `u`, which a.csv lacks (d.csv)"),
        ("copy a.csv c.csv -o all.json --infer", 1, "there is no field `t`, which a.csv has (c.csv)"),
        ("copy a.csv b.csv a.csv", 2, "`a.csv` is a source and the target"),
        ("copy - - all.json --from csv", 2, "standard input can be read once only"),
        ("copy a.csv nothing.csv all.json", 3, "nothing.csv can't be opened"),
        ("copy more.ndjson logs/1.ndjson all.csv", 1, "(logs/1.ndjson, record 1"),
    ] {
        let err = folder.run(arguments).failed(code);
        assert!(err.contains(says), "{arguments}: {err}");
        assert!(!folder.names().iter().any(|name| name.starts_with("all.")), "{arguments}");
    }
    let skip = folder.run("copy more.ndjson logs/1.ndjson all.csv --on-error skip");
    assert!(skip.err.contains("(logs/1.ndjson, record 1") && skip.err.contains("1 record was refused, 2 were written"));
}

#[test]
fn the_path_is_a_field() {
    let folder = folder();
    assert_eq!(folder.run("copy a.csv b.csv - --to csv --add-path").ok(), "id,t,path\n1,x,a.csv\n2,y,b.csv\n");
    assert_eq!(
        folder.run("copy one.json more.ndjson - --to ndjson --add-path=file --limit 2").ok(),
        "{\"id\":4,\"t\":\"w\",\"file\":\"one.json\"}\n{\"id\":5,\"t\":\"v\",\"file\":\"more.ndjson\"}\n"
    );
    assert_eq!(
        folder.run("copy one.json - --to json --add-path").ok(),
        "{\"id\":4,\"t\":\"w\",\"path\":\"one.json\"}\n"
    );
    folder.run("copy a.csv b.csv all.parquet --infer --add-path --rename id=n --fields id").ok();
    assert_eq!(folder.run("copy all.parquet - --to csv").ok(), "n,path\n1,a.csv\n2,b.csv\n");
    assert!(folder.run("copy a.csv - --to csv --add-path=t").failed(1).contains("there is a field `t` already"));
    assert!(folder.run("copy one.json - --to json --add-path=t").failed(1).contains("there is a field `t` already"));
}

#[test]
fn several_targets_get_the_same_records() {
    let folder = folder();
    folder.run("copy a.csv b.csv all.json --infer --also all.db#rows --also all.csv.gz --also all.parquet").ok();
    assert_eq!(folder.read("all.json"), "[{\"id\":1,\"t\":\"x\"},{\"t\":\"y\",\"id\":2}]\n");
    for place in ["all.db#rows", "all.csv.gz", "all.parquet"] {
        assert_eq!(folder.run_with(&["copy", place, "-", "--to", "csv"], b"").ok(), "id,t\n1,x\n2,y\n", "{place}");
    }
    assert_eq!(folder.run("copy a.csv b.json --also -").ok(), "id,t\n1,x\n");
    // What one refuses is in none of them.
    folder.write("bad.ndjson", "{\"id\":1}\n{\"id\":[2]}\n");
    let before = folder.names();
    let failed = folder.run("copy bad.ndjson c.json --shape id:any --also c.csv").failed(1);
    assert!(failed.contains("a CSV cell can't hold a list"), "{failed}");
    assert_eq!(folder.names(), before);
    let failed = folder.run("copy a.csv c.json --also c.what").failed(2);
    assert!(failed.contains("can't be told by its suffix"), "{failed}");
    let failed = folder.run("copy a.csv c.json --also c.json").failed(1);
    assert!(failed.contains("two targets of one copy"), "{failed}");
    let failed = folder.run("copy a.csv c.json --also d.ndjson --on-error skip --rejects d.ndjson").failed(2);
    assert!(failed.contains("would overwrite"), "{failed}");
}
