//! Values in all spellings: compared by what they denote, with an index and without, in columns of every affinity.

use crate::{Affinity, Database, Param, Rows, Stored, among, compared, sorted_by};
use core::cmp::Ordering;
use demat_core::scalar::{Decimal, Duration, Time, Uuid};
use proptest::prelude::*;

/// Whether an operator holds for an order.
type Holds = fn(Ordering) -> bool;

const OPERATORS: [(&str, Holds); 6] = [
    ("=", Ordering::is_eq),
    ("<>", Ordering::is_ne),
    ("<", Ordering::is_lt),
    ("<=", Ordering::is_le),
    (">", Ordering::is_gt),
    (">=", Ordering::is_ge),
];

fn found(database: &Database, sql: &str, values: &[Param]) -> Vec<i64> {
    let mut statement = database.statement(sql).unwrap();
    statement.bind_all(values).unwrap();
    let mut ids = Vec::new();
    while statement.step().unwrap() {
        ids.push(statement.int(0));
    }
    ids
}

/// Checks all comparisons and the order of values against those of their type.
fn verified<T: Ord>(
    kept: &[String],
    given: &[String],
    (declared, stored, index): (&str, Stored, bool),
    parse: impl Fn(&str) -> T,
) {
    let database = Database::memory().unwrap();
    database.execute(&format!("CREATE TABLE t(id INTEGER PRIMARY KEY, a {declared})")).unwrap();
    if index {
        database.execute("CREATE INDEX i ON t(a)").unwrap();
    }
    for text in kept {
        let mut value = Param::Text(text.clone());
        // As Demat stores ints that may have more than 64 bits.
        if let (Stored::Digits, Ok(int)) = (stored, text.parse()) {
            value = Param::Int(int);
        }
        database.change("INSERT INTO t(a) VALUES(?)", &[value]).unwrap();
    }
    let own: Vec<T> = kept.iter().map(|text| parse(text)).collect();
    let affinity = Affinity::of(declared, false);
    let param = |text: &String| match (stored, text.parse()) {
        (Stored::Digits, Ok(int)) => Param::Int(int),
        _ => Param::Text(text.clone()),
    };
    for text in given {
        let asked = parse(text);
        for (operator, holds) in OPERATORS {
            if stored == Stored::Uuid && !matches!(operator, "=" | "<>") {
                continue;
            }
            let (sql, times) = compared("a", stored, affinity, operator, "?");
            let wanted: Vec<_> =
                (1..).zip(&own).filter(|(_, own)| holds((*own).cmp(&asked))).map(|(id, _)| id).collect();
            let found =
                found(&database, &format!("SELECT id FROM t WHERE {sql} ORDER BY id"), &vec![param(text); times]);
            assert_eq!(found, wanted, "{operator} {text} {declared} of {kept:?}");
        }
    }
    let places = vec!["?".to_string(); given.len()];
    let (sql, times) = among("a", stored, affinity, &places);
    let values: Vec<_> = given.iter().flat_map(|text| vec![param(text); times]).collect();
    let asked: Vec<T> = given.iter().map(|text| parse(text)).collect();
    let wanted: Vec<i64> = (1..).zip(&own).filter(|(_, own)| asked.contains(own)).map(|(id, _)| id).collect();
    assert_eq!(found(&database, &format!("SELECT id FROM t WHERE {sql} ORDER BY id"), &values), wanted, "in {given:?}");
    if !matches!(stored, Stored::Time | Stored::Uuid) {
        let sql = format!("SELECT id FROM t ORDER BY {}", sorted_by("a", stored, affinity));
        let sorted = found(&database, &sql, &[]);
        assert!(sorted.is_sorted_by_key(|id| &own[usize::try_from(*id - 1).unwrap()]), "{kept:?} by {sorted:?}");
    }
}

