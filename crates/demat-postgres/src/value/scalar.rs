//! The scalars of the contract as one type.

use demat_core::scalar::{Date, DateTime, Decimal, Duration, Int, Offset, Time, Uuid};
use demat_core::{Result, Sink};

/// A scalar that a sink gets.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Scalar<'v> {
    Bool(bool),
    I64(i64),
    Int(&'v Int<'v>),
    Float(f64),
    Float32(f32),
    Text(&'v str),
    Bytes(&'v [u8]),
    Decimal(&'v Decimal<'v>),
    Date(Date),
    Time(Time),
    DateTime(DateTime),
    Instant(DateTime, Offset),
    Duration(Duration),
    Uuid(Uuid),
}

impl Scalar<'_> {
    /// Writes it to another sink.
    pub(crate) fn write<K: Sink>(self, sink: &mut K) -> Result<()> {
        match self {
            Self::Bool(value) => sink.bool(value),
            Self::I64(value) => sink.i64(value),
            Self::Int(value) => sink.int(value),
            Self::Float(value) => sink.float(value),
            Self::Float32(value) => sink.float32(value),
            Self::Text(value) => sink.text(value),
            Self::Bytes(value) => sink.bytes(value),
            Self::Decimal(value) => sink.decimal(value),
            Self::Date(value) => sink.date(value),
            Self::Time(value) => sink.time(value),
            Self::DateTime(value) => sink.date_time(value),
            Self::Instant(at, offset) => sink.instant(at, offset),
            Self::Duration(value) => sink.duration(value),
            Self::Uuid(value) => sink.uuid(value),
        }
    }

    /// Its kind, in errors.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Bool(_) => "bool",
            Self::I64(_) | Self::Int(_) => "int",
            Self::Float(_) | Self::Float32(_) => "float",
            Self::Text(_) => "text",
            Self::Bytes(_) => "bytes",
            Self::Decimal(_) => "decimal",
            Self::Date(_) => "date",
            Self::Time(_) => "time",
            Self::DateTime(_) => "datetime",
            Self::Instant(..) => "instant",
            Self::Duration(_) => "duration",
            Self::Uuid(_) => "uuid",
        }
    }
}
