use super::definition::Definition;
use super::rule::Rule;
use super::token::tokens;
use crate::{Allow, Database, Migration, OpenOptions, TableOptions, row_of};
use demat_core::{Record, Result, Shape};
use std::time::Duration;

mod constraints;
mod names;
mod rows;

const ALL: Allow = Allow { drop: true, narrow: true };

fn record(text: &str) -> Record {
    let shape: Shape = text.parse().unwrap();
    row_of(&shape).unwrap().get().clone()
}

fn with(statements: &[&str]) -> Database {
    let database = Database::memory().unwrap();
    for statement in statements {
        database.execute(statement).unwrap();
    }
    database
}

fn planned(database: &Database, shape: &str) -> Result<Migration> {
    database.migration("t", &record(shape), &TableOptions::default())
}

/// Applies a migration, and checks that nothing is left to do.
fn migrate(database: &Database, shape: &str) -> Result<()> {
    planned(database, shape)?.apply(ALL)?;
    let again = planned(database, shape)?;
    assert!(again.is_empty(), "{again}");
    database.table("t", &record(shape), &TableOptions::default()).map(drop)
}

fn refusal(database: &Database, shape: &str) -> String {
    let before = dump(database);
    let error = planned(database, shape).and_then(|migration| migration.apply(Allow::default())).unwrap_err();
    assert_eq!(dump(database), before);
    assert!(database.is_idle());
    error.reason()
}

/// Returns the statements of all steps.
fn sql(migration: &Migration) -> Vec<&str> {
    migration.steps().iter().map(|step| &*step.sql).collect()
}

/// Returns the first column of all rows of a statement.
fn column(database: &Database, sql: &str) -> Vec<String> {
    use crate::Rows;
    let mut rows = database.statement(sql).unwrap();
    let mut found = Vec::new();
    while rows.step().unwrap() {
        found.push(crate::introspect::text(&rows, 0));
    }
    found
}

/// Returns the schema, and the rows of the table `t`.
fn dump(database: &Database) -> Vec<String> {
    let mut found = column(database, "SELECT type || name || coalesce(sql, '') FROM sqlite_schema ORDER BY 1");
    let columns = column(database, "SELECT 'quote(\"' || name || '\")' FROM pragma_table_info('t')");
    if !columns.is_empty() {
        found.extend(column(database, &format!("SELECT {} FROM t", columns.join(" || ',' || "))));
    }
    found
}

#[test]
fn definitions_keep_what_was_written() {
    let sql = "CREATE TABLE \"a\"\"b\" ([x y] VARCHAR(10, 2) not null default -1 -- one, two\n, 'c' constraint k check \
               (c in ('a,(', \"b\")) collate nocase, `d`, e int references t (x) on delete set null not deferrable \
               unique, f as (e + 1) stored, g generated always as (1), h default (1 + (2)) null, i default x'00' primary \
               key desc, constraint z unique (c, \"d\") /* , */, check (c <> 'x'), foreign key (d, e) references \
               u(a, b) on update set default) strict";
    let definition = Definition::parse(sql).unwrap();
    let names: Vec<&str> = definition.columns.iter().map(|column| &*column.name).collect();
    assert_eq!(names, ["x y", "c", "d", "e", "f", "g", "h", "i"]);
    let text =
        |index: usize| -> Vec<&str> { definition.columns[index].constraints.iter().map(|own| &*own.text).collect() };
    assert_eq!(definition.columns[0].declared, "VARCHAR(10, 2)");
    assert_eq!(text(0), ["not null", "default -1"]);
    assert_eq!(text(1), ["constraint k check (c in ('a,(', \"b\"))", "collate nocase"]);
    assert!(definition.columns[1].constraints[0].named && definition.columns[2].declared.is_empty());
    assert_eq!(text(3), ["references t (x) on delete set null not deferrable", "unique"]);
    assert_eq!(text(4), ["as (e + 1) stored"]);
    assert_eq!(text(5), ["generated always as (1)"]);
    assert_eq!(text(6), ["default (1 + (2))", "null"]);
    assert_eq!(text(7), ["default x'00'", "primary key desc"]);
    let columns: Vec<_> = definition.constraints.iter().map(|own| own.columns.clone()).collect();
    assert_eq!(columns, [vec!["c", "d"], vec!["c"], vec!["d", "e"]]);
    // The statement made of it is one that SQLite takes, and says the same.
    let again = Definition::parse(&definition.create("n", true, false)).unwrap();
    assert_eq!(again.create("n", true, false), definition.create("n", true, false));
}

