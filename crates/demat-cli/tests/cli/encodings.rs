//! `--encoding` and `--to-encoding`.

use crate::run::Folder;

#[test]
fn text_is_read_and_written_in_encodings() {
    let folder = Folder::new();
    folder.write("a.csv", b"name\ncaf\xE9\n");
    assert_eq!(folder.run("copy a.csv - --to ndjson --encoding latin1").ok(), "{\"name\":\"café\"}\n");
    for name in ["latin-1", "Latin_1", "iso8859-1", "ISO8859_1", "cp1252"] {
        let copied = folder.run(&format!("copy a.csv - --to ndjson --encoding {name}")).ok();
        assert_eq!(copied, "{\"name\":\"café\"}\n", "{name}");
    }
    folder.write("sig.csv", b"\xEF\xBB\xBFname\ncaf\xC3\xA9\n");
    for name in ["utf8", "utf_8", "utf-8-sig"] {
        let copied = folder.run(&format!("copy sig.csv - --to ndjson --encoding {name}")).ok();
        assert_eq!(copied, "{\"name\":\"café\"}\n", "{name}");
    }
    let chosen = ["head", "a.csv", "--encoding", "latin1", "--where", "name like 'CAF_'"];
    assert_eq!(folder.run_with(&chosen, b"").ok(), "{\"name\":\"café\"}\n");
    assert_eq!(folder.run("schema a.csv --encoding latin1").ok(), "name:text?, !\n");
    let utf16: Vec<u8> = "\u{FEFF}[{\"a\":\"é€\"}]".encode_utf16().flat_map(u16::to_le_bytes).collect();
    folder.write("b.json", utf16);
    folder.run("copy b.json b.csv --encoding utf-16le --to-encoding windows-1252").ok();
    assert_eq!(folder.bytes("b.csv"), b"a\n\xE9\x80\n");
    // Several sources, a sample of all records, and compression.
    folder.run("copy b.csv b.csv c.ndjson.gz --encoding windows-1252 --infer --sample all").ok();
    assert_eq!(folder.run("copy c.ndjson.gz - --to ndjson").ok(), "{\"a\":\"é€\"}\n{\"a\":\"é€\"}\n");
}

#[test]
fn what_is_no_text_in_an_encoding_is_refused() {
    let folder = Folder::with(&[("a.json", "[\"€\"]"), ("a.csv", "a\n1\n")]);
    folder.write("bad.csv", b"a\nx\n\x83\x20\n");
    for (arguments, code, says) in [
        ("copy a.csv b.json --encoding klingon", 2, "no encoding is called `klingon`"),
        ("copy a.csv b.parquet --to-encoding latin1", 2, "--to-encoding: the encoding of parquet can't be chosen"),
        ("copy a.xml b.json --encoding latin1", 2, "--encoding: the encoding of xml can't be chosen"),
        ("copy a.json b.json --to-encoding utf-8-sig", 2, "--to-encoding: utf-8-sig can be read, and not written"),
        ("copy a.json b.json --to-encoding utf-16le", 2, "--to-encoding: utf-16le can be read, and not written"),
        ("copy a.json b.json --to-encoding iso-8859-2", 1, "`€` can't be written in iso-8859-2"),
        (
            "copy bad.csv b.json --encoding shift_jis",
            1,
            "expected text in shift_jis, found other bytes (bad.csv, byte 4)",
        ),
    ] {
        let err = folder.run(arguments).failed(code);
        assert!(err.contains(says), "{arguments}: {err}");
    }
    assert!(!folder.names().iter().any(|name| name.starts_with("b.")));
}
