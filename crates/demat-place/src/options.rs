//! How places are read and written.

use crate::Format;
use demat_formats::codec;
use demat_formats::csv::Dialect;
use demat_formats::json;

pub use demat_formats::codec::ReadOptions;

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
        let codec::WriteOptions { json, csv, .. } = format.codec().map(codec::Codec::write_options).unwrap_or_default();
        Self { json, csv, columns: demat_arrow::Options::default() }
    }

    /// What is said of formats that are written by a sink of bytes.
    pub fn of_codec(&self) -> codec::WriteOptions {
        codec::WriteOptions { json: self.json, csv: self.csv }
    }
}
