use super::OwnOptions;
use crate::csv::Dialect;
use crate::{Format, json, proto};

/// How a place is read. What is set for other formats has no effect.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReadOptions {
    /// Of JSON, NDJSON and MessagePack; of raw the depth.
    pub json: json::ReadOptions,
    /// Of CSV and TSV.
    pub csv: Dialect,
    /// Of Protocol Buffers.
    pub proto: proto::ReadOptions,
    /// Of any other format.
    pub own: OwnOptions,
    /// How many bytes the longest record may have: 1 GiB.
    pub window: usize,
}

impl Default for ReadOptions {
    fn default() -> Self {
        let (json, proto) = (json::ReadOptions::default(), proto::ReadOptions::default());
        Self { json, csv: Dialect::default(), proto, own: OwnOptions::default(), window: 1 << 30 }
    }
}

/// How a place is written. What is set for other formats has no effect.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct WriteOptions {
    /// Of JSON and NDJSON; of MessagePack and raw the depth.
    pub json: json::WriteOptions,
    /// Of CSV and TSV.
    pub csv: Dialect,
    /// Of any other format.
    pub own: OwnOptions,
}

impl WriteOptions {
    /// What is usual for a format.
    pub fn of(format: Format) -> Self {
        format.write_options()
    }
}
