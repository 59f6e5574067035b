//! Groups of rows of a Parquet file that a condition excludes are not read, and nothing else changes.
#![cfg(feature = "arrow")]

use demat_arrow::{ColumnsSink, IpcDrain, IpcForm, Options, ParquetDrain};
use demat_core::{Shape, copy};
use demat_formats::json::JsonSource;
use demat_place::{CopyJob, Format, OnError, Place};
use proptest::prelude::*;
use std::fmt::Write as _;
use std::fs::{self, File};
use std::path::Path;

const SHAPE: &str = "[{n: int?, small: int16, x: float?, t: text?, done: bool, day: date?, at: instant, when: datetime?, \
                     price: decimal?, other: int}]";

/// A row as JSON, with values that are near each other.
fn row() -> impl Strategy<Value = String> {
    let number = prop_oneof![1 => Just("null".to_string()), 5 => (-20..20_i64).prop_map(|n| n.to_string())];
    let float = prop_oneof![
        1 => Just("null".to_string()),
        1 => Just("-0.0".to_string()),
        6 => (-40..40_i32).prop_map(|n| format!("{:?}", f64::from(n) / 4.0)),
    ];
    let text = prop_oneof![
        1 => Just("null".to_string()),
        4 => "[a-cé]{0,3}".prop_map(|text| format!("\"{text}\"")),
        // Statistics have the beginning of long texts only.
        1 => "[a-c]{1,2}".prop_map(|text| format!("\"{}\"", text.repeat(50))),
    ];
    let day =
        prop_oneof![1 => Just("null".to_string()), 5 => (1..29_u8).prop_map(|day| format!("\"2026-01-{day:02}\""))];
    let second = (0..60_u8, 0..3_u8).prop_map(|(second, part)| format!("2026-01-01T00:00:{second:02}.{}", part * 4));
    let when = prop_oneof![1 => Just("null".to_string()), 4 => second.clone().prop_map(|at| format!("\"{at}\""))];
    let price = prop_oneof![1 => Just("null".to_string()), 4 => (-300..300_i64).prop_map(|n| format!("{}.{:02}", n / 100, n.abs() % 100))];
    ((number, -9..9_i16, float, text), (any::<bool>(), day, second, when), (price, 0..4_u8)).prop_map(
        |((n, small, x, t), (done, day, at, when), (price, other))| {
            format!(
                "{{\"n\":{n},\"small\":{small},\"x\":{x},\"t\":{t},\"done\":{done},\"day\":{day},\"at\":\"{at}Z\",\
                 \"when\":{when},\"price\":{price},\"other\":{other}}}"
            )
        },
    )
}

fn condition() -> impl Strategy<Value = String> {
    let test = || prop::sample::select(vec!["=", "<>", "<", "<=", ">", ">="]);
    let term = prop_oneof![
        (prop::sample::select(vec!["n", "small", "x"]), test(), -22..22_i64)
            .prop_map(|(field, test, n)| format!("{field} {test} {n}")),
        (test(), -12..12_i32).prop_map(|(test, n)| format!("x {test} {:?}", f64::from(n) / 3.0)),
        (test(), "[a-cé]{0,3}").prop_map(|(test, text)| format!("t {test} '{text}'")),
        (test(), "[a-c]{1,2}").prop_map(|(test, text)| format!("t {test} '{}'", text.repeat(50))),
        (test(), 1..29_u8).prop_map(|(test, day)| format!("day {test} '2026-01-{day:02}'")),
        (prop::sample::select(vec!["at", "when"]), test(), 0..60_u8).prop_map(|(field, test, second)| {
            let zone = if field == "at" { "Z" } else { "" };
            format!("{field} {test} '2026-01-01T00:00:{second:02}{zone}'")
        }),
        (test(), -3..3_i8).prop_map(|(test, price)| format!("price {test} {price}.5")),
        (-22..22_i64, 0..9_i64).prop_map(|(n, more)| format!("n between {n} and {}", n + more)),
        (-22..22_i64, -22..22_i64).prop_map(|(one, other)| format!("small not in ({one}, {other})")),
        prop::sample::select(vec!["n", "x", "t", "day"]).prop_map(|field| format!("{field} is null")),
        Just("done".to_string()),
        Just("t like 'a%'".to_string()),
    ];
    term.prop_recursive(2, 8, 3, |part| {
        prop_oneof![
            part.clone().prop_map(|part| format!("not ({part})")),
            prop::collection::vec(part.clone(), 2..4).prop_map(|parts| format!("({})", parts.join(") and ("))),
            prop::collection::vec(part, 2..3).prop_map(|parts| format!("({})", parts.join(") or ("))),
        ]
    })
}