fn decimals() -> impl Strategy<Value = String> {
    prop_oneof![
        (-30i32..30, 0usize..3).prop_map(|(tenths, zeros)| format!(
            "{:.1}{}",
            f64::from(tenths) / 10.0,
            "0".repeat(zeros)
        )),
        (-12i32..12).prop_map(|int| int.to_string()),
        (0u8..100).prop_map(|cents| format!("12345678901234567.{cents:02}")),
        (0i64..4, -400i32..400).prop_map(|(digit, power)| format!("{digit}e{power}")),
        (-2i64..3).prop_map(|by| (9_007_199_254_740_992 + by).to_string()),
    ]
}

/// Decimals that a column of numbers keeps.
fn short_decimals() -> impl Strategy<Value = String> {
    prop_oneof![
        (-3000i32..3000).prop_map(|cents| format!("{:.2}", f64::from(cents) / 100.0)),
        (-12i32..12).prop_map(|int| int.to_string()),
        (-2i64..3).prop_map(|by| (9_007_199_254_740_992 + by).to_string()),
        (-999i64..999, -200i32..200).prop_map(|(digits, power)| format!("{digits}e{power}")),
    ]
}

fn ints() -> impl Strategy<Value = String> {
    prop_oneof![
        (-12i64..12).prop_map(|int| int.to_string()),
        (-2i128..3, 60u32..70, any::<bool>()).prop_map(|(by, bits, negative)| {
            let int = (1i128 << bits) + by;
            if negative { (-int).to_string() } else { int.to_string() }
        }),
        any::<i64>().prop_map(|int| int.to_string()),
    ]
}

fn durations() -> impl Strategy<Value = String> {
    let one = (-200i64..200, 0usize..6).prop_map(|(seconds, form)| {
        let (sign, size) = (if seconds < 0 { "-" } else { "" }, seconds.abs());
        match form {
            0 => format!("{sign}PT{size}S"),
            1 => format!("{sign}PT{}M{}S", size / 60, size % 60),
            2 => format!("{sign}P0DT{size}.0S"),
            3 => format!("{sign}PT{size}.5S"),
            4 => format!("{sign}P{size}D"),
            _ => format!("{sign}PT{}H", size * 24),
        }
    });
    one.prop_filter("no duration", |text| Duration::parse(text).is_some())
}

fn times() -> impl Strategy<Value = String> {
    (0u8..2, 0u8..2, 0usize..8).prop_map(|(hour, second, fraction)| {
        let fraction = ["", ".0", ".000", ".5", ".500", ".500000000", ".050", ".000000001"][fraction];
        format!("{hour:02}:59:{second:02}{fraction}")
    })
}

fn uuids() -> impl Strategy<Value = String> {
    (0u8..4, 0u8..4).prop_map(|(number, form)| {
        let uuid = Uuid([0xab ^ number; 16]).to_string();
        match form {
            0 => uuid,
            1 => uuid.to_uppercase(),
            2 => uuid.replace('-', ""),
            _ => uuid.replace('-', "").to_uppercase(),
        }
    })
}

fn lists<S: Strategy<Value = String>>(one: fn() -> S) -> impl Strategy<Value = (Vec<String>, Vec<String>)> {
    (prop::collection::vec(one(), 1..20), prop::collection::vec(one(), 1..5))
}

fn decimal(text: &str) -> Decimal<'static> {
    Decimal::parse(text).unwrap().into_owned()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn decimals_are_exact((kept, given) in lists(decimals), index in any::<bool>()) {
        verified(&kept, &given, ("DECIMAL TEXT", Stored::Decimal, index), decimal);
    }

    #[test]
    fn decimals_are_exact_in_columns_of_numbers((kept, given) in lists(short_decimals), asked in decimals(), index in any::<bool>()) {
        verified(&kept, &[given, vec![asked]].concat(), ("DECIMAL(10, 2)", Stored::Decimal, index), decimal);
    }

    #[test]
    fn ints_of_any_size_are_numbers((kept, given) in lists(ints), text in any::<bool>(), index in any::<bool>()) {
        verified(&kept, &given, (if text { "TEXT" } else { "I128 BLOB" }, Stored::Digits, index), decimal);
    }

    #[test]
    fn durations_are_lengths((kept, given) in lists(durations), index in any::<bool>()) {
        verified(&kept, &given, ("DURATION", Stored::Duration, index), |text| Duration::parse(text).unwrap());
    }

    #[test]
    fn times_have_any_fraction((kept, given) in lists(times), index in any::<bool>()) {
        verified(&kept, &given, ("TIME", Stored::Time, index), |text| Time::parse(text).unwrap());
    }

    #[test]
    fn uuids_have_any_form((kept, given) in lists(uuids), index in any::<bool>()) {
        verified(&kept, &given, ("UUID", Stored::Uuid, index), |text| Uuid::parse(text).unwrap());
    }
}

