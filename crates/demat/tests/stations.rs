//! The example `stations`, beside sums of tenths.

#[path = "../examples/stations.rs"]
#[allow(dead_code)] // `main`
mod example;

use demat::{Value, json};
use example::{measure, stations};
use std::collections::BTreeMap;

fn made() -> String {
    let mut made = Vec::new();
    measure(&mut made, 20_000, 9).unwrap();
    String::from_utf8(made).unwrap()
}

#[test]
fn each_station_is_right() {
    let text = made();
    let mut expected = BTreeMap::<String, Vec<i32>>::new();
    for row in text.lines() {
        let (name, celsius) = row.rsplit_once(';').unwrap();
        let tenths = celsius.replace('.', "").parse().unwrap();
        expected.entry(name.trim_matches('"').to_string()).or_default().push(tenths);
    }
    assert_eq!(expected.len(), 5);

    let found = stations(text.as_bytes()).unwrap();
    assert_eq!(found.keys().collect::<Vec<_>>(), expected.keys().collect::<Vec<_>>());
    for (name, tenths) in &expected {
        let (station, count) = (&found[name], u32::try_from(tenths.len()).unwrap());
        assert_eq!(station.measurements, count);
        let (lowest, highest) = (tenths.iter().min().unwrap(), tenths.iter().max().unwrap());
        // Of one digit behind the point, each is the nearest float to it, as that of the division is.
        assert_eq!(station.lowest.to_bits(), (f64::from(*lowest) / 10.0).to_bits());
        assert_eq!(station.highest.to_bits(), (f64::from(*highest) / 10.0).to_bits());
        let mean = f64::from(tenths.iter().sum::<i32>()) / f64::from(count) / 10.0;
        assert!((station.mean - mean).abs() < 1e-9, "{name}: {} and {mean}", station.mean);
    }
}

#[test]
fn the_answer_is_json_by_name() {
    let found = stations("Cádiz;20.5\nCádiz;-1\n\"a; b\";3\n".as_bytes()).unwrap();
    let answer: Value = json::decode(&json::encode(&found).unwrap()).unwrap();
    let expected: Value = json::decode(
        r#"{"Cádiz": {"measurements": 2, "lowest": -1.0, "mean": 9.75, "highest": 20.5},
            "a; b": {"measurements": 1, "lowest": 3.0, "mean": 3.0, "highest": 3.0}}"#
            .as_bytes(),
    )
    .unwrap();
    assert_eq!(answer, expected);
}

#[test]
fn a_row_that_is_none_is_an_error_with_its_place() {
    let error = stations("Abha;1.5\nBergen;cold\n".as_bytes()).err().unwrap();
    assert_eq!((error.position().record, error.position().line), (Some(2), Some(2)));
    assert!(error.to_string().starts_with("expected `float`, found `text` \"cold\" at `$[1].celsius` ("), "{error}");
}
