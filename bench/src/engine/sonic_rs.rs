//! `sonic-rs`, and its other ways: `-lazy` walks lazy values, `-stream` reads NDJSON by its own stream.
//!
//! Its `_unchecked` functions are left out: they don't refuse wrong input, so they do another job. Its `Value` keeps
//! what it needs in one arena, and UTF-8 is checked by `from_slice` before anything else.

use sonic_rs::{JsonValueTrait, Value};

use super::Engine;
use super::serde_json::lines;
use crate::answer;
use crate::record::{Borrowed, Owned, Total, Wanted};
use crate::run::{Result, Run};

/// The ways.
pub static ENGINES: &[Engine] = &[
    Engine {
        name: "sonic-rs",
        jobs: &[
            ("json/decode-owned", decode_owned),
            ("json/decode-borrowed", decode_borrowed),
            ("json/sum", sum),
            ("json/encode-fresh", encode_fresh),
            ("json/encode-reused", encode_reused),
            ("json/value-decode", value_decode),
            ("json/value-copy", value_copy),
            ("ndjson/decode-owned", lines_owned),
            ("ndjson/sum", lines_sum),
        ],
    },
    Engine { name: "sonic-rs-stream", jobs: &[("ndjson/decode-owned", stream_owned), ("ndjson/sum", stream_sum)] },
    Engine { name: "sonic-rs-lazy", jobs: &[("json/sum", lazy_sum), ("ndjson/sum", lazy_lines_sum)] },
];

fn decode_owned(run: &mut Run<'_>) -> Result<String> {
    let bytes = run.bytes();
    let rows: Vec<Owned> = run.time(|| sonic_rs::from_slice(bytes))?;
    Ok(answer::owned(&rows))
}

fn decode_borrowed(run: &mut Run<'_>) -> Result<String> {
    let bytes = run.bytes();
    let rows: Vec<Borrowed> = run.time(|| sonic_rs::from_slice(bytes))?;
    Ok(answer::borrowed(&rows))
}

fn sum(run: &mut Run<'_>) -> Result<String> {
    let bytes = run.bytes();
    let Total(total) = run.time(|| sonic_rs::from_slice(bytes))?;
    Ok(answer::sum(total))
}

fn lazy_sum(run: &mut Run<'_>) -> Result<String> {
    let bytes = run.bytes();
    let total = run.time(|| {
        sonic_rs::to_array_iter(bytes).try_fold(0, |total, row| {
            let hi = row?.get("hi").and_then(|hi| hi.as_i64());
            Ok::<_, sonic_rs::Error>(total + hi.unwrap_or_default())
        })
    })?;
    Ok(answer::sum(total))
}

fn encode_fresh(run: &mut Run<'_>) -> Result<String> {
    let rows = run.rows();
    let out = run.time(|| sonic_rs::to_vec(rows))?;
    Ok(answer::bytes(&out))
}

fn encode_reused(run: &mut Run<'_>) -> Result<String> {
    let rows = run.rows();
    run.time_into(|out| sonic_rs::to_writer(out, rows))?;
    Ok(answer::bytes(&run.buffer))
}

fn value_decode(run: &mut Run<'_>) -> Result<String> {
    let bytes = run.bytes();
    let value: Value = run.time(|| sonic_rs::from_slice(bytes))?;
    Ok(answer::document(&sonic_rs::to_vec(&value)?)?)
}

fn value_copy(run: &mut Run<'_>) -> Result<String> {
    let bytes = run.bytes();
    let out = run.time(|| sonic_rs::to_vec(&sonic_rs::from_slice::<Value>(bytes)?))?;
    Ok(answer::document(&out)?)
}

fn lines_owned(run: &mut Run<'_>) -> Result<String> {
    let bytes = run.bytes();
    let rows: Vec<Owned> = run.time(|| lines(bytes).map(sonic_rs::from_slice).collect::<sonic_rs::Result<_>>())?;
    Ok(answer::owned(&rows))
}

fn lines_sum(run: &mut Run<'_>) -> Result<String> {
    let bytes = run.bytes();
    let total = run.time(|| {
        lines(bytes)
            .try_fold(0, |total, line| Ok::<_, sonic_rs::Error>(total + sonic_rs::from_slice::<Wanted>(line)?.hi))
    })?;
    Ok(answer::sum(total))
}

fn lazy_lines_sum(run: &mut Run<'_>) -> Result<String> {
    let bytes = run.bytes();
    let total = run.time(|| {
        lines(bytes).try_fold(0, |total, line| {
            let hi = sonic_rs::get(line, &["hi"])?;
            Ok::<_, sonic_rs::Error>(total + hi.as_i64().unwrap_or_default())
        })
    })?;
    Ok(answer::sum(total))
}

/// Its stream ends with an error that says `is_eof`, never with `None`. A file cut short would end so too, which here
/// only the answer's count would tell.
fn until_the_end<T>(row: &sonic_rs::Result<T>) -> bool {
    !row.as_ref().is_err_and(sonic_rs::Error::is_eof)
}

fn stream_owned(run: &mut Run<'_>) -> Result<String> {
    let bytes = run.bytes();
    let rows: Vec<Owned> = run.time(|| {
        let stream = sonic_rs::Deserializer::from_slice(bytes).into_stream();
        stream.take_while(until_the_end).collect::<sonic_rs::Result<_>>()
    })?;
    Ok(answer::owned(&rows))
}

fn stream_sum(run: &mut Run<'_>) -> Result<String> {
    let bytes = run.bytes();
    let total = run.time(|| {
        let stream = sonic_rs::Deserializer::from_slice(bytes).into_stream::<Wanted>();
        stream.take_while(until_the_end).try_fold(0, |total, row| row.map(|row| total + row.hi))
    })?;
    Ok(answer::sum(total))
}