/// Writes rows to a Parquet file in groups, and to an Arrow file, which has no statistics.
fn written(folder: &Path, rows: &[String], group: usize) {
    let text = format!("[{}]", rows.join(","));
    let shape: Shape = SHAPE.parse().unwrap();
    let options = Options { decimals: Some((9, 2)), ..Options::default() };
    let drain = ParquetDrain::new(File::create(folder.join("a.parquet")).unwrap()).with_group_rows(group);
    let mut sink = ColumnsSink::new(drain).with_options(options.clone());
    copy(&mut JsonSource::new(text.as_bytes()), &shape, &mut sink).unwrap();
    let drain = IpcDrain::new(File::create(folder.join("a.arrow")).unwrap(), IpcForm::Stream);
    let mut sink = ColumnsSink::new(drain).with_options(options);
    copy(&mut JsonSource::new(text.as_bytes()), &shape, &mut sink).unwrap();
}

/// Returns what a copy writes, or its error; and the refused records.
fn copied(folder: &Path, name: &str, condition: &str, shape: Option<&str>, on_error: OnError) -> String {
    let (from, to) = (folder.join(name), folder.join("out.ndjson"));
    let (from, to) = (Place::File(from), Place::File(to));
    let format = from.format().unwrap();
    let mut job = CopyJob::new(from, format, to, Format::NDJSON).matching(condition.parse().unwrap());
    job = job.on_error(on_error);
    if let Some(shape) = shape {
        job = job.shape(shape.parse().unwrap());
    }
    let mut told = String::new();
    let done = job
        .on_reject(|error, _| {
            let _ = writeln!(told, "{error}");
        })
        .run();
    let said = match done {
        Ok(summary) => format!("{} {}\n", summary.records, summary.rejected),
        Err(error) => format!("{error}\n"),
    };
    let written = fs::read_to_string(folder.join("out.ndjson")).unwrap_or_default();
    let _ = fs::remove_file(folder.join("out.ndjson"));
    // The places have different names.
    (said + &told + &written).replace(name, "a")
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn a_copy_with_statistics_is_one_without(
        rows in prop::collection::vec(row(), 0..40), group in 1..9_usize, condition in condition(), sorted: bool,
    ) {
        let mut rows = rows;
        if sorted {
            rows.sort();
        }
        let folder = tempfile::tempdir().unwrap();
        written(folder.path(), &rows, group);
        for (shape, on_error) in [
            (None, OnError::Stop),
            // Values of `small` beyond eight bits do not occur, and nulls of `t` are refused.
            (Some("n: int?, small: int8, x: float?, t: text, done: bool, day: date?, at: instant, when: datetime?, \
                   price: decimal?"), OnError::Stop),
            // Most values of `other` are refused, in records that are chosen.
            (Some("n: int?, small: int16, x: float?, t: text?, done: bool, day: date?, at: instant, when: datetime?, \
                   price: decimal?, other: bool"), OnError::Skip),
            (Some("n: int?, small: int16, x: float?, t: text?, done: bool, day: date?, at: instant, when: datetime?, \
                   price: decimal?, other: bool"), OnError::Stop),
        ] {
            let without = copied(folder.path(), "a.arrow", &condition, shape, on_error);
            let with = copied(folder.path(), "a.parquet", &condition, shape, on_error);
            prop_assert_eq!(with, without, "{} {:?}", condition, shape);
        }
    }
}

/// Writes a file with ten groups of ten rows, whose `id` counts.
fn counted(folder: &Path) {
    let rows: Vec<_> = (0..100).map(|id| format!("{{\"id\":{id},\"title\":\"row {id}\"}}")).collect();
    let drain = ParquetDrain::new(File::create(folder.join("a.parquet")).unwrap()).with_group_rows(10);
    let text = format!("[{}]", rows.join(","));
    let shape = "[{id: int, title: text}]".parse().unwrap();
    copy(&mut JsonSource::new(text.as_bytes()), &shape, &mut ColumnsSink::new(drain)).unwrap();
}

#[test]
fn errors_have_the_numbers_of_rows_in_the_file() {
    let folder = tempfile::tempdir().unwrap();
    counted(folder.path());
    let shape = Some("id: int, title: int");
    let error = copied(folder.path(), "a.parquet", "id = 47", shape, OnError::Stop);
    assert!(error.contains("$[47].title") && error.contains("record 48"), "{error}");
    let skipped = copied(folder.path(), "a.parquet", "id in (45, 47)", shape, OnError::Skip);
    assert!(
        skipped.starts_with("0 2\n") && skipped.contains("$[45].title") && skipped.contains("record 48"),
        "{skipped}"
    );
}
