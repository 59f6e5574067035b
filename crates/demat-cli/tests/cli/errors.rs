//! Error messages and exit codes.

use crate::run::Folder;

#[test]
fn syntax_is_shown_with_its_line() {
    let folder = Folder::with(&[("a.json", "[1,\n  2,\n  x]\n"), ("b.ndjson", "{}\n{} {}\n")]);
    assert_eq!(
        folder.run("copy a.json b.json").failed(1),
        "error: expected a value, found `x` at `$[2]` (a.json, record 3, line 3, column 3)\n  3 |   x]\n    |   ^\n"
    );
    let err = folder.run("copy b.ndjson b.json").failed(1);
    assert!(err.ends_with("(b.ndjson, record 2, line 2, column 4)\n  2 | {} {}\n    |    ^\n"), "{err}");
}

#[test]
fn input_that_ends_early_is_an_error() {
    let folder = Folder::new();
    for text in ["", " ", "[", "[1", "[1,", "{\"a\"", "\"x", "tru", "[1]]"] {
        let run = folder.feed("copy --from json --to json", text);
        assert_eq!(run.code, Some(1), "{text}: {run:?}");
        assert!(run.err.starts_with("error: expected "), "{text}: {run:?}");
    }
    let run = folder.feed("copy --from csv --to json", "a\n\"x");
    assert_eq!((run.code, run.err.contains("a closing quote")), (Some(1), true), "{run:?}");
}

#[test]
fn two_documents_may_be_lines() {
    let folder = Folder::with(&[("a.json", "{\"a\":1}\n{\"a\":2}\n")]);
    assert_eq!(
        folder.run("copy a.json b.json").failed(1),
        "error: expected end of input, found `{` (a.json, line 2, column 1)\n  2 | {\"a\":2}\n    | ^\n\
         hint: one JSON value per line is NDJSON: use --from ndjson\n"
    );
}

#[test]
fn odd_rows_may_be_ragged() {
    let folder = Folder::with(&[("a.csv", "a,b\n1,2\n3\n")]);
    assert_eq!(
        folder.run("copy a.csv b.json").failed(1),
        "error: expected 2 cells, found 1 cell at `$[1]` (a.csv, record 2, line 3, column 1)\n  3 | 3\n    | ^\n\
         hint: --ragged accepts short rows\n"
    );
    let folder = Folder::with(&[("a.csv", "a,b\n1,2\n3,4,5\n")]);
    for run in ["copy a.csv b.json", "copy a.csv b.json --ragged"] {
        assert_eq!(
            folder.run(run).failed(1),
            "error: expected 2 cells, found 3 cells at `$[1]` (a.csv, record 2, line 3, column 1)\n  3 | 3,4,5\n    | ^\n"
        );
    }
}

#[test]
fn text_of_the_input_does_nothing_to_the_terminal() {
    let folder = Folder::new();
    let run = folder.run_with(
        &["copy", "--from", "json", "--to", "json", "--shape", "enum(a)"],
        "\"\\u001b[31m\\nred\"".as_bytes(),
    );
    assert_eq!(run.code, Some(1));
    assert!(!run.err.contains('\u{1B}') && run.err.lines().count() == 1, "{run:?}");
}

#[test]
fn long_values_do_not_fill_the_screen() {
    let folder = Folder::new();
    let number = "7".repeat(100_000);
    let err = folder.feed("copy --from json --to ndjson --shape int8", &number).failed(1);
    assert!(err.len() < 2000 && err.contains('…'), "{} bytes", err.len());
}

#[test]
fn what_has_no_suffix_needs_a_format() {
    let folder = Folder::with(&[("a.json", "[]"), ("a", "[]")]);
    let formats = "json, ndjson, csv, tsv, arrow, parquet, proto, msgpack, cbor, xml, nbt, snbt, mca, toml, yaml, raw, plist, txtpb, avro, sqlite";
    for (arguments, says) in [
        (
            "copy a b.json",
            format!(
                "error: the suffix of `a` is not that of a known format\nhint: set it with --from FORMAT: {formats}\n"
            ),
        ),
        (
            "copy a.json b.xls",
            format!(
                "error: the suffix of `b.xls` is not that of a known format\nhint: set it with --to FORMAT: {formats}\n"
            ),
        ),
        (
            "copy",
            format!("error: the format of standard input is unknown\nhint: set it with --from FORMAT: {formats}\n"),
        ),
    ] {
        assert_eq!(folder.run(arguments).failed(2), says);
    }
    assert_eq!(folder.run("copy a --from json b --to ndjson").ok(), "");
}

#[test]
fn what_is_not_there_is_the_systems_error() {
    let folder = Folder::with(&[("a.json", "[]")]);
    std::fs::create_dir(folder.path("d.json")).unwrap();
    for (arguments, says) in [
        ("copy none.json b.json", "none.json can't be opened: No such file or directory (os error 2)"),
        ("copy d.json b.json", "d.json can't be opened: is a directory"),
        ("copy a.json d.json", "d.json can't be written: is a directory"),
        ("copy a.json none/b.json", "none/b.json can't be written: No such file or directory (os error 2)"),
        ("head none.json", "none.json can't be opened: No such file or directory (os error 2)"),
        ("schema none.json", "none.json can't be opened: No such file or directory (os error 2)"),
    ] {
        assert_eq!(folder.run(arguments).failed(3), format!("error: {says}\n"));
    }
    assert_eq!(folder.names(), ["a.json", "d.json"]);
}

#[test]
fn usage_errors_exit_with_two() {
    let folder = Folder::new();
    for arguments in ["", "cpoy", "copy --nonsense", "head -n x", "copy a b c", "completion csh"] {
        assert_eq!(folder.run(arguments).code, Some(2), "{arguments}");
    }
    assert!(folder.run("cpoy").err.contains("copy"));
}

#[test]
fn what_a_shape_would_help_says_so() {
    let folder = Folder::with(&[("a.json", "{\"a\":null}"), ("a.demat", "")]);
    for name in ["a.plist", "a.nbt"] {
        let error = folder.run(&format!("copy a.json {name}")).failed(1);
        assert!(
            error.ends_with("hint: --infer gives records a shape, by which fields that are null are left out\n"),
            "{error}"
        );
        folder.run(&format!("copy a.json {name} --infer")).ok();
    }
    let error = folder.run("head a.demat").failed(1);
    assert!(error.contains("\nhint: --shape SHAPE gives it: "), "{error}");
}