#[test]
fn damaged_statements_are_no_panic() {
    let sql =
        "CREATE TABLE t (a INT CHECK (a > 'x''y'), \"b\" TEXT DEFAULT (x'00') -- c\n, [c] /* d */ REFERENCES u (v))";
    for from in 0..sql.len() {
        for to in from..=sql.len() {
            let _ = Definition::parse(&sql[from..to]);
            let _ = Definition::parse(&format!("{}{}", &sql[..from], &sql[to..]));
        }
    }
    let _ = tokens("é'ü\"[ß");
}

#[test]
fn rules_are_compared_by_their_meaning() {
    assert_eq!(Rule::of("(\"A\" >= 0)"), Rule::of("a>=0"));
    assert_eq!(Rule::of("length([a]) <= 3"), Rule::of("LENGTH(\"a\")<=3"));
    assert_ne!(Rule::of("a IN ('x')"), Rule::of("a IN ('X')"));
    for (sql, of_class) in [
        ("\"a\" >= -1.5", true),
        ("\"a\" IN ('x', 'y')", true),
        ("\"a\" % 3 = 0", true),
        ("length(\"a\") >= 1", true),
        ("a < b", false),
        ("length(a) >= 1 AND a <> ''", false),
        ("a > 3 OR a = 1", false),
        ("b > 3", false),
    ] {
        assert_eq!(Rule::of(sql).is_of_class("a"), of_class, "{sql}");
    }
}

#[test]
fn steps_of_alter_table() {
    let database = with(&[
        "CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT NOT NULL, gone INT, other TEXT)",
        "CREATE INDEX t_gone ON t (gone)",
        "CREATE INDEX own ON t (other)",
        "INSERT INTO t VALUES (1, 'a', 2, 'x'), (7, 'b', NULL, 'y')",
    ]);
    let shape =
        r#"id: int #sql:key, title: text #sql:"was name" #sql:unique, done: bool = false, other: text? #sql:index"#;
    let migration = planned(&database, shape).unwrap();
    assert_eq!(
        sql(&migration),
        [
            r#"ALTER TABLE main."t" RENAME COLUMN "name" TO "title""#,
            r#"DROP INDEX main."t_gone""#,
            r#"ALTER TABLE main."t" DROP COLUMN "gone""#,
            r#"ALTER TABLE main."t" ADD COLUMN "done" BOOLEAN NOT NULL DEFAULT 0 CHECK ("done" IN (0, 1))"#,
            r#"CREATE UNIQUE INDEX main."t_title_unique" ON "t" ("title")"#,
        ]
    );
    assert_eq!(migration.losses()[0].what, "the column `gone` with its 1 value");
    assert_eq!(
        refusal(&database, shape),
        "the migration of `t` would lose what is not allowed: the column `gone` with its 1 value (allow \"drop\")"
    );
    migrate(&database, shape).unwrap();
    assert_eq!(column(&database, "SELECT id || title || other || done FROM t"), ["1ax0", "7by0"]);
}

#[test]
fn a_missing_table_is_created() {
    let database = with(&[]);
    let migration = planned(&database, "id: int #sql:key, a: text #sql:index").unwrap();
    assert_eq!(migration.steps()[0].what, "create the table `t`");
    assert_eq!(migration.steps().len(), 2);
    migrate(&database, "id: int #sql:key, a: text #sql:index").unwrap();
}

