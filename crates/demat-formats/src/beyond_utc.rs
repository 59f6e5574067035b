use demat_core::scalar::Instant;
use demat_core::{Error, ErrorKind};

/// Returns the error for an instant that a format writes in UTC, where its year is not from 1 to 9999.
#[cold]
#[inline(never)]
pub(crate) fn beyond_utc(at: Instant) -> Error {
    Error::mismatch(ErrorKind::Encode, "an instant in the years 1 to 9999 of UTC", format!("`{at}`"))
}
