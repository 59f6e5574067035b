use super::{record, rows, table, tell};
use crate::{Affinity, Database, Table, TableOptions, Verb};

const TASKS: &str = "Task{id: int #sql:key, title: text #sql:\"type VARCHAR(220)\" #check:\"min_length 1\" \
                     #check:\"max_length 220\", done: bool = false, due: date? #sql:index, owner: int? \
                     #sql:\"references people(id) on delete cascade\", code: text #sql:unique, \
                     state: enum(open, closed) = \"open\", points: float = 1.5 #check:\"ge 0\"}";

#[test]
fn a_table_is_what_the_shape_says() {
    let database = Database::memory().unwrap();
    table(&database, "people", "id: int #sql:key, name: text");
    let options = TableOptions::default();
    let made = Table::of("tasks", &record(TASKS), &options).unwrap();
    assert_eq!(
        made.create(),
        [
            r#"CREATE TABLE "tasks" (
  "id" INTEGER PRIMARY KEY,
  "title" VARCHAR(220) NOT NULL CHECK (length("title") >= 1) CHECK (length("title") <= 220),
  "done" BOOLEAN NOT NULL DEFAULT 0 CHECK ("done" IN (0, 1)),
  "due" DATE,
  "owner" INTEGER REFERENCES "people" ("id") ON DELETE CASCADE,
  "code" TEXT NOT NULL UNIQUE,
  "state" TEXT NOT NULL DEFAULT 'open' CHECK ("state" IN ('open', 'closed')),
  "points" REAL NOT NULL DEFAULT 1.5 CHECK ("points" >= 0)
)"#,
            r#"CREATE INDEX "tasks_due" ON "tasks" ("due")"#,
        ]
    );
    database.table("tasks", &record(TASKS), &options).unwrap();
    // The second time, the table exists and matches.
    let there = database.table("tasks", &record(TASKS), &options).unwrap();
    assert_eq!(
        there.record().unwrap().fields().iter().map(|field| field.shape().to_string()).collect::<Vec<_>>(),
        ["int", "text", "bool", "date?", "int?", "text", "text", "float"]
    );
    assert_eq!(database.tables().unwrap(), ["people", "tasks"]);
    // A table derived from its record matches it.
    let again = Table::of("tasks", &there.record().unwrap(), &options).unwrap();
    assert_eq!(again.differences(&there), [""; 0]);
    assert!(there.record().unwrap().fields()[4].notes_for("sql").eq(["references people(id) ON DELETE CASCADE"]));
}

#[test]
fn strict_tables_and_those_without_rowids() {
    let database = Database::memory().unwrap();
    let shape = record("a: text #sql:key, b: date #sql:key, c: [int], d: any, e: uuid, f: decimal, g: bool");
    let options = TableOptions { strict: true, without_rowid: true, ..TableOptions::default() };
    let there = database.table("t", &shape, &options).unwrap();
    assert!(there.strict && there.without_rowid);
    assert_eq!(there.key, ["a", "b"]);
    let declared: Vec<_> = there.columns.iter().map(|column| &*column.declared).collect();
    assert_eq!(declared, ["TEXT", "TEXT", "TEXT", "ANY", "TEXT", "TEXT", "INTEGER"]);
    assert_eq!(there.rowid(), None);
    let shape = record("a: text");
    let error = Table::of("t", &shape, &options).unwrap_err();
    assert_eq!(error.to_string(), "the table `t` has no key, and without one it needs its rows' numbers");
}

