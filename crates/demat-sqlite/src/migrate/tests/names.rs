//! Names that denote something else, or nothing.

use super::{ALL, column, migrate, planned, refusal, with};

#[test]
fn a_dropped_column_does_not_become_a_text() {
    // SQLite takes a name in double quotes for a text if no column has that name.
    let shape = "id: int #sql:key, b: int?";
    let of = |statement: &str| {
        let database = with(&["CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT, b INT)", statement]);
        planned(&database, shape).and_then(|migration| migration.apply(ALL))
    };
    let said = of(r#"CREATE VIEW v AS SELECT "a" AS x FROM t"#).unwrap_err().reason();
    assert!(said.starts_with("after the migration of `t`, the view `v` would fail: no such column: \"a\""), "{said}");
    let said = of(r#"CREATE TRIGGER tr AFTER DELETE ON t BEGIN UPDATE t SET b = 1 WHERE "a" = 'x'; END"#);
    let said = said.unwrap_err().reason();
    assert!(said.starts_with("after the migration of `t`, a trigger on DELETE of `t` would fail: no such"), "{said}");
    let database = with(&["CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT, b INT, CHECK (\"a\" <> 'x'))"]);
    assert!(
        planned(&database, shape)
            .unwrap_err()
            .reason()
            .starts_with("the table `t` can't be rebuilt: no such column: \"a\"")
    );
    for index in [r#"ON t (b) WHERE "a" = 'a'"#, r#"ON t (lower("a"))"#] {
        let database = with(&[
            "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT, b INT)",
            &format!("CREATE INDEX i {index}"),
            "INSERT INTO t VALUES (1, 'x', 2)",
        ]);
        let migration = planned(&database, shape).unwrap();
        assert!(migration.losses().iter().any(|loss| loss.what == "the index `i`, which has a dropped column"));
        migration.apply(ALL).unwrap();
        assert_eq!(column(&database, "SELECT name FROM sqlite_schema WHERE name = 'i'").len(), 0);
    }
}

#[test]
fn a_text_in_double_quotes_does_not_become_a_column() {
    let own = "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT CHECK (a <> \"bad\"))";
    let database = with(&[own, "CREATE VIEW v AS SELECT id FROM t WHERE id <> \"bad\""]);
    // Other columns don't matter, and SQLite writes such texts anew when it renames.
    migrate(&database, "id: int #sql:key, a: text?, c: int?").unwrap();
    migrate(&database, r#"id: int #sql:key, b: text? #sql:"was a", c: int?"#).unwrap();
    let database = with(&[own]);
    let said = planned(&database, "id: int #sql:key, a: text?, bad: text?").unwrap_err().reason();
    assert!(said.starts_with("the statements of `t` can't be migrated as they are: no such column: \"bad\""), "{said}");
    let said = planned(&database, "id: int #sql:key, a: int?").unwrap_err().reason();
    assert!(said.starts_with("the statements of `t` can't be migrated as they are: no such column: \"bad\""), "{said}");
    let database = with(&[
        "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT)",
        "CREATE VIEW v AS SELECT id FROM t WHERE a = \"bad\"",
    ]);
    let said = planned(&database, "id: int #sql:key, a: text?, bad: text?").unwrap_err().reason();
    assert!(said.starts_with("the view `v` has a text in double quotes, which would become a column"), "{said}");
    migrate(&database, "id: int #sql:key, a: int?").unwrap();
}

#[test]
fn temporary_objects_are_left_alone() {
    let database = with(&[
        "CREATE TABLE t (id INTEGER PRIMARY KEY AUTOINCREMENT, a INT, gone INT)",
        "CREATE INDEX t_gone ON t (gone)",
        "CREATE INDEX own ON t (a)",
        "INSERT INTO t VALUES (4, 1, 2)",
        "CREATE TEMP TABLE demat_new_t (x)",
        "CREATE TEMP TABLE counted (id INTEGER PRIMARY KEY AUTOINCREMENT, gone INT, a INT)",
        "CREATE INDEX temp.t_gone ON counted (gone)",
        "CREATE INDEX temp.own ON counted (gone, a)",
        "INSERT INTO counted VALUES (70, 1, 1)",
    ]);
    let before = column(&database, "SELECT name || sql FROM temp.sqlite_schema ORDER BY 1");
    migrate(&database, "id: int #sql:key, a: int?").unwrap();
    migrate(&database, "id: int #sql:key, a: text?").unwrap();
    assert_eq!(column(&database, "SELECT name || sql FROM temp.sqlite_schema ORDER BY 1"), before);
    assert_eq!(column(&database, "SELECT seq FROM temp.sqlite_sequence"), ["70"]);
    assert_eq!(column(&database, "SELECT name || seq FROM main.sqlite_sequence"), ["t4"]);
    assert_eq!(column(&database, "SELECT id || a FROM main.t"), ["41"]);
    assert_eq!(column(&database, "SELECT name FROM main.sqlite_schema WHERE type = 'index'"), ["own"]);
}

#[test]
fn a_created_table_stands_in_the_file() {
    let database = with(&["CREATE TEMP TABLE t (x)"]);
    let migration = planned(&database, "id: int #sql:key, a: text #sql:index").unwrap();
    assert!(migration.steps().iter().all(|step| step.sql.contains(" main.\"t")), "{migration}");
}

#[test]
fn names_with_line_ends_stay_in_comments() {
    let database = with(&["CREATE TABLE t (id INTEGER PRIMARY KEY, \"a\nDROP TABLE t; --\" INT, b INT)"]);
    let script = planned(&database, "id: int #sql:key, b: text?").unwrap().to_string();
    let is_bare = |line: &str| line.trim_start().starts_with("DROP TABLE t;");
    assert!(!script.lines().any(is_bare), "{script}");
    assert!(script.contains("-- loses the column `a DROP TABLE t; --`"), "{script}");
}

#[test]
fn an_index_that_a_foreign_key_needs_stays() {
    let database = with(&[
        "CREATE TABLE t (id INTEGER PRIMARY KEY, a INT)",
        "CREATE UNIQUE INDEX t_a_unique ON t (a)",
        "CREATE TABLE other (a INT REFERENCES t (a))",
    ]);
    let said = refusal(&database, "id: int #sql:key, a: int?");
    assert!(said.starts_with("after the migration of `t`, a foreign key of `other` would fail: foreign key"), "{said}");
    migrate(&database, "id: int #sql:key, a: int? #sql:unique, b: int?").unwrap();
    // What failed before is no reason.
    database.execute("CREATE TABLE third (b INT REFERENCES t (b))").unwrap();
    migrate(&database, "id: int #sql:key, a: int? #sql:unique, b: int?, c: int?").unwrap();
}