#[test]
fn a_rebuild_keeps_the_rest() {
    let database = with(&[
        "CREATE TABLE p (id INTEGER PRIMARY KEY)",
        "INSERT INTO p VALUES (1), (2)",
        "CREATE TABLE t (id INTEGER PRIMARY KEY AUTOINCREMENT, n INTEGER, s TEXT COLLATE NOCASE, p INT REFERENCES p(id) \
         ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED, CONSTRAINT both UNIQUE (n, s), CHECK (s <> 'bad'))",
        "CREATE TABLE child (t INTEGER NOT NULL REFERENCES t (id) ON DELETE CASCADE)",
        "CREATE TABLE log (what TEXT)",
        "CREATE INDEX lower_s ON t (lower(s)) WHERE n > 0",
        "CREATE TRIGGER tr AFTER INSERT ON t BEGIN INSERT INTO log VALUES (new.s); END",
        "CREATE TRIGGER other AFTER DELETE ON child BEGIN UPDATE t SET n = n + 1 WHERE id = old.t; END",
        "CREATE VIEW v AS SELECT id, n FROM t",
        "INSERT INTO t VALUES (3, 30, 'x', 1), (9, 90, 'y', 2), (20, 1, 'z', NULL)",
        "DELETE FROM t WHERE id = 20",
        "INSERT INTO child VALUES (3), (9)",
    ]);
    let shape = r#"id: int #sql:key, n: text, s: text?, p: int? #sql:"references p(id) on delete cascade""#;
    migrate(&database, shape).unwrap();
    assert_eq!(column(&database, "SELECT id || typeof(n) || n || s || p FROM t"), ["3text30x1", "9text90y2"]);
    assert_eq!(column(&database, "SELECT t FROM child"), ["3", "9"]);
    assert_eq!(column(&database, "SELECT count(*) FROM log"), ["3"]);
    assert_eq!(column(&database, "SELECT n FROM v"), ["30", "90"]);
    let kept = column(&database, "SELECT sql FROM sqlite_schema WHERE name = 't'").remove(0);
    for part in
        ["COLLATE NOCASE", "DEFERRABLE INITIALLY DEFERRED", "CONSTRAINT both UNIQUE (n, s)", "CHECK (s <> 'bad')"]
    {
        assert!(kept.contains(part), "{kept}");
    }
    let objects =
        column(&database, "SELECT name FROM sqlite_schema WHERE type IN ('index', 'trigger') AND sql <> '' ORDER BY 1");
    assert_eq!(objects, ["lower_s", "other", "tr"]);
    // The counter goes on behind the row that was deleted.
    database.execute("INSERT INTO t (n, s) VALUES ('1', 'new')").unwrap();
    assert_eq!(column(&database, "SELECT max(id) FROM t"), ["21"]);
    assert_eq!(column(&database, "SELECT count(*) FROM log"), ["4"]);
    database.execute("DELETE FROM t WHERE id = 3").unwrap();
    assert_eq!(column(&database, "SELECT t FROM child"), ["9"]);
    assert_eq!(column(&database, "PRAGMA foreign_keys"), ["1"]);
    assert_eq!(column(&database, "PRAGMA legacy_alter_table"), ["0"]);
}

#[test]
fn rowids_and_kinds_of_tables_are_kept() {
    let database = with(&[
        "CREATE TABLE t (rowid TEXT, n INT)",
        "INSERT INTO t (_rowid_, rowid, n) VALUES (5, 'a', 1), (9, 'b', 2)",
    ]);
    migrate(&database, "rowid: text, n: int = 3").unwrap();
    assert_eq!(column(&database, "SELECT _rowid_ || rowid || n FROM t"), ["5a1", "9b2"]);
    // A new key takes the numbers of the rows.
    migrate(&database, "rowid: text, n: int = 3, id: int #sql:key").unwrap();
    assert_eq!(column(&database, "SELECT id || rowid FROM t"), ["5a", "9b"]);
    let database = with(&[
        "CREATE TABLE t (k TEXT, n INT, PRIMARY KEY (k)) STRICT, WITHOUT ROWID",
        "INSERT INTO t VALUES ('a', 1)",
    ]);
    migrate(&database, "k: text #sql:key, n: int, d: date?").unwrap();
    migrate(&database, "k: text #sql:key, n: text, d: date?").unwrap();
    let kept = column(&database, "SELECT sql FROM sqlite_schema WHERE name = 't'").remove(0);
    assert!(kept.ends_with(") STRICT, WITHOUT ROWID"), "{kept}");
    assert_eq!(column(&database, "SELECT k || n FROM t"), ["a1"]);
}

