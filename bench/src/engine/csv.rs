//! The `csv` crate, in the three ways its documentation shows.
//!
//! `csv` matches columns by the header's names over `StringRecord`; `csv-bytes` the same over `ByteRecord`, which
//! checks UTF-8 by the field wanted and not by the record; `csv-positional` ignores the header and takes columns by
//! position over `StringRecord`, which trusts the file.

use csv::{ByteRecord, Reader, ReaderBuilder, StringRecord};
use serde::de::DeserializeOwned;

use super::Engine;
use crate::answer::{self, Split, Tally};
use crate::record::{Borrowed, Owned, Stop, StopRef};
use crate::run::{Result, Run};

/// The ways.
pub static ENGINES: &[Engine] = &[
    Engine {
        name: "csv",
        jobs: &[
            ("csv/collect-owned", collect_owned),
            ("csv/records-owned", records_owned),
            ("csv/records-borrowed", records_borrowed),
            ("csv/stops-owned", stops_owned),
            ("csv/stops-borrowed", stops_borrowed),
            ("csv/split", split),
        ],
    },
    Engine {
        name: "csv-bytes",
        jobs: &[
            ("csv/collect-owned", bytes_collect_owned),
            ("csv/records-owned", bytes_records_owned),
            ("csv/records-borrowed", bytes_records_borrowed),
            ("csv/stops-owned", bytes_stops_owned),
            ("csv/stops-borrowed", bytes_stops_borrowed),
        ],
    },
    Engine {
        name: "csv-positional",
        jobs: &[
            ("csv/collect-owned", positional_collect_owned),
            ("csv/records-owned", positional_records_owned),
            ("csv/records-borrowed", positional_records_borrowed),
            ("csv/stops-owned", positional_stops_owned),
            ("csv/stops-borrowed", positional_stops_borrowed),
        ],
    },
];

/// A reader over the slice. The input is in memory already; a larger buffer than the default was not faster.
fn reader(bytes: &[u8]) -> Reader<&[u8]> {
    ReaderBuilder::new().from_reader(bytes)
}

/// Reads each row through one reused `ByteRecord` into an owned `T`, columns by name.
fn by_name<T: DeserializeOwned>(bytes: &[u8], mut take: impl FnMut(T)) -> csv::Result<()> {
    let mut reader = reader(bytes);
    let header = reader.byte_headers()?.clone();
    let mut record = ByteRecord::new();
    while reader.read_byte_record(&mut record)? {
        take(record.deserialize(Some(&header))?);
    }
    Ok(())
}

/// Reads each row through one reused `StringRecord` into an owned `T`, columns in the struct's order.
fn by_position<T: DeserializeOwned>(bytes: &[u8], mut take: impl FnMut(T)) -> csv::Result<()> {
    let mut reader = reader(bytes);
    let mut record = StringRecord::new();
    while reader.read_record(&mut record)? {
        take(record.deserialize(None)?);
    }
    Ok(())
}

fn tally_record(tally: &mut Tally, row: &Owned) {
    tally.record(row.hi, row.there, &row.comment);
}

fn collect_owned(run: &mut Run<'_>) -> Result<String> {
    let bytes = run.bytes();
    let rows: Vec<Owned> = run.time(|| reader(bytes).deserialize().collect::<csv::Result<_>>())?;
    Ok(answer::owned(&rows))
}

fn records_owned(run: &mut Run<'_>) -> Result<String> {
    let (bytes, mut tally) = (run.bytes(), Tally::default());
    run.time(|| reader(bytes).deserialize().try_for_each(|row| row.map(|row| tally_record(&mut tally, &row))))?;
    Ok(tally.answer())
}

fn stops_owned(run: &mut Run<'_>) -> Result<String> {
    let (bytes, mut tally) = (run.bytes(), Tally::default());
    run.time(|| reader(bytes).deserialize::<Stop>().try_for_each(|row| row.map(|row| tally.stop_owned(&row))))?;
    Ok(tally.answer())
}

fn records_borrowed(run: &mut Run<'_>) -> Result<String> {
    let (bytes, mut tally) = (run.bytes(), Tally::default());
    run.time(|| {
        let mut reader = reader(bytes);
        let header = reader.headers()?.clone();
        let mut record = StringRecord::new();
        while reader.read_record(&mut record)? {
            let row: Borrowed = record.deserialize(Some(&header))?;
            tally.record(row.hi, row.there, row.comment);
        }
        Ok::<_, csv::Error>(())
    })?;
    Ok(tally.answer())
}

