//! The shape that is inferred from data reads that data.

use crate::support::values::{Shaped, shaped};
use crate::tries;
use demat_core::{Inference, InferenceOptions, Shape, Value, ValueSource, copy};
use demat_formats::csv::{Csv, Dialect};
use demat_formats::json::{JsonSink, JsonSource, WriteOptions};
use demat_formats::stream::Part;
use demat_formats::{Keep, Output};
use proptest::prelude::*;

/// The contents of a column's cells: of one kind each, except the last.
const KINDS: [&[&str]; 8] = [
    &["1", "-7", "0", "9223372036854775808", "12"],
    &["0.5", "1", "-2.25", "1e3"],
    &["true", "false"],
    &["2024-02-29", "0001-01-01"],
    &["2024-02-29T10:00:00", "2024-02-29 10:00:00.5"],
    &["2024-02-29T10:00:00Z", "2024-02-29T10:00:00+01:00"],
    &["a", "x y", "a,b", "say \"\"hi\"\"", "two\nlines"],
    &["1", "0.5", "true", "2024-02-29", "2024-02-29T10:00:00Z", "007", "-0", "+1", " 1", "1_0", "NaN", "ü"],
];

/// A cell in the text of a table: empty, quoted or as it is.
fn cell(kind: usize) -> impl Strategy<Value = String> {
    let content = prop_oneof![3 => proptest::sample::select(KINDS[kind]), 1 => Just("")];
    (content, any::<bool>()).prop_map(|(content, quoted)| {
        let quoted = quoted || content.contains([',', '"', '\n']);
        if quoted { format!("\"{content}\"") } else { content.to_string() }
    })
}

fn table() -> impl Strategy<Value = String> {
    let columns = proptest::collection::vec(0..KINDS.len(), 2..5);
    let rows = columns.prop_flat_map(|kinds| {
        let row: Vec<_> = kinds.iter().map(|kind| cell(*kind)).collect();
        proptest::collection::vec(row, 1..8)
    });
    rows.prop_map(|rows| {
        let names: Vec<_> = (0..rows[0].len()).map(|column| format!("\"c{column}\"")).collect();
        std::iter::once(names).chain(rows).map(|row| row.join(",") + "\n").collect()
    })
}

fn inferred_of_table(text: &str) -> Shape {
    let mut inference = Inference::new(InferenceOptions::cells());
    let mut csv = Csv::new(Dialect::default()).unwrap();
    inference.observe_items(&mut csv.over(Part::whole(text.as_bytes())), usize::MAX).unwrap();
    inference.shape()
}

proptest! {
    #![proptest_config(tries(500))]

    #[test]
    fn a_table_is_read_by_the_shape_that_it_shows(text in table()) {
        let shape = inferred_of_table(&text);
        let mut csv = Csv::new(Dialect::default()).unwrap();
        let read = Value::decode_as(&mut csv.over(Part::whole(text.as_bytes())), &shape);
        prop_assert!(read.is_ok(), "{shape}: {}", read.unwrap_err());
    }

    #[test]
    fn a_document_is_read_by_the_shape_that_it_shows(Shaped(shape, value) in shaped()) {
        let mut sink = JsonSink::new(Output::new(Vec::new(), Keep), WriteOptions::default());
        copy(&mut ValueSource::new(&value), &shape, &mut sink).unwrap();
        let text = sink.into_output().into_parts().0;
        let mut inference = Inference::new(InferenceOptions::default());
        inference.observe_items(&mut JsonSource::new(&text), usize::MAX).unwrap();
        let shape = inference.shape();
        let read = |shape| Value::decode_as(&mut JsonSource::new(&text), shape);
        // A number beyond binary64 beside other kinds: a reader without a type refuses it, too.
        let has_none = shape.to_string().contains("any") && read(&Shape::Any).is_err();
        if let Err(error) = read(&shape) {
            prop_assert!(has_none, "{shape}: {error}");
        }
    }
}
