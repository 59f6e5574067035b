//! `demat head`.

use crate::run::Folder;
use std::io::{Read, Write};
use std::process::Stdio;
use std::time::{Duration, Instant};

#[test]
fn the_first_records_as_lines() {
    let array = format!("[{}]", (0..20).map(|i| format!("{{\"id\":{i}}}")).collect::<Vec<_>>().join(","));
    let folder = Folder::with(&[("a.json", &array), ("a.csv", "id,t\n1,x\n2,\n"), ("one.json", "{\"a\":[1,2,3]}")]);
    let ten = folder.run("head a.json").ok();
    assert_eq!((ten.lines().count(), ten.lines().last()), (10, Some("{\"id\":9}")));
    assert_eq!(folder.run("head -n 1 a.json").ok(), "{\"id\":0}\n");
    assert_eq!(folder.run("head -n 0 a.json").ok(), "");
    assert_eq!(folder.run("head --records 99 a.json").ok().lines().count(), 20);
    assert_eq!(folder.run("head -n 2 a.json --to json").ok(), "[{\"id\":0},{\"id\":1}]\n");
    assert_eq!(folder.run("head -n 2 a.json --to csv").ok(), "id\n0\n1\n");
    assert_eq!(folder.run("head -n 1 a.csv").ok(), "{\"id\":\"1\",\"t\":\"x\"}\n");
    assert_eq!(folder.run("head -n 1 a.csv --infer").ok(), "{\"id\":1,\"t\":\"x\"}\n");
    assert_eq!(folder.run("head -n 1 a.csv --shape t:text").ok(), "{\"t\":\"x\"}\n");
    assert_eq!(folder.run("head -n 1 one.json").ok(), "{\"a\":[1,2,3]}\n");
    assert_eq!(folder.run("head -n 1 one.json --to csv --flatten").ok(), "a\n\"[1,2,3]\"\n");
}

#[test]
fn what_comes_later_may_be_broken() {
    let folder = Folder::with(&[("a.json", "[1,2,x"), ("a.ndjson", "1\n2\nx\n")]);
    assert_eq!(folder.run("head -n 2 a.json").ok(), "1\n2\n");
    assert_eq!(folder.run("head -n 2 a.ndjson").ok(), "1\n2\n");
    let run = folder.run("head -n 3 a.ndjson");
    assert_eq!(run.code, Some(1));
}

/// The items of a long record do not count as records.
#[test]
fn a_record_longer_than_the_window_counts_once() {
    let folder = Folder::new();
    let long = format!("{{\"l\":[{}]}}", vec!["1"; 400_000].join(","));
    let out = folder.feed("head -n 2 --from json", format!("[{long},{long},{long}]")).ok();
    assert_eq!(out, format!("{long}\n{long}\n"));
}

#[test]
fn no_more_is_read_than_needed() {
    let folder = Folder::new();
    for (format, text) in [("ndjson", "1\n2\n"), ("json", "[1,2,"), ("csv", "a\n1\n2\n")] {
        let mut command = folder.command(&["head", "-n", "2", "--from", format]);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let mut input = child.stdin.take().unwrap();
        input.write_all(text.as_bytes()).unwrap();
        // The pipe stays open, so waiting for its end would take forever.
        let begun = Instant::now();
        while child.try_wait().unwrap().is_none() {
            assert!(begun.elapsed() < Duration::from_secs(20), "{format}: still reading");
            std::thread::sleep(Duration::from_millis(10));
        }
        let mut out = String::new();
        child.stdout.take().unwrap().read_to_string(&mut out).unwrap();
        assert_eq!(out.lines().count(), 2, "{format}: {out}");
    }
}
