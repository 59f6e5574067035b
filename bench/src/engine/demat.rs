//! Demat, by its derive; the documents without a type are copied, since that is what Demat does with such.

use ::demat::formats::{Keep, Output};
use ::demat::json::{JsonSink, JsonSource, WriteOptions};
use ::demat::stream::{Part, Windowed};
use ::demat::{Decode, Error, Shape, Source, Value, ndjson};

use super::Engine;
use crate::answer;
use crate::record::{Borrowed, Owned, Wanted};
use crate::run::{Result, Run};

/// Demat.
pub static DEMAT: Engine = Engine {
    name: "demat",
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
};

fn decode_owned(run: &mut Run<'_>) -> Result<String> {
    let bytes = run.bytes();
    let rows: Vec<Owned> = run.time(|| ::demat::json::decode(bytes))?;
    Ok(answer::owned(&rows))
}

fn decode_borrowed(run: &mut Run<'_>) -> Result<String> {
    let bytes = run.bytes();
    let rows: Vec<Borrowed> = run.time(|| ::demat::json::decode(bytes))?;
    Ok(answer::borrowed(&rows))
}

fn total<'a>(source: &mut impl Source<'a>) -> ::demat::Result<i64> {
    let mut total = 0;
    source.list()?;
    while source.item()? {
        total += Wanted::decode(source)?.hi;
    }
    source.end()?;
    Ok(total)
}

fn sum(run: &mut Run<'_>) -> Result<String> {
    let bytes = run.bytes();
    let total = run.time(|| total(&mut JsonSource::new(bytes)))?;
    Ok(answer::sum(total))
}

fn encode_fresh(run: &mut Run<'_>) -> Result<String> {
    let rows = run.rows();
    let out = run.time(|| ::demat::json::encode(rows))?;
    Ok(answer::bytes(&out))
}

fn encode_reused(run: &mut Run<'_>) -> Result<String> {
    let rows = run.rows();
    run.time_into(|buffer| ::demat::json::encode_into(rows, buffer))?;
    Ok(answer::bytes(&run.buffer))
}

fn value_decode(run: &mut Run<'_>) -> Result<String> {
    let bytes = run.bytes();
    let value: Value = run.time(|| ::demat::json::decode(bytes))?;
    Ok(answer::document(&::demat::json::encode(&value)?)?)
}

fn value_copy(run: &mut Run<'_>) -> Result<String> {
    let bytes = run.bytes();
    let out = run.time(|| {
        let mut sink = JsonSink::new(Output::new(Vec::new(), Keep), WriteOptions::default());
        ::demat::copy(&mut JsonSource::new(bytes), &Shape::Any, &mut sink)?;
        Ok::<_, Error>(sink.into_output().into_parts().0)
    })?;
    Ok(answer::document(&out)?)
}

fn lines_owned(run: &mut Run<'_>) -> Result<String> {
    let bytes = run.bytes();
    let rows: Vec<Owned> = run.time(|| ndjson::decode(bytes))?;
    Ok(answer::owned(&rows))
}

fn lines_sum(run: &mut Run<'_>) -> Result<String> {
    let bytes = run.bytes();
    let total = run.time(|| total(&mut ndjson::Ndjson::default().source(Part::whole(bytes))))?;
    Ok(answer::sum(total))
}
