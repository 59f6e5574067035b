//! Every option, and what it can't be combined with.

use crate::run::Folder;

const JSON: &str = "[{\"b\":1,\"a\":\"é\"},{\"b\":2,\"a\":\"=x\"}]";

fn json(options: &str) -> String {
    Folder::new().feed(&format!("copy --from json {options}"), JSON).ok()
}

fn csv(options: &str, text: &str) -> String {
    Folder::new().feed(&format!("copy --from csv {options}"), text).ok()
}

#[test]
fn json_is_written_as_asked() {
    assert_eq!(
        json("--to json --pretty"),
        "[\n  {\n    \"b\": 1,\n    \"a\": \"é\"\n  },\n  {\n    \"b\": 2,\n    \"a\": \"=x\"\n  }\n]\n"
    );
    assert_eq!(json("--to json --indent 1 --sort-keys").lines().nth(2), Some("  \"a\": \"é\","));
    assert_eq!(json("--to json --indent 0").lines().count(), 10);
    assert_eq!(json("--to json --sort-keys"), "[{\"a\":\"é\",\"b\":1},{\"a\":\"=x\",\"b\":2}]\n");
    assert_eq!(json("--to ndjson --sort-keys --ascii"), "{\"a\":\"\\u00e9\",\"b\":1}\n{\"a\":\"=x\",\"b\":2}\n");
}

#[test]
fn tables_are_written_as_asked() {
    assert_eq!(json("--to csv --delimiter ;"), "b;a\n1;é\n2;=x\n");
    assert_eq!(json("--to csv --to-delimiter tab"), "b\ta\n1\té\n2\t=x\n");
    assert_eq!(json("--to csv --no-header"), "1,é\n2,=x\n");
    assert_eq!(json("--to csv --escape-formulas"), "b,a\n1,é\n2,'=x\n");
    assert_eq!(Folder::new().feed("copy --from json --to csv --quote '", "[{\"a\":\"x,y\"}]").ok(), "a\n'x,y'\n");
}

#[test]
fn tables_are_read_as_asked() {
    assert_eq!(csv("--to ndjson --delimiter ;", "a;b\n1;2\n"), "{\"a\":\"1\",\"b\":\"2\"}\n");
    assert_eq!(csv("--to ndjson --delimiter \\t", "a\tb\n1\t2\n"), "{\"a\":\"1\",\"b\":\"2\"}\n");
    assert_eq!(csv("--to ndjson --quote '", "a\n'x,''y'\n"), "{\"a\":\"x,'y\"}\n");
    assert_eq!(csv("--to ndjson --quote none", "a\n\"x\n"), "{\"a\":\"\\\"x\"}\n");
    assert_eq!(csv("--to ndjson --ragged", "a,b\n1\n2,3\n"), "{\"a\":\"1\"}\n{\"a\":\"2\",\"b\":\"3\"}\n");
    assert_eq!(csv("--to ndjson --no-header --shape a:int,b:text", "1,x\n"), "{\"a\":1,\"b\":\"x\"}\n");
}

#[test]
fn a_text_stands_for_null() {
    assert_eq!(
        csv("--to ndjson --null NA --infer", "a,b\n1,NA\nNA,\"NA\"\n,x\n"),
        "{\"a\":1,\"b\":null}\n{\"a\":null,\"b\":\"NA\"}\n{\"a\":null,\"b\":\"x\"}\n"
    );
    assert_eq!(csv("--to csv --null NA", "a,b\n1,NA\n"), "a,b\n1,\n");
    assert_eq!(csv("--to csv --to-null \\N", "a,b\n1,\n\\N,x\n"), "a,b\n1,\\N\n\"\\N\",x\n");
    assert_eq!(csv("--to csv --null -1 --infer", "a,b\n-1,2\n"), "a,b\n,2\n");
    let input = "[{\"a\":null,\"b\":\"NA\"},{\"b\":\"\"}]";
    let written = |options: &str| Folder::new().feed(&format!("copy --from json --to csv {options}"), input).ok();
    assert_eq!(written("--null NA"), "a,b\nNA,\"NA\"\nNA,\"\"\n");
    for (options, says) in [
        ("--null abcdefghijklmnop", "the text for null has from 1 to 15 bytes"),
        ("--null a,b", "the text for null needs quotes in this CSV dialect"),
        ("--to-null -1", "the text for null could be another value, and can't be written"),
    ] {
        let run = Folder::new().feed(&format!("copy --from csv --to csv {options}"), "a\n1\n");
        assert!(run.code != Some(0) && run.err.contains(says), "{options}: {}", run.err);
    }
}

