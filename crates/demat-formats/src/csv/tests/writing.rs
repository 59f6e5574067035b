use super::*;
use crate::csv::{LineEnding, NullText, Ragged};
use demat_core::{ErrorKind, IntWidth, RecordRef, Ref, Tag, Union, UnionRef, Unknown, Variant};

const INT: Shape = Shape::Int(IntWidth::Signed(64));

fn sink() -> CsvSink<Keep> {
    CsvSink::new(Dialect::default(), Output::new(Vec::new(), Keep)).unwrap()
}

fn written(sink: CsvSink<Keep>) -> String {
    String::from_utf8(sink.into_output().buffer).unwrap()
}

fn map(entries: &[(&'static str, i64)]) -> Value {
    Value::Map(entries.iter().map(|(key, value)| (Value::Text((*key).into()), Value::Int((*value).into()))).collect())
}

/// Writes a row of a record with its fields in this order.
fn row(sink: &mut CsvSink<Keep>, record: &Record, fields: &[(usize, i64)]) -> Result<()> {
    sink.item()?;
    sink.begin_record(record)?;
    for (index, value) in fields {
        sink.field(record, *index)?;
        sink.i64(*value)?;
    }
    sink.end_record(record)
}

#[test]
fn cells_are_quoted_only_where_they_must_be() {
    let row = ["plain", "a,b", "say \"hi\"", "two\nlines", "re\rturn", "", " spaces ", "é", "a;b\tc"];
    let expected = "plain,\"a,b\",\"say \"\"hi\"\"\",\"two\nlines\",\"re\rturn\",\"\", spaces ,é,a;b\tc\n";
    assert_eq!(write_in(Dialect::default(), &vec![row.to_vec()]).unwrap(), expected);
    let crlf = Dialect { line_ending: LineEnding::CrLf, ..Dialect::default() };
    assert_eq!(write_in(crlf, &vec![(1, 2)]).unwrap(), "1,2\r\n");
    let unquoted = Dialect { quote: None, ..Dialect::tsv() };
    assert_eq!(write_in(unquoted, &vec![("\"", ",")]).unwrap(), "\"\t,\n");
    assert_eq!(write_in(unquoted, &vec![("a\tb", "")]).unwrap_err().kind(), ErrorKind::Encode);
}

#[test]
fn fields_are_written_in_order_whatever_order_they_are_told_in() {
    let record = record(&[("a", INT), ("b", INT), ("c,d", INT)]);
    let mut sink = sink();
    sink.begin_list(None).unwrap();
    for fields in [&[(0, 1), (1, 2), (2, 3)][..], &[(2, 3), (0, 1), (1, 2)], &[(1, 2)], &[], &[(0, 1), (2, 3)]] {
        row(&mut sink, &record, fields).unwrap();
    }
    for twice in [&[(0, 1), (0, 2)][..], &[(2, 1), (2, 2)], &[(0, 1), (2, 9), (1, 2), (2, 3)]] {
        sink.commit().unwrap();
        assert!(row(&mut sink, &record, twice).is_err(), "{twice:?}");
        sink.rollback().unwrap();
    }
    sink.end_list().unwrap();
    assert_eq!(written(sink), "a,b,\"c,d\"\n1,2,3\n1,2,3\n,2,\n,,\n1,,3\n");
}

#[test]
fn rows_of_another_record_go_by_name() {
    let (one, other) = (record(&[("a", INT), ("b", INT)]), record(&[("b", INT), ("a", INT)]));
    let mut sink = sink();
    sink.begin_list(None).unwrap();
    row(&mut sink, &one, &[(0, 1), (1, 2)]).unwrap();
    row(&mut sink, &other, &[(0, 2), (1, 1)]).unwrap();
    let error = row(&mut sink, &record(&[("x", INT)]), &[(0, 1)]).unwrap_err();
    assert_eq!(error.reason(), "expected one of the columns `a`, `b`, found `x`");
    assert_eq!(written(sink).lines().collect::<Vec<_>>()[..3], ["a,b", "1,2", "1,2"]);
}

#[test]
fn an_empty_table_has_a_header_only_if_its_record_is_known() {
    assert_eq!(write_in(Dialect::default(), &Value::List(Vec::new())).unwrap(), "");
    let mut known = sink().with_record(&record(&[("a", INT), ("b", INT)]));
    known.begin_list(None).unwrap();
    known.end_list().unwrap();
    known.finish().unwrap();
    assert_eq!(written(known), "a,b\n");
    let mut bare = CsvSink::new(bare(), Output::new(Vec::new(), Keep)).unwrap().with_record(&record(&[("a", INT)]));
    bare.begin_list(None).unwrap();
    bare.end_list().unwrap();
    assert_eq!(written(bare), "");
}

#[test]
fn records_that_a_tag_tells_apart_have_the_columns_of_all() {
    let (one, other) = (record(&[("kind", INT), ("a", INT)]), record(&[("kind", INT), ("b", INT), ("a", INT)]));
    let union = |tag| {
        let variants = [&one, &other].map(|record| {
            let shape = Shape::Record(RecordRef::new(record.clone()));
            Variant::new("", 1, shape)
        });
        Shape::Union(UnionRef::new(Union::new("", variants.to_vec(), tag))).list()
    };
    let mut tagged = sink();
    tagged.begin(&union(Tag::Field("kind".into()))).unwrap();
    tagged.begin_list(None).unwrap();
    row(&mut tagged, &other, &[(0, 1), (1, 2), (2, 3)]).unwrap();
    row(&mut tagged, &one, &[(0, 4), (1, 5)]).unwrap();
    tagged.end_list().unwrap();
    tagged.finish().unwrap();
    assert_eq!(written(tagged), "kind,a,b\n1,3,2\n4,5,\n");
    // Without a tag, nothing says that all of them are rows of one table.
    let mut untagged = sink();
    untagged.begin(&union(Tag::None)).unwrap();
    untagged.begin_list(None).unwrap();
    row(&mut untagged, &one, &[(0, 1), (1, 2)]).unwrap();
    untagged.item().unwrap();
    untagged.begin_record(&other).unwrap();
    let error = untagged.field(&other, 1).unwrap_err();
    assert_eq!(error.reason(), "expected one of the columns `kind`, `a`, found `b`");
}

#[test]
fn maps_go_by_the_keys_of_the_first() {
    let rows = Value::List(vec![map(&[("b", 1), ("a", 2)]), map(&[("a", 3), ("b", 4)]), map(&[("a", 5)])]);
    assert_eq!(write_in(Dialect::default(), &rows).unwrap(), "b,a\n1,2\n4,3\n,5\n");
    assert_eq!(write_in(bare(), &rows).unwrap(), "1,2\n4,3\n,5\n");
    let rows = Value::List(vec![map(&[("a", 1)]), map(&[("a", 3), ("c", 4)])]);
    let error = write_in(Dialect::default(), &rows).unwrap_err();
    assert_eq!(error.reason(), "expected one of the columns `a`, found `c`");
    assert_eq!(write_in(Dialect::default(), &map(&[("a", 1)])).unwrap(), "a\n1\n");
    assert!(write_in(Dialect::default(), &Value::List(vec![map(&[])])).is_err());
    let keyed = Value::Map(vec![(Value::Int(1.into()), Value::Null)]);
    assert_eq!(write_in(Dialect::default(), &keyed).unwrap(), "1\n\n");
}

#[test]
fn kept_fields_are_columns_too() {
    let rest = Shape::Map(Ref::new(Shape::Text), Ref::new(Shape::Text));
    let shape = rows_of(record(&[("rest", rest), ("a", INT)]).with_unknown(Unknown::Keep(0)));
    let text = "x,a,y\n1,2,3\n,,\n".replace(",,", "4,5,6");
    let mut csv = Csv::default();
    let mut sink = sink();
    demat_core::copy(&mut csv.source(Part::whole(text.as_bytes())), &shape, &mut sink).unwrap();
    assert_eq!(written(sink), "a,x,y\n2,1,3\n5,4,6\n");
}

#[test]
fn what_a_table_cannot_hold() {
    let nested = vec![vec![vec![1]]];
    let error = write_in(Dialect::default(), &nested).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Encode);
    assert_eq!(error.reason(), "a CSV cell can't hold a list; flatten it (`--flatten`) into columns of its own");
    assert!(
        write_in(Dialect::default(), &Value::List(vec![Value::Map(vec![("a".into_value(), map(&[("b", 1)]))])]))
            .is_err()
    );
    assert!(write_in(Dialect::default(), &vec![1, 2]).is_err());
    assert!(write_in(Dialect::default(), &1).is_err());
    assert_eq!(
        write_in(Dialect::default(), &vec![vec![1, 2], vec![3]]).unwrap_err().reason(),
        "expected 2 cells, found 1 cell"
    );
    assert!(write_in(Dialect::default(), &vec![vec![1], vec![3, 4]]).is_err());
    let pad = Dialect { ragged: Ragged::Pad, ..Dialect::default() };
    assert_eq!(write_in(pad, &vec![vec![1, 2], vec![3]]).unwrap(), "1,2\n3,\n");
    assert!(write_in(bare(), &vec![vec![None::<i64>]]).is_err(), "it would read as an empty line");
    assert_eq!(write_in(bare(), &vec![vec![Some(1)], vec![None]]).unwrap(), "1\n\n");
    assert!(write_in(bare(), &Value::List(vec![Value::List(vec![]), map(&[("a", 1)])])).is_err());
}

trait IntoValue {
    fn into_value(self) -> Value;
}

impl IntoValue for &'static str {
    fn into_value(self) -> Value {
        Value::Text(self.into())
    }
}