#[test]
fn what_does_not_fit_is_named() {
    let database = with(&[
        "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT)",
        "INSERT INTO t VALUES (4, '12'), (7, 'x''y'), (8, NULL)",
    ]);
    assert_eq!(
        refusal(&database, "id: int #sql:key, a: int?"),
        "the table `t` can't become the one of the type: the column `a` has 'x''y' in the row id = 7, which is no int"
    );
    assert_eq!(
        refusal(&database, "id: int #sql:key, a: text"),
        "the table `t` can't become the one of the type: the column `a` is required, and the row id = 8 has NULL there: \
         give its field a default"
    );
    assert_eq!(
        refusal(&database, "id: int #sql:key, a: text?, b: int"),
        "the table `t` can't become the one of the type: the column `b` is new and required, and the rows that are there \
         have no value for it: give its field a default"
    );
    assert_eq!(
        refusal(&database, "id: int #sql:key, a: text? #check:\"max_length 2\""),
        "the table `t` can't become the one of the type: the column `a` has 'x''y' in the row id = 7, which breaks the \
         rule length(\"a\") <= 2"
    );
    database.execute("INSERT INTO t VALUES (9, '12')").unwrap();
    assert_eq!(
        refusal(&database, "id: int #sql:key, a: text? #sql:unique"),
        "the table `t` can't become the one of the type: `a` is unique, and several rows have '12' there, such as id = 9"
    );
    assert_eq!(
        refusal(&database, "id: int #sql:key, a: text = \"-\""),
        "the migration of `t` would lose what is not allowed: that the column `a` has NULL in 1 row, which become '-' \
         (allow \"narrow\")"
    );
    database.execute("DELETE FROM t WHERE id = 7").unwrap();
    assert_eq!(
        refusal(&database, "id: int #sql:key, a: int?"),
        "the migration of `t` would lose what is not allowed: how the column `a` keeps its 2 values: as int, no more as \
         TEXT (allow \"narrow\")"
    );
    migrate(&database, "id: int #sql:key, a: int = -1").unwrap();
    assert_eq!(column(&database, "SELECT typeof(a) || a FROM t"), ["integer12", "integer-1", "integer12"]);
}

