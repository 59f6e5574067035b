//! Messages that hold one value: timestamps and durations.

use super::ProtoSource;
use super::slot::At;
use crate::proto::layout::Form;
use crate::proto::tag::WireType;
use demat_core::derived::text_as;
use demat_core::scalar::{Duration, Instant, Offset};
use demat_core::{Error, Result, Source};

impl ProtoSource<'_> {
    /// Reads the seconds and nanoseconds of a `Timestamp` or `Duration`.
    fn seconds(&mut self, expected: &'static str) -> Result<(i64, i32)> {
        self.start = self.at;
        let single = match self.slot.at {
            At::Wire(WireType::Len) => self.content_at(self.at, self.end)?,
            At::Zero => (self.at, self.at),
            _ => return Err(self.other(expected)),
        };
        let pieces = core::mem::take(&mut self.pieces);
        let pieces = if pieces.is_empty() { vec![single] } else { pieces };
        let (mut seconds, mut nanos) = (0, 0);
        for (mut at, end) in pieces {
            while at < end {
                let (number, wire, next) = self.tag_at(at, end)?;
                if number <= 2 {
                    if wire != WireType::Varint {
                        return Err(self.bad_wire(at, Form::Int64, wire));
                    }
                    let (value, _) = self.varint_at(next, end)?;
                    if number == 1 {
                        seconds = value.cast_signed();
                    } else {
                        nanos = value as i32;
                    }
                }
                at = self.pass(next, wire, number, end)?;
            }
        }
        self.at = single.1;
        Ok((seconds, nanos))
    }

    #[cold]
    fn out_of_range(&self, expected: &'static str, seconds: i64, nanos: i32) -> Error {
        Error::expected(expected, format!("{seconds} seconds and {nanos} nanoseconds")).at(self.position())
    }

    pub(super) fn read_instant(&mut self) -> Result<Instant> {
        if self.slot.form != Form::Timestamp {
            return text_as(self, "instant", "`instant` as RFC 3339", Instant::parse);
        }
        let (seconds, nanos) = self.seconds("instant")?;
        let instant = u32::try_from(nanos).ok().and_then(|nanos| Instant::from_unix(seconds, nanos, Offset::UTC));
        instant.ok_or_else(|| self.out_of_range("an instant of the years 1 to 9999", seconds, nanos))
    }

    pub(super) fn read_duration(&mut self) -> Result<Duration> {
        if self.slot.form != Form::Duration {
            return text_as(self, "duration", "`duration` as ISO 8601", Duration::parse);
        }
        let (seconds, nanos) = self.seconds("duration")?;
        let same_sign = seconds == 0 || nanos == 0 || (seconds < 0) == (nanos < 0);
        let total = i128::from(seconds) * 1_000_000_000 + i128::from(nanos);
        let duration = Duration::from_nanos(total).filter(|_| same_sign && nanos.abs() < 1_000_000_000);
        duration.ok_or_else(|| self.out_of_range("a duration", seconds, nanos))
    }
}
