//! The example `stations`, beside sums of tenths.

#[path = "../examples/stations.rs"]
#[allow(dead_code)] // `main`
mod example;

use example::{measure, report, stations};
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
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("measurements.csv");
    std::fs::write(&path, "Cádiz;20.5\nCádiz;-1\n\"a; b\";3\n").unwrap();
    let mut answer = Vec::new();
    report(&path, &mut answer).unwrap();
    let one = r#""Cádiz":{"measurements":2,"lowest":-1.0,"mean":9.75,"highest":20.5}"#;
    let other = r#""a; b":{"measurements":1,"lowest":3.0,"mean":3.0,"highest":3.0}"#;
    assert_eq!(String::from_utf8(answer).unwrap(), format!("{{{one},{other}}}"));
}

#[test]
fn a_file_that_is_not_there_is_made() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("measurements.csv");
    let (mut first, mut second) = (Vec::new(), Vec::new());
    report(&path, &mut first).unwrap();
    assert_eq!(std::fs::read_to_string(&path).unwrap().lines().count(), 100_000);
    report(&path, &mut second).unwrap();
    assert_eq!(first, second);
}

#[test]
fn a_row_that_is_none_is_an_error_with_its_place() {
    let error = stations("Abha;1.5\nBergen;cold\n".as_bytes()).err().unwrap();
    assert_eq!((error.position().record, error.position().line), (Some(2), Some(2)));
    assert!(error.to_string().starts_with("expected `float`, found `cold` at `$[1].celsius` ("), "{error}");
}
