//! How places are read and written.

use crate::Format;
use demat_formats::codec::{self, OwnOptions};
use demat_formats::csv::Dialect;
use demat_formats::json;

pub use demat_formats::codec::ReadOptions;

/// How a place is written. What is set for other formats has no effect.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WriteOptions {
    /// Of JSON and NDJSON.
    pub json: json::WriteOptions,
    /// Of CSV and TSV.
    pub csv: Dialect,
    /// Of Arrow and Parquet.
    pub columns: demat_arrow::Options,
    /// Of any other format.
    pub own: OwnOptions,
}

impl WriteOptions {
    /// What is usual for a format.
    pub fn of(format: Format) -> Self {
        Self::with_codec(format.codec().map(codec::Codec::write_options).unwrap_or_default())
    }

    /// The options of formats that are written by a sink of bytes.
    pub fn of_codec(&self) -> codec::WriteOptions {
        codec::WriteOptions { json: self.json, csv: self.csv, own: self.own.clone() }
    }

    /// With the options of formats that are written by a sink of bytes.
    pub fn with_codec(options: codec::WriteOptions) -> Self {
        let codec::WriteOptions { json, csv, own } = options;
        Self { json, csv, columns: demat_arrow::Options::default(), own }
    }
}
