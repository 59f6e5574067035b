//! The reader against the crate `csv` on random bytes, the fast splitting against the exact one, and round trips.

use super::*;
use crate::csv::row::Rules;
use crate::csv::{LineEnding, NullText, Rows, careful};
use crate::stream::{self, Stop, Window};
use proptest::prelude::*;

fn soup() -> impl Strategy<Value = String> {
    let byte =
        prop_oneof![4 => Just('a'), 2 => Just(','), 3 => Just('"'), 2 => Just('\n'), 1 => Just('\r'), 1 => Just(' ')];
    proptest::collection::vec(byte, 0..200).prop_map(|chars| chars.into_iter().collect())
}

/// Returns the rows up to the first error, and whether there was an error.
fn ours(text: &[u8]) -> (Vec<Vec<Vec<u8>>>, bool) {
    let mut rows = Rows::new(text, Dialect::default()).unwrap();
    let mut all = Vec::new();
    loop {
        match rows.next_row() {
            Ok(Some(row)) => all.push(row.cells().map(std::borrow::Cow::into_owned).collect()),
            Ok(None) => return (all, false),
            Err(_) => return (all, true),
        }
    }
}

fn theirs(text: &[u8]) -> Vec<Vec<Vec<u8>>> {
    let mut reader = csv::ReaderBuilder::new().has_headers(false).flexible(true).from_reader(text);
    reader.byte_records().map(|row| row.unwrap().iter().map(<[u8]>::to_vec).collect()).collect()
}

/// As [`ours`], by the exact way alone.
fn carefully(text: &[u8]) -> (Vec<Vec<Vec<u8>>>, bool) {
    let rules = Rules::of(Dialect::default(), true);
    let (mut all, mut at) = (Vec::new(), 0);
    while at < text.len() {
        if let b'\n' | b'\r' = text[at] {
            at += 1;
            continue;
        }
        let mut ends = Vec::new();
        let Ok(row) = careful::cut(text, at, rules, &mut ends) else { return (all, true) };
        if row.fault.is_some() {
            return (all, true);
        }
        let mut start = at;
        let mut cells = Vec::new();
        for end in ends {
            let raw = &text[start..at + end as usize];
            let content = crate::csv::cell::quoted(raw, rules);
            cells.push(content.map_or(raw.to_vec(), |content| crate::csv::cell::unescaped(content, b'"').into_owned()));
            start = at + end as usize + 1;
        }
        all.push(cells);
        at = row.next;
    }
    (all, false)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    #[test]
    fn soups_are_cut_as_the_csv_crate_does_or_refused(text in soup()) {
        let (own, refused) = ours(text.as_bytes());
        prop_assert_eq!(&carefully(text.as_bytes()), &(own.clone(), refused));
        let mut other = theirs(text.as_bytes());
        if refused {
            // The crate treats unusual quotes in its own way.
            prop_assert!(other.len() >= own.len());
            other.truncate(own.len());
        }
        prop_assert_eq!(own, other);
    }

    #[test]
    fn soups_are_the_same_in_windows_of_all_sizes(text in soup(), size in 1_usize..70) {
        let text = format!("x,y\n{text}");
        let copied = |size| {
            let mut sink = CsvSink::new(Dialect::default(), Output::new(Vec::new(), Keep)).unwrap();
            let mut rejects = Rejects::default();
            let mut window = Window::with_size(text.as_bytes(), size);
            let summary = stream::copy(&mut window, &mut Csv::default(), &Shape::Any, &mut sink, &mut rejects);
            (summary.map_err(|error| error.to_string()), rejects.0, sink.into_output().buffer)
        };
        prop_assert_eq!(copied(size), copied(10_000));
    }
}

fn cell() -> impl Strategy<Value = Value> {
    let text = prop_oneof!["[a-z]{0,4}", "[,\"\n\r; é]{0,4}", "[ -~]{0,30}"];
    prop_oneof![
        3 => text.prop_map(|text| Value::Text(text.into())),
        1 => Just(Value::Null),
    ]
}

fn table() -> impl Strategy<Value = Vec<Vec<Value>>> {
    (1_usize..6).prop_flat_map(|width| proptest::collection::vec(proptest::collection::vec(cell(), width), 1..12))
}

fn dialect() -> impl Strategy<Value = Dialect> {
    let delimiter = prop_oneof![Just(b','), Just(b'\t'), Just(b';')];
    (delimiter, any::<(bool, bool, bool)>()).prop_map(|(delimiter, (single, crlf, null))| Dialect {
        delimiter,
        null: null.then(|| NullText::new("a").unwrap()),
        quote: Some(if single { b'\'' } else { b'"' }),
        line_ending: if crlf { LineEnding::CrLf } else { LineEnding::Lf },
        ..Dialect::default()
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn tables_come_back_as_they_were(rows in table(), dialect in dialect(), size in 1_usize..200) {
        let names = (0..rows[0].len()).map(|column| Value::Text(format!("column, {column}").into()));
        let names: Vec<Value> = names.collect();
        let named = |row: Vec<Value>| Value::Map(names.iter().cloned().zip(row).collect());
        let value = Value::List(rows.iter().cloned().map(named).collect());
        let text = write_in(dialect, &value).unwrap();
        prop_assert_eq!(read_in(dialect, text.as_bytes(), &Shape::Any).unwrap(), value);
        let mut sink = CsvSink::new(dialect, Output::new(Vec::new(), Keep)).unwrap();
        let mut window = Window::with_size(text.as_bytes(), size);
        stream::copy(&mut window, &mut Csv::new(dialect).unwrap(), &Shape::Any, &mut sink, &mut Stop).unwrap();
        prop_assert_eq!(String::from_utf8(sink.into_output().buffer).unwrap(), text);

        let bare = dialect.without_header();
        let value = Value::List(rows.into_iter().map(Value::List).collect());
        if let Ok(text) = write_in(bare, &value) {
            prop_assert_eq!(read_in(bare, text.as_bytes(), &Shape::Any).unwrap(), value);
        }
    }

    #[test]
    fn numbers_come_back_as_they_were(rows in proptest::collection::vec((any::<i64>(), any::<u64>(), any::<f64>(), any::<f32>()), 1..8)) {
        let text = write_in(bare(), &rows).unwrap();
        let again: Vec<(i64, u64, f64, f32)> = {
            let mut csv = Csv::new(bare()).unwrap();
            let mut source = csv.source(Part::whole(text.as_bytes()));
            demat_core::Decode::decode(&mut source).unwrap()
        };
        prop_assert_eq!(format!("{rows:?}"), format!("{again:?}"));
    }
}
