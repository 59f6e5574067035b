//! Timestamps in all spellings: compared by their instant, whichever index or range narrows the search.

use crate::moment::{nanos, of_number, of_value};
use crate::{Affinity, Database, Param, Rows, Stored, among, compared, sorted_by};
use demat_core::scalar::{Instant, Offset};
use proptest::prelude::*;
use rusqlite::types::Value;

#[allow(clippy::cast_precision_loss)] // far below 2^53
fn spelled() -> impl Strategy<Value = Value> {
    // Close together, so that some are equal, and around midnight and new year.
    let seconds = prop_oneof![
        4 => (-3i64..4, -2i64..3).prop_map(|(days, by)| 1_609_459_200 + days * 43_200 + by),
        1 => -62_135_000_000i64..253_402_000_000,
    ];
    let offset = prop_oneof![Just(0), Just(1439), Just(-1439), -1439i32..1440];
    (seconds, offset, 0u32..4, 0usize..7).prop_map(|(seconds, minutes, quarter, kind)| {
        let offset = Offset::new(minutes * 60).unwrap_or(Offset::UTC);
        let Some(instant) = Instant::from_unix(seconds, quarter * 250_000_000, offset) else {
            return Value::Integer(seconds);
        };
        let naive =
            Instant::from_unix(seconds, quarter * 250_000_000, Offset::UTC).map(|utc| Instant { offset: None, ..utc });
        match kind {
            0 => Value::Text(instant.to_string()),
            1 => Value::Text(instant.to_string().replace('T', " ")),
            2 => Value::Text(naive.unwrap_or(instant).to_string()),
            3 => Value::Text(naive.unwrap_or(instant).to_string().replace('T', " ")),
            4 => Value::Integer(seconds),
            5 => Value::Real(seconds as f64 / 86_400.0 + 2_440_587.5),
            _ => Value::Real(seconds as f64 + 0.25),
        }
    })
}

fn param(value: &Value) -> Param {
    match value {
        Value::Null => Param::Null,
        Value::Integer(value) => Param::Int(*value),
        Value::Real(value) => Param::Real(*value),
        Value::Text(value) => Param::Text(value.clone()),
        Value::Blob(value) => Param::Blob(value.clone()),
    }
}

fn found(database: &Database, sql: &str, values: &[Param]) -> Vec<i64> {
    let mut statement = database.statement(sql).unwrap();
    statement.bind_all(values).unwrap();
    let mut ids = Vec::new();
    while statement.step().unwrap() {
        ids.push(statement.int(0));
    }
    ids
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_order_is_that_of_time(kept in prop::collection::vec(spelled(), 1..30), given in spelled(), index in any::<bool>()) {
        let database = Database::memory().unwrap();
        database.execute("CREATE TABLE t(id INTEGER PRIMARY KEY, a DATETIME)").unwrap();
        if index {
            database.execute("CREATE INDEX i ON t(a)").unwrap();
        }
        let mut moments = Vec::new();
        for value in &kept {
            database.change("INSERT INTO t(a) VALUES(?)", &[param(value)]).unwrap();
            // A `DATETIME` column stores a whole float as an integer.
            let moment = of_value(value.into()).map(nanos);
            moments.push(moment.expect("all of them are instants"));
        }
        let asked = nanos(of_value((&given).into()).unwrap());
        for (operator, holds) in [
            ("=", (|own, asked| own == asked) as fn(i128, i128) -> bool),
            ("<>", |own, asked| own != asked),
            ("<", |own, asked| own < asked),
            ("<=", |own, asked| own <= asked),
            (">", |own, asked| own > asked),
            (">=", |own, asked| own >= asked),
        ] {
            let (sql, times) = compared("a", Stored::Instant, Affinity::Numeric, operator, "?");
            let values = vec![param(&given); times];
            let wanted: Vec<_> = (1..).zip(&moments).filter(|(_, own)| holds(**own, asked)).map(|(id, _)| id).collect();
            let sql = format!("SELECT id FROM t WHERE {sql} ORDER BY id");
            prop_assert_eq!(found(&database, &sql, &values), wanted, "{} {:?}", operator, &given);
        }
        let sql = format!("SELECT id FROM t WHERE {} ORDER BY id", among("a", Stored::Instant, Affinity::Numeric, &["?".to_string(), "?".to_string()]).0);
        let wanted: Vec<_> = (1..).zip(&moments).filter(|(_, own)| **own == asked).map(|(id, _)| id).collect();
        prop_assert_eq!(found(&database, &sql, &[param(&given), param(&given)]), wanted);
        let sorted = found(&database, &format!("SELECT id FROM t ORDER BY {}", sorted_by("a", Stored::Instant, Affinity::Numeric)), &[]);
        prop_assert!(sorted.is_sorted_by_key(|id| moments[usize::try_from(*id - 1).unwrap()]));
    }
}

#[test]
fn numbers_are_days_or_seconds() {
    let shown = |number: f64| of_number(number).map(|instant| instant.to_string());
    for (number, instant) in [
        (0.0, "1970-01-01T00:00:00Z"),
        (-1.0, "1969-12-31T23:59:59Z"),
        (1_609_459_200.0, "2021-01-01T00:00:00Z"),
        (1_609_459_200.5, "2021-01-01T00:00:00.500Z"),
        (2_459_215.5, "2021-01-01T00:00:00Z"),
        (2_459_216.0, "2021-01-01T12:00:00Z"),
        (5_373_484.499_999, "9999-12-31T23:59:59.914Z"),
        (5_373_484.5, "1970-03-04T04:38:04.500Z"),
        (253_402_300_799.0, "9999-12-31T23:59:59Z"),
    ] {
        assert_eq!(shown(number).as_deref(), Some(instant), "{number}");
    }
    for number in [253_402_300_800.0, 1_609_459_200_000.0, 1e300, -1e300, f64::INFINITY, f64::NAN] {
        assert_eq!(shown(number), None, "{number}");
    }
}