#[test]
fn formulas_are_escaped_on_request_and_numbers_never() {
    let escaping = Dialect { escape_formulas: true, ..Dialect::default() };
    let row = vec![("=1+1", "+x", "-y", "@z", "\tt", "\rr", "a=b", -5)];
    let expected = "'=1+1,'+x,'-y,'@z,'\tt,\"'\rr\",a=b,-5\n";
    assert_eq!(write_in(escaping, &row).unwrap(), expected);
    assert_eq!(write_in(Dialect::default(), &vec![("=1+1", -1.5)]).unwrap(), "=1+1,-1.5\n");
    let decimal = Value::Decimal(demat_core::scalar::Decimal::parse("-1.50").unwrap());
    assert_eq!(write_in(escaping, &Value::List(vec![Value::List(vec![decimal])])).unwrap(), "-1.50\n");
}

#[test]
fn numbers_that_have_no_digits() {
    let row = vec![(f64::NAN, f64::INFINITY, f64::NEG_INFINITY, f32::NAN, 0.1_f32, u64::MAX, true)];
    assert_eq!(write_in(Dialect::default(), &row).unwrap(), "NaN,inf,-inf,NaN,0.1,18446744073709551615,true\n");
}

#[test]
fn rollback_forgets_the_row_and_the_header_with_it() {
    let record = record(&[("a", INT), ("b", INT)]);
    let mut sink = sink();
    sink.begin_list(None).unwrap();
    sink.commit().unwrap();
    sink.item().unwrap();
    sink.begin_record(&record).unwrap();
    sink.field(&record, 1).unwrap();
    sink.i64(9).unwrap();
    sink.rollback().unwrap();
    // A map now: its keys replace the record's columns.
    sink.item().unwrap();
    map(&[("x", 1), ("y", 2)]).encode(&mut sink).unwrap();
    sink.commit().unwrap();
    // Half a row, out of order, in two commits.
    sink.item().unwrap();
    sink.begin_map(None).unwrap();
    sink.entry().unwrap();
    sink.text("y").unwrap();
    sink.value().unwrap();
    sink.i64(4).unwrap();
    sink.commit().unwrap();
    for _ in 0..2 {
        sink.entry().unwrap();
        sink.text("x").unwrap();
        sink.value().unwrap();
        sink.i64(3).unwrap();
        sink.end_map().unwrap();
        sink.item().unwrap();
        map(&[("y", 1)]).encode(&mut sink).unwrap();
        sink.rollback().unwrap();
    }
    sink.end_map().unwrap();
    sink.end_list().unwrap();
    sink.finish().unwrap();
    assert_eq!(written(sink), "x,y\n1,2\n,4\n");
}

