//! `demat info`.

use crate::run::Folder;

#[test]
fn a_file_has_a_format_a_size_records_and_a_shape() {
    let folder = Folder::new();
    folder.write("t.csv", "id,title\n1,a\n2,b\n");
    assert_eq!(folder.run("info t.csv").ok(), "format: csv\nsize: 17\nrecords: 2\nshape: id:int, title:text, !\n");
    folder.run("copy t.csv t.ndjson.gz --infer").ok();
    let packed = folder.run("info t.ndjson.gz").ok();
    assert!(packed.contains("compression: gzip\nrecords: 2\n"), "{packed}");
    folder.run("copy t.csv t.parquet --infer").ok();
    assert!(folder.run("info t.parquet").ok().contains("records: 2\nshape: id:int"));
    folder.write("broken.ndjson", "{\"id\":1}\n{\n");
    assert!(folder.run("info broken.ndjson").failed(1).contains("broken.ndjson"));
    assert!(folder.run("info missing.csv").failed(3).contains("missing.csv"));
    assert!(folder.run("info -").failed(2).contains("standard input"));
}

#[test]
fn a_database_has_tables() {
    let folder = Folder::new();
    folder.write("t.csv", "id,title\n1,a\n2,b\n");
    folder.run("copy t.csv a.db#tasks --infer").ok();
    let info = folder.run("info a.db").ok();
    assert!(info.contains("tables:\n  tasks:\n    records: 2\n    shape: tasks{id:int, title:text}"), "{info}");
    assert!(folder.run("info a.db#tasks --to json").ok().contains("\"records\": 2"));
    assert!(folder.run("info a.db#none").failed(1).contains("none"));
    let query = folder.run_with(&["info", "a.db?select title from tasks where id > 1"], b"").ok();
    assert!(query.starts_with("records: 1\n"), "{query}");
}

#[test]
fn an_environment_has_collections() {
    let folder = Folder::new();
    folder.write("t.csv", "id,title\n1,a\n2,b\n");
    folder.run("copy t.csv lmdb:env#tasks --infer").ok();
    let info = folder.run("info lmdb:env").ok();
    for part in [
        "transaction: ",
        "readers:\n",
        "collections:\n  tasks:\n    records: 2\n",
        "    key: auto\n    encoding: proto\n    indexes:\n    shape: id:int, title:text",
    ] {
        assert!(info.contains(part), "{part:?} in {info}");
    }
    assert!(folder.run("info lmdb:env#tasks --to json").ok().contains("\"records\": 2"));
    assert!(folder.run("info lmdb:env#none").failed(1).contains("there is no collection `none`; there are tasks"));
    assert!(folder.run("info lmdb:none").failed(3).contains("none"));
}
