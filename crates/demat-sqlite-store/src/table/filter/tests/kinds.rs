//! Conditions that SQLite answers against those on values in memory, for values of all kinds.

use crate::{Table, TableOptions};
use core::fmt::Write as _;
use demat_sqlite::Database;
use demat_store::{Query, Store};

const KINDS: &str = "id: int #sql:key, n: int?, big: int128?, wide: int? #sql:\"type TEXT\", f: float?, dec: decimal?, \
                     money: decimal? #sql:\"type DECIMAL(12, 2)\", td: duration?, tm: time?, day: date?, at: instant?, \
                     wall: datetime?, code: uuid?, raw: bytes?, ok: bool?, text: text?, any: any?, \
                     by: {n: int?, f: float?, td: duration?, tm: time?, code: uuid?, at: instant?, text: text?}?";

/// Values of each kind as JSON, close together and in several spellings.
fn values_of(field: &str) -> &'static [&'static str] {
    match field {
        "n" => &["0", "-1", "5", "9007199254740992", "9007199254740993", "9223372036854775807", "-9223372036854775808"],
        "big" | "wide" => &[
            "0",
            "5",
            "-7",
            "10",
            "9007199254740993",
            "9223372036854775807",
            "9223372036854775808",
            "18446744073709551615",
            "-9223372036854775809",
            "99999999999999999999",
        ],
        "f" => &[
            "0.0",
            "-0.0",
            "0.1",
            "0.5",
            "5.0",
            "-1.5",
            "9007199254740992.0",
            "9007199254740994.0",
            "1e300",
            "18446744073709551616.0",
        ],
        "dec" => &[
            "\"0\"",
            "\"1.1\"",
            "\"1.10\"",
            "\"11e-1\"",
            "\"9\"",
            "\"10\"",
            "\"-5\"",
            "\"-10\"",
            "\"12345678901234567.01\"",
            "\"12345678901234567.02\"",
            "\"12345678901234567.99\"",
            "\"1e400\"",
        ],
        "money" => &["\"0\"", "\"1.1\"", "\"9\"", "\"10\"", "\"-5.25\"", "\"9007199254740993\"", "\"0.30\""],
        "td" => {
            &["\"PT59S\"", "\"PT120S\"", "\"PT2M\"", "\"PT0S\"", "\"-P1D\"", "\"P10D\"", "\"PT0.5S\"", "\"PT0.500S\""]
        }
        "tm" => &[
            "\"01:00:00\"",
            "\"01:00:00.000\"",
            "\"01:00:00.5\"",
            "\"01:00:00.500\"",
            "\"00:59:59.999999999\"",
            "\"23:00:00\"",
        ],
        "day" => &["\"2020-01-01\"", "\"2019-12-31\"", "\"2020-01-02\""],
        "at" => &[
            "\"2020-01-01T00:00:00Z\"",
            "\"2020-01-01T01:00:00+01:00\"",
            "\"2019-12-31T23:30:00Z\"",
            "\"2020-01-01T00:00:00.5Z\"",
            "\"2020-01-01T00:00:00-12:00\"",
        ],
        "wall" => &["\"2020-01-01T00:00:00\"", "\"2020-01-01T00:00:00.500\"", "\"2019-12-31T23:30:00\""],
        "code" => &[
            "\"00000000-0000-0000-0000-0000000000aa\"",
            "\"00000000-0000-0000-0000-0000000000AA\"",
            "\"00000000000000000000000000000001\"",
            "\"00000000-0000-0000-0000-000000000001\"",
        ],
        "raw" => &["\"\"", "\"AA==\"", "\"AAE=\"", "\"/w==\""],
        "ok" => &["true", "false"],
        "text" => &["\"\"", "\"5\"", "\"10\"", "\"a\"", "\"A\"", "\"é\"", "\"it's\""],
        _ => &["5", "5.0", "\"5\"", "4.5", "9007199254740993", "9007199254740992.0", "\"x\"", "\"\"", "-3"],
    }
}

/// What values of a field are compared with in conditions.
fn given_of(field: &str) -> Vec<String> {
    let text = |text: &&str| text.trim_matches('"').to_string();
    let mut given: Vec<String> = values_of(field).iter().map(text).collect();
    let numbers = [
        "4.99999999999999999999",
        "9007199254740992.0",
        "9007199254740992.5",
        "9007199254740993",
        "9223372036854775808",
        "-9223372036854775809",
        "18446744073709551615",
        "1e19",
        "-1e30",
        "+.5",
        "05",
        "0.1",
        "5.5",
    ];
    match field {
        "n" | "big" | "wide" | "f" | "any" => given.extend(numbers.map(String::from)),
        "dec" | "money" => {
            given.extend(numbers.into_iter().chain(["12345678901234567.010", "-1e-400"]).map(String::from));
        }
        "at" | "wall" => given.push("2020-01-01".to_string()),
        "td" => given.push("PT1M59.5S".to_string()),
        _ => {}
    }
    given
}

