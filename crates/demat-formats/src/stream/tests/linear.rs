//! The work is linear in the input. It is measured as the total length of all windows that sources were made over, not
//! as time.

use crate::json::{Json, JsonSink, JsonSource, ReadOptions, WriteOptions};
use crate::ndjson::{Ndjson, NdjsonSource};
use crate::stream::tests::Chunks;
use crate::stream::{Part, Stop, Window, Windowed, copy};
use crate::{Keep, Output};
use demat_core::{Nothing, Shape};

/// A format that adds up the lengths of all windows.
struct Counting<F> {
    format: F,
    bytes: usize,
}

impl Windowed for Counting<Json> {
    type Source<'w> = JsonSource<'w>;
    fn source<'w>(&'w mut self, part: Part<'w>) -> JsonSource<'w> {
        self.bytes += part.bytes.len();
        self.format.source(part)
    }
}

impl Windowed for Counting<Ndjson> {
    type Source<'w> = NdjsonSource<'w>;
    fn source<'w>(&'w mut self, part: Part<'w>) -> NdjsonSource<'w> {
        self.bytes += part.bytes.len();
        self.format.source(part)
    }
}

fn work<F>(format: F, text: &str, sizes: &'static [usize], size: usize) -> usize
where
    Counting<F>: Windowed,
{
    let mut format = Counting { format, bytes: 0 };
    let mut window = Window::with_size(Chunks::new(text, sizes), size);
    copy(&mut window, &mut format, &Shape::Any, &mut Nothing, &mut Stop).unwrap();
    format.bytes
}

/// For twice the input, the work is at most two and a half times as much.
#[test]
fn twice_the_input_is_twice_the_work() {
    type Family = (&'static str, fn(usize) -> String);
    let families: [Family; 12] = [
        ("one string", |n| format!("\"{}\"", "x".repeat(n))),
        ("one string of escapes", |n| format!("\"{}\"", "\\u00e4".repeat(n / 6))),
        ("one number", |n| "7".repeat(n)),
        ("one key", |n| format!("{{\"{}\":1}}", "k".repeat(n))),
        ("one list", |n| format!("[{}1]", "1,".repeat(n / 2))),
        ("one record", |n| format!("{{{}\"\":0}}", (0..n / 12).map(|i| format!("\"{i:07}\":0,")).collect::<String>())),
        ("lists in a record", |n| format!("{{\"a\":[[{}0]]}}", "[1],".repeat(n / 4))),
        ("lists within lists", |n| format!("{}{}", "[".repeat(n / 2), "]".repeat(n / 2))),
        ("records within records", |n| format!("{}1{}", "{\"a\":".repeat(n / 6), "}".repeat(n / 6))),
        ("large records far within", |n| {
            let record = format!("{{\"a\":[{}0]}}", "[1],".repeat(50));
            format!("{}{}0{}", "[".repeat(n / 20), format!("{record},").repeat(n / 240), "]".repeat(n / 20))
        }),
        ("blanks in front", |n| format!("{}1", " ".repeat(n))),
        ("blanks behind", |n| format!("[1]{}", " ".repeat(n))),
    ];
    let deep = ReadOptions { depth: u32::MAX, ..ReadOptions::default() };
    for (name, make) in families {
        for (sizes, size) in [(&[1][..], 64), (&[1], 4096), (&[100], 64), (&[5000], 4096), (&[1 << 20], 64)] {
            let (once, twice) =
                (work(Json::new(deep), &make(40_000), sizes, size), work(Json::new(deep), &make(80_000), sizes, size));
            assert!(2 * twice <= 5 * once, "{name} by {sizes:?} in {size}: {once} and {twice}");
            let (once, twice) = (
                work(Ndjson::new(deep), &make(40_000), sizes, size),
                work(Ndjson::new(deep), &make(80_000), sizes, size),
            );
            assert!(2 * twice <= 5 * once, "{name} as a line by {sizes:?} in {size}: {once} and {twice}");
        }
    }
}

/// A commit must not go through all committed entries of a sorted container again; that would be a million steps here.
#[test]
fn sorting_an_open_record_is_no_slower_for_being_in_pieces() {
    let text =
        format!("{{{}\"\":0}}", (0..60_000).map(|i| format!("\"{:05}\":0,", (i * 7919) % 60_000)).collect::<String>());
    let options = WriteOptions { sorted_keys: true, ..WriteOptions::default() };
    let mut sink = JsonSink::new(Output::new(Vec::new(), Keep), options);
    let mut window = Window::with_size(text.as_bytes(), 256);
    copy(&mut window, &mut Json::default(), &Shape::Any, &mut sink, &mut Stop).unwrap();
    let out = sink.into_output().into_parts().0;
    assert_eq!(out.len(), text.len());
    assert!(out.starts_with(b"{\"\":0,\"00000\":0,\"00001\":0,"));
}
