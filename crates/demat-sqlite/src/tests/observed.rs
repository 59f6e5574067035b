//! The kinds of datetimes in columns.

use crate::{Database, Param, Table, TableOptions};
use demat_core::Shape;
use demat_formats::proto::Wire;

const NAIVE: &str = "'2021-01-01 00:00:00'";
const AWARE: &str = "'2021-01-01T01:00:00+01:00'";
const NUMBER: &str = "1609459200";

fn observed(declared: &str, values: &[&str]) -> String {
    let database = Database::memory().unwrap();
    database.execute(&format!("CREATE TABLE t (id INTEGER PRIMARY KEY, at {declared}, name TEXT)")).unwrap();
    for value in values {
        database.execute(&format!("INSERT INTO t (at) VALUES ({value})")).unwrap();
    }
    let record = database.existing("t").unwrap().record().unwrap();
    let observed = database.observed("SELECT * FROM t;\n", &[], &record).unwrap();
    assert_eq!((observed.name(), observed.fields().len()), ("t", 3));
    assert_eq!(*observed.fields()[0].shape(), Shape::Int(demat_core::IntWidth::Any));
    let field = &observed.fields()[1];
    // With field numbers, the wire encoding matches the new shape.
    let again = demat_core::Field::new(field.name().to_string(), 2, field.shape().clone());
    assert_eq!(Wire::of_field(field), Wire::of_field(&again));
    field.shape().to_string()
}

#[test]
fn a_column_is_of_the_sort_that_all_rows_are_of() {
    for (values, expected) in [
        (&[][..], "instant?"),
        (&["NULL"], "instant?"),
        (&[NAIVE, "NULL", "'2021-01-01T00:00:00.5'"], "datetime?"),
        (&[AWARE, "'2021-01-01 00:00:00Z'", "NULL"], "instant?"),
        (&[AWARE, NUMBER, "2459215.5"], "instant?"),
        (&[NAIVE, AWARE], "text?"),
        (&[NAIVE, NUMBER], "any"),
        (&[NAIVE, AWARE, NUMBER], "any"),
        // A text that is no timestamp is still refused when it is read.
        (&["'yesterday'"], "instant?"),
    ] {
        for declared in ["DATETIME", "timestamp", "TIMESTAMPTZ"] {
            assert_eq!(observed(declared, values), expected, "{declared} {values:?}");
        }
    }
    assert_eq!(observed("DATETIME NOT NULL", &[NAIVE]), "datetime");
    assert_eq!(observed("TEXT", &[NAIVE]), "text?");
    assert_eq!(observed("DATE", &["'2021-01-01'"]), "date?");
}

#[test]
fn of_a_statement_with_values() {
    let database = Database::memory().unwrap();
    database.execute("CREATE TABLE t (a DATETIME, \"odd \"\"name\" DATETIME)").unwrap();
    database.execute(&format!("INSERT INTO t VALUES ({NAIVE}, {AWARE}), ({AWARE}, {NAIVE})")).unwrap();
    let sql = "SELECT * FROM t WHERE \"odd \"\"name\" LIKE ? -- and so on";
    let record = database.statement(sql).unwrap().record().unwrap();
    let of =
        |like: &str| Shape::record(database.observed(sql, &[Param::Text(like.into())], &record).unwrap()).to_string();
    assert_eq!(of("%+01:00"), r#"a:datetime?, "odd \"name":instant?"#);
    assert_eq!(of("%"), r#"a:text?, "odd \"name":text?"#);
}

#[test]
fn a_table_for_either_sort_is_the_same() {
    let of = |shape: &str| {
        let shape: Shape = shape.parse().unwrap();
        let Shape::Record(record) = shape else { unreachable!() };
        Table::of("t", &record.get(), &TableOptions::default()).unwrap()
    };
    let (one, other) = (of("id: int #sql:key, at: datetime"), of("id: int #sql:key, at: instant"));
    assert_eq!(one.create(), other.create());
    assert_eq!(one.columns[1].declared, "DATETIME");
    assert_eq!((one.differences(&other), other.differences(&one)), (Vec::new(), Vec::new()));
}