#[test]
fn rows_with_and_without_names_do_not_mix() {
    let named = Value::Map(vec![(Value::Text("a".into()), Value::Int(1.into()))]);
    let nameless = Value::List(vec![Value::Int(1.into())]);
    let error = write_in(Dialect::default(), &Value::List(vec![named.clone(), nameless.clone()])).unwrap_err();
    assert_eq!(error.reason(), "expected a record as a CSV row, found a row without names after rows with names");
    let error = write_in(Dialect::default(), &Value::List(vec![nameless.clone(), named.clone()])).unwrap_err();
    assert_eq!(error.reason(), "expected a list as a CSV row, found a row with names after rows without");
    // Without a header there are no names to mix up.
    let headerless = Dialect::default().without_header();
    assert!(write_in(headerless, &Value::List(vec![named, nameless])).is_ok());
}

#[test]
fn a_byte_order_mark_is_quoted_so_that_it_is_read_as_text() {
    assert_eq!(write_in(Dialect::default(), &vec![("\u{feff}a", "\u{fffd}")]).unwrap(), "\"\u{feff}a\",\u{fffd}\n");
    let unquoted = Dialect { quote: None, ..Dialect::default() };
    assert_eq!(write_in(unquoted, &vec![("\u{feff}a", "b")]).unwrap_err().kind(), ErrorKind::Encode);
}

