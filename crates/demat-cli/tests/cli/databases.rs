//! Tables of databases.

use crate::run::Folder;

const TASKS: &str = "id,title,done\n1,a,true\n2,b c,false\n";

#[test]
fn a_table_is_made_and_read() {
    let folder = Folder::with(&[("tasks.csv", TASKS)]);
    folder.run("copy tasks.csv tasks.db --infer").ok();
    assert_eq!(folder.names(), ["tasks.csv", "tasks.db"]);
    assert_eq!(folder.run("schema tasks.db").ok(), "tasks{id:int, title:text, done:bool}\n");
    assert_eq!(folder.run("head tasks.db -n 1").ok(), "{\"id\":1,\"title\":\"a\",\"done\":true}\n");
    assert_eq!(folder.run("copy tasks.db#tasks - --to csv").ok(), TASKS);
    let query = "tasks.db?select title, count(*) as n from tasks where done group by title";
    let told = folder.run_with(&["copy", query, "-", "--to", "json"], b"");
    assert_eq!(told.ok(), "[{\"title\":\"a\",\"n\":1}]\n");
}

#[test]
fn a_table_that_is_there_gets_all_rows_or_none() {
    let folder = Folder::with(&[
        ("tasks.csv", TASKS),
        ("more.csv", "title,id,done\nc,3,true\n"),
        ("bad.csv", "id,title,done\n4,d,true\n1,again,true\n"),
        ("other.csv", "id,name\n4,d\n"),
    ]);
    let shape = "id: int #sql:key, title: text, done: bool";
    folder.run_with(&["copy", "tasks.csv", "a.sqlite#tasks", "--shape", shape], b"").ok();
    folder.run("copy more.csv a.sqlite#tasks").ok();
    let bad = folder.run("copy bad.csv a.sqlite#tasks");
    assert!(bad.err.contains("UNIQUE constraint failed: tasks.id"), "{}", bad.err);
    assert!(bad.err.contains("record 2"), "{}", bad.err);
    bad.failed(1);
    let other = folder.run("copy other.csv a.sqlite#tasks");
    assert!(other.err.contains("name"), "{}", other.err);
    other.failed(1);
    let told = folder.run("copy a.sqlite#tasks - --to csv").ok();
    assert_eq!(told, format!("{TASKS}3,c,true\n"));
    // With the option, refused rows are left out.
    folder.run("copy bad.csv a.sqlite#tasks --on-error skip --rejects bad.ndjson").failed(1);
    assert_eq!(folder.run("copy a.sqlite#tasks - --to csv").ok(), format!("{TASKS}3,c,true\n4,d,true\n"));
    assert!(folder.read("bad.ndjson").contains("\"record\":2"), "{}", folder.read("bad.ndjson"));
    folder.run("copy bad.csv a.sqlite#tasks --on-error all").failed(1);
    assert_eq!(folder.run("copy a.sqlite#tasks - --to csv").ok(), format!("{TASKS}3,c,true\n4,d,true\n"));
}

#[test]
fn a_database_that_is_not_there_appears_whole_or_not_at_all() {
    let folder = Folder::with(&[("bad.ndjson", "{\"id\":1}\n{\"id\":\n")]);
    folder.run("copy bad.ndjson new.db").failed(1);
    assert_eq!(folder.names(), ["bad.ndjson"]);
}

#[test]
fn a_folder_becomes_the_tables_of_a_database() {
    let folder = Folder::with(&[("x", "")]);
    std::fs::create_dir(folder.path("in")).unwrap();
    folder.write("in/people.csv", "name\nAda\n");
    folder.write("in/tasks.ndjson", "{\"id\":1,\"tags\":[\"a\"]}\n");
    folder.write("in/notes.md", "no data");
    folder.run("copy in all.db").ok();
    let told = folder.run("schema all.db").ok();
    assert_eq!(told, "people{name:text?}\ntasks{id:int, tags:any #sql:\"type JSON\"}\n");
    assert_eq!(folder.run("copy all.db#tasks - --to ndjson").ok(), "{\"id\":1,\"tags\":[\"a\"]}\n");
    folder.write("in/people.tsv", "name\nBob\n");
    folder.run("copy in other.db").failed(1);
    assert!(!folder.names().contains(&"other.db".to_string()));
}

#[test]
fn what_is_no_table_is_told_of() {
    let folder = Folder::with(&[("a.csv", "x\n1\n"), ("no.db", "no database, but a file all the same")]);
    folder.run("copy a.csv a.db#t").ok();
    folder.run("copy a.csv a.db#u").ok();
    for (arguments, said) in [
        ("copy a.db - --to csv", "which table is not said: a.db#TABLE, where TABLE is one of t, u"),
        ("copy a.db#v - --to csv", "there is no table `v`; there are t, u"),
        ("copy none.db#v - --to csv", "none.db can't be opened"),
        ("copy no.db#v - --to csv", "file is not a database"),
        ("copy a.db#t a.db#t", "a table can't be copied into itself"),
        ("copy - a.db --from csv", "which table is not said: a.db#TABLE"),
        ("copy a.csv - --to sqlite", "a database is a file"),
    ] {
        let told = folder.run(arguments);
        assert!(told.err.contains(said), "{arguments}: {}", told.err);
        assert_ne!(told.code, Some(0));
    }
    let told = folder.run_with(&["copy", "a.db?delete from t", "-", "--to", "csv"], b"");
    assert!(told.err.contains("the statement changes the database"), "{}", told.err);
    assert_eq!(folder.run("copy a.db#t - --to csv").ok(), "x\n1\n");
}
