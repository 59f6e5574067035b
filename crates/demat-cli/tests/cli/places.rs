//! Files, pipes and devices.

use crate::run::Folder;
use std::fs;
use std::io::{Read as _, Write as _};
use std::process::Stdio;
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

#[test]
fn a_file_is_replaced_whole_or_not_at_all() {
    let folder = Folder::with(&[("bad.json", "[1,2,"), ("good.json", "[1]"), ("out.ndjson", "old")]);
    folder.run("copy bad.json out.ndjson").failed(1);
    assert_eq!(folder.read("out.ndjson"), "old");
    assert_eq!(folder.names(), ["bad.json", "good.json", "out.ndjson"]);
    folder.run("copy good.json out.ndjson").ok();
    assert_eq!(folder.read("out.ndjson"), "1\n");
    assert_eq!(folder.names(), ["bad.json", "good.json", "out.ndjson"]);
}

#[test]
fn a_place_may_be_copied_to_itself() {
    let text: String = (0..100_000).map(|i| format!("{{\"id\" : {i}}}\n")).collect();
    let folder = Folder::with(&[("a.ndjson", &text)]);
    folder.run("copy a.ndjson a.ndjson").ok();
    assert_eq!(folder.read("a.ndjson"), text.replace(' ', ""));
}

#[test]
fn dashes_are_standard_streams_and_files_have_slashes() {
    let folder = Folder::with(&[("-", "[1]")]);
    assert_eq!(folder.feed("copy - - --from json --to json", "[2]").ok(), "[2]\n");
    assert_eq!(folder.run("copy ./- - --from json --to json").ok(), "[1]\n");
    folder.run("copy ./- ./-x --from json --to ndjson").ok();
    assert_eq!(folder.read("-x"), "1\n");
}

#[test]
fn a_byte_order_mark_is_no_data() {
    let folder = Folder::new();
    for (format, text) in [("json", "[{\"a\":\"1\"}]"), ("ndjson", "{\"a\":\"1\"}"), ("csv", "a\n1\n")] {
        let out = folder.feed(&format!("copy --from {format} --to ndjson"), format!("\u{FEFF}{text}")).ok();
        assert_eq!(out, "{\"a\":\"1\"}\n", "{format}");
        let out = folder.feed(&format!("copy --from {format} --to csv --infer"), format!("\u{FEFF}{text}")).ok();
        assert_eq!(out, "a\n1\n", "{format}");
    }
}

#[cfg(unix)]
mod unix {
    use super::{Folder, fs};
    use crate::run::outcome;
    use std::os::unix::fs::{PermissionsExt, symlink};
    use std::os::unix::process::ExitStatusExt;
    use std::process::{Command, Stdio};

    #[test]
    fn permissions_stay_and_links_stay_links() {
        let folder = Folder::with(&[("a.json", "[1]"), ("real.ndjson", "old")]);
        fs::set_permissions(folder.path("real.ndjson"), fs::Permissions::from_mode(0o600)).unwrap();
        symlink("real.ndjson", folder.path("link.ndjson")).unwrap();
        folder.run("copy a.json link.ndjson").ok();
        assert!(folder.path("link.ndjson").is_symlink());
        assert_eq!(folder.read("real.ndjson"), "1\n");
        assert_eq!(fs::metadata(folder.path("real.ndjson")).unwrap().permissions().mode() & 0o777, 0o600);
    }

    #[test]
    fn new_files_have_the_masks_permissions() {
        let folder = Folder::with(&[("a.json", "[1]")]);
        let script = format!("umask 027; exec {} copy a.json b.json", env!("CARGO_BIN_EXE_demat"));
        let run = Command::new("sh").args(["-c", &script]).current_dir(folder.path("")).output().unwrap();
        outcome(run).ok();
        assert_eq!(fs::metadata(folder.path("b.json")).unwrap().permissions().mode() & 0o777, 0o640);
    }

