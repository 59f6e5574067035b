//! Tests on a terminal, which `script` (util-linux) provides.

use crate::run::Folder;
use std::process::{Command, Stdio};

/// Runs a shell command on a terminal. Returns what the terminal shows, and the exit code.
fn on_terminal(folder: &Folder, line: &str, variables: &[(&str, &str)]) -> (String, Option<i32>) {
    let line = line.replace("demat ", &format!("{} ", env!("CARGO_BIN_EXE_demat")));
    let mut command = Command::new("script");
    command.args(["-qec", &line, "/dev/null"]).current_dir(folder.path("")).stdin(Stdio::null());
    command.env_remove("NO_COLOR").env("TERM", "xterm").envs(variables.iter().copied());
    let output = command.output().expect("`script` of util-linux is there");
    (String::from_utf8(output.stdout).unwrap(), output.status.code())
}

fn folder() -> Folder {
    let lines: String = (0..200_000).map(|i| format!("{{\"id\":{i}}}\n")).collect();
    Folder::with(&[("a.ndjson", &lines), ("bad.json", "[x")])
}

#[test]
fn a_terminal_as_standard_input_gets_help() {
    let folder = folder();
    for command in ["copy", "copy - b.json", "head", "schema"] {
        let (shown, code) = on_terminal(&folder, &format!("demat {command} 2>err >out"), &[]);
        assert_eq!((shown.as_str(), code), ("", Some(2)), "{command}");
        let help = folder.read("err");
        assert!(help.contains("Examples:\n") && help.contains("Usage: demat "), "{help}");
        assert_eq!(folder.read("out"), "");
    }
}

#[test]
fn errors_are_colored_unless_they_shall_not_be() {
    let folder = folder();
    let red = "\u{1B}[1;31merror:\u{1B}[0m expected a value";
    let (shown, code) = on_terminal(&folder, "demat copy bad.json b.json", &[]);
    assert!(shown.contains(red), "{shown:?}");
    assert_eq!(code, Some(1));
    for (options, variable, colored) in [
        ("", ("NO_COLOR", "1"), false),
        ("", ("NO_COLOR", ""), true),
        ("", ("TERM", "dumb"), false),
        ("--color never", ("A", "b"), false),
        ("--color always", ("NO_COLOR", "1"), true),
    ] {
        let (shown, _) = on_terminal(&folder, &format!("demat copy bad.json b.json {options}"), &[variable]);
        assert_eq!(shown.contains(red), colored, "{options} {variable:?}: {shown:?}");
        assert_eq!(shown.contains('\u{1B}'), colored, "{options} {variable:?}: {shown:?}");
    }
}

#[test]
fn a_bar_is_shown_and_taken_away() {
    let folder = folder();
    let (shown, code) = on_terminal(&folder, "demat copy a.ndjson b.csv --progress always", &[]);
    assert_eq!(code, Some(0));
    assert!(shown.contains(" % [") && shown.contains("/s"), "{shown:?}");
    let last = shown.rsplit('\r').find(|part| part.contains("records")).unwrap();
    assert!(last.contains("200,000 records from a.ndjson to b.csv: "), "{last:?}");
    for (options, term) in [("--progress never", "xterm"), ("-q", "xterm"), ("", "dumb")] {
        let (shown, _) = on_terminal(&folder, &format!("demat copy a.ndjson b.csv {options}"), &[("TERM", term)]);
        assert!(!shown.contains(" % ["), "{options}: {shown:?}");
    }
}

#[test]
fn a_bar_without_an_end_counts() {
    let folder = folder();
    let line = "cat a.ndjson | demat copy - b.csv --from ndjson --progress always";
    let (shown, code) = on_terminal(&folder, line, &[]);
    assert_eq!(code, Some(0));
    assert!(shown.contains("B/s, ") && !shown.contains('%'), "{shown:?}");
}

#[test]
fn what_was_done_is_said_on_a_terminal_where_a_file_was_written() {
    let folder = folder();
    let (shown, _) = on_terminal(&folder, "demat copy a.ndjson b.csv", &[]);
    assert!(shown.contains("200,000 records from a.ndjson to b.csv"), "{shown:?}");
    let (shown, _) = on_terminal(&folder, "demat copy a.ndjson b.csv -q", &[]);
    assert_eq!(shown, "");
    // Without a progress bar, which a slow machine would show.
    let (shown, _) = on_terminal(&folder, "demat copy a.ndjson --to csv --progress never | tail -1", &[]);
    assert_eq!(shown, "199999\r\n");
}