#[test]
fn one_tables_options_are_not_the_others() {
    assert_eq!(csv("--to csv --delimiter ;", "a;b\n1;2,3\n"), "a,b\n1,\"2,3\"\n");
    assert_eq!(csv("--to csv --delimiter ; --to-delimiter |", "a;b\n1;2\n"), "a|b\n1|2\n");
    assert_eq!(csv("--to tsv --ragged", "a,b\n1\n"), "a\tb\n1\t\n");
}

#[test]
fn options_of_formats_are_set_by_name() {
    assert_eq!(json("--to json --to-option indent=0 --to-option sort_keys=true").lines().count(), 10);
    assert_eq!(csv("--from-option delimiter=; --to csv --to-option delimiter=|", "a;b\n1;2\n"), "a|b\n1|2\n");
    assert_eq!(json("--to csv --to-option line_ending=\\r\\n"), "b,a\r\n1,é\r\n2,=x\r\n");
    let refused = |options: &str| Folder::new().feed(&format!("copy --from json {options}"), JSON).failed(2);
    let unknown =
        "writing json has no option `colour`; it has indent, sort_keys, ascii, nonfinite, decimals, uuids, depth";
    assert!(refused("--to json --to-option colour=red").contains(unknown));
    assert!(
        refused("--from-option depth=deep --to csv")
            .contains("`depth` must be an int from 0 to 4294967295, not `deep`")
    );
    assert!(refused("--to json --to-option indent").contains("expected NAME=VALUE"));
    assert!(refused("--to json --to-option indent=300").contains("indent must be below 256"));
}

#[test]
fn repeated_keys_are_kept_last_or_refused() {
    let folder = Folder::new();
    let text = "{\"a\":1,\"a\":2}\n";
    assert_eq!(folder.feed("copy --from ndjson --to json", text).ok(), "[{\"a\":2}]\n");
    assert_eq!(folder.feed("copy --from ndjson --to json --repeated-keys last", text).ok(), "[{\"a\":2}]\n");
    let refused = folder.feed("copy --from ndjson --to ndjson --repeated-keys refuse", text).failed(1);
    assert!(refused.contains("the key `a` stands here again"), "{refused}");
}

#[test]
fn depth_is_limited() {
    let folder = Folder::new();
    assert_eq!(folder.feed("copy --from json --to json --depth 3", "[[[]]]").ok(), "[[[]]]\n");
    let refused = folder.feed("copy --from json --to ndjson --depth 2", "[[[]]]").failed(4);
    assert_eq!(
        refused,
        "error: the depth of nesting exceeds the limit of 2 at `$[0][0]` (standard input, record 1, line 1, column 3)\n\
         hint: --depth N sets the limit\n"
    );
    let deep = format!("{}{}", "[".repeat(5000), "]".repeat(5000));
    assert_eq!(folder.feed("copy --from json --to json --depth 5000", &deep).ok(), format!("{deep}\n"));
}

#[test]
fn the_output_may_be_an_option() {
    let folder = Folder::with(&[("a.json", "[1]")]);
    folder.run("copy a.json -o b.ndjson").ok();
    folder.run("copy --output c.ndjson a.json").ok();
    assert_eq!((folder.read("b.ndjson"), folder.read("c.ndjson")), ("1\n".to_string(), "1\n".to_string()));
    folder.run("copy a.json b.ndjson -o d.json").ok();
    assert_eq!(folder.read("d.json"), "[1,1]\n", "then all places are sources");
}

#[test]
fn quiet_and_verbose() {
    let folder = Folder::with(&[("a.json", "[1,2]")]);
    let told = folder.run("copy a.json b.json -v");
    assert_eq!(told.code, Some(0));
    assert!(told.err.starts_with("2 records from a.json to b.json: 5 B read in "), "{}", told.err);
    folder.run("copy a.json b.json").ok();
    folder.run("-q copy a.json b.json").ok();
    assert!(folder.run("copy a.json b.json -q -v").failed(2).contains("cannot be used with"));
}

#[test]
fn progress_without_a_terminal_is_lines() {
    let folder = Folder::with(&[("a.json", "[1,2]")]);
    let always = folder.run("copy a.json b.json --progress always");
    assert!(always.err.starts_with("100 %: 5 B of 5 B, "), "{}", always.err);
    assert_eq!(always.err.lines().count(), 1);
    folder.run("copy a.json b.json --progress auto").ok();
    folder.run("copy a.json b.json --progress never").ok();
}

