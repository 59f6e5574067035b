//! Nesting depth: at most 1,024, in every way of reading and writing, on a small stack.

use super::{copied, decode, skip, streamed};
use crate::json::{self, JsonSink, JsonSource, ReadOptions, WriteOptions};
use crate::{Keep, Output};
use demat_core::{Encode, Error, ErrorKind, Field, Nothing, Record, Shape, Shaped, Sink, Source, Value, copy};

fn on_small_stack(job: impl FnOnce() + Send + 'static) {
    std::thread::Builder::new().stack_size(128 * 1024).spawn(job).unwrap().join().unwrap();
}

#[track_caller]
fn is_limit(result: Result<impl Sized, Error>) {
    let Err(error) = result else { panic!("accepted") };
    assert_eq!(error.kind(), ErrorKind::Limit, "{error}");
    assert!(error.to_string().starts_with("the depth of nesting exceeds the limit of 1024"), "{error}");
}

fn nested(open: &str, close: &str, depth: usize) -> Vec<u8> {
    format!("{}0{}", open.repeat(depth), close.repeat(depth)).into_bytes()
}

#[test]
fn ten_million_brackets_are_a_limit_error() {
    on_small_stack(|| {
        for text in [vec![b'['; 10_000_000], b"{\"a\":".repeat(1_000_000), b"[{\"a\":[".repeat(1_000_000)] {
            is_limit(decode(&text));
            is_limit(skip(&text));
            is_limit(JsonSource::new(&text).span());
            is_limit(copied(&text, &Shape::Any));
            is_limit(
                copied(&text, &Shape::Any.list()).map_err(|e| {
                    if e.kind() == ErrorKind::Type { Error::limit("the depth of nesting", 1024) } else { e }
                }),
            );
            is_limit(streamed(&text, &Shape::Any, 4096));
            // Skipped values have the same limit.
            let wrapped = [b"{\"unwanted\":", &text[..]].concat();
            let record = Shape::record(Record::new("", vec![Field::new("a", 1, Shape::Any)]).unwrap());
            is_limit(copied(&wrapped, &record));
            is_limit(streamed(&wrapped, &record, 4096));
        }
    });
}

#[test]
fn the_border_is_exact() {
    on_small_stack(|| {
        for (open, close) in [("[", "]"), ("{\"a\":", "}")] {
            let good = nested(open, close, 1024);
            let bad = nested(open, close, 1025);
            skip(&good).unwrap();
            copied(&good, &Shape::Any).unwrap();
            streamed(&good, &Shape::Any, 64).unwrap();
            streamed(&good, &Shape::Any, 1 << 20).unwrap();
            is_limit(skip(&bad));
            is_limit(copied(&bad, &Shape::Any));
            is_limit(streamed(&bad, &Shape::Any, 64));
            is_limit(decode(&bad));
        }
    });
}

/// A value with the maximum depth can be made, written and dropped.
#[test]
fn values_live_on_a_small_stack() {
    on_small_stack(|| {
        for (open, close) in [("[", "]"), ("{\"a\":", "}")] {
            let text = nested(open, close, 1024);
            let value = decode(&text).unwrap();
            assert!(json::encode(&value).unwrap() == text);
            dropped(value);
        }
    });
}

/// Dropping takes about 60 bytes of stack per level; four times that in builds without optimisation.
fn dropped(value: Value) {
    if cfg!(debug_assertions) {
        std::thread::Builder::new().stack_size(1 << 20).spawn(|| drop(value)).unwrap().join().unwrap();
    }
}

/// A greater depth needs the option and memory, but no stack.
#[test]
fn what_is_copied_or_passed_over_may_be_deeper_if_told_so() {
    on_small_stack(|| {
        let depth = 200_000;
        let text = nested("[", "]", depth);
        let options = ReadOptions { depth: u32::MAX, ..ReadOptions::default() };
        let mut source = JsonSource::with_options(&text, options);
        source.skip().unwrap();
        source.end().unwrap();
        let mut sink =
            JsonSink::new(Output::new(Vec::new(), Keep), WriteOptions { depth: u32::MAX, ..WriteOptions::default() });
        copy(&mut JsonSource::with_options(&text, options), &Shape::Any, &mut sink).unwrap();
        assert!(sink.into_output().into_parts().0 == text);
        let objects = nested("{\"a\":", "}", depth);
        copy(&mut JsonSource::with_options(&objects, options), &Shape::Any, &mut Nothing).unwrap();
        // The host drops a value level by level on the stack, so its depth stays limited.
        let error = Value::decode_as(&mut JsonSource::with_options(&text, options), &Shape::Any).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Limit);
    });
}

/// A value without an end, such as a cyclic object of a host.
struct Endless;

impl Shaped for Endless {
    const SHAPE: &'static Shape = &Shape::Any;
}

impl Encode for Endless {
    fn encode<K: Sink + ?Sized>(&self, sink: &mut K) -> demat_core::Result<()> {
        loop {
            sink.begin_list(None)?;
            sink.item()?;
        }
    }
}

#[test]
fn writing_has_the_same_limit() {
    on_small_stack(|| {
        is_limit(json::encode(&Endless));
        is_limit(crate::ndjson::encode(&Endless));
        let deep = (0..1024).fold(Value::Null, |value, _| Value::List(vec![value]));
        json::encode(&deep).unwrap();
        let deeper = Value::Map(vec![(Value::Text("a".into()), deep)]);
        is_limit(json::encode(&deeper));
        dropped(deeper);
    });
}
