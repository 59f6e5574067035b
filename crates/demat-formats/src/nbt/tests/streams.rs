//! Windows, and when bytes are passed to the drain.

use super::*;
use crate::stream::Records;
use crate::{Drain, To};
use std::cell::RefCell;
use std::collections::BTreeMap;

fn records(count: i64) -> Value {
    let record = |id: i64| {
        let tags = Value::List((0..id % 20).map(|tag| text(&format!("tag {tag}"))).collect());
        let more = map(&[("deep", Value::List((0..id % 3).map(|at| map(&[("at", int(at))])).collect()))]);
        map(&[("id", int(id)), ("tags", tags), ("more", more)])
    };
    Value::List((0..count).map(record).collect())
}

#[test]
fn every_window_gives_the_same() {
    let value = records(25);
    let typed: Shape = "[{id: int, tags: [text], more: map(text, any)}]".parse().unwrap();
    for variant in VARIANTS {
        for sequence in [false, true] {
            let options = WriteOptions { variant, sequence, ..WriteOptions::default() };
            let bytes = written_with(&value, &Shape::Any, options).unwrap();
            for size in (1..60).chain([1000, 10_000]) {
                for shape in [&typed, &Shape::Any] {
                    let mut window = Window::with_size(&*bytes, size);
                    let read = Value::build(|sink| {
                        copy_stream(&mut window, &mut Nbt::new(of(variant)), shape, sink, &mut Stop).map(drop)
                    });
                    assert_eq!(read.unwrap(), value, "{variant:?} {size}");
                }
            }
        }
    }
}

#[test]
fn deep_values_come_through_small_windows() {
    let mut deep = int(1);
    for level in 0..500 {
        deep = if level % 2 == 0 { Value::List(vec![deep]) } else { map(&[("one", deep), ("two", int(level))]) };
    }
    for variant in VARIANTS {
        let options = WriteOptions { variant, ..WriteOptions::default() };
        let bytes = written_with(&deep, &Shape::Any, options.clone()).unwrap();
        for size in [1, 2, 7, 64] {
            assert!(copied(&bytes, size, &of(variant), options.clone()).unwrap() == bytes, "{variant:?} {size}");
        }
    }
}

/// A file that a test can inspect while the sink writes to it.
struct Watched<'f>(&'f RefCell<Vec<u8>>);

impl Drain for Watched<'_> {
    fn drain(&mut self, buffer: &mut Vec<u8>) -> Result<()> {
        self.0.borrow_mut().append(buffer);
        Ok(())
    }
    fn flush(&mut self) -> Result<()> {
        Ok(())
    }
}

/// Returns the number of bytes that the drain had received before the list ended.
fn left_early(options: WriteOptions, len: Option<usize>) -> usize {
    let file = RefCell::default();
    let variant = options.variant;
    let mut sink = NbtSink::new(Output::new(Vec::new(), Watched(&file)), options);
    sink.begin_list(len).unwrap();
    for _ in 0..100 {
        sink.item().unwrap();
        sink.begin_map(None).unwrap();
        sink.key("text").unwrap();
        sink.text(&"x".repeat(5000)).unwrap();
        sink.end_map().unwrap();
        sink.commit().unwrap();
    }
    let left = file.borrow().len();
    sink.end_list().unwrap();
    sink.finish().unwrap();
    let shape = "[{text: text}]".parse().unwrap();
    let Value::List(items) = read_with(&file.borrow(), &shape, &of(variant)).unwrap() else { unreachable!() };
    assert_eq!(items.len(), 100);
    left
}

#[test]
fn bytes_leave_as_soon_as_their_counts_are_known() {
    for variant in VARIANTS {
        let options = WriteOptions { variant, ..WriteOptions::default() };
        assert_eq!(left_early(options.clone(), None), 0);
        assert!(left_early(options.clone(), Some(100)) > 400_000);
        assert!(left_early(WriteOptions { sequence: true, ..options }, None) > 400_000);
    }
}

#[test]
fn a_count_that_has_left_must_be_right() {
    let mut file = Vec::new();
    let mut sink = NbtSink::new(Output::new(Vec::new(), To(&mut file)), WriteOptions::default());
    sink.begin_list(Some(3)).unwrap();
    sink.item().unwrap();
    sink.bytes(&vec![0; 100_000]).unwrap();
    sink.commit().unwrap();
    let error = sink.end_list().unwrap_err();
    assert!(error.to_string().starts_with("3 items were announced and written so, but 1 came"), "{error}");
}

#[test]
fn a_rollback_leaves_nothing() {
    for variant in VARIANTS {
        let mut sink = sink(WriteOptions { variant, ..WriteOptions::default() });
        sink.begin_list(None).unwrap();
        let numbers = |sink: &mut NbtSink<Keep>, numbers: &[i64]| {
            sink.item().unwrap();
            sink.begin_list(None).unwrap();
            for number in numbers {
                sink.item().unwrap();
                sink.i64(*number).unwrap();
            }
            sink.end_list().unwrap();
        };
        numbers(&mut sink, &[1, 2]);
        sink.commit().unwrap();
        numbers(&mut sink, &[1 << 40]);
        sink.rollback().unwrap();
        numbers(&mut sink, &(0..200).collect::<Vec<_>>());
        sink.commit().unwrap();
        sink.end_list().unwrap();
        sink.finish().unwrap();
        let bytes = sink.into_output().into_parts().0;
        let expected = Value::List(vec![Value::List(vec![int(1), int(2)]), Value::List((0..200).map(int).collect())]);
        assert_eq!(read_with(&bytes, &Shape::Any, &of(variant)).unwrap(), expected);
    }
}

#[test]
fn records_are_iterated() {
    let list = written(&Value::List((1..4).map(|at| map(&[("a", int(at))])).collect()), "any").unwrap();
    let window = Window::with_size(&*list, 3);
    let records = Records::<_, _, BTreeMap<String, i64>>::new(window, Nbt::default());
    let sums: Result<Vec<i64>> = records.map(|record| record.map(|record| record["a"])).collect();
    assert_eq!(sums.unwrap(), [1, 2, 3]);
}

#[test]
fn marks_lead_back() {
    let bytes = written(&records(4), "any").unwrap();
    let mut source = NbtSource::new(&bytes);
    source.list().unwrap();
    while source.item().unwrap() {
        let mark = source.mark();
        let one = source.span().unwrap();
        source.reset(mark);
        source.map().unwrap();
        assert!(source.entry().unwrap());
        let inner = source.mark();
        assert_eq!(&*source.text().unwrap(), "id");
        source.reset(inner);
        assert_eq!(&*source.text().unwrap(), "id");
        source.reset(mark);
        assert_eq!(source.span().unwrap(), one);
    }
    source.end().unwrap();
}
