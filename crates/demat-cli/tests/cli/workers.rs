//! `--workers`.

use crate::run::{Folder, Outcome};
use flate2::write::GzEncoder;
use std::fmt::Write as _;
use std::io::Write as _;

/// Lines of some megabytes, which are divided.
fn lines(records: u32) -> String {
    (0..records).fold(String::new(), |mut text, id| {
        let _ = writeln!(text, "{{\"id\":{id},\"title\":\"Clean the room, {id}\",\"done\":{}}}", id % 3 == 0);
        text
    })
}

/// A table with cells of several lines.
fn table(rows: u32) -> String {
    (0..rows).fold("id,text\n".to_string(), |mut text, id| {
        let _ = write!(text, "{id},\"a \"\"line\"\",\n{id},\n{id},x\nand, others\"\n");
        text
    })
}

/// Runs a command without workers, with one and with three: all do the same, also to these files.
#[track_caller]
fn same(folder: &Folder, arguments: &str, targets: &[&str]) -> Outcome {
    let run = |workers| {
        for target in targets {
            let _ = std::fs::remove_file(folder.path(target));
        }
        let outcome = folder.run(&format!("{arguments}{workers}"));
        (outcome, targets.iter().map(|target| std::fs::read(folder.path(target)).ok()).collect::<Vec<_>>())
    };
    let (one, its) = run("");
    for workers in [" --workers 1", " --workers 3"] {
        let (other, others) = run(workers);
        assert_eq!(other, one, "{arguments}{workers}");
        assert!(others == its, "{arguments}{workers}: another target");
    }
    one
}

fn packed(text: &str) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(text.as_bytes()).unwrap();
    encoder.finish().unwrap()
}

#[test]
fn lines_are_copied_as_by_one() {
    let folder = Folder::new();
    folder.write("a.ndjson", lines(60_000));
    folder.write("b.ndjson", lines(3));
    folder.write("c.ndjson", "");
    for arguments in [
        "copy a.ndjson out.ndjson",
        "copy a.ndjson b.ndjson c.ndjson -o out.json",
        "copy a.ndjson out.json --shape id:int,title:text --where id%2=0",
        "copy a.ndjson out.csv --shape id:int,title:text,done:bool --fields done,id --rename id=number",
        "copy a.ndjson b.ndjson -o out.csv --shape id:int,title:text --add-path",
        "copy a.ndjson out.msgpack --to-option sequence=true",
        "copy a.ndjson b.ndjson - --to json",
    ] {
        let arguments = arguments.replace("id%2=0", "id>=30000");
        same(&folder, &arguments, &["out.ndjson", "out.json", "out.csv", "out.msgpack"]).ok();
    }
    assert_eq!(folder.names().iter().filter(|name| name.starts_with('.')).count(), 0, "{:?}", folder.names());
}

#[test]
fn cells_with_line_breaks_are_whole() {
    let folder = Folder::new();
    folder.write("a.csv", table(60_000));
    folder.write("b.csv", "id,text\n");
    folder.write("c.csv", "id,text\n7,x\n");
    same(&folder, "copy a.csv out.ndjson", &["out.ndjson"]).ok();
    same(&folder, "copy b.csv c.csv a.csv -o out.csv", &["out.csv"]).ok();
    same(&folder, "copy a.csv c.csv -o out.csv --shape text:text,id:int --to-delimiter ;", &["out.csv"]).ok();
    // A quote that is never closed.
    folder.write("d.csv", table(60_000) + "1,\"x\n");
    same(&folder, "copy d.csv out.ndjson", &["out.ndjson"]).failed(1);
    assert!(!folder.path("out.ndjson").exists());
    // A table that is all one cell.
    folder.write("e.csv", format!("id,text\n1,\"{}\"\n2,y\n", "7,x\n".repeat(1_000_000)));
    same(&folder, "copy e.csv out.ndjson", &["out.ndjson"]).ok();
}

#[test]
fn packed_files_are_read_by_a_worker_each() {
    let folder = Folder::new();
    for name in ["a.ndjson.gz", "b.ndjson.gz", "c.ndjson.gz"] {
        folder.write(name, packed(&lines(20_000)));
    }
    same(&folder, "copy *.ndjson.gz -o out.csv --shape id:int,title:text", &["out.csv"]).ok();
    // Each part is packed by itself, and what is unpacked is the same.
    folder.run("copy a.ndjson.gz b.ndjson.gz -o out.ndjson.gz --workers 2").ok();
    same(&folder, "copy a.ndjson.gz b.ndjson.gz -o one.ndjson", &["one.ndjson"]).ok();
    assert_eq!(folder.run("copy out.ndjson.gz again.ndjson").code, Some(0));
    assert!(folder.bytes("again.ndjson") == folder.bytes("one.ndjson"));
    // An array is packed as a whole, and what is unpacked is the same here, too.
    folder.run("copy a.ndjson.gz b.ndjson.gz -o out.json.gz --workers 2").ok();
    folder.run("copy a.ndjson.gz b.ndjson.gz -o one.json").ok();
    assert_eq!(folder.run("copy out.json.gz again.json").code, Some(0));
    assert!(folder.bytes("again.json") == folder.bytes("one.json"));
}