fn stops_borrowed(run: &mut Run<'_>) -> Result<String> {
    let (bytes, mut tally) = (run.bytes(), Tally::default());
    run.time(|| {
        let mut reader = reader(bytes);
        let header = reader.headers()?.clone();
        let mut record = StringRecord::new();
        while reader.read_record(&mut record)? {
            tally.stop(&record.deserialize::<StopRef>(Some(&header))?);
        }
        Ok::<_, csv::Error>(())
    })?;
    Ok(tally.answer())
}

fn split(run: &mut Run<'_>) -> Result<String> {
    let bytes = run.bytes();
    let split = run.time(|| {
        let mut reader = reader(bytes);
        let mut record = ByteRecord::new();
        let mut split = Split::default();
        while reader.read_byte_record(&mut record)? {
            split.rows += 1;
            split.fields += record.len() as u64;
            split.bytes += record.as_slice().len() as u64;
        }
        Ok::<_, csv::Error>(split)
    })?;
    Ok(split.answer())
}

// A row that borrows can't outlive its turn of the loop, so the borrowed ways are loops of their own.

fn bytes_collect_owned(run: &mut Run<'_>) -> Result<String> {
    let (bytes, mut rows) = (run.bytes(), Vec::new());
    run.time(|| by_name(bytes, |row: Owned| rows.push(row)))?;
    Ok(answer::owned(&rows))
}

fn bytes_records_owned(run: &mut Run<'_>) -> Result<String> {
    let (bytes, mut tally) = (run.bytes(), Tally::default());
    run.time(|| by_name(bytes, |row| tally_record(&mut tally, &row)))?;
    Ok(tally.answer())
}

fn bytes_stops_owned(run: &mut Run<'_>) -> Result<String> {
    let (bytes, mut tally) = (run.bytes(), Tally::default());
    run.time(|| by_name(bytes, |row| tally.stop_owned(&row)))?;
    Ok(tally.answer())
}

fn bytes_records_borrowed(run: &mut Run<'_>) -> Result<String> {
    let (bytes, mut tally) = (run.bytes(), Tally::default());
    run.time(|| {
        let mut reader = reader(bytes);
        let header = reader.byte_headers()?.clone();
        let mut record = ByteRecord::new();
        while reader.read_byte_record(&mut record)? {
            let row: Borrowed = record.deserialize(Some(&header))?;
            tally.record(row.hi, row.there, row.comment);
        }
        Ok::<_, csv::Error>(())
    })?;
    Ok(tally.answer())
}

fn bytes_stops_borrowed(run: &mut Run<'_>) -> Result<String> {
    let (bytes, mut tally) = (run.bytes(), Tally::default());
    run.time(|| {
        let mut reader = reader(bytes);
        let header = reader.byte_headers()?.clone();
        let mut record = ByteRecord::new();
        while reader.read_byte_record(&mut record)? {
            let row: StopRef = record.deserialize(Some(&header))?;
            tally.stop(&row);
        }
        Ok::<_, csv::Error>(())
    })?;
    Ok(tally.answer())
}

fn positional_collect_owned(run: &mut Run<'_>) -> Result<String> {
    let (bytes, mut rows) = (run.bytes(), Vec::new());
    run.time(|| by_position(bytes, |row: Owned| rows.push(row)))?;
    Ok(answer::owned(&rows))
}

fn positional_records_owned(run: &mut Run<'_>) -> Result<String> {
    let (bytes, mut tally) = (run.bytes(), Tally::default());
    run.time(|| by_position(bytes, |row| tally_record(&mut tally, &row)))?;
    Ok(tally.answer())
}

fn positional_stops_owned(run: &mut Run<'_>) -> Result<String> {
    let (bytes, mut tally) = (run.bytes(), Tally::default());
    run.time(|| by_position(bytes, |row| tally.stop_owned(&row)))?;
    Ok(tally.answer())
}

fn positional_records_borrowed(run: &mut Run<'_>) -> Result<String> {
    let (bytes, mut tally) = (run.bytes(), Tally::default());
    run.time(|| {
        let mut reader = reader(bytes);
        let mut record = StringRecord::new();
        while reader.read_record(&mut record)? {
            let row: Borrowed = record.deserialize(None)?;
            tally.record(row.hi, row.there, row.comment);
        }
        Ok::<_, csv::Error>(())
    })?;
    Ok(tally.answer())
}

fn positional_stops_borrowed(run: &mut Run<'_>) -> Result<String> {
    let (bytes, mut tally) = (run.bytes(), Tally::default());
    run.time(|| {
        let mut reader = reader(bytes);
        let mut record = StringRecord::new();
        while reader.read_record(&mut record)? {
            let row: StopRef = record.deserialize(None)?;
            tally.stop(&row);
        }
        Ok::<_, csv::Error>(())
    })?;
    Ok(tally.answer())
}