#[test]
fn empty_text_without_quotes_is_written_only_where_no_null_could_be_meant() {
    let unquoted = Dialect { quote: None, ..Dialect::default() };
    for (nullable, expected) in [(false, Ok("a,b\n,x\n")), (true, Err(ErrorKind::Encode))] {
        let shape = if nullable { Shape::Text.optional() } else { Shape::Text };
        let fields = vec![Field::new("a", 1, shape), Field::new("b", 2, Shape::Text)];
        let record = Record::new("", fields).unwrap();
        for order in [[0, 1], [1, 0]] {
            let mut sink = CsvSink::new(unquoted, Output::new(Vec::new(), Keep)).unwrap();
            let told = |sink: &mut CsvSink<Keep>| -> Result<()> {
                sink.begin(&Shape::record(record.clone()).list())?;
                sink.begin_list(None)?;
                sink.item()?;
                sink.begin_record(&record)?;
                for index in order {
                    sink.field(&record, index)?;
                    sink.text(["", "x"][index])?;
                }
                sink.end_record(&record)?;
                sink.end_list()
            };
            let done = told(&mut sink).map_err(|error| error.kind());
            assert_eq!(done.map(|()| written(sink)), expected.map(str::to_string), "{order:?}");
        }
    }
    assert_eq!(write_in(unquoted, &vec![("", "b")]).unwrap_err().kind(), ErrorKind::Encode);
}

#[test]
fn a_text_may_stand_for_null() {
    let dialect = Dialect { null: Some(NullText::new("NA").unwrap()), ..Dialect::default() };
    let row = |cells: Vec<Value>| {
        let names = ["a", "b"].map(|name| Value::Text(name.into()));
        Value::Map(names.into_iter().zip(cells).collect())
    };
    let text = |text: &'static str| Value::Text(text.into());
    let rows = Value::List(vec![row(vec![Value::Null, text("NA")]), row(vec![text(""), text("N")])]);
    let written = write_in(dialect, &rows).unwrap();
    assert_eq!(written, "a,b\nNA,\"NA\"\n\"\",N\n");
    assert_eq!(read_in(dialect, written.as_bytes(), &Shape::Any).unwrap(), rows);
    let bare = Dialect { quote: None, ..dialect };
    assert!(write_in(bare, &Value::List(vec![row(vec![text("NA"), text("x")])])).is_err());
    for value in ["1", "-x", ".", "true", "NaN", "P1D"] {
        let dialect = Dialect { null: Some(NullText::new(value).unwrap()), ..Dialect::default() };
        assert!(dialect.check().is_ok() && write_in(dialect, &rows).is_err(), "{value}");
    }
}
