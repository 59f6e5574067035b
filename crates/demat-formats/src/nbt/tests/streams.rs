//! Windows, and what leaves the memory when.

use super::*;
use std::collections::BTreeMap;

fn shape() -> Shape {
    "[{id: int, tags: [text], more: map(text, any)}]".parse().unwrap()
}

/// Returns the options of each variant, for a document and for a sequence.
fn all_options() -> impl Iterator<Item = WriteOptions> {
    let options = |variant, sequence| WriteOptions { variant, sequence, ..WriteOptions::default() };
    VARIANTS.into_iter().flat_map(move |variant| [options(variant, false), options(variant, true)])
}

#[test]
fn any_window_reads_the_same() {
    for options in all_options() {
        let (few, many) = (testing::records(4, 20), testing::records(25, 20));
        let bytes = testing::written(&options, &many, &Shape::Any).unwrap();
        testing::reads_any_window(&options, &bytes, &[&shape(), &Shape::Any], &many);
        let bytes = testing::written(&options, &few, &Shape::Any).unwrap();
        testing::reads_any_pieces(&options, &bytes, &shape(), &few);
    }
}

#[test]
fn deep_values_come_through_small_windows() {
    let deep = testing::deep(true);
    for variant in VARIANTS {
        let options = WriteOptions { variant, ..WriteOptions::default() };
        let bytes = testing::written(&options, &deep, &Shape::Any).unwrap();
        for size in [1, 2, 7, 64] {
            assert!(copied(&bytes, size, &of(variant), options.clone()).unwrap() == bytes, "{variant:?} {size}");
        }
    }
}

#[test]
fn bytes_leave_as_soon_as_their_counts_are_known() {
    let shape = "[{text: text}]".parse().unwrap();
    for options in all_options() {
        let late = testing::drained_early(&options, &shape, None);
        assert!(if options.sequence { late > 400_000 } else { late == 0 });
        assert!(testing::drained_early(&options, &shape, Some(100)) > 400_000);
    }
}

#[test]
fn a_count_that_has_left_must_be_right() {
    testing::refuses_a_wrong_count(&WriteOptions::default());
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
    let records: Vec<BTreeMap<String, i64>> = testing::iterated(Nbt::default(), &list, 3).unwrap();
    assert_eq!(records.iter().map(|record| record["a"]).collect::<Vec<_>>(), [1, 2, 3]);
}

#[test]
fn a_cut_window_asks_for_more() {
    for variant in VARIANTS {
        let options = WriteOptions { variant, ..WriteOptions::default() };
        let bytes = testing::written(&options, &testing::records(3, 20), &Shape::Any).unwrap();
        testing::prefixes_are_incomplete(&options, &bytes, &Shape::Any);
    }
}

#[test]
fn marks_lead_back() {
    let bytes = written(&testing::records(4, 20), "any").unwrap();
    testing::marks_lead_back(&WriteOptions::default(), &bytes, &Shape::Any);
}
