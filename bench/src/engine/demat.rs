//! Demat, by its derive; the documents without a type are copied, since that is what Demat does with such.

use std::borrow::Cow;

use ::demat::csv::{Csv, Dialect, Rows};
use ::demat::formats::{Keep, Output};
use ::demat::json::{JsonSink, JsonSource, WriteOptions};
use ::demat::stream::{Part, Windowed};
use ::demat::{Decode, Error, Shape, Source, Value, ndjson};

use super::Engine;
use crate::answer::{self, Split, Tally};
use crate::record::{Borrowed, Owned, Stop, StopRef, Wanted};
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
        ("csv/collect-owned", collect_owned),
        ("csv/records-owned", records_owned),
        ("csv/records-borrowed", records_borrowed),
        ("csv/stops-owned", stops_owned),
        ("csv/stops-borrowed", stops_borrowed),
        ("csv/split", split),
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

/// A stop whose texts are borrowed from the table; a text with doubled quotes can't be, and is owned.
#[derive(Decode)]
struct StopCow<'a> {
    trip_id: &'a str,
    arrival_time: &'a str,
    departure_time: &'a str,
    stop_id: &'a str,
    stop_sequence: i64,
    stop_headsign: Cow<'a, str>,
    pickup_type: i64,
    drop_off_type: i64,
    shape_dist_traveled: f64,
}

/// Every row of a table, one after the other.
fn each<'a, T: Decode<'a>>(bytes: &'a [u8], mut take: impl FnMut(T)) -> ::demat::Result<()> {
    let mut csv = Csv::default();
    let mut source = csv.over(Part::whole(bytes));
    source.list()?;
    while source.item()? {
        take(T::decode(&mut source)?);
    }
    source.end()
}

fn collect_owned(run: &mut Run<'_>) -> Result<String> {
    let bytes = run.bytes();
    let rows = run.time(|| {
        let mut rows: Vec<Owned> = Vec::new();
        each(bytes, |row| rows.push(row))?;
        Ok::<_, Error>(rows)
    })?;
    Ok(answer::owned(&rows))
}

fn records_owned(run: &mut Run<'_>) -> Result<String> {
    let (bytes, mut tally) = (run.bytes(), Tally::default());
    run.time(|| each(bytes, |row: Owned| tally.record(row.hi, row.there, &row.comment)))?;
    Ok(tally.answer())
}

fn records_borrowed(run: &mut Run<'_>) -> Result<String> {
    let (bytes, mut tally) = (run.bytes(), Tally::default());
    run.time(|| each(bytes, |row: Borrowed| tally.record(row.hi, row.there, row.comment)))?;
    Ok(tally.answer())
}

fn stops_owned(run: &mut Run<'_>) -> Result<String> {
    let (bytes, mut tally) = (run.bytes(), Tally::default());
    run.time(|| each(bytes, |row: Stop| tally.stop_owned(&row)))?;
    Ok(tally.answer())
}

fn stops_borrowed(run: &mut Run<'_>) -> Result<String> {
    let (bytes, mut tally) = (run.bytes(), Tally::default());
    run.time(|| {
        each(bytes, |row: StopCow| {
            tally.stop(&StopRef {
                trip_id: row.trip_id,
                arrival_time: row.arrival_time,
                departure_time: row.departure_time,
                stop_id: row.stop_id,
                stop_sequence: row.stop_sequence,
                stop_headsign: &row.stop_headsign,
                pickup_type: row.pickup_type,
                drop_off_type: row.drop_off_type,
                shape_dist_traveled: row.shape_dist_traveled,
            });
        })
    })?;
    Ok(tally.answer())
}

fn split(run: &mut Run<'_>) -> Result<String> {
    let bytes = run.bytes();
    let split = run.time(|| {
        let mut rows = Rows::new(bytes, Dialect::default())?;
        let mut split = Split::default();
        rows.next_row()?;
        while let Some(row) = rows.next_row()? {
            split.rows += 1;
            split.fields += row.len() as u64;
            split.bytes += row.cells().map(|cell| cell.len() as u64).sum::<u64>();
        }
        Ok::<_, Error>(split)
    })?;
    Ok(split.answer())
}
