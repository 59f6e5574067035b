//! Refused records.

use crate::run::Folder;

const BAD: &str = "{\"id\":1}\n{\"id\":\"x\"}\n\n{\"id\":3\n{\"id\":4}\n\u{1}\n";

const ERRORS: &str = "\
error: expected `int`, found `text` \"x\" at `$[1].id` (a.ndjson, record 2, line 2, column 7)
error: expected `,` or `}`, found end of line at `$[2]` (a.ndjson, record 3, line 4, column 8)
error: expected `{`, found `\\u{1}` at `$[4]` (a.ndjson, record 5, line 6, column 1)
";

fn folder() -> Folder {
    Folder::with(&[("a.ndjson", BAD)])
}

/// The codecs have tests for the messages themselves. Here it matters that each refused record is reported with its
/// position.
fn places(err: &str) -> Vec<&str> {
    let of = |line: &'_ str| line.find("(a.").map(|at| at..line.len());
    err.lines().filter_map(|line| of(line).map(|range| &line[range])).collect()
}

#[test]
fn skip_leaves_them_out() {
    let folder = folder();
    let skipped = folder.run("copy a.ndjson b.json --on-error skip --shape id:int");
    assert_eq!((skipped.code, skipped.out.as_str()), (Some(1), ""));
    assert_eq!(places(&skipped.err), places(ERRORS));
    assert!(skipped.err.ends_with("error: 3 records were refused, 2 were written\n"), "{}", skipped.err);
    assert_eq!(folder.read("b.json"), "[{\"id\":1},{\"id\":4}]\n");
}

#[test]
fn all_writes_nothing() {
    let folder = folder();
    folder.write("b.json", "old");
    for destination in ["b.json", "- --to json"] {
        let err = folder.run(&format!("copy a.ndjson {destination} --on-error all --shape id:int")).failed(1);
        assert_eq!(places(&err), places(ERRORS));
        assert!(err.ends_with("error: 3 records were refused, nothing was written\n"), "{err}");
    }
    assert_eq!(folder.read("b.json"), "old");
    assert_eq!(folder.names(), ["a.ndjson", "b.json"]);
    folder.write("good.ndjson", "{\"id\":1}");
    assert_eq!(folder.run("copy good.ndjson --to json --on-error all").ok(), "[{\"id\":1}]\n");
    folder.run("copy good.ndjson b.json --on-error all").ok();
    assert_eq!(folder.read("b.json"), "[{\"id\":1}]\n");
}

#[test]
fn stop_is_the_default() {
    let folder = folder();
    for options in ["", "--on-error stop"] {
        let err = folder.run(&format!("copy a.ndjson b.json --shape id:int {options}")).failed(1);
        assert_eq!(places(&err), places(ERRORS)[..1]);
        assert_eq!(folder.names(), ["a.ndjson"]);
    }
}

#[test]
fn rejects_are_kept_with_their_reasons() {
    for policy in ["skip", "all"] {
        let folder = folder();
        let run = folder.run(&format!("copy a.ndjson b.json --on-error {policy} --rejects r.ndjson --shape id:int"));
        assert_eq!(run.code, Some(1));
        let kept = folder.read("r.ndjson");
        let lines: Vec<_> = kept.lines().collect();
        assert_eq!(lines.len(), 3);
        assert_eq!(
            lines[0],
            "{\"record\":2,\"line\":2,\"column\":7,\"offset\":15,\"path\":\"$[1].id\",\"kind\":\"type\",\"expected\":\"int\",\
             \"found\":\"text\",\"reason\":\"expected `int`, found `text` \\\"x\\\"\",\"data\":\"{\\\"id\\\":\\\"x\\\"}\"}"
        );
        assert!(
            lines[1].contains("\"kind\":\"syntax\"") && lines[1].ends_with("\"data\":\"{\\\"id\\\":3\"}"),
            "{}",
            lines[1]
        );
        assert!(lines[2].starts_with("{\"record\":5,\"line\":6,\"column\":1,\"offset\":38,"), "{}", lines[2]);
        assert!(lines[2].ends_with("\"data\":\"\\u0001\"}"), "{}", lines[2]);
    }
}

#[test]
fn rejects_that_are_no_text_are_kept_in_base64() {
    let folder = Folder::new();
    folder.write("a.ndjson", b"[1]\n\"\xFF\"\n");
    let run = folder.run("copy a.ndjson b.json --on-error skip --rejects r.ndjson");
    assert_eq!(run.code, Some(1));
    assert!(folder.read("r.ndjson").ends_with(",\"data_base64\":\"Iv8i\"}\n"), "{}", folder.read("r.ndjson"));
    assert_eq!(folder.read("b.json"), "[[1]]\n");
}

#[test]
fn no_rejects_are_an_empty_file() {
    let folder = Folder::with(&[("a.ndjson", "{\"id\":1}\n"), ("r.ndjson.gz", "old")]);
    folder.run("copy a.ndjson b.json --on-error skip --rejects r.ndjson").ok();
    assert_eq!(folder.read("r.ndjson"), "");
    folder.run("copy a.ndjson b.json --on-error skip --rejects r.ndjson.gz").ok();
    assert_eq!(folder.run("copy r.ndjson.gz --to json").ok(), "[]\n");
}

