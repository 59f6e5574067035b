//! Windows, blocks, and what leaves the memory when.

use super::*;
use crate::To;
use crate::stream::{Stop, Window, copy as copy_stream};

const SHAPE: &str = "[{id: int, tags: [text], sizes: map(text, int), next: union(x: int, y: [bool])}]";

fn records(count: u64) -> Value {
    let record = |id: u64| {
        let tags: Vec<_> = (0..id % 70).map(|tag| format!("\"tag {tag}\"")).collect();
        let next = ["{\"x\": 5}", "{\"y\": [true, false]}"][id as usize % 2];
        format!(r#"{{"id": {id}, "tags": [{}], "sizes": {{"a": {id}}}, "next": {next}}}"#, tags.join(","))
    };
    let items: Vec<_> = (0..count).map(record).collect();
    value(&format!("[{}]", items.join(",")), &shape(SHAPE))
}

/// Written record by record, as a stream is, with a commit behind each.
fn told_one_by_one(value: &Value, options: WriteOptions) -> Vec<u8> {
    let mut file = Vec::new();
    let mut sink = AvroSink::new(Output::new(Vec::new(), To(&mut file)), options);
    let text = crate::json::encode(value).unwrap();
    let mut window = Window::new(&*text);
    copy_stream(&mut window, &mut crate::json::Json::default(), &shape(SHAPE), &mut sink, &mut Stop).unwrap();
    drop(sink);
    file
}

#[test]
fn any_window_reads_the_same() {
    let (shape, many) = (shape(SHAPE), records(60));
    for compression in ALL {
        let options = options(compression);
        for bytes in [testing::written(&options, &many, &shape).unwrap(), told_one_by_one(&many, options)] {
            testing::reads_any_window(&options, &bytes, &[&shape], &many);
        }
    }
    let few = records(3);
    let bytes = testing::written(&WriteOptions::default(), &few, &shape).unwrap();
    testing::reads_any_pieces(&WriteOptions::default(), &bytes, &shape, &few);
    // A file may end after its header, and behind each block.
    for end in 1..bytes.len() {
        let outcome = testing::read(Avro::default(), &bytes[..end], &shape);
        assert!(outcome.is_err() || outcome.is_ok_and(|value| value == Value::List(Vec::new())), "{end}");
    }
}

#[test]
fn a_file_has_blocks_of_some_64_kib() {
    let many = records(3_000);
    for compression in [Compression::Null, Compression::Snappy] {
        let whole = testing::written(&options(compression), &many, &shape(SHAPE)).unwrap();
        let streamed = told_one_by_one(&many, options(compression));
        for bytes in [whole, streamed] {
            assert_eq!(testing::read(Avro::default(), &bytes, &shape(SHAPE)).unwrap(), many);
            let header = super::super::header::Header::read(Part::whole(&bytes), usize::MAX).unwrap();
            let blocks = bytes.windows(16).filter(|window| *window == header.sync).count() - 1;
            assert!(blocks > 5, "{blocks}");
            if compression == Compression::Null {
                // The last one is shorter.
                let usual = bytes.len() / (blocks - 1);
                assert!(usual > 64 * 1024 && usual < 80 * 1024, "{usual}");
            }
        }
    }
}

#[test]
fn blocks_that_are_cut_differently_are_the_same_values() {
    let schema = r#""long""#;
    let bytes = file_of(schema, Compression::Deflate, &[(0, b""), (2, &[2, 4]), (0, b""), (1, &[6])]);
    assert_eq!(json(&bytes, "[int]"), "[1,2,3]");
    for size in 1..bytes.len() {
        let value = testing::streamed(Avro::default(), &*bytes, size, &shape("[int]")).unwrap();
        assert_eq!(crate::json::encode(&value).unwrap(), b"[1,2,3]");
    }
}

#[test]
fn what_is_rolled_back_leaves_nothing() {
    use demat_core::Sink;
    let mut sink = AvroSink::new(Output::new(Vec::new(), crate::Keep), WriteOptions::default());
    sink.begin(&shape("[text]")).unwrap();
    sink.begin_list(None).unwrap();
    sink.commit().unwrap();
    for at in 0..100_u32 {
        sink.item().unwrap();
        sink.text(&at.to_string().repeat(1_000)).unwrap();
        if at % 2 == 0 {
            sink.commit().unwrap();
        } else {
            sink.rollback().unwrap();
        }
    }
    sink.end_list().unwrap();
    sink.finish().unwrap();
    let bytes = sink.into_output().into_parts().0;
    let Value::List(items) = read(&bytes, "[text]").unwrap() else { panic!("a list") };
    assert_eq!(items.len(), 50);
    assert_eq!(items[49], Value::Text("98".repeat(1_000).into()));
}
