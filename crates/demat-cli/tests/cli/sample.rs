//! Inferred shapes.

use crate::run::Folder;

/// Returns a thousand similar records, and one that differs.
fn odd_one_out(last: &str) -> String {
    (0..1000).map(|i| format!("{{\"id\":{i}}}\n")).chain([format!("{last}\n")]).collect()
}

const HINT: &str = "hint: the shape was inferred from the first 1000 records; \
                    set it with --shape, or infer it from more records with --sample N or --sample all\n";

#[test]
fn a_field_past_the_sample_is_not_lost() {
    let folder = Folder::with(&[("a.ndjson", &odd_one_out("{\"id\":1000,\"late\":true}"))]);
    let err = folder.run("copy a.ndjson b.csv").failed(1);
    assert_eq!(
        err,
        format!(
            "error: unknown field `late`; the fields are `id` at `$[1000]` (a.ndjson, record 1001, line 1001, column 12)\n  \
             1001 | {{\"id\":1000,\"late\":true}}\n       |            ^\n{HINT}"
        )
    );
    folder.run("copy a.ndjson b.csv --sample 1001").ok();
    let table = folder.read("b.csv");
    assert!(table.starts_with("id,late\n0,\n") && table.ends_with("\n1000,true\n"), "{table}");
    folder.run("copy a.ndjson c.csv --sample all").ok();
    assert_eq!(folder.read("c.csv"), table);
}

#[test]
fn a_value_past_the_sample_is_not_bent() {
    let folder = Folder::with(&[("a.ndjson", &odd_one_out("{\"id\":\"x\"}"))]);
    let err = folder.run("copy a.ndjson b.csv").failed(1);
    assert!(
        err.starts_with("error: expected `int`, found `text` \"x\" at `$[1000].id` (a.ndjson, record 1001, "),
        "{err}"
    );
    assert!(err.ends_with(HINT), "{err}");
    let table = folder.run("copy a.ndjson --to csv --sample all").ok();
    assert!(table.ends_with("\n999\nx\n"));
}

#[test]
fn a_sample_of_all_that_comes_through_a_pipe_loses_nothing() {
    let folder = Folder::new();
    let text = odd_one_out("{\"late\":1.5,\"id\":null}").repeat(40);
    let table = folder.feed("copy --from ndjson --to csv --sample all", &text).ok();
    assert_eq!(table.lines().count(), 1 + 40 * 1001);
    assert!(table.starts_with("id,late\n0,\n") && table.ends_with("\n999,\n,1.5\n"), "{}", &table[..40]);
    let array = folder.feed("copy --from ndjson --to json", &text).ok();
    assert_eq!(folder.feed("copy --from json --to csv --sample all", array).ok(), table);
}

#[test]
fn cells_are_what_their_column_looks_like() {
    let folder = Folder::new();
    let table = "i,f,b,d,t,n\n1,1.5,true,2026-01-02,x,\n-2,2,false,2026-12-31,1,\n";
    let expected = "{\"i\":1,\"f\":1.5,\"b\":true,\"d\":\"2026-01-02\",\"t\":\"x\",\"n\":null}\n\
                    {\"i\":-2,\"f\":2.0,\"b\":false,\"d\":\"2026-12-31\",\"t\":\"1\",\"n\":null}\n";
    assert_eq!(folder.feed("copy --from csv --to ndjson --infer", table).ok(), expected);
}

#[test]
fn a_cell_past_the_sample_is_refused() {
    let folder = Folder::with(&[("a.csv", "id\n1\nx\n")]);
    let err = folder.run("copy a.csv b.json --infer --sample 1").failed(1);
    assert!(
        err.starts_with("error: expected `int`, found `x` at `$[1].id` (a.csv, record 2, line 3, column 1)\n"),
        "{err}"
    );
    assert!(err.contains("hint: the shape was inferred from the first record; set it"), "{err}");
    assert_eq!(folder.run("copy a.csv --to ndjson --infer").ok(), "{\"id\":\"1\"}\n{\"id\":\"x\"}\n");
}

#[test]
fn a_broken_place_is_told_of_while_sampling() {
    let folder = Folder::with(&[("a.json", "[{\"id\":1},\n{\"id\":}]")]);
    let err = folder.run("copy a.json b.csv").failed(1);
    assert_eq!(
        err,
        "error: expected a value, found `}` at `$[1]` (a.json, record 2, line 2, column 7)\n  2 | {\"id\":}]\n    |       ^\n"
    );
}
