//! Lengths and points of time of the standard library.

use super::{no_offset, unencodable};
use crate::scalar::{self, Instant, Offset};
use crate::{Decode, Encode, Error, ErrorKind, Result, Shape, Shaped, Sink, Source};
use std::time::{Duration, SystemTime};

impl Shaped for Duration {
    const SHAPE: &'static Shape = &Shape::Duration;
}

impl Encode for Duration {
    fn encode<S: Sink + ?Sized>(&self, sink: &mut S) -> Result<()> {
        let seconds = i64::try_from(self.as_secs()).ok();
        let own = seconds.and_then(|seconds| scalar::Duration::new(seconds, self.subsec_nanos()));
        sink.duration(own.ok_or_else(|| unencodable("the duration has more than 2^63 seconds"))?)
    }
}

impl<'a> Decode<'a> for Duration {
    fn decode<S: Source<'a> + ?Sized>(source: &mut S) -> Result<Self> {
        let own = source.duration()?;
        let seconds = u64::try_from(own.seconds()).map_err(|_| {
            Error::mismatch(ErrorKind::Constraint, "a duration that is not negative", own.to_string())
                .at(source.position())
        })?;
        Ok(Self::new(seconds, own.nanos()))
    }
}

/// It is an instant in UTC.
impl Shaped for SystemTime {
    const SHAPE: &'static Shape = &Shape::Instant;
}

impl Encode for SystemTime {
    fn encode<S: Sink + ?Sized>(&self, sink: &mut S) -> Result<()> {
        let (seconds, nanos) = match self.duration_since(Self::UNIX_EPOCH) {
            Ok(after) => (i64::try_from(after.as_secs()).ok(), after.subsec_nanos()),
            Err(error) => {
                let before = error.duration();
                let part = u32::from(before.subsec_nanos() > 0);
                let seconds = before.as_secs().checked_add(part.into());
                let seconds = seconds.and_then(|seconds| 0_i64.checked_sub_unsigned(seconds));
                (seconds, part * 1_000_000_000 - before.subsec_nanos())
            }
        };
        let at = seconds.and_then(|seconds| Instant::from_unix(seconds, nanos, Offset::UTC));
        let (at, _) = at.ok_or_else(|| unencodable("the time's year is not from 1 to 9999"))?.split();
        sink.instant(at, Offset::UTC)
    }
}

impl<'a> Decode<'a> for SystemTime {
    fn decode<S: Source<'a> + ?Sized>(source: &mut S) -> Result<Self> {
        let at = source.instant()?;
        let Some((seconds, nanos)) = at.unix() else {
            return Err(no_offset(at).at(source.position()));
        };
        let whole = Duration::from_secs(seconds.unsigned_abs());
        let time = if seconds < 0 { Self::UNIX_EPOCH.checked_sub(whole) } else { Self::UNIX_EPOCH.checked_add(whole) };
        time.and_then(|time| time.checked_add(Duration::from_nanos(nanos.into()))).ok_or_else(|| {
            Error::mismatch(ErrorKind::Constraint, "a time that this system has", at.to_string()).at(source.position())
        })
    }
}
