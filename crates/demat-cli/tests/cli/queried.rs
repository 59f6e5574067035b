//! Statements over files that are no database.

use crate::run::Folder;

const CSV: &str = "name,age,city\nAda,36,London\nBob,17,Paris\nEve,52,London\n";

#[test]
fn a_statement_reads_a_file_of_any_format() {
    let folder = Folder::with(&[("people.csv", CSV)]);
    folder.run("copy people.csv people.ndjson.gz --infer").ok();
    folder.run("copy people.csv people.parquet --infer").ok();
    for place in ["people.csv", "people.ndjson.gz", "people.parquet"] {
        let query = format!("{place}?select city, sum(age) as years from people group by city order by city");
        let run = folder.run_with(&["copy", &query, "-", "--to", "csv"], b"");
        assert_eq!((run.code, run.out.as_str()), (Some(0), "city,years\nLondon,88\nParis,17\n"), "{}", run.err);
        assert_eq!(run.err, format!("note: {place} is read into a database in memory\n"));
    }
    let head = ["-q", "head", "people.csv?with a as (select * from people) select name from a", "-n", "1"];
    assert_eq!(folder.run_with(&head, b"").ok(), "{\"name\":\"Ada\"}\n");
    let chosen = ["-q", "copy", "people.csv?select name, age from people", "-", "--to", "csv", "--where", "age < 20"];
    assert_eq!(folder.run_with(&chosen, b"").ok(), "name,age\nBob,17\n");
    let shaped =
        ["-q", "copy", "people.csv?select max(age) as age from people", "-", "--to", "csv", "--shape", "age: text"];
    assert_eq!(folder.run_with(&shaped, b"").ok(), "age\n52\n");
    folder.write("deep.json", "{\"l\":[{\"n\":1},{\"n\":2}]}");
    let at = ["-q", "copy", "deep.json?select sum(n) as n from deep", "-", "--to", "json", "--at", "$.l[*]"];
    assert_eq!(folder.run_with(&at, b"").ok(), "[{\"n\":3}]\n");
}

#[test]
fn what_is_no_statement_is_refused() {
    let folder = Folder::with(&[("people.csv", CSV), ("bad.csv", "a,b\n1\n")]);
    for (place, says) in [
        ("people.csv?select other from people", "no such column: other"),
        ("people.csv?select * from other", "no such table: other"),
        ("bad.csv?select * from bad", "expected 2 cells"),
    ] {
        let err = folder.run_with(&["-q", "copy", place, "-"], b"").failed(1);
        assert!(err.contains(says), "{place}: {err}");
    }
    let several = folder.run_with(&["-q", "copy", "people.csv?select 1", "bad.csv", "-o", "x.json"], b"").failed(2);
    assert!(several.contains("can only be the one source"), "{several}");
    // A name that begins no statement is that of a file.
    assert_eq!(folder.run_with(&["copy", "people.csv?x", "-"], b"").code, Some(2));
}