#[test]
fn a_drift_lists_all_differences() {
    let database = Database::memory().unwrap();
    database
        .execute("CREATE TABLE t (id INT PRIMARY KEY, title INTEGER, more TEXT NOT NULL, n TEXT DEFAULT 'x')")
        .unwrap();
    let shape = record("id: int #sql:key, title: text #sql:index, when: instant, n: text? = \"y\", more: text?");
    let error = database.table("t", &shape, &TableOptions { strict: true, ..TableOptions::default() }).unwrap_err();
    assert_eq!(
        error.reason(),
        "the table `t` is not the one of the type, by 8 differences: the column `id` may be NULL; \
         the column `title` is declared `INTEGER`, which does not keep text; the column `title` may be NULL; \
         the column `when` is missing; the column `n` has the default 'x', not 'y'; the column `more` is NOT NULL; \
         it has no index of title; it is not STRICT"
    );
    assert_eq!(error.kind(), demat_core::ErrorKind::Store);
    let error = database.table("t", &record("id: int #sql:key"), &TableOptions::default()).unwrap_err();
    assert!(error.reason().contains("the column `more` is not in the type"), "{error}");
}

#[test]
fn notes_that_are_none_are_refused() {
    for (shape, said) in [
        ("a: int #sql:primary", "the field `a` notes `primary` for sql"),
        ("a: int #sql:\"type INT); DROP TABLE x; --\"", "the field `a` notes `type INT); DROP TABLE x; --`"),
        ("a: int #sql:\"references\"", "the field `a` notes `references`"),
        ("a: text #sql:\"type INT\"", "a column `a` declared `INT` can't keep text as it is"),
        ("a: int, A: int", "the table `t` can't have two columns `A`"),
        ("a: int, ...rest", "the field `rest` keeps unknown fields"),
        ("{}", "a table has columns"),
    ] {
        let error = Table::of("t", &record(shape), &TableOptions::default()).unwrap_err();
        assert!(error.reason().starts_with(said), "{error}");
    }
}

#[test]
fn names_are_quoted_whatever_they_are() {
    let database = Database::memory().unwrap();
    let shape = r#""order": int #sql:key, "a\"b": text, "é x": text, "--": text"#;
    let table = table(&database, "se\"lect; --", shape);
    tell(&database, &table, shape, r#"[{"order":1,"a\"b":"x","é x":"y","--":"z"}]"#, Verb::Insert).unwrap();
    let told = rows(&database, &table, &record(shape)).unwrap();
    assert_eq!(told, r#"[{"order":1,"a\"b":"x","é x":"y","--":"z"}]"#);
}

#[test]
fn affinities_are_those_of_sqlite() {
    let database = Database::memory().unwrap();
    for (declared, affinity) in [
        ("", Affinity::Blob),
        ("INT", Affinity::Integer),
        ("TINYINT", Affinity::Integer),
        ("VARCHAR(255)", Affinity::Text),
        ("CLOB", Affinity::Text),
        ("DECIMAL TEXT", Affinity::Text),
        ("JSON", Affinity::Numeric),
        ("CHARINT", Affinity::Integer),
        ("DOUBLE", Affinity::Real),
        ("FLOATING POINT", Affinity::Integer),
        ("BOOLEAN", Affinity::Numeric),
        ("STRING", Affinity::Numeric),
        ("BLOB", Affinity::Blob),
    ] {
        assert_eq!(Affinity::of(declared, false), affinity, "{declared}");
        for text in [
            "",
            " ",
            "7",
            "007",
            "-7",
            "+7",
            " 7",
            "7 ",
            "1.5",
            "1.50",
            "1e3",
            "1E400",
            ".5",
            "5.",
            "0x10",
            "x",
            "12345678901234567890",
            "9223372036854775807",
            "-9223372036854775808",
            "0.1",
            "123456789012345.6",
            "-0",
            "1_0",
            "inf",
            "nan",
            "2026-02-03",
            "2026",
            "\"5\"",
            "[5]",
        ] {
            database.execute("DROP TABLE IF EXISTS t").unwrap();
            database.execute(&format!("CREATE TABLE t (a {declared})")).unwrap();
            database.change("INSERT INTO t VALUES (?)", &[crate::Param::from(text)]).unwrap();
            let kept = database.number("SELECT CAST(a AS TEXT) = ? FROM t", &[crate::Param::from(text)]).unwrap() == 1;
            // `keeps` may be false for text that is unchanged, but never true for text that is changed.
            assert!(kept || !affinity.keeps(text), "{declared} {text}");
        }
    }
}
