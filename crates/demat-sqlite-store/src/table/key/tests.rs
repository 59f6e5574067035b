use crate::{Table, TableOptions};
use demat_core::Value;
use demat_core::scalar::base64;
use demat_place::Format;
use demat_sqlite::{Database, Param};
use demat_store::{Encoded, Query, Reference, Store, When, collected};
use proptest::prelude::*;

fn table(declared: &str) -> (Database, Table) {
    let database = Database::memory().unwrap();
    database.execute(declared).unwrap();
    let own = Table::of(&database, "rows", None, &TableOptions::default()).unwrap();
    (database, own)
}

/// Posts a row, checks that its reference's text leads to it, and that deleting the reference removes only that row.
fn leads_back(own: &Table, key: &Value) {
    let entry = |name: &str, value: Value| (Value::Text(name.to_string().into()), value);
    let row = Value::Map(vec![entry("key", key.clone()), entry("value", Value::Int(7.into()))]);
    let json = demat_formats::json::encode(&row).unwrap();
    let at = own.post(&[], &mut Encoded::new(Format::JSON, &json[..])).unwrap();
    let read: Reference = at.to_string().parse().unwrap();
    assert_eq!(read, at, "{key:?}");
    assert_eq!(at.len(), 1, "{key:?}");
    assert_eq!(collected(own, &read, &Query::default()).unwrap().get("key"), row.get("key"), "{key:?}");
    let mut names = Vec::new();
    own.children(&[], &mut |name| {
        names.push(name.to_string());
        Ok(())
    })
    .unwrap();
    assert!(names.contains(&at[0]), "{key:?}");
    let before = own.count(&[], &Query::default()).unwrap();
    own.delete(&read, &When::Always).unwrap();
    assert_eq!(own.count(&[], &Query::default()).unwrap(), before.map(|count| count - 1), "{key:?}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn text_of_any_letters_names_a_row(key in "[~./\\\\%?# \\x00a-c,é]{0,4}|.{0,12}") {
        for declared in [
            "CREATE TABLE rows (key TEXT PRIMARY KEY, value INT)",
            "CREATE TABLE rows (key TEXT, value INT, PRIMARY KEY (key, value)) ",
        ] {
            let (database, own) = table(declared);
            database.execute("INSERT INTO rows VALUES ('other', 1), ('another', 2)").unwrap();
            leads_back(&own, &Value::Text(key.clone().into()));
        }
    }

    #[test]
    fn bytes_name_a_row_as_they_are_shown(key in proptest::collection::vec(any::<u8>(), 0..9)) {
        let (database, own) = table("CREATE TABLE rows (key BLOB PRIMARY KEY, value INT)");
        database.change("INSERT INTO rows VALUES (?, 7)", &[Param::Blob(key.clone())]).unwrap();
        let mut name = String::new();
        base64::encode(&key, &mut name);
        let at = Reference::of([name]);
        let row = collected(&own, &at.to_string().parse::<Reference>().unwrap(), &Query::default()).unwrap();
        prop_assert_eq!(row.get("key"), Some(&Value::Bytes(key.into())));
    }

    #[test]
    fn floats_name_a_row(key in any::<f64>().prop_filter("JSON has it", |key| key.is_finite())) {
        let (_database, own) = table("CREATE TABLE rows (key REAL PRIMARY KEY, value INT)");
        leads_back(&own, &Value::Float(key));
    }
}

#[test]
fn what_no_name_would_lead_to_has_none() {
    // Text in a numeric column, bytes that are not UTF-8, and null.
    let (database, own) = table("CREATE TABLE rows (key INT PRIMARY KEY, value INT)");
    database.execute("INSERT INTO rows VALUES ('x', 1), (x'ff', 2), (NULL, 3), (4, 4)").unwrap();
    let mut names = Vec::new();
    own.children(&[], &mut |name| {
        names.push(name.to_string());
        Ok(())
    })
    .unwrap();
    assert_eq!(names, ["4"]);
}