#[derive(Debug, Clone)]
struct Cases {
    rows: Vec<Vec<(String, usize)>>,
    conditions: Vec<(usize, usize, usize)>,
    order: (usize, bool),
    indexed: bool,
}

const FIELDS: [&str; 16] =
    ["n", "big", "wide", "f", "dec", "money", "td", "tm", "day", "at", "wall", "code", "raw", "ok", "text", "any"];
const NESTED: [&str; 7] = ["n", "f", "td", "tm", "code", "at", "text"];

fn cases() -> impl proptest::strategy::Strategy<Value = Cases> {
    use proptest::prelude::*;
    let row = prop::collection::vec(any::<usize>(), FIELDS.len() + NESTED.len());
    let rows = prop::collection::vec(row, 1..12).prop_map(|rows| {
        let named = FIELDS.iter().map(ToString::to_string).chain(NESTED.iter().map(|name| format!("by.{name}")));
        let named: Vec<_> = named.collect();
        rows.into_iter().map(|row| named.iter().cloned().zip(row).collect()).collect()
    });
    let conditions = prop::collection::vec((any::<usize>(), any::<usize>(), any::<usize>()), 1..40);
    (rows, conditions, (any::<usize>(), any::<bool>()), any::<bool>())
        .prop_map(|(rows, conditions, order, indexed)| Cases { rows, conditions, order, indexed })
}

/// The JSON of a row. One in six values is null.
fn json_of(id: usize, row: &[(String, usize)]) -> String {
    let one = |name: &str, pick: usize| {
        let values = values_of(name);
        if pick.is_multiple_of(6) { "null" } else { values[pick / 6 % values.len()] }
    };
    let mut json = format!("{{\"id\":{id}");
    let mut by = Vec::new();
    for (name, pick) in row {
        match name.strip_prefix("by.") {
            Some(name) => by.push(format!("\"{name}\":{}", one(name, *pick))),
            None => write!(json, ",\"{name}\":{}", one(name, *pick)).unwrap(),
        }
    }
    format!("{json},\"by\":{{{}}}}}", by.join(","))
}

proptest::proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig { cases: 48, failure_persistence: None, ..Default::default() })]

    /// Conditions and orders that SQLite answers are those of values in memory.
    #[test]
    fn sqlite_answers_as_each_record_does(cases in cases()) {
        let database = Database::memory().unwrap();
        let shape: demat_core::Shape = KINDS.parse().unwrap();
        let table = Table::of(&database, "kinds", Some(&shape), &TableOptions::default()).unwrap();
        if cases.indexed {
            for field in FIELDS {
                database.execute(&format!("CREATE INDEX kinds_{field} ON kinds({field})")).unwrap();
            }
        }
        let json: Vec<_> = cases.rows.iter().enumerate().map(|(id, row)| json_of(id, row)).collect();
        let json = format!("[{}]", json.join(","));
        table.post(&[], &mut demat_store::Encoded::new(demat_place::Format::JSON, json.as_bytes())).unwrap();
        let demat_core::Value::List(values) = demat_store::collected(&table, &[], &Query::default()).unwrap() else {
            panic!("a list")
        };
        for (field, pick, test) in &cases.conditions {
            let place = field % (FIELDS.len() + NESTED.len());
            let (path, field) = match FIELDS.get(place) {
                Some(field) => ((*field).to_string(), *field),
                None => (format!("by.{}", NESTED[place - FIELDS.len()]), NESTED[place - FIELDS.len()]),
            };
            let given = given_of(field);
            let own = &given[pick % given.len()];
            let literal = |own: &String| match field {
                "n" | "big" | "wide" | "f" | "dec" | "money" | "ok" => own.clone(),
                "any" if demat_place::Number::parse(own).is_some() && pick % 3 > 0 => own.clone(),
                _ => format!("'{}'", own.replace('\'', "''")),
            };
            let another = &given[(pick / 7) % given.len()];
            let condition = match test % 9 {
                6 => format!("{path} in ({}, {})", literal(own), literal(another)),
                7 => format!("not {path} in ({})", literal(own)),
                8 => format!("not ({path} < {} or {path} = {})", literal(own), literal(another)),
                test => format!("{path} {} {}", ["=", "<>", "<", "<=", ">", ">="][test], literal(own)),
            };
            let query = Query { predicate: Some(condition.parse().unwrap()), ..Query::default() };
            let (found, wanted) = answers(&table, &values, &query);
            proptest::prop_assert_eq!(found, wanted, "{} of {}", condition, json);
            if place >= FIELDS.len() {
                continue;
            }
            // The same as a condition of a URL, which has no quotes.
            let name = ["", ".ne", ".lt", ".le", ".gt", ".ge", ".in"][test % 7];
            let url: String = percent(own);
            let query = Query::parse(&format!("{path}{name}={url}")).unwrap();
            let (found, wanted) = answers(&table, &values, &query);
            proptest::prop_assert_eq!(found, wanted, "{}{}={} of {}", path, name, url, json);
        }
        let field = FIELDS[cases.order.0 % FIELDS.len()];
        // UUIDs are sorted as text, and columns of any values by their storage classes.
        if !matches!(field, "code" | "any") {
            let sign = if cases.order.1 { "-" } else { "" };
            let query = Query::parse(&format!("order={sign}{field}")).unwrap();
            let demat_core::Value::List(found) = demat_store::collected(&table, &[], &query).unwrap() else { panic!("a list") };
            proptest::prop_assert!(found.is_sorted_by(|one, other| query.compare(one, other).is_le()), "{} {:?}", field, found);
        }
    }
}