#[test]
fn colors_come_and_go() {
    let folder = Folder::new();
    let colored = folder.run("copy a.json b.json --color always");
    assert!(colored.err.starts_with("\u{1B}[1;31merror:\u{1B}[0m a.json"), "{:?}", colored.err);
    for color in ["auto", "never"] {
        assert!(folder.run(&format!("copy a.json b.json --color {color}")).err.starts_with("error: a.json"));
    }
}

/// The condition of options for formats with indentation.
const INDENTED: &str = "json, xml, snbt, yaml or txtpb is written";

#[test]
fn options_that_say_nothing_are_refused() {
    let folder = Folder::with(&[("a.json", "[1]"), ("a.csv", "a\n1\n")]);
    for (arguments, option, when) in [
        ("copy a.json b.ndjson --pretty", "--pretty", INDENTED),
        ("copy a.json b.csv --indent 2", "--indent", INDENTED),
        ("copy a.json b.csv --ascii", "--ascii", "json or ndjson is written"),
        ("copy a.json b.csv --sort-keys", "--sort-keys", "json or ndjson is written"),
        ("copy a.json b.json --escape-formulas", "--escape-formulas", "a table is written"),
        ("copy a.json b.json --to-delimiter ;", "--to-delimiter", "a table is written"),
        ("copy a.json b.json --null NA", "--null", "a table is read or written"),
        ("copy a.csv b.json --to-null NA", "--to-null", "a table is written"),
        ("copy a.json b.json --flatten", "--flatten", "a table is written"),
        ("copy a.json b.json --ragged", "--ragged", "a table is read or written"),
        ("copy a.json b.json --no-header", "--no-header", "a table is read or written"),
        ("copy a.json b.json --delimiter ;", "--delimiter", "a table is read or written"),
        ("copy a.json b.json --quote '", "--quote", "a table is read or written"),
        ("copy a.csv b.csv --depth 3", "--depth", "a format of nested values is read or written"),
        ("copy a.csv b.json --repeated-keys last", "--repeated-keys", "a format of nested values is read"),
        ("schema a.json --ragged", "--ragged", "a table is read"),
        ("schema a.csv --depth 3", "--depth", "a format of nested values is read"),
    ] {
        let expected = format!("error: `{option}` applies only if {when}\n");
        assert_eq!(folder.run(arguments).failed(2), expected, "{arguments}");
    }
}

#[test]
fn values_that_make_no_sense_are_refused() {
    let folder = Folder::with(&[("a.csv", "a\n1\n")]);
    for (options, says) in [
        ("--delimiter ab", "expected one ASCII character"),
        ("--delimiter é", "expected one ASCII character"),
        ("--quote ab", "expected one ASCII character"),
        ("--delimiter x", "`x` can't be the delimiter of a CSV dialect"),
        ("--quote ,", "the delimiter and the quote of a CSV dialect are the same"),
        ("--to-delimiter 1", "`1` can't be the delimiter of a CSV dialect"),
        ("--sample 0", "a sample needs at least one record"),
        ("--sample some", "expected a number of records, or `all`"),
        ("--indent 99", "99 is not in 0..=16"),
        ("--on-error ignore", "[possible values: stop, skip, all]"),
        ("--infer --shape a:int", "cannot be used with"),
        ("--sample 2 --shape a:int", "cannot be used with"),
        (
            "--to cvs",
            "no format is called `cvs`; there are json, ndjson, csv, tsv, arrow, parquet, proto, msgpack, cbor, xml, nbt, snbt, mca, toml, yaml, raw, plist, txtpb, avro, sqlite; did you mean `csv`?",
        ),
        ("--from jsonn", "did you mean `json`?"),
        ("--on-eror skip", "--on-error"),
        ("--rejects r.ndjson", "`--rejects` needs `--on-error`"),
    ] {
        let err = folder.run(&format!("copy a.csv b.csv {options}")).failed(2);
        assert!(err.contains(says), "{options}: {err}");
    }
    assert_eq!(folder.names(), ["a.csv"]);
}

#[test]
fn fields_are_chosen() {
    assert_eq!(json("--to ndjson --fields a"), "{\"a\":\"é\"}\n{\"a\":\"=x\"}\n");
    assert_eq!(json("--to csv --fields a,b"), "a,b\né,1\n=x,2\n");
    assert_eq!(csv("--to ndjson --fields b", "a,b\n1,2\n"), "{\"b\":\"2\"}\n");
    assert_eq!(Folder::new().feed("head --from csv --fields b", "a,b\n1,2\n").ok(), "{\"b\":\"2\"}\n");
    let refused = Folder::new().feed("copy --from json --to csv --fields a,c", JSON);
    assert!(refused.err.contains("there is no field `c`; there are `b`, `a`"), "{}", refused.err);
}
