//! `serde_json`, and its two other ways: `-stream` reads NDJSON by its own stream, `-transcode` copies without a tree.

use serde_json::Value;

use super::Engine;
use crate::answer;
use crate::record::{Borrowed, Owned, Total, Wanted};
use crate::run::{Result, Run};

/// The ways.
pub static ENGINES: &[Engine] = &[
    Engine {
        name: "serde_json",
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
    Engine { name: "serde_json-stream", jobs: &[("ndjson/decode-owned", stream_owned), ("ndjson/sum", stream_sum)] },
    Engine { name: "serde_json-transcode", jobs: &[("json/value-copy", transcode)] },
];

fn decode_owned(run: &mut Run<'_>) -> Result<String> {
    let bytes = run.bytes();
    let rows: Vec<Owned> = run.time(|| serde_json::from_slice(bytes))?;
    Ok(answer::owned(&rows))
}

fn decode_borrowed(run: &mut Run<'_>) -> Result<String> {
    let bytes = run.bytes();
    let rows: Vec<Borrowed> = run.time(|| serde_json::from_slice(bytes))?;
    Ok(answer::borrowed(&rows))
}

fn sum(run: &mut Run<'_>) -> Result<String> {
    let bytes = run.bytes();
    let Total(total) = run.time(|| serde_json::from_slice(bytes))?;
    Ok(answer::sum(total))
}

fn encode_fresh(run: &mut Run<'_>) -> Result<String> {
    let rows = run.rows();
    let out = run.time(|| serde_json::to_vec(rows))?;
    Ok(answer::bytes(&out))
}

fn encode_reused(run: &mut Run<'_>) -> Result<String> {
    let rows = run.rows();
    run.time_into(|out| serde_json::to_writer(out, rows))?;
    Ok(answer::bytes(&run.buffer))
}

fn value_decode(run: &mut Run<'_>) -> Result<String> {
    let bytes = run.bytes();
    let value: Value = run.time(|| serde_json::from_slice(bytes))?;
    Ok(answer::document(&serde_json::to_vec(&value)?)?)
}

fn value_copy(run: &mut Run<'_>) -> Result<String> {
    let bytes = run.bytes();
    let out = run.time(|| serde_json::to_vec(&serde_json::from_slice::<Value>(bytes)?))?;
    Ok(answer::document(&out)?)
}

fn transcode(run: &mut Run<'_>) -> Result<String> {
    let bytes = run.bytes();
    let out = run.time(|| {
        let mut out = Vec::with_capacity(128);
        let mut from = serde_json::Deserializer::from_slice(bytes);
        serde_transcode::transcode(&mut from, &mut serde_json::Serializer::new(&mut out))?;
        from.end()?;
        Ok::<_, serde_json::Error>(out)
    })?;
    Ok(answer::document(&out)?)
}

/// The lines of a file that ends with a line's end.
pub(super) fn lines(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut rest = bytes;
    std::iter::from_fn(move || {
        let (line, after) = rest.split_at(memchr::memchr(b'\n', rest)?);
        rest = &after[1..];
        Some(line)
    })
}

fn lines_owned(run: &mut Run<'_>) -> Result<String> {
    let bytes = run.bytes();
    let rows: Vec<Owned> = run.time(|| lines(bytes).map(serde_json::from_slice).collect::<serde_json::Result<_>>())?;
    Ok(answer::owned(&rows))
}

fn lines_sum(run: &mut Run<'_>) -> Result<String> {
    let bytes = run.bytes();
    let total = run.time(|| {
        lines(bytes)
            .try_fold(0, |total, line| Ok::<_, serde_json::Error>(total + serde_json::from_slice::<Wanted>(line)?.hi))
    })?;
    Ok(answer::sum(total))
}

fn stream_owned(run: &mut Run<'_>) -> Result<String> {
    let bytes = run.bytes();
    let rows: Vec<Owned> =
        run.time(|| serde_json::Deserializer::from_slice(bytes).into_iter().collect::<serde_json::Result<_>>())?;
    Ok(answer::owned(&rows))
}

fn stream_sum(run: &mut Run<'_>) -> Result<String> {
    let bytes = run.bytes();
    let total = run.time(|| {
        let mut stream = serde_json::Deserializer::from_slice(bytes).into_iter::<Wanted>();
        stream.try_fold(0, |total, row| row.map(|row| total + row.hi))
    })?;
    Ok(answer::sum(total))
}