/// Returns the ids of the rows that a query finds, and of those that it should.
fn answers(table: &Table, values: &[demat_core::Value], query: &Query) -> (Vec<String>, Vec<String>) {
    let ids = |rows: &[&demat_core::Value]| {
        let mut ids: Vec<_> = rows.iter().map(|row| format!("{:?}", row.get("id"))).collect();
        ids.sort();
        ids
    };
    let demat_core::Value::List(found) = demat_store::collected(table, &[], query).unwrap() else { panic!("a list") };
    let wanted: Vec<_> = values.iter().filter(|value| query.holds(value)).collect();
    (ids(&found.iter().collect::<Vec<_>>()), ids(&wanted))
}

fn percent(text: &str) -> String {
    text.bytes().fold(String::new(), |mut text, byte| {
        write!(text, "%{byte:02X}").unwrap();
        text
    })
}

#[test]
fn deletions_by_a_decimal_are_exact() {
    let database = Database::memory().unwrap();
    let shape: demat_core::Shape = "id: int #sql:key, dec: decimal".parse().unwrap();
    let own = Table::of(&database, "t", Some(&shape), &TableOptions::default()).unwrap();
    let json = br#"[{"id":1,"dec":"12345678901234567.01"},{"id":2,"dec":"12345678901234567.02"},{"id":3,"dec":"12345678901234567.99"}]"#;
    own.post(&[], &mut demat_store::Encoded::new(demat_place::Format::JSON, &json[..])).unwrap();
    let count = |query: &str| own.count(&[], &Query::parse(query).unwrap()).unwrap();
    assert_eq!(count("dec=12345678901234567.01"), Some(1));
    assert_eq!(count("dec.gt=12345678901234567.01"), Some(2));
    assert_eq!(count("dec=12345678901234567.010"), Some(1));
}

#[test]
fn pages_follow_the_order_of_the_numbers() {
    let database = Database::memory().unwrap();
    let shape: demat_core::Shape = "id: int #sql:key, dec: decimal, n: uint64, td: duration".parse().unwrap();
    let own = Table::of(&database, "t", Some(&shape), &TableOptions::default()).unwrap();
    let json = br#"[{"id":1,"dec":"10","n":18446744073709551615,"td":"P1D"},{"id":2,"dec":"9","n":5,"td":"PT59S"},
        {"id":3,"dec":"-5","n":9223372036854775808,"td":"PT2M"},{"id":4,"dec":"9.0","n":10,"td":"-PT1S"}]"#;
    own.post(&[], &mut demat_store::Encoded::new(demat_place::Format::JSON, &json[..])).unwrap();
    for (order, wanted) in [("dec", [3, 2, 4, 1]), ("n", [2, 4, 3, 1]), ("-n", [1, 3, 4, 2]), ("td", [4, 2, 3, 1])] {
        let (mut ids, mut after) = (Vec::new(), String::new());
        loop {
            let query = Query { after: Some(after), ..Query::parse(&format!("order={order}&limit=1")).unwrap() };
            let demat_core::Value::List(page) = demat_store::collected(&own, &[], &query).unwrap() else {
                panic!("a list")
            };
            ids.extend(page.iter().filter_map(|row| row.get("id").cloned()));
            match own.cursor(&[], &query).unwrap() {
                Some(next) => after = next,
                None => break,
            }
        }
        assert_eq!(ids, wanted.map(|id: i64| demat_core::Value::Int(id.into())), "{order}");
    }
}
