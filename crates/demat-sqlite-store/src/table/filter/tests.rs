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
        "id=1.5",
        "id=99999999999999999999",
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