#[test]
fn what_is_none_of_the_kind_is_found_by_no_comparison() {
    let database = Database::memory().unwrap();
    database.execute("CREATE TABLE t(id INTEGER PRIMARY KEY, a DECIMAL TEXT, b DURATION)").unwrap();
    database.execute("INSERT INTO t(a, b) VALUES('x', 'x'), (x'31', x'31'), (NULL, NULL), ('5', 'PT5S')").unwrap();
    for (operator, _) in OPERATORS {
        for (column, stored, value) in [("a", Stored::Decimal, "4"), ("b", Stored::Duration, "PT4S")] {
            let (sql, times) = compared(column, stored, Affinity::Text, operator, "?");
            let ids = found(&database, &format!("SELECT id FROM t WHERE {sql}"), &vec![Param::from(value); times]);
            assert!(ids.iter().all(|id| *id == 4), "{operator}: {ids:?}");
            let sql = format!("SELECT id FROM t WHERE {sql}");
            let mut statement = database.statement(&sql).unwrap();
            statement.bind_all(&vec![Param::from("x"); times]).unwrap();
            assert!(statement.step().unwrap_err().reason().contains("is compared with is none"));
        }
    }
}

#[test]
fn indexes_are_used_where_the_order_is_theirs() {
    let database = Database::memory().unwrap();
    let columns =
        ["i INTEGER", "s TEXT", "r REAL", "d U64 BLOB", "n DECIMAL(10, 2)", "tm TIME", "u UUID", "at DATETIME"];
    database.execute(&format!("CREATE TABLE t({})", columns.join(", "))).unwrap();
    for column in columns {
        let name = column.split(' ').next().unwrap();
        database.execute(&format!("CREATE INDEX i_{name} ON t({name})")).unwrap();
    }
    let text = |value: &str| Param::from(value);
    for (column, stored, affinity, operator, value) in [
        ("i", Stored::Int, Affinity::Integer, "=", Param::Int(1)),
        ("s", Stored::Text, Affinity::Text, "<", text("a")),
        ("r", Stored::Real, Affinity::Real, ">", Param::Real(1.5)),
        ("d", Stored::Digits, Affinity::Blob, "=", Param::Int(1)),
        ("n", Stored::Decimal, Affinity::Numeric, "=", text("1.10")),
        ("n", Stored::Decimal, Affinity::Numeric, "<", text("1.10")),
        ("tm", Stored::Time, Affinity::Numeric, "=", text("01:00:00")),
        ("tm", Stored::Time, Affinity::Numeric, ">", text("01:00:00")),
        ("u", Stored::Uuid, Affinity::Numeric, "=", text("00000000-0000-0000-0000-000000000001")),
        ("at", Stored::Instant, Affinity::Numeric, "<", text("2021-01-01T00:00:00Z")),
    ] {
        let (sql, times) = compared(column, stored, affinity, operator, "?");
        let mut plan = database.statement(&format!("EXPLAIN QUERY PLAN SELECT 1 FROM t WHERE {sql}")).unwrap();
        plan.bind_all(&vec![value; times]).unwrap();
        assert!(plan.step().unwrap());
        let plan = String::from_utf8_lossy(plan.bytes(3)).into_owned();
        assert!(plan.starts_with("SEARCH"), "{sql}: {plan}");
    }
}
