//! Input that would need more memory or time than available.

use crate::run::{Folder, Outcome, outcome};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Runs a shell command with at most 400 MB of memory.
fn bounded(folder: &Folder, line: &str) -> (Outcome, Duration) {
    let line = format!("ulimit -v 400000; {}", line.replace("demat ", &format!("{} ", env!("CARGO_BIN_EXE_demat"))));
    let begun = Instant::now();
    let mut sh = Command::new("sh");
    let run = sh.args(["-c", &line]).current_dir(folder.path("")).stdin(Stdio::null()).output().unwrap();
    (outcome(run), begun.elapsed())
}

#[test]
fn a_hundred_megabytes_of_brackets_are_a_limit() {
    let folder = Folder::new();
    for (bracket, to) in [("[", "ndjson"), ("[", "json"), ("[", "csv"), ("{\"a\":", "json")] {
        let line =
            format!("yes '{bracket}' | head -c 100000000 | tr -d '\\n' | demat copy --from json --to {to} - out");
        let (run, time) = bounded(&folder, &line);
        let err = run.failed(4);
        assert!(err.starts_with("error: the depth of nesting exceeds the limit of 1024 at `$"), "{to}: {err}");
        assert!(err.len() < 1000, "{to}: {err}");
        assert!(time < Duration::from_secs(20), "{to}: {time:?}");
        assert!(folder.names().is_empty());
    }
}

#[test]
fn deep_input_is_passed_over_in_bounds_as_well() {
    let folder = Folder::new();
    let line = "(echo '{\"skipped\":'; head -c 50000000 /dev/zero | tr '\\0' '[') | demat copy --from json --to json - --shape id:int";
    let (run, _) = bounded(&folder, line);
    assert_eq!(run.code, Some(4), "{run:?}");
}

#[test]
fn a_number_of_a_million_digits_is_exact() {
    let folder = Folder::new();
    let number = format!("-{}", "1234567890".repeat(100_000));
    folder.write("a.json", format!("[{number}]"));
    folder.run("copy a.json b.ndjson").ok();
    assert!(folder.read("b.ndjson") == format!("{number}\n"));
    folder.write("a.json", format!("[{{\"n\":{number}}}]"));
    folder.run("copy a.json b.csv").ok();
    folder.run("copy b.csv c.json --infer").ok();
    assert!(folder.read("c.json") == format!("[{{\"n\":{number}}}]\n"));
}

#[test]
fn a_text_of_thirty_megabytes_passes() {
    let folder = Folder::new();
    let text = "x".repeat(30_000_000);
    folder.write("a.json", format!("[\"{text}\"]"));
    let (run, time) = bounded(&folder, "demat copy a.json b.ndjson");
    run.ok();
    assert!(folder.read("b.ndjson") == format!("\"{text}\"\n"));
    assert!(time < Duration::from_secs(30), "{time:?}");
}

#[test]
fn a_quote_that_is_never_closed_is_an_error() {
    let folder = Folder::new();
    folder.write("a.csv", format!("a\n\"{}", "x\n".repeat(16_000_000)));
    let (run, time) = bounded(&folder, "demat copy a.csv b.json");
    assert!(run.failed(1).contains("a closing quote"));
    assert!(time < Duration::from_secs(60), "{time:?}");
}

/// Much longer than the available memory.
#[test]
fn memory_does_not_grow_with_the_input() {
    let folder = Folder::new();
    let line = "yes '{\"id\":1,\"text\":\"some text that takes some room\"}' | head -n 3000000 | demat copy --from ndjson --to csv - /dev/null";
    // Limits only the data segment: the size of the program itself does not matter.
    let line = format!("ulimit -d 60000; {line}");
    let (run, _) = bounded(&folder, &line);
    run.ok();
}
