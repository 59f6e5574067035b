//! Messages that hold one value: timestamps and durations.

use super::slot::Slot;
use super::{Drain, ProtoSink, WireType};
use crate::beyond_utc::beyond_utc;
use crate::proto::layout::Cardinality;
use crate::proto::tag::tag;
use crate::proto::varint::write_varint;
use demat_core::scalar::{DateTime, Duration, Instant};
use demat_core::{Error, ErrorKind, Result};

const SECOND: i128 = 1_000_000_000;

/// Returns the error for a date and time without an offset from UTC, which is no instant.
#[cold]
pub(crate) fn no_offset(at: DateTime) -> Error {
    Error::mismatch(ErrorKind::Encode, "an instant with an offset from UTC", at.to_string())
}

impl<D: Drain> ProtoSink<D> {
    fn seconds(&mut self, seconds: i64, nanos: i32) {
        let length = self.open_delimited();
        for (number, value) in [(1, seconds), (2, i64::from(nanos))] {
            if value != 0 {
                write_varint(&mut self.output.buffer, tag(number, WireType::Varint));
                write_varint(&mut self.output.buffer, value.cast_unsigned());
            }
        }
        self.close_length(length);
        self.slot = Slot::WHOLE;
    }

    /// Writes the instant in UTC; its offset is lost.
    pub(super) fn write_instant(&mut self, value: Instant) -> Result<()> {
        if self.slot.cardinality != Cardinality::Value {
            return Err(self.other("instant"));
        }
        let Some(nanos) = value.unix_nanos() else { return Err(no_offset(value.split().0)) };
        if !value.is_in_utc() {
            return Err(beyond_utc(value));
        }
        self.seconds(nanos.div_euclid(SECOND) as i64, nanos.rem_euclid(SECOND) as i32);
        Ok(())
    }

    /// Writes a duration. Both parts of the message have the same sign.
    pub(super) fn write_duration(&mut self, value: Duration) -> Result<()> {
        if self.slot.cardinality != Cardinality::Value {
            return Err(self.other("duration"));
        }
        let nanos = value.total_nanos();
        self.seconds((nanos / SECOND) as i64, (nanos % SECOND) as i32);
        Ok(())
    }
}
