//! The **scalars** of the contract that Rust's own types do not cover.
//!
//! | type | is | text |
//! |---|---|---|
//! | [`Int`] | an integer of any size | `-?digits` |
//! | [`Decimal`] | an exact decimal of any size | RFC 8259 §6 |
//! | [`Date`] | a day of the years 1 to 9999 | RFC 3339 §5.6 `full-date` |
//! | [`Time`] | a time of day, to the nanosecond | RFC 3339 §5.6 `partial-time` |
//! | [`Offset`] | the offset of a clock east of UTC | RFC 3339 §5.6 `time-offset` |
//! | [`DateTime`] | a date and a time on a wall clock, without an offset | RFC 3339 §5.6 `full-date "T" partial-time` |
//! | [`Instant`] | a date and a time, with an offset or without one | RFC 3339 §5.6 `date-time` |
//! | [`Duration`] | a length of time, signed, to the nanosecond | ISO 8601 |
//! | [`Uuid`] | 128 bits | RFC 9562 §4 |
//! | [`base64`] | bytes, in formats that have only text | RFC 4648 §4 and §5 |
//!
//! They are separate kinds, so that no format has to represent them as text or with a magic key. Rules for all:
//!
//! - Parsing takes a `&str` and returns an `Option`. It never panics, never allocates more than the input's size, and
//!   takes linear time. It does not say *why* it failed: the calling source knows the position and builds the error.
//! - What can't be represented exactly is refused, never rounded: a tenth digit of a second, a leap second, a month in
//!   a duration. `parse_lenient`, of some, also reads other forms, and says what it cuts.
//! - `parse` reads the output of [`Display`](core::fmt::Display) back to an equal value.
//!
//! ```
//! use demat_core::scalar::{Instant, Int};
//!
//! let landing = Instant::parse("1969-07-20T20:17:40Z").unwrap();
//! assert_eq!(landing.unix_nanos(), Some(-14_182_940_000_000_000));
//! assert_eq!(Int::from_digits("-14182940"), Some(Int::I64(-14_182_940)));
//! ```

#![forbid(unsafe_code)]

mod date;
mod date_time;
mod decimal;
mod duration;
mod front;
mod instant;
mod int;
mod lenient;
mod offset;
mod short_text;
mod time;
mod uuid;
#[cfg(test)]
mod xorshift;

pub mod base64;

pub use date::Date;
pub use date_time::DateTime;
pub use decimal::Decimal;
pub use duration::Duration;
pub use instant::Instant;
pub use int::Int;
pub use offset::Offset;
pub use short_text::{ShortText, ToShortText};
pub use time::Time;
pub use uuid::Uuid;

/// Nanoseconds in a second.
const SECOND: u32 = 1_000_000_000;
/// Seconds in a day, without leap seconds.
const DAY: u32 = 86_400;
