use super::columns;
use crate::{Batches, Columns};
use arrow_array::RecordBatch;
use demat_core::Result;
use demat_formats::csv::{Csv, Dialect};
use demat_formats::json::Json;
use demat_formats::ndjson::Ndjson;
use demat_formats::stream::{Window, Windowed};

fn rows<F: Windowed>(text: &str, format: F, size: usize, most: usize) -> Vec<Result<usize>> {
    let columns = Columns::new(&"a:int64, b:text".parse().unwrap()).unwrap();
    let window = Window::with_size(text.as_bytes(), size);
    let batches = Batches::new(window, format, columns).with_batches(most, usize::MAX);
    batches.map(|batch| batch.map(|batch| batch.num_rows())).collect()
}

#[test]
fn batches_come_through_windows_of_any_size() {
    let json = format!(
        "\u{feff} [{}] \n",
        (0..50).map(|i| format!("{{\"a\":{i},\"b\":\"{i}\"}}")).collect::<Vec<_>>().join(" , ")
    );
    let ndjson = (0..50).map(|i| format!("{{\"b\":\"x\",\"a\":{i}}}\n\n")).collect::<String>();
    let csv = format!("b,a\n{}", (0..50).map(|i| format!("\"x\n\",{i}\n")).collect::<String>());
    for size in [1, 2, 3, 7, 64, 100_000] {
        for rows in [
            rows(&json, Json::default(), size, 20),
            rows(&ndjson, Ndjson::default(), size, 20),
            rows(&csv, Csv::new(Dialect::default()).unwrap(), size, 20),
        ] {
            assert_eq!(rows.into_iter().collect::<Result<Vec<_>>>().unwrap(), [20, 20, 10], "{size}");
        }
    }
}

#[test]
fn rows_before_a_bad_one_come_first() {
    let text = "{\"a\":1,\"b\":\"\"}\n{\"a\":2,\"b\":\"\"}\n{\"a\":x}\n{\"a\":1,\"b\":\"\"}";
    let mut rows = rows(text, Ndjson::default(), 5, 100).into_iter();
    assert_eq!(rows.next().unwrap().unwrap(), 2);
    let error = rows.next().unwrap().unwrap_err();
    assert_eq!(error.to_string(), "expected a value, found `x` at `$[2].a` (record 3, line 3, column 6)");
    assert!(rows.next().is_none());
}

#[test]
fn one_record_is_no_list_and_none_are_none() {
    assert!(rows(" {\"a\":1,\"b\":\"\"} ", Json::default(), 4, 9).pop().unwrap().is_err());
    assert!(rows("[]", Json::default(), 4, 9).is_empty());
    assert!(rows("", Ndjson::default(), 4, 9).is_empty());
    assert!(rows("", Json::default(), 4, 9).pop().unwrap().is_err());
    assert!(rows("[] x", Json::default(), 4, 9).pop().unwrap().is_err());
    assert!(rows("[{\"a\":1,", Json::default(), 4, 9).pop().unwrap().is_err());
}

#[test]
fn bytes_end_a_batch_too() {
    let text = (0..1000).map(|i| format!("{{\"a\":{i},\"b\":\"{}\"}}\n", "x".repeat(1000))).collect::<String>();
    let columns = Columns::new(&"a:int64, b:text".parse().unwrap()).unwrap();
    let window = Window::with_size(text.as_bytes(), 10_000);
    let batches = Batches::new(window, Ndjson::default(), columns).with_batches(usize::MAX, 50_000);
    let batches: Vec<RecordBatch> = batches.collect::<Result<_>>().unwrap();
    assert!(batches.len() > 10, "{}", batches.len());
    assert_eq!(batches.iter().map(RecordBatch::num_rows).sum::<usize>(), 1000);
    assert_eq!(columns_schema(), batches[0].schema_ref().as_ref().clone());
}

fn columns_schema() -> arrow_schema::Schema {
    columns("a:int64, b:text", "[]").unwrap().schema_ref().as_ref().clone()
}
