//! Floors: the least work a job could be, so that a ratio can be read beside what is left to win.

use memchr::memchr_iter;

use super::Engine;
use crate::record::{Borrowed, Owned};
use crate::run::{Result, Run};

/// The floors.
pub static FLOOR: Engine = Engine {
    name: "floor",
    jobs: &[
        ("json/decode-owned", make_owned),
        ("json/decode-borrowed", make_borrowed),
        ("json/sum", count_quotes),
        ("json/encode-fresh", write_fresh),
        ("json/encode-reused", write_reused),
        ("json/value-copy", copy_bytes),
        ("ndjson/decode-owned", make_owned),
        ("ndjson/sum", count_quotes),
        ("csv/collect-owned", make_owned),
        ("csv/records-owned", count_cells),
        ("csv/records-borrowed", count_cells),
        ("csv/stops-owned", count_cells),
        ("csv/stops-borrowed", count_cells),
        ("csv/split", count_cells),
    ],
};

/// How many records the input has, counted outside the timed part: braces that close, or lines below a header.
fn records(bytes: &[u8]) -> usize {
    if matches!(bytes.first(), Some(b'[' | b'{')) {
        memchr_iter(b'}', bytes).count()
    } else {
        memchr_iter(b'\n', bytes).count().saturating_sub(1)
    }
}

/// The same objects, from numbers at hand: memory and nothing else.
fn make_owned(run: &mut Run<'_>) -> Result<String> {
    let count = records(run.bytes());
    let last = i64::try_from(count)?;
    let rows = run.time(|| {
        let mut rows = Vec::with_capacity(count);
        rows.extend((1..=last).map(|hi| Owned { hi, there: 2 * hi, comment: "comment".to_owned() }));
        rows
    });
    Ok(rows.len().to_string())
}

fn make_borrowed(run: &mut Run<'_>) -> Result<String> {
    let bytes = run.bytes();
    let count = records(bytes);
    let last = i64::try_from(count)?;
    let rows = run.time(|| {
        let mut rows = Vec::with_capacity(count);
        rows.extend((1..=last).map(|hi| Borrowed {
            hi,
            there: 2 * hi,
            comment: std::str::from_utf8(&bytes[..7]).unwrap_or_default(),
        }));
        rows
    });
    Ok(rows.len().to_string())
}

/// One pass over the bytes with memchr.
fn count_quotes(run: &mut Run<'_>) -> Result<String> {
    let bytes = run.bytes();
    Ok(run.time(|| memchr_iter(b'"', bytes).count()).to_string())
}

/// Two passes, since memchr counts one byte without stopping at it, but stops at each of two.
fn count_cells(run: &mut Run<'_>) -> Result<String> {
    let bytes = run.bytes();
    Ok(run.time(|| memchr_iter(b',', bytes).count() + memchr_iter(b'\n', bytes).count()).to_string())
}

/// The bytes copied once.
fn copy_bytes(run: &mut Run<'_>) -> Result<String> {
    let bytes = run.bytes();
    Ok(run.time(|| bytes.to_vec()).len().to_string())
}

/// Digits and constant text into a buffer of the right size; the comment is copied without a look for escapes.
fn write(rows: &[Owned], out: &mut Vec<u8>) {
    let mut digits = itoa::Buffer::new();
    let mut before: &[u8] = b"[{\"hi\":";
    for row in rows {
        out.extend_from_slice(before);
        out.extend_from_slice(digits.format(row.hi).as_bytes());
        out.extend_from_slice(b",\"there\":");
        out.extend_from_slice(digits.format(row.there).as_bytes());
        out.extend_from_slice(b",\"comment\":\"");
        out.extend_from_slice(row.comment.as_bytes());
        before = b"\"},{\"hi\":";
    }
    out.extend_from_slice(b"\"}]");
}

fn write_fresh(run: &mut Run<'_>) -> Result<String> {
    let (rows, size) = (run.rows(), run.bytes().len());
    let out = run.time(|| {
        let mut out = Vec::with_capacity(size);
        write(rows, &mut out);
        out
    });
    Ok(out.len().to_string())
}

fn write_reused(run: &mut Run<'_>) -> Result<String> {
    let rows = run.rows();
    run.time_into(|out| write(rows, out));
    Ok(run.buffer.len().to_string())
}