#[test]
fn arrays_are_joined() {
    let folder = Folder::with(&[("a.json", "[1,2]"), ("b.json", "[]"), ("c.json", "{\"a\":[3]}"), ("d.json", "[[4]]")]);
    same(&folder, "copy b.json a.json b.json c.json d.json -o out.json", &["out.json"]).ok();
    assert_eq!(folder.read("out.json"), "[1,2,{\"a\":[3]},[4]]\n");
    same(&folder, "copy b.json b.json -o out.json", &["out.json"]).ok();
    assert_eq!(folder.read("out.json"), "[]\n");
}

#[test]
fn errors_have_the_position_in_the_file() {
    let folder = Folder::new();
    let (before, behind) = (lines(50_000), lines(20_000));
    folder.write("a.ndjson", format!("{before}{{\"id\":\"x\"}}\n{behind}{{\"id\":7.5}}\n{behind}"));
    folder.write("b.csv", format!("id,text\n{}x,y\n", "1,a\n".repeat(800_000)));
    let told = same(&folder, "copy a.ndjson out.json --shape id:int", &["out.json"]).failed(1);
    assert!(told.contains("at `$[50000].id` (a.ndjson, record 50001, line 50001, column 7)"), "{told}");
    let told = same(&folder, "copy b.csv out.json --shape id:int,text:text", &["out.json"]).failed(1);
    assert!(told.contains("record 800001, line 800002"), "{told}");
    for arguments in [
        "copy a.ndjson out.json --shape id:int --on-error skip --rejects bad.ndjson",
        "copy a.ndjson out.csv --shape id:int --on-error all --rejects bad.ndjson",
        "copy a.ndjson out.csv --shape id:int --on-error all",
        "copy a.ndjson - --to ndjson --shape id:int --on-error all",
        "copy a.ndjson out.json --shape id:int,done:bool --on-error skip --rejects bad.ndjson --where id>19000",
        "copy a.ndjson b.csv -o out.json --shape id:int --on-error skip --rejects bad.ndjson",
    ] {
        same(&folder, arguments, &["out.json", "out.csv", "bad.ndjson"]).failed(1);
    }
    // Many refused records: the first are shown, the others are counted, and all are in the file.
    folder.write("c.ndjson", "{\"id\":\"x\"}\n".repeat(300_000));
    let arguments = "copy c.ndjson out.json --shape id:int --on-error skip --rejects bad.ndjson";
    let told = same(&folder, arguments, &["out.json", "bad.ndjson"]).failed(1);
    assert!(told.contains("and 299980 more like these"), "{told}");
}

#[test]
fn what_workers_would_change_is_refused() {
    let folder = Folder::with(&[
        ("a.ndjson", "{\"id\":1}\n"),
        ("b.ndjson", "{\"id\":2}\n"),
        ("a.csv", "id,t\n1,x\n"),
        ("b.csv", "t,id\ny,2\n"),
    ]);
    folder.run("copy a.ndjson a.db#t").ok();
    for (arguments, says) in [
        ("copy - out.json --from ndjson", "`--workers` can't read -"),
        ("copy a.db#t out.json", "`--workers` can't read a.db#t"),
        ("copy a.ndjson out.parquet", "`--workers` can't write parquet: its parts can't be joined"),
        ("copy a.ndjson a.db#t", "`--workers` can't write sqlite"),
        ("copy a.ndjson out.xml", "`--workers` can't write xml"),
        ("copy a.ndjson out.msgpack", "`--workers` joins parts of msgpack as a sequence only"),
        ("copy a.ndjson out.json --pretty", "writes an array without `--indent` and `--pretty`"),
        ("copy a.ndjson out.json --limit 3", "can't be used with `--limit`"),
        ("copy a.ndjson out.json --also out.csv", "can't be used with `--also`"),
        ("copy a.ndjson out.json --infer", "can't be used with `--infer`"),
        ("copy a.ndjson out.json --fields id", "`--workers` with `--fields` needs `--shape`"),
        ("copy a.ndjson out.json --where id=1", "`--workers` with `--where` needs `--shape`"),
        ("copy a.ndjson b.ndjson -o out.csv", "`--workers` needs `--shape` where a table is written"),
        ("copy a.csv a.ndjson -o out.json", "`--workers` needs `--shape` for several sources with columns"),
        ("copy a.csv b.csv -o out.json", "`--workers` needs `--shape` for tables with different headers"),
        ("copy a.ndjson b.ndjson -o out.csv --shape int", "the shape is none of a record"),
    ] {
        let told = folder.run(&format!("{arguments} --workers 2")).failed(2);
        assert!(told.contains(says), "{arguments}: {told}");
    }
    assert!(folder.run("copy a.ndjson out.json --workers 0").failed(2).contains("--workers"));
    assert!(!folder.path("out.json").exists());
}

#[test]
fn a_missing_file_is_named() {
    let folder = Folder::with(&[("a.ndjson", "1\n")]);
    same(&folder, "copy a.ndjson missing.ndjson -o out.json", &["out.json"]).failed(3);
    same(&folder, "copy a.ndjson a.ndjson -o no/such/out.json", &[]).failed(3);
}