    /// Root may write everything, so this shows little if tests run as root.
    #[test]
    fn what_may_not_be_written_is_not_replaced() {
        let folder = Folder::with(&[("a.json", "[1]"), ("b.json", "old")]);
        fs::set_permissions(folder.path("b.json"), fs::Permissions::from_mode(0o400)).unwrap();
        let allowed = fs::OpenOptions::new().write(true).open(folder.path("b.json")).is_ok();
        let run = folder.run("copy a.json b.json");
        assert_eq!(run.code, Some(if allowed { 0 } else { 3 }), "{run:?}");
        assert_eq!(folder.read("b.json"), if allowed { "[1]\n" } else { "old" });
    }

    #[test]
    fn devices_are_written_and_not_replaced() {
        let folder = Folder::with(&[("a.json", "[1]")]);
        folder.run("copy a.json /dev/null --to json").ok();
        assert!(!fs::metadata("/dev/null").unwrap().is_file());
    }

    #[test]
    fn named_pipes_work_both_ways() {
        let folder = Folder::with(&[("a.json", "[1,2]")]);
        for pipe in ["in", "out"] {
            assert!(Command::new("mkfifo").arg(folder.path(pipe)).status().unwrap().success());
        }
        let mut cat = Command::new("sh");
        cat.args(["-c", "cat a.json > in & cat out > got; wait"]).current_dir(folder.path(""));
        let mut cat = cat.spawn().unwrap();
        folder.run("copy in out --from json --to ndjson").ok();
        cat.wait().unwrap();
        assert_eq!(folder.read("got"), "1\n2\n");
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_full_disk_is_one_clear_line() {
        let long = format!("[{}1]", "1234567,".repeat(100_000));
        let folder = Folder::with(&[("short.json", "[1]"), ("long.json", &long)]);
        for input in ["short.json", "long.json"] {
            assert_eq!(
                folder.run(&format!("copy {input} /dev/full --to json")).failed(3),
                "error: /dev/full can't be written: No space left on device (os error 28)\n"
            );
            for command in [format!("copy {input} --to json"), format!("head {input}"), format!("schema {input}")] {
                let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
                let words: Vec<_> = command.split(' ').collect();
                let run = folder.command(&words).stdout(full).stderr(Stdio::piped()).output().unwrap();
                assert_eq!(
                    outcome(run).failed(3),
                    "error: standard output can't be written: No space left on device (os error 28)\n"
                );
            }
        }
        assert_eq!(folder.run("copy short.json b.json --on-error skip --rejects /dev/full").code, Some(0));
    }

    #[test]
    fn a_closed_pipe_ends_it_quietly() {
        let text: String = (0..200_000).map(|i| format!("{{\"id\":{i}}}\n")).collect();
        let folder = Folder::with(&[("a.ndjson", &text)]);
        for command in ["copy a.ndjson --to csv", "head -n 100000 a.ndjson"] {
            let words: Vec<_> = command.split(' ').collect();
            let mut demat = folder.command(&words);
            let mut child = demat.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
            let head = Command::new("head").arg("-1").stdin(child.stdout.take().unwrap()).output().unwrap();
            let done = child.wait_with_output().unwrap();
            assert_eq!(String::from_utf8_lossy(&done.stderr), "");
            assert_eq!(done.status.signal(), Some(13), "{command}: {:?}", done.status);
            assert_eq!(String::from_utf8(head.stdout).unwrap().lines().count(), 1);
        }
        for format in ["csv", "avro", "arrow", "parquet", "msgpack", "cbor", "yaml", "xml", "plist", "raw", "json"] {
            let shell = format!("{} copy a.ndjson --to {format}; echo $? >&2", env!("CARGO_BIN_EXE_demat"));
            let mut sh = Command::new("sh");
            let mut sh = sh
                .args(["-c", &shell])
                .current_dir(folder.path(""))
                .stdout(Stdio::piped())
                .stderr(Stdio::piped())
                .spawn()
                .unwrap();
            drop(sh.stdout.take());
            assert_eq!(String::from_utf8_lossy(&sh.wait_with_output().unwrap().stderr), "141\n", "{format}");
        }
    }

    /// A system error while reading is not a data error.
    #[cfg(target_os = "linux")]
    #[test]
    fn reading_may_fail() {
        let folder = Folder::new();
        let err = folder.run("copy /proc/self/mem b.json --from json").failed(3);
        assert_eq!(err, "error: /proc/self/mem can't be read: Input/output error (os error 5)\n");
        assert!(folder.names().is_empty());
    }
}

#[test]
fn standard_output_is_in_the_format_of_the_source() {
    let folder = Folder::with(&[("a.csv", "a\n1\n"), ("a.json", "[{\"a\":1}]"), ("a.ndjson", "{\"a\":1}\n")]);
    folder.run("copy a.csv a.db#rows").ok();
    folder.run("copy a.json a.msgpack").ok();
    for (source, out) in [
        ("a.csv", "a\n1\n"),
        ("a.json", "[{\"a\":1}]\n"),
        ("a.ndjson", "{\"a\":1}\n"),
        ("a.db#rows", "{\"a\":\"1\"}\n"),
        ("a.msgpack", "{\"a\":1}\n"),
    ] {
        assert_eq!(folder.run(&format!("copy {source} -")).ok(), out);
        assert_eq!(folder.run(&format!("copy {source}")).ok(), out);
    }
}

#[test]
fn what_is_written_goes_on_before_more_is_waited_for() {
    let folder = Folder::new();
    for (options, first, rest) in [
        ("--from ndjson --to ndjson", "{\"id\":1}\n", "{\"id\":2}\n"),
        ("--from ndjson --to json", "[{\"id\":1}", ",{\"id\":2}]\n"),
        ("--from ndjson --to csv --shape id:int", "id\n1\n", "2\n"),
        ("--from ndjson --to ndjson --shape id:int --where id>0 --rename id=n", "{\"n\":1}\n", "{\"n\":2}\n"),
        ("--from ndjson --to ndjson --on-error skip", "{\"id\":1}\n", "{\"id\":2}\n"),
        ("--from ndjson --to yaml", "- id: 1", "\n- id: 2\n"),
    ] {
        let arguments: Vec<_> = ["copy", "-", "-"].into_iter().chain(options.split(' ')).collect();
        let mut process = folder.command(&arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let (mut input, mut output) = (process.stdin.take().unwrap(), process.stdout.take().unwrap());
        input.write_all(b"{\"id\":1}\n").unwrap();
        // Without the record this would wait for ever, as the input stays open.
        let (sender, read) = mpsc::channel();
        let size = first.len();
        let reader = thread::spawn(move || {
            let mut told = vec![0; size];
            output.read_exact(&mut told).unwrap();
            sender.send(told).unwrap();
            output
        });
        let Ok(told) = read.recv_timeout(Duration::from_secs(60)) else {
            process.kill().unwrap();
            panic!("{options}: nothing is written while the input waits")
        };
        assert_eq!(core::str::from_utf8(&told).unwrap(), first, "{options}");
        let mut output = reader.join().unwrap();
        input.write_all(b"{\"id\":2}\n").unwrap();
        drop(input);
        let mut told = String::new();
        output.read_to_string(&mut told).unwrap();
        assert_eq!(told, rest, "{options}");
        assert!(process.wait().unwrap().success(), "{options}");
    }
}

#[test]
fn a_reader_that_goes_ends_the_copy_although_nothing_comes() {
    let folder = Folder::new();
    let arguments = ["copy", "-", "-", "--from", "ndjson", "--to", "ndjson"];
    let mut process = folder.command(&arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut input = process.stdin.take().unwrap();
    drop(process.stdout.take());
    input.write_all(b"{\"id\":1}\n").unwrap();
    // The input stays open.
    assert!(!process.wait().unwrap().success());
    drop(input);
}
