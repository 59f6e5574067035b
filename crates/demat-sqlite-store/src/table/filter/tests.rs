mod kinds;

use crate::{Table, TableOptions};
use demat_sqlite::Database;
use demat_store::{Fault, Query, Store, fault_of};

fn products() -> Table {
    let database = Database::memory().unwrap();
    database
        .execute(
            "CREATE TABLE products (id INTEGER PRIMARY KEY, name TEXT, price NUMERIC(10,2), weight REAL, made DATE, at DATETIME,
             code UUID, mark BLOB, sold BOOLEAN, exact DECIMAL TEXT)",
        )
        .unwrap();
    let sql = "INSERT INTO products VALUES
        (1, '50% off', 9.5, 1.5, '2026-01-02', '2026-01-02T03:04:05Z', '00000000-0000-0000-0000-0000000000aa', x'61', 1, '9.5'),
        (2, 'a_b', 10, 2.0, '2025-01-02', '2025-01-02T03:04:05Z', '00000000-0000-0000-0000-000000000001', x'ff00', 0, '10.25'),
        (3, 'axb', 100, NULL, NULL, NULL, NULL, NULL, NULL, '100'),
        (4, '500', 7, 0.5, NULL, NULL, NULL, NULL, NULL, NULL)";
    database.execute(sql).unwrap();
    Table::of(&database, "products", None, &TableOptions::default()).unwrap()
}

#[test]
fn conditions_hold_by_the_kind_of_the_column() {
    let own = products();
    for (query, count) in [
        ("name.contains=50%25", 1),
        ("name.contains=_", 1),
        ("name.contains=A", 2),
        ("name.like=50%25", 2),
        ("name.like=50%5C%25%25", 1),
        ("name.like=a%5C_b", 1),
        ("name.contains=%5C", 0),
        ("price=10", 1),
        ("price=10.00", 1),
        ("price.gt=9.5", 2),
        ("exact.gt=9.5", 2),
        ("exact=10.250", 1),
        ("weight.le=1.5", 2),
        ("made=2026-01-02", 1),
        ("at.gt=2025-06-01", 1),
        ("at.lt=2025-06-01T00:00:00Z", 1),
        ("code=00000000-0000-0000-0000-0000000000AA", 1),
        ("mark=YQ%3D%3D", 1),
        ("mark=/wA%3D", 1),
        ("mark.ne=YQ%3D%3D", 1),
        ("sold=true", 1),
        ("id.like=1%25", 1),
        ("id.in=1,2", 2),
        ("id=1.5", 0),
        ("id.gt=1.5", 3),
        ("id=99999999999999999999", 0),
        ("id.lt=99999999999999999999", 4),
        ("name=", 0),
    ] {
        assert_eq!(own.count(&[], &Query::parse(query).unwrap()).unwrap(), Some(count), "{query}");
    }
}

#[test]
fn what_can_be_no_value_of_a_column_is_refused() {
    let own = products();
    for query in [
        "price=abc",
        "price.gt=",
        "weight=x",
        "weight=nan",
        "id.in=1,x",
        "made=soon",
        "made=2026-13-01",
        "at=yesterday",
        "code=1",
        "mark=%25",
        "mark=a",
        "mark.like=a",
        "mark.contains=a",
        "sold=2",
        "sold.like=t",
        "exact=1,5",
        "exact.lt=x",
        "nothing=1",
        "order=nothing",
        "fields=nothing",
    ] {
        let error = own.count(&[], &Query::parse(query).unwrap());
        let error = if query.starts_with("order") || query.starts_with("fields") {
            own.encoded(&[], &Query::parse(query).unwrap(), demat_place::Format::JSON, 1000).unwrap_err()
        } else {
            error.unwrap_err()
        };
        assert_eq!(fault_of(&error), Some(Fault::BadQuery), "{query}");
    }
    let long = format!("name.like={}", "a".repeat(60_000));
    assert_eq!(fault_of(&own.count(&[], &Query::parse(&long).unwrap()).unwrap_err()), Some(Fault::BadQuery));
}

