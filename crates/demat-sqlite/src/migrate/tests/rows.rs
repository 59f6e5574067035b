//! What becomes of the rows.

use super::{column, migrate, planned, refusal, with};
use crate::{Allow, Database};

const NARROW: Allow = Allow { drop: false, narrow: true };

#[test]
fn kept_constraints_lose_no_rows() {
    for action in ["IGNORE", "REPLACE"] {
        let unique = format!("CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT UNIQUE ON CONFLICT {action})");
        let database = with(&[&unique, "INSERT INTO t VALUES (1, '1'), (2, '1.0')"]);
        let said = planned(&database, "id: int #sql:key, a: float?").unwrap_err().reason();
        assert!(said.contains("`a` is unique, and several rows have 1.0 there, such as id = 2"), "{said}");
        assert_eq!(column(&database, "SELECT a FROM t"), ["1", "1.0"]);
        // Filled with a default.
        let database = with(&[&unique, "INSERT INTO t VALUES (1, NULL), (2, 'x')"]);
        assert!(
            planned(&database, "id: int #sql:key, a: text = \"x\"")
                .unwrap_err()
                .reason()
                .contains("several rows have 'x'")
        );
        // What is not compared before the copy: SQLite refuses it, and nothing is lost.
        let database = with(&[
            &format!(
                "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT, b TEXT COLLATE NOCASE UNIQUE ON CONFLICT {action})"
            ),
            "INSERT INTO t VALUES (1, NULL, 'x'), (2, 'y', NULL)",
        ]);
        let shape = "id: int #sql:key, a: text?, b: text = \"X\"";
        let error = planned(&database, shape).and_then(|migration| migration.apply(NARROW)).unwrap_err();
        assert!(error.reason().contains("UNIQUE constraint failed"), "{error}");
        assert_eq!(column(&database, "SELECT id FROM t ORDER BY id"), ["1", "2"]);
    }
}

#[test]
fn floats_keep_the_digits_of_texts() {
    let of = |text: &str| {
        let database = with(&["CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT)"]);
        database.change("INSERT INTO t VALUES (1, ?)", &[text.into()]).unwrap();
        planned(&database, "id: int #sql:key, a: float?")
            .and_then(|migration| migration.apply(NARROW))
            .map(|()| column(&database, "SELECT typeof(a) FROM t").remove(0))
    };
    for text in ["1", "-1.50", "0.1", "9007199254740992", "3.141592653589793", "1e300", "0"] {
        assert_eq!(of(text).unwrap(), "real", "{text}");
    }
    for text in ["9007199254740993", "0.12345678901234567891", "1e400", "x", "123456789012345678901"] {
        assert!(of(text).unwrap_err().reason().ends_with("which is no float"), "{text}");
    }
}

#[test]
fn bytes_and_texts_of_another_encoding() {
    for (declared, value, shape) in
        [("TEXT", "'é'", "id: int #sql:key, a: bytes?"), ("INT", "x'c3a9'", "id: int #sql:key, a: text?")]
    {
        for encoding in ["UTF-8", "UTF-16le"] {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("a.db");
            // Only the first statement on a file sets its encoding.
            let first = rusqlite::Connection::open(&path).unwrap();
            let create = format!("CREATE TABLE t (id INTEGER PRIMARY KEY, a {declared})");
            first.execute_batch(&format!("PRAGMA encoding = '{encoding}'; {create}")).unwrap();
            drop(first);
            let database = Database::open(&path).unwrap();
            assert_eq!(column(&database, "PRAGMA encoding"), [encoding]);
            // Without such values nothing is to recode.
            planned(&database, shape).unwrap();
            database.execute(&format!("INSERT INTO t VALUES (3, {value})")).unwrap();
            if encoding == "UTF-8" {
                planned(&database, shape).unwrap().apply(NARROW).unwrap();
                assert_eq!(column(&database, "SELECT hex(a) FROM t"), ["C3A9"]);
            } else {
                let said = refusal(&database, shape);
                assert!(said.contains("in the row id = 3, which becomes "), "{said}");
                assert!(said.ends_with("only in a database in UTF-8"), "{said}");
            }
        }
    }
}

#[test]
fn violations_that_were_there_stay() {
    let database = with(&[
        "PRAGMA foreign_keys = OFF",
        "CREATE TABLE p (id INTEGER PRIMARY KEY)",
        "CREATE TABLE t (id INTEGER PRIMARY KEY, p INT REFERENCES p (id), n INT, q INT)",
        "INSERT INTO t VALUES (1, 5, 1, 7), (2, NULL, 2, NULL), (3, 6, 3, 7)",
        "PRAGMA foreign_keys = ON",
    ]);
    migrate(&database, "id: int #sql:key, p: int?, n: text?, q: int?").unwrap();
    assert_eq!(column(&database, "SELECT rowid FROM pragma_foreign_key_check"), ["1", "3"]);
    // A new foreign key to the same table is refused, and says so.
    let said = refusal(&database, r#"id: int #sql:key, p: int?, n: text?, q: int? #sql:"references p(id)""#);
    assert!(said.contains("of `t` refers to no row of `p`, and rows did so before the migration"), "{said}");
}
