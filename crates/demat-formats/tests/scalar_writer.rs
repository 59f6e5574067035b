//! Scalar writers against the sinks that they write for.

use demat_core::scalar::{Date, DateTime, Offset, Time};
use demat_core::{Field, Record, Shape, Sink};
use demat_formats::json::CompactSink;
use demat_formats::msgpack::{MsgpackSink, WriteOptions};
use demat_formats::{Keep, LONGEST_TEXT, Output, ScalarWriter};

/// A scalar that both ways write.
#[derive(Debug, Clone)]
enum Scalar {
    Null,
    Bool(bool),
    Int(i64),
    Float(f64),
    Text(String),
    Date(Date),
    Time(Time),
    DateTime(DateTime),
    Instant(DateTime),
    List(Vec<Scalar>),
}

fn scalars() -> Vec<Scalar> {
    let date = Date::new(2026, 2, 28).expect("a date");
    let time = Time::new(23, 59, 58, 120_000_000).expect("a time");
    let early = Date::new(1, 1, 1).expect("a date");
    let at = DateTime::new(date, time);
    let mut all = vec![Scalar::Null, Scalar::Bool(true), Scalar::Bool(false)];
    for int in [0, 1, -1, -32, -33, 127, 128, 65_536, 99_999_999, 100_000_000, i64::from(u32::MAX), i64::MAX, i64::MIN]
    {
        all.push(Scalar::Int(int));
    }
    all.extend([0.0, -0.0, 0.1, 1e300, -5e-324, 12_345.678].map(Scalar::Float));
    for len in [0, 1, 3, 7, 15, 16, 31, 32, 33, 64, 65, 255, 256, LONGEST_TEXT] {
        all.push(Scalar::Text("x".repeat(len)));
        all.push(Scalar::Text(format!("{}\"\n", "é".repeat(len / 2))));
    }
    all.extend([
        Scalar::Date(date),
        Scalar::Date(early),
        Scalar::Time(time),
        Scalar::DateTime(at),
        Scalar::Instant(at),
    ]);
    all.extend([Scalar::Instant(DateTime::new(early, time)), Scalar::List(Vec::new())]);
    all.push(Scalar::List(all.iter().take(20).cloned().collect()));
    all
}

fn put(writer: &mut impl ScalarWriter, value: &Scalar) {
    match value {
        Scalar::Null => writer.null(),
        Scalar::Bool(value) => writer.bool(*value),
        Scalar::Int(value) => writer.i64(*value),
        Scalar::Float(value) => writer.float(*value),
        Scalar::Text(value) => writer.text(value),
        Scalar::Date(value) => writer.date(*value),
        Scalar::Time(value) => writer.time(*value),
        Scalar::DateTime(value) => writer.date_time(*value),
        Scalar::Instant(value) => writer.instant(value.with_offset(Offset::UTC)),
        Scalar::List(items) if items.is_empty() => writer.empty_list(),
        Scalar::List(items) => {
            writer.begin_list(u32::try_from(items.len()).expect("a short list"));
            for item in items {
                put(writer, item);
            }
            writer.end_list();
        }
    }
}

fn tell(sink: &mut dyn Sink, value: &Scalar) -> demat_core::Result<()> {
    match value {
        Scalar::Null => sink.null(),
        Scalar::Bool(value) => sink.bool(*value),
        Scalar::Int(value) => sink.i64(*value),
        Scalar::Float(value) => sink.float(*value),
        Scalar::Text(value) => sink.text(value),
        Scalar::Date(value) => sink.date(*value),
        Scalar::Time(value) => sink.time(*value),
        Scalar::DateTime(value) => sink.date_time(*value),
        Scalar::Instant(value) => sink.instant(*value, Offset::UTC),
        Scalar::List(items) => {
            sink.begin_list(Some(items.len()))?;
            for item in items {
                sink.item()?;
                tell(sink, item)?;
            }
            sink.end_list()
        }
    }
}

/// Tests both sinks: each is made anew by the first expression, and returns its bytes by the second.
macro_rules! for_each_sink {
    ($sink:ident => $body:block) => {{
        {
            let $sink = || CompactSink::new(Output::new(Vec::new(), Keep));
            $body
        }
        {
            let $sink = || MsgpackSink::new(Output::new(Vec::new(), Keep), WriteOptions::default());
            $body
        }
    }};
}

fn record(fields: usize) -> Record {
    let field = |index: usize| {
        let name = "a_name_that_is_long".repeat(index % 3) + &format!("f{index}");
        Field::new(name, u32::try_from(index + 1).expect("a number"), Shape::Any)
    };
    Record::new("Row", (0..fields).map(field).collect::<Vec<_>>()).expect("a record")
}