/// Rows, and the same as values, which `Where` compares itself.
fn notes() -> (Table, Vec<demat_core::Value>) {
    let database = Database::memory().unwrap();
    let shape = "id: int #sql:key, title: text?, n: int?, part: float?, done: bool?, day: date?, by: {name: text, age: int?}?, \
                 any: any?";
    let shape: demat_core::Shape = shape.parse().unwrap();
    let table = Table::of(&database, "notes", Some(&shape), &TableOptions::default()).unwrap();
    let json = br#"[
        {"id":1,"title":"a","n":5,"part":0.5,"done":true,"day":"2026-01-02","by":{"name":"Ada","age":36},"any":5},
        {"id":2,"title":"5","n":null,"part":2.0,"done":false,"day":"2025-01-02","by":{"name":"Bob","age":null},"any":"5"},
        {"id":3,"title":null,"n":7,"part":null,"done":null,"day":null,"by":null,"any":null},
        {"id":4,"title":"A%","n":-5,"part":-1.5,"done":true,"day":null,"by":{"name":"","age":5},"any":"x"}
    ]"#;
    table.post(&[], &mut demat_store::Encoded::new(demat_place::Format::JSON, &json[..])).unwrap();
    let demat_core::Value::List(values) = demat_store::collected(&table, &[], &Query::default()).unwrap() else {
        panic!("a list")
    };
    (table, values)
}

#[test]
fn conditions_on_rows_choose_as_those_on_values_do() {
    let (own, values) = notes();
    for condition in [
        "n = 5 or title = '5'",
        "not (n = 5 or title = '5')",
        "not n = 5",
        "not not done",
        "n <> 5",
        "n between -5 and 5 and not done",
        "n > 4.5",
        "n in (5, 7) or part in (2.0)",
        "title like 'a%' and title not like 'a\\%'",
        "title contains '%'",
        "n like '%5'",
        "done or day < 2026-01-01",
        "day is null and (done or part is null)",
        "by.name = 'Ada' or by.age = 5",
        "not by.name = 'Ada'",
        "by.age is null",
        "by.age > 4.5",
        "by.name contains 'o'",
        "by is null",
        "any = 5",
        "any = '5'",
        "any <> '5'",
        "any in (5, 'x')",
        "not any in (5, 'x')",
        "any < 'z'",
        "any >= 5",
        "any like '5%'",
        "any is not null",
    ] {
        let query = Query { predicate: Some(condition.parse().unwrap()), ..Query::default() };
        let chosen = values.iter().filter(|value| query.holds(value)).count() as u64;
        assert_eq!(own.count(&[], &query).unwrap(), Some(chosen), "{condition}");
    }
}

#[test]
fn conditions_on_rows_and_others_hold_together() {
    let (own, _) = notes();
    let query = Query::parse("where=done or n > 6&n.gt=5&order=-id&fields=id").unwrap();
    let json = own.encoded(&[], &query, demat_place::Format::JSON, 1000).unwrap();
    assert_eq!(json.as_deref(), Some(&br#"[{"id":3}]"#[..]));
}

#[test]
fn conditions_that_no_row_can_meet_are_refused() {
    let (own, _) = notes();
    for (condition, said) in [
        ("nothing = 1", "there is no field `nothing`"),
        ("n.x = 1", "`n` is a int, which has no field `x`"),
        ("by.nothing = 1", "there is no field `nothing`"),
        ("by = 1", "`by` is a record, which can only be compared with null"),
        ("n = '5'", "it stands without quotes"),
        ("title = 5", "text stands in quotes"),
        ("done = 2", "`2` is no value of `done`"),
        ("done like 't%'", "nothing to be like"),
        ("day = '2026-13-01'", "is no value of `day`"),
        ("by.age = 'x'", "`x` is no value of `by.age`"),
    ] {
        let query = Query { predicate: Some(condition.parse().unwrap()), ..Query::default() };
        let error = own.count(&[], &query).unwrap_err();
        assert_eq!(fault_of(&error), Some(Fault::BadQuery), "{condition}");
        assert!(error.reason().contains(said), "{condition}: {}", error.reason());
    }
}

#[test]
fn text_that_is_no_json_has_no_fields() {
    let (own, _) = notes();
    own.base.commits.write(|database| database.execute("UPDATE notes SET \"by\" = 'x' WHERE id = 1")).unwrap();
    for (condition, count) in [("by.name = 'Ada'", 0), ("by.age is null", 3), ("not by.name = 'x'", 2)] {
        let query = Query { predicate: Some(condition.parse().unwrap()), ..Query::default() };
        assert_eq!(own.count(&[], &query).unwrap(), Some(count), "{condition}");
    }
}
