//! Compressed files, read and written.

use crate::run::{Folder, outcome};
use std::io::{Read, Write};

const TEXT: &str = "{\"id\":1}\n{\"id\":2}\n";

fn gzip(text: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(text).unwrap();
    encoder.finish().unwrap()
}

fn gunzip(packed: &[u8]) -> String {
    let mut text = String::new();
    flate2::read::MultiGzDecoder::new(packed).read_to_string(&mut text).unwrap();
    text
}

fn zstd(text: &[u8]) -> Vec<u8> {
    zstd::encode_all(text, 3).unwrap()
}

#[test]
fn files_are_packed_as_their_suffix_says() {
    let folder = Folder::with(&[("a.ndjson", TEXT)]);
    folder.run("copy a.ndjson b.ndjson.gz").ok();
    assert_eq!(gunzip(&folder.bytes("b.ndjson.gz")), TEXT);
    folder.run("copy a.ndjson b.jsonl.zst").ok();
    assert_eq!(zstd::decode_all(&folder.bytes("b.jsonl.zst")[..]).unwrap(), TEXT.as_bytes());
    folder.run("copy b.ndjson.gz c.csv.ZST").ok();
    folder.run("copy c.csv.ZST d.ndjson --infer").ok();
    assert_eq!(folder.read("d.ndjson"), TEXT);
}

#[test]
fn standard_input_is_known_by_its_first_bytes() {
    let folder = Folder::new();
    for packed in [gzip(TEXT.as_bytes()), zstd(TEXT.as_bytes()), TEXT.as_bytes().to_vec()] {
        assert_eq!(folder.feed("copy - - --from ndjson --to ndjson", packed).ok(), TEXT);
    }
}

#[test]
fn a_file_without_the_suffix_is_known_too() {
    let folder = Folder::new();
    folder.write("a.ndjson", gzip(TEXT.as_bytes()));
    assert_eq!(folder.run("copy a.ndjson --to ndjson").ok(), TEXT);
}

#[test]
fn members_and_frames_follow_each_other() {
    let folder = Folder::new();
    let (one, other) = TEXT.split_at(12);
    folder.write("a.ndjson.gz", [gzip(one.as_bytes()), gzip(other.as_bytes())].concat());
    assert_eq!(folder.run("copy a.ndjson.gz --to ndjson").ok(), TEXT);
    folder.write("a.ndjson.zst", [zstd(one.as_bytes()), zstd(other.as_bytes())].concat());
    assert_eq!(folder.run("copy a.ndjson.zst --to ndjson").ok(), TEXT);
}

#[test]
fn damaged_data_is_the_datas_fault() {
    let folder = Folder::new();
    let long: String = (0..50_000).map(|i| format!("{{\"id\":{i}}}\n")).collect();
    for (name, mut packed, says) in [
        ("a.ndjson.gz", gzip(long.as_bytes()), "error: the gzip data is damaged or cut off: "),
        ("a.ndjson.zst", zstd(long.as_bytes()), "error: the zstd data is damaged or cut off: "),
    ] {
        for cut in [5, packed.len() / 2, packed.len() - 1] {
            folder.write(name, &packed[..cut]);
            let err = folder.run(&format!("copy {name} out.json")).failed(1);
            assert!(err.starts_with(says) && err.ends_with(&format!(" ({name})\n")), "{cut}: {err}");
        }
        let middle = packed.len() / 2;
        packed[middle] ^= 0x55;
        folder.write(name, &packed);
        let err = folder.run(&format!("copy {name} out.json")).failed(1);
        assert!(err.starts_with("error: "), "{err}");
        assert!(!folder.names().contains(&"out.json".to_string()));
    }
}

#[test]
fn a_suffix_that_promises_too_much_is_refused() {
    let folder = Folder::with(&[("a.json.gz", "[1]"), ("b.json.zst", "")]);
    assert_eq!(
        folder.run("copy a.json.gz --to json").failed(1),
        "error: expected gzip data, found other bytes (a.json.gz)\n"
    );
    assert_eq!(
        folder.run("copy b.json.zst --to json").failed(1),
        "error: expected zstd data, found other bytes (b.json.zst)\n"
    );
}

/// 40 MB of blanks in a small gzip file take time, but hardly any memory.
#[test]
fn a_bomb_of_one_record_is_met_by_a_limit_of_memory() {
    let folder = Folder::new();
    folder.write("a.json.gz", gzip(&[b"[".as_slice(), &b" ".repeat(40_000_000), b"1]"].concat()));
    let script = format!("ulimit -v 600000; exec {} copy a.json.gz --to json", env!("CARGO_BIN_EXE_demat"));
    let mut command = std::process::Command::new("sh");
    let run = command.args(["-c", &script]).current_dir(folder.path("")).output().unwrap();
    assert_eq!(outcome(run).ok(), "[1]\n");
}