#[test]
fn writes_items_as_a_sink_does() {
    let values = scalars();
    for_each_sink!(made => {
        // All items by the writer, some of them, and none.
        for split in [0, 1, 2, 15, 16, 17, values.len()] {
            let (mut quick, mut slow) = (made(), made());
            slow.begin_list(Some(values.len())).expect("begun");
            let mut writer = quick.list(values.len()).expect("a list");
            values[..split].iter().for_each(|value| put(&mut writer, value));
            let before = writer.position();
            put(&mut writer, &Scalar::Text("taken back".repeat(400)));
            writer.take_back(writer.position() - before);
            if split == values.len() {
                writer.end();
            } else {
                writer.leave(split);
                quick.item().expect("an item");
                tell(&mut quick, &values[split]).expect("told");
                let mut writer = quick.items().expect("more items");
                values[split + 1..].iter().for_each(|value| put(&mut writer, value));
                writer.leave(values.len() - split - 1);
                quick.end_list().expect("ended");
            }
            for value in &values {
                slow.item().expect("an item");
                tell(&mut slow, value).expect("told");
            }
            slow.end_list().expect("ended");
            quick.finish().expect("finished");
            slow.finish().expect("finished");
            assert!(quick.into_output().into_parts().0 == slow.into_output().into_parts().0, "split at {split}");
        }
    });
}

#[test]
fn writes_fields_and_entries_as_a_sink_does() {
    let values = scalars();
    for_each_sink!(made => {
        for count in [1, 2, 15, 16, 17, values.len()] {
            for split in [0, 1, count] {
                let record = record(count);
                let (mut quick, mut slow) = (made(), made());
                slow.begin_record(&record).expect("begun");
                let mut writer = quick.record(&record).expect("a record");
                for (index, value) in values.iter().enumerate().take(split) {
                    writer.field(&record, index);
                    put(&mut writer, value);
                }
                if split == count {
                    writer.end();
                } else {
                    writer.leave(split);
                    let mut writer = quick.fields().expect("more fields");
                    for (index, value) in values.iter().enumerate().take(count).skip(split) {
                        writer.field(&record, index);
                        put(&mut writer, value);
                    }
                    writer.leave(count - split);
                    quick.end_record(&record).expect("ended");
                }
                for (index, value) in values[..count].iter().enumerate() {
                    slow.field(&record, index).expect("a field");
                    tell(&mut slow, value).expect("told");
                }
                slow.end_record(&record).expect("ended");
                // And the same as a map.
                let (mut quick_map, mut slow_map) = (made(), made());
                slow_map.begin_map(Some(count)).expect("begun");
                let mut writer = quick_map.map(count).expect("a map");
                for (field, value) in record.fields().iter().zip(&values) {
                    writer.key(field.key(), None);
                    put(&mut writer, value);
                    slow_map.key(field.key()).expect("a key");
                    tell(&mut slow_map, value).expect("told");
                }
                writer.end();
                slow_map.end_map().expect("ended");
                for (mut quick, mut slow) in [(quick, slow), (quick_map, slow_map)] {
                    quick.finish().expect("finished");
                    slow.finish().expect("finished");
                    assert!(quick.into_output().into_parts().0 == slow.into_output().into_parts().0, "{count}, {split}");
                }
            }
        }
    });
}

#[test]
fn leaves_to_the_sink_what_it_would_refuse() {
    for_each_sink!(made => {
        assert!(made().list(0).is_none() && made().map(0).is_none() && made().record(&record(0)).is_none());
        let mut sink = made();
        sink.begin_map(Some(1)).expect("begun");
        sink.entry().expect("an entry");
        assert!(sink.list(1).is_none() && sink.map(1).is_none() && sink.record(&record(1)).is_none(), "no keys");
    });
    let options = WriteOptions { depth: 1, ..WriteOptions::default() };
    let mut sink = MsgpackSink::new(Output::new(Vec::new(), Keep), options);
    sink.begin_list(Some(1)).expect("begun");
    assert!(sink.list(1).is_none(), "too deep");
    let mut lines = CompactSink::lines(Output::new(Vec::new(), Keep));
    assert!(lines.list(1).is_none() && lines.items().is_none(), "items are lines");
    assert!(lines.record(&record(1)).is_some(), "a line");
    assert!(!is_taken(f64::NAN) && !is_taken(f64::INFINITY) && is_taken(0.5), "JSON has no such numbers");
}

/// Returns whether the writer of JSON takes a number.
fn is_taken(value: f64) -> bool {
    fn of<W: ScalarWriter>(_: &W, value: f64) -> bool {
        W::takes(value)
    }
    let mut sink = CompactSink::new(Output::new(Vec::new(), Keep));
    sink.list(1).is_some_and(|writer| of(&writer, value))
}
