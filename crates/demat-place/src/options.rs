//! How places are read and written.

use crate::Format;
use demat_formats::csv::Dialect;
use demat_formats::json;
use demat_formats::proto;
use demat_formats::stream::Window;

/// How a place is read. What is said of formats that it is not in, counts for nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReadOptions {
    /// Of JSON and NDJSON.
    pub json: json::ReadOptions,
    /// Of CSV and TSV.
    pub csv: Dialect,
    /// Of Protocol Buffers.
    pub proto: proto::ReadOptions,
    /// How many bytes the longest record may have: 1 GiB.
    pub window: usize,
}

impl ReadOptions {
    /// What is usual for a format.
    pub fn of(format: Format) -> Self {
        let (json, proto) = (json::ReadOptions::default(), proto::ReadOptions::default());
        Self { json, csv: dialect(format), proto, window: Window::<std::io::Empty>::LIMIT }
    }
}

/// How a place is written. What is said of formats that it is not in, counts for nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WriteOptions {
    /// Of JSON and NDJSON.
    pub json: json::WriteOptions,
    /// Of CSV and TSV.
    pub csv: Dialect,
    /// Of Arrow and Parquet.
    pub columns: demat_arrow::Options,
}

impl WriteOptions {
    /// What is usual for a format.
    pub fn of(format: Format) -> Self {
        let columns = demat_arrow::Options::default();
        Self { json: json::WriteOptions::default(), csv: dialect(format), columns }
    }
}

fn dialect(format: Format) -> Dialect {
    if format == Format::Tsv { Dialect::tsv() } else { Dialect::default() }
}