#[test]
fn what_would_break_others_is_refused() {
    let database = with(&[
        "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT, b TEXT, c INT AS (id + 1))",
        "CREATE VIEW v AS SELECT a FROM t",
        "CREATE TRIGGER tr AFTER UPDATE ON t BEGIN DELETE FROM t WHERE b = new.b AND id < 0; END",
    ]);
    let of = |shape: &str| planned(&database, shape).unwrap_err().reason();
    assert_eq!(
        of("id: int #sql:key, b: text?"),
        "after the migration of `t`, the view `v` would fail: no such column: a: SQLITE_ERROR (1)"
    );
    let said = of("id: int #sql:key, a: text?");
    assert!(
        said.starts_with("after the migration of `t`, a trigger on UPDATE of `t` would fail: no such column"),
        "{said}"
    );
    assert_eq!(
        of("id: int #sql:key, a: text?, b: text?, c: int?"),
        "the column `c` of `t` is computed, which no field of a type is: it can only be dropped"
    );
    assert_eq!(
        database.migration("v", &record("x: text?"), &TableOptions::default()).unwrap_err().reason(),
        "`v` is a view, which can't be migrated"
    );
    // SQLite renames in views and triggers, too.
    migrate(&database, r#"id: int #sql:key, x: text? #sql:"was a", y: text #sql:"was b""#).unwrap();
    assert!(column(&database, "SELECT sql FROM sqlite_schema WHERE name = 'v'")[0].contains("\"x\""));
    let database = with(&["CREATE TABLE t (id INTEGER PRIMARY KEY AUTOINCREMENT, a TEXT NOT NULL)"]);
    assert_eq!(
        planned(&database, "id: int, a: text #sql:key").unwrap_err().reason(),
        "the key of `t` counts up (AUTOINCREMENT), so it can't become another one"
    );
}

#[test]
fn names_move_along() {
    let database = with(&["CREATE TABLE t (a TEXT, b TEXT)", "INSERT INTO t VALUES ('a', 'b')"]);
    migrate(&database, r#"b: text? #sql:"was a", c: text? #sql:"was b""#).unwrap();
    assert_eq!(column(&database, "SELECT b || c FROM t"), ["ab"]);
    let said = planned(&database, r#"x: text? #sql:"was b", y: text? #sql:"was b""#).unwrap_err().reason();
    assert_eq!(said, "the columns `x` and `y` both were `b` of `t`");
    migrate(&database, r#"x: text? #sql:"was nothing" #sql:"was \"b\"", c: text?"#).unwrap();
    assert_eq!(column(&database, "SELECT x || c FROM t"), ["ab"]);
}

#[test]
fn foreign_keys_are_checked() {
    let database = with(&[
        "CREATE TABLE p (id INTEGER PRIMARY KEY)",
        "CREATE TABLE t (id INTEGER PRIMARY KEY, p INT)",
        "INSERT INTO p VALUES (1)",
        "INSERT INTO t VALUES (1, 1), (2, 5)",
    ]);
    let shape = r#"id: int #sql:key, p: int? #sql:"references p(id)""#;
    assert_eq!(refusal(&database, shape), "the row 2 of `t` refers to no row of `p`");
    database.execute("DELETE FROM t WHERE id = 2").unwrap();
    migrate(&database, shape).unwrap();
    assert!(database.execute("INSERT INTO t VALUES (3, 9)").is_err());
}

#[test]
fn transactions_and_locks() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.db");
    let open = || {
        Database::open_with(&path, OpenOptions { timeout: Duration::from_millis(20), ..OpenOptions::default() })
            .unwrap()
    };
    let database = open();
    database.execute("CREATE TABLE t (a INT)").unwrap();
    let outer = database.transaction().unwrap();
    let error = planned(&database, "a: text?").unwrap().apply(ALL).unwrap_err();
    assert!(error.reason().contains("can't do safely within a transaction"), "{error}");
    // What ALTER TABLE does is a part of the transaction.
    planned(&database, "a: int?, b: int?").unwrap().apply(ALL).unwrap();
    drop(outer);
    assert_eq!(database.existing("t").unwrap().columns.len(), 1);
    let migration = planned(&database, "a: text?").unwrap();
    let other = open();
    let held = other.transaction().unwrap();
    let error = migration.apply(ALL).unwrap_err();
    assert_eq!(error.reason(), "database is locked: SQLITE_BUSY (5)");
    assert_eq!(column(&database, "PRAGMA foreign_keys"), ["1"]);
    other.execute("ALTER TABLE t ADD COLUMN c INT").unwrap();
    held.commit().unwrap();
    let error = migration.apply(ALL).unwrap_err();
    assert_eq!(error.reason(), "the table `t` was changed since its migration was planned: plan it again");
    // Another one may have done it already.
    let (one, two) = (planned(&database, "a: text?").unwrap(), planned(&other, "a: text?").unwrap());
    two.apply(ALL).unwrap();
    one.apply(ALL).unwrap();
}

#[test]
fn a_full_disk_in_the_middle_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let database = Database::open(&folder.path().join("a.db")).unwrap();
    database.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, a INT)").unwrap();
    database
        .execute(
            "INSERT INTO t SELECT value, value FROM (WITH RECURSIVE c(value) AS (SELECT 1 UNION ALL SELECT value + 1 \
                  FROM c WHERE value < 20000) SELECT value FROM c)",
        )
        .unwrap();
    let before = dump(&database);
    let pages = database.number("PRAGMA page_count", &[]).unwrap();
    database.execute(&format!("PRAGMA max_page_count = {}", pages + 20)).unwrap();
    let error = planned(&database, "id: int #sql:key, a: text?").unwrap().apply(ALL).unwrap_err();
    assert_eq!(error.reason(), "database or disk is full: SQLITE_FULL (13)");
    assert_eq!(dump(&database), before);
    assert_eq!(column(&database, "PRAGMA integrity_check"), ["ok"]);
    database.execute("PRAGMA max_page_count = 100000").unwrap();
    migrate(&database, "id: int #sql:key, a: text?").unwrap();
    assert_eq!(column(&database, "SELECT count(*) FROM t WHERE typeof(a) = 'text'"), ["20000"]);
}
