//! Writes that fail, and processes that are killed at the n-th call: the target is the old file or the new one.
//!
//! `strace` injects the faults. Without it, or without permission to trace, these tests do nothing.

use crate::run::Folder;
use std::process::{Command, Output, Stdio};

const OLD: &str = "old";

fn folder() -> (Folder, String) {
    let lines: String = (0..40_000).map(|i| format!("{{\"id\":{i}}}\n")).collect();
    let expected = lines.clone();
    (Folder::with(&[("a.ndjson", &lines)]), expected)
}

/// Runs a copy in which the n-th of these calls fails.
fn tampered(folder: &Folder, target: &str, calls: &str, fault: &str, nth: usize) -> Option<Output> {
    let mut strace = Command::new("strace");
    strace.args(["-f", "-qq", "-o", "trace", "-e", &format!("trace={calls}"), "-e"]);
    strace.arg(format!("inject={calls}:{fault}:when={nth}"));
    strace.args([env!("CARGO_BIN_EXE_demat"), "copy", "a.ndjson", target]);
    strace.current_dir(folder.path("")).stdin(Stdio::null()).output().ok()
}

/// Whether `strace` works here.
fn can_trace(folder: &Folder) -> bool {
    let run = tampered(folder, "probe.ndjson", "fsync", "error=EIO", 99);
    run.is_some_and(|run| run.status.success()) && folder.names().contains(&"probe.ndjson".to_string())
}

const CALLS: [&str; 4] = ["write", "fsync", "rename,renameat,renameat2", "openat"];

#[test]
fn failing_calls_leave_the_old_or_the_new() {
    let (folder, new) = folder();
    if !can_trace(&folder) {
        return;
    }
    let mut failures = 0;
    for target in ["out.ndjson", "out.ndjson.gz", "out.ndjson.zst"] {
        let plain = target == "out.ndjson";
        for calls in &CALLS[..3] {
            for (error, nth) in ["EIO", "ENOSPC"].into_iter().flat_map(|error| (1..=6).map(move |nth| (error, nth))) {
                folder.write(target, OLD);
                let run = tampered(&folder, target, calls, &format!("error={error}"), nth).unwrap();
                let context = format!("{target}, {calls} {nth} {error}: {run:?}");
                let found = folder.bytes(target);
                match run.status.code() {
                    Some(0) => assert!(found != OLD.as_bytes(), "{context}"),
                    Some(3) => {
                        failures += 1;
                        let err = String::from_utf8_lossy(&run.stderr);
                        assert!(err.starts_with(&format!("error: {target} can't be written: ")), "{context}");
                        // If syncing the folder fails, the new name may still exist.
                        let renamed = *calls == "fsync" && nth == 2;
                        assert_eq!(found == OLD.as_bytes(), !renamed, "{context}");
                    }
                    _ => panic!("{context}"),
                }
                if plain && found != OLD.as_bytes() {
                    assert!(found == new.as_bytes(), "{context}");
                }
                assert!(!folder.names().iter().any(|name| name.ends_with("-tmp")), "{context}: {:?}", folder.names());
            }
        }
    }
    assert!(failures >= 3 * 2 * 4, "{failures}");
}

#[test]
fn dying_at_any_call_leaves_the_old_or_the_new() {
    let (folder, new) = folder();
    if !can_trace(&folder) {
        return;
    }
    let (mut old_left, mut new_left) = (0, 0);
    for calls in CALLS {
        for nth in 1..=12 {
            folder.write("out.ndjson", OLD);
            let run = tampered(&folder, "out.ndjson", calls, "signal=SIGKILL", nth).unwrap();
            let found = folder.read("out.ndjson");
            assert!(found == OLD || found == new, "{calls} {nth}: {} bytes", found.len());
            if found == OLD {
                assert!(!run.status.success(), "{calls} {nth}");
                old_left += 1;
            } else {
                new_left += 1;
            }
        }
    }
    assert!(old_left > 10 && new_left > 10, "{old_left} {new_left}");
}

/// The order that makes it durable: first all of the file, then its name, then the folder.
#[test]
fn the_file_lasts_before_it_has_its_name() {
    let (folder, _) = folder();
    if !can_trace(&folder) {
        return;
    }
    let calls = "fsync,rename,renameat,renameat2";
    tampered(&folder, "out.ndjson", calls, "error=EIO", 99).unwrap();
    let trace = folder.read("trace");
    let calls: Vec<_> = trace.lines().filter_map(|line| line.split_whitespace().nth(1)).collect();
    let names: Vec<_> = calls.iter().filter_map(|call| call.split('(').next()).collect();
    assert!(matches!(names[..], ["fsync", "rename" | "renameat" | "renameat2", "fsync"]), "{trace}");
}
