//! Arrow and Parquet, from and to all other formats.

use crate::run::Folder;

const JSON: &str = "[{\"id\":1,\"name\":\"a, \\\"b\\\"\",\"x\":1.5},{\"id\":-2,\"name\":\"é\",\"x\":null}]\n";
const COLUMNAR: [&str; 5] = ["arrow", "arrows", "feather", "parquet", "arrow.gz"];

#[test]
fn columns_come_back() {
    for one in COLUMNAR {
        for other in COLUMNAR {
            let folder = Folder::with(&[("in.json", JSON)]);
            folder.run(&format!("copy in.json one.{one}")).ok();
            folder.run(&format!("copy one.{one} other.{other}")).ok();
            folder.run(&format!("copy other.{other} out.json")).ok();
            assert_eq!(folder.read("out.json"), JSON, "{one} and {other}");
            folder.run(&format!("copy other.{other} out.csv")).ok();
            assert_eq!(folder.read("out.csv"), "id,name,x\n1,\"a, \"\"b\"\"\",1.5\n-2,é,\n");
        }
    }
}

#[test]
fn they_pass_through_pipes() {
    for format in ["arrow", "parquet"] {
        let folder = Folder::with(&[("in.json", JSON)]);
        folder.run(&format!("copy in.json a.{format}")).ok();
        let out = folder.feed(&format!("copy --from {format} --to json"), folder.bytes(&format!("a.{format}"))).ok();
        assert_eq!(out, JSON);
        let piped = folder.output(&["copy", "in.json", "--to", format], b"");
        assert_eq!(piped.status.code(), Some(0));
        assert_eq!(folder.feed(&format!("copy --from {format} --to json"), piped.stdout).ok(), JSON);
    }
}

#[test]
fn their_shape_and_their_first_rows_are_shown() {
    let folder = Folder::with(&[("in.json", JSON)]);
    for name in ["a.arrow", "a.parquet"] {
        folder
            .run_with(&["copy", "in.json", name, "--shape", "id:int32, name:text, x:float?, when:instant?"], b"")
            .ok();
        assert_eq!(folder.run(&format!("schema {name}")).ok(), "id:int32, name:text, x:float?, when:instant?\n");
        let first = folder.run(&format!("head -n 1 {name}")).ok();
        assert_eq!(first, "{\"id\":1,\"name\":\"a, \\\"b\\\"\",\"x\":1.5,\"when\":null}\n");
        assert_eq!(folder.run(&format!("head -n 0 {name}")).ok(), "");
        let piped = folder.output(&["head", "-n", "1", name, "--to", "arrow"], b"");
        assert_eq!(folder.feed("copy --from arrow --to ndjson", piped.stdout).ok(), first);
    }
}

#[test]
fn what_a_table_holds_is_inferred_or_text() {
    let folder = Folder::with(&[("in.csv", "id,at\n1,2024-01-02T03:04:05\n2,\n")]);
    folder.run("copy in.csv text.parquet").ok();
    assert_eq!(folder.run("schema text.parquet").ok(), "id:text?, at:text?, !\n");
    let refused = folder.run("copy in.csv typed.parquet --shape id:int,at:instant?").failed(1);
    assert!(refused.contains("an instant with an offset"), "{refused}");
    assert_eq!(folder.names(), ["in.csv", "text.parquet"]);
    for (arguments, shape) in
        [("--infer", "id:int, at:datetime?, !\n"), ("--shape id:int,at:instant? --naive", "id:int, at:datetime?\n")]
    {
        folder.run(&format!("copy in.csv typed.parquet {arguments}")).ok();
        assert_eq!(folder.run("schema typed.parquet").ok(), shape);
        assert_eq!(folder.run("copy typed.parquet --to csv").ok(), "id,at\n1,2024-01-02T03:04:05\n2,\n");
    }
}

#[test]
fn refused_rows_are_left_out() {
    let folder = Folder::with(&[("in.ndjson", "{\"id\":1}\n{\"id\":\"x\"}\n{\"id\":3}\n")]);
    folder.run("copy in.ndjson a.arrow --shape id:int --on-error skip");
    assert_eq!(folder.run("copy a.arrow --to ndjson").ok(), "{\"id\":1}\n{\"id\":3}\n");
    folder.run("copy in.ndjson any.arrow").ok();
    folder.run("copy any.arrow out.ndjson --shape id:int --on-error skip --rejects bad.ndjson");
    assert_eq!(folder.read("out.ndjson"), "{\"id\":1}\n{\"id\":3}\n");
    assert!(folder.read("bad.ndjson").contains("\"data\":\"{\\\"id\\\":\\\"x\\\"}\""), "{}", folder.read("bad.ndjson"));
}

#[test]
fn what_is_none_is_refused_and_nothing_is_written() {
    let folder = Folder::with(&[
        ("a.arrow", "no"),
        ("a.parquet", "no"),
        ("in.json", "[1,2]"),
        ("deep.json", "[{\"a\":{\"b\":1}}]"),
    ]);
    assert!(folder.run("copy a.arrow out.json").failed(1).contains("an Arrow file or stream"));
    assert!(folder.run("copy a.parquet out.json").failed(1).contains("Parquet"));
    assert!(folder.run("copy in.json out.arrow").failed(1).contains("columns hold records"));
    assert!(folder.run("copy gone.parquet out.json").failed(3).contains("gone.parquet"));
    folder.run("copy deep.json deep.parquet").ok();
    assert!(folder.run("copy deep.parquet out.csv").failed(1).contains("a cell holds one value"));
    assert_eq!(folder.run("copy deep.parquet --to csv --flatten").ok(), "a.b\n1\n");
    assert_eq!(folder.names(), ["a.arrow", "a.parquet", "deep.json", "deep.parquet", "in.json"]);
    folder.run("copy deep.json b.parquet --flatten").failed(2);
    folder.run("copy deep.json b.json --naive").failed(2);
    folder.run("formats --to parquet").failed(2);
}