#[test]
fn rows_are_refused_alone() {
    let folder = Folder::with(&[("a.csv", "id,t\n1,a\nx,b\n3\n4,\"d\"e\n5,f\n")]);
    let run = folder.run("copy a.csv b.csv --on-error skip --rejects r.ndjson --shape id:int,t:text");
    assert_eq!(run.code, Some(1));
    assert_eq!(places(&run.err).len(), 3);
    assert_eq!(folder.read("b.csv"), "id,t\n1,a\n5,f\n");
    let kept = folder.read("r.ndjson");
    for (line, data) in kept.lines().zip(["x,b", "3", "4,\\\"d\\\"e"]) {
        assert!(line.ends_with(&format!("\"data\":\"{data}\"}}")), "{line}");
    }
}

#[test]
fn items_of_a_json_array_are_refused_alone_and_broken_json_ends_all() {
    let folder = Folder::with(&[("a.json", "[{\"id\":1},{\"id\":true},{\"no\":1},{\"id\":4}]")]);
    let run = folder.run("copy a.json b.csv --on-error skip --shape id:int");
    assert_eq!(run.code, Some(1));
    assert_eq!(places(&run.err), ["(a.json, record 2, line 1, column 17)", "(a.json, record 3, line 1, column 30)"]);
    assert_eq!(folder.read("b.csv"), "id\n1\n4\n");
    folder.write("a.json", "[{\"id\":1},{\"id\":true},{\"id\":1,},{\"id\":4}]");
    let err = folder.run("copy a.json c.csv --on-error skip --rejects r.ndjson --shape id:int").failed(1);
    assert!(err.contains("record 2") && err.contains("record 3"), "{err}");
    assert_eq!(folder.names(), ["a.json", "b.csv", "r.ndjson"]);
    assert_eq!(folder.read("r.ndjson").lines().count(), 1, "what was refused before is kept");
}

#[test]
fn what_the_target_has_no_form_for_is_refused_as_well() {
    let folder = Folder::with(&[("a.csv", "id,x\n1,0.5\n2,NaN\n3,1\n")]);
    let run = folder.run("copy a.csv b.ndjson --on-error skip --shape id:int,x:float");
    assert_eq!(run.code, Some(1));
    assert!(run.err.contains("expected a finite number, since JSON has no other, found `NaN`"), "{}", run.err);
    assert_eq!(places(&run.err), ["(a.csv, record 2, line 3, column 3)"]);
    assert_eq!(folder.read("b.ndjson"), "{\"id\":1,\"x\":0.5}\n{\"id\":3,\"x\":1.0}\n");
}

#[test]
fn many_are_counted() {
    let folder = Folder::new();
    let lines: String = (0..50).map(|i| if i % 2 == 0 { format!("{i}\n") } else { "x\n".to_string() }).collect();
    let run = folder.feed("copy --from ndjson --to json --on-error skip --shape int", lines);
    assert_eq!(run.code, Some(1));
    let told: Vec<_> = run.err.lines().collect();
    assert_eq!(told.len(), 22);
    assert_eq!(told[20], "error: and 5 more like these");
    assert_eq!(told[21], "error: 25 records were refused, 25 were written");
    assert_eq!(run.out.matches(',').count(), 24);
}

/// A bad record longer than the window is left out as a whole; its bad item is not left out of it.
#[test]
fn a_long_record_is_refused_whole() {
    let folder = Folder::new();
    let numbers = vec!["1"; 300_000].join(",");
    let json = format!("[{{\"l\":[{numbers}]}},{{\"l\":[{numbers},true,{numbers}]}},{{\"l\":[2]}}]");
    let run = folder.run_with(
        &[
            "copy",
            "--from",
            "json",
            "--to",
            "ndjson",
            "--on-error",
            "skip",
            "--rejects",
            "r.ndjson",
            "--shape",
            "l: [int]",
        ],
        json.as_bytes(),
    );
    assert_eq!(run.code, Some(1));
    assert_eq!(run.out, format!("{{\"l\":[{numbers}]}}\n{{\"l\":[2]}}\n"));
    assert!(run.err.contains("at `$[1].l[300000]` (standard input, record 2, "), "{}", run.err);
    assert!(folder.read("r.ndjson").len() > 1_200_000);
}

#[test]
fn samples_pass_over_what_will_be_refused() {
    let folder = folder();
    let run = folder.run("copy a.ndjson b.csv --on-error skip");
    assert_eq!(run.code, Some(1));
    assert_eq!(folder.read("b.csv"), "id\n1\nx\n4\n");
}

#[test]
fn rejects_are_not_written_over_the_rest() {
    let folder = folder();
    for rejects in ["b.json", "a.ndjson"] {
        let err = folder.run(&format!("copy a.ndjson b.json --on-error skip --rejects {rejects}")).failed(2);
        assert!(err.contains("would overwrite the source or the target"), "{err}");
    }
    let run = folder.run("copy a.ndjson b.json --on-error skip --rejects - --shape id:int");
    assert_eq!(run.out.lines().count(), 3);
}
