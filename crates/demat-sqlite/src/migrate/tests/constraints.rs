//! Keys, foreign keys, defaults, and what else a definition says.

use super::{ALL, column, migrate, planned, refusal, with};

fn schema(database: &crate::Database) -> String {
    column(database, "SELECT sql FROM sqlite_schema WHERE name = 't'").remove(0)
}

#[test]
fn a_changed_foreign_key_replaces_the_old_one() {
    let shape = r#"id: int #sql:key, p: int? #sql:"references a(id) on delete cascade""#;
    for own in [
        "p INT, FOREIGN KEY (p) REFERENCES a (id)",
        "p INT REFERENCES a (id)",
        "p INT, FOREIGN KEY (p) REFERENCES b (id)",
        "p INT REFERENCES b (id)",
    ] {
        let database = with(&[
            "CREATE TABLE a (id INTEGER PRIMARY KEY)",
            "CREATE TABLE b (id INTEGER PRIMARY KEY)",
            &format!("CREATE TABLE t (id INTEGER PRIMARY KEY, {own})"),
        ]);
        migrate(&database, shape).unwrap();
        let keys = column(&database, "SELECT \"table\" || on_delete FROM pragma_foreign_key_list('t')");
        assert_eq!(keys, ["aCASCADE"], "{own}");
    }
    // Further ones of the same column stay.
    let database = with(&[
        "CREATE TABLE a (id INTEGER PRIMARY KEY)",
        "CREATE TABLE b (id INTEGER PRIMARY KEY)",
        "CREATE TABLE t (id INTEGER PRIMARY KEY, p INT REFERENCES a (id) REFERENCES b (id))",
    ]);
    migrate(&database, shape).unwrap();
    let keys = column(&database, "SELECT \"table\" || on_delete FROM pragma_foreign_key_list('t') ORDER BY 1");
    assert_eq!(keys, ["aCASCADE", "bNO ACTION"]);
}

#[test]
fn defaults_are_compared_by_their_meaning() {
    // SQLite keeps no parentheses around an expression.
    let shape = r#"id: int #sql:key, a: text? #sql:"default (datetime('now'))""#;
    let database = with(&["CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT DEFAULT (DATETIME('now')))"]);
    assert!(planned(&database, shape).unwrap().is_empty());
    let database = with(&["CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT)"]);
    migrate(&database, shape).unwrap();
    assert!(schema(&database).contains("DEFAULT (datetime('now'))"));
    // The case of a text matters.
    let database = with(&["CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT NOT NULL DEFAULT 'ON')"]);
    assert!(
        database
            .table("t", &super::record("id: int #sql:key, a: text = \"on\""), &crate::TableOptions::default())
            .is_err()
    );
    migrate(&database, "id: int #sql:key, a: text = \"on\"").unwrap();
    database.execute("INSERT INTO t (id) VALUES (1)").unwrap();
    assert_eq!(column(&database, "SELECT a FROM t"), ["on"]);
}

#[test]
fn defaults_of_another_type_go() {
    let database = with(&[
        "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT DEFAULT 'x', b TEXT DEFAULT '12', c TEXT DEFAULT 'x', \
         d INT DEFAULT 5, e TEXT DEFAULT (upper('x')))",
    ]);
    let shape = "id: int #sql:key, a: int?, b: int?, c: bytes?, d: text?, e: bytes?";
    let said = refusal(&database, shape);
    assert!(said.contains("the default 'x' of the column `a`, which is no int (allow \"narrow\")"), "{said}");
    assert!(said.contains("the default 'x' of the column `c`, which is no bytes (allow \"narrow\")"), "{said}");
    migrate(&database, shape).unwrap();
    database.execute("INSERT INTO t (id) VALUES (1)").unwrap();
    assert_eq!(column(&database, "SELECT quote(a) || quote(b) || quote(c) || quote(d) FROM t"), ["NULL12NULL'5'"]);
    assert!(schema(&database).contains("upper('x')"));
}

#[test]
fn what_goes_with_a_dropped_column_is_a_loss() {
    let database = with(&[
        "CREATE TABLE t (id INTEGER PRIMARY KEY, a INT, b INT, gone INT, UNIQUE (a, gone), FOREIGN KEY (b, gone) \
         REFERENCES p (x, y))",
        "CREATE INDEX i ON t (lower(Gone), a)",
        "CREATE INDEX j ON t (a)",
    ]);
    let shape = "id: int #sql:key, a: int?, b: int?";
    let losses: Vec<String> =
        planned(&database, shape).unwrap().losses().iter().map(|loss| loss.what.clone()).collect();
    assert_eq!(
        losses,
        [
            "the column `gone` with its 0 values",
            "the constraint `UNIQUE (a, gone)`, which has a dropped column",
            "the constraint `FOREIGN KEY (b, gone) REFERENCES p (x, y)`, which has a dropped column",
            "the index `i`, which has a dropped column",
        ]
    );
    planned(&database, shape).unwrap().apply(ALL).unwrap();
    assert_eq!(column(&database, "SELECT name FROM sqlite_schema WHERE type = 'index'"), ["j"]);
}

#[test]
fn a_descending_key_is_no_rowid() {
    let database =
        with(&["CREATE TABLE t (id INTEGER PRIMARY KEY DESC, a TEXT)", "INSERT INTO t VALUES (5, 'x'), (7, 'y')"]);
    assert_eq!(database.existing("t").unwrap().rowid(), None);
    migrate(&database, "id: int #sql:key, a: text?").unwrap();
    assert_eq!(database.existing("t").unwrap().rowid(), Some(0));
    assert_eq!(column(&database, "SELECT rowid || a FROM t"), ["5x", "7y"]);
    let database = with(&["CREATE TABLE t (id INTEGER PRIMARY KEY DESC, a TEXT)", "INSERT INTO t VALUES ('z', 'x')"]);
    let said = refusal(&database, "id: int #sql:key, a: text?");
    assert!(said.ends_with("the column `id` has 'z' in the row id = 'z', which is no int"), "{said}");
    // As a constraint of the table it is one.
    let database = with(&["CREATE TABLE t (id INTEGER, PRIMARY KEY (id DESC))"]);
    assert_eq!(database.existing("t").unwrap().rowid(), Some(0));
}
