//! Moves typed data between any two places with nothing in between.
//!
//! Derive [`Decode`] and [`Encode`] for a type, and every format moves it; the [`tutorial`] shows how.
//!
//! ```
//! use demat::{Decode, Encode, json};
//!
//! #[derive(Encode, Decode)]
//! struct Task {
//!     title: String,
//!     done: bool,
//! }
//!
//! let task: Task = json::decode(br#"{"title": "sleep", "done": false}"#)?;
//! assert_eq!(json::encode(&Task { done: true, ..task })?, br#"{"title":"sleep","done":true}"#);
//! # Ok::<(), demat::Error>(())
//! ```
//!
//! | feature | brings |
//! |---|---|
//! | `derive` | the derives of [`Decode`], [`Encode`] and [`Shaped`] |
//! | `formats` | the codecs: [`json`], [`ndjson`], [`csv`], [`proto`], and what they stand on, as [`formats`] |
//!
//! Both are on unless `default-features = false`.
#![forbid(unsafe_code)]

#[cfg(all(feature = "derive", feature = "formats"))]
pub mod tutorial;

pub use demat_core::*;
#[cfg(feature = "derive")]
pub use demat_derive::{Decode, Encode, Shaped};
#[cfg(feature = "formats")]
pub use demat_formats as formats;
#[cfg(feature = "formats")]
pub use demat_formats::{csv, json, ndjson, proto, stream};

/// The examples of the README, run.
#[cfg(all(doctest, feature = "formats", feature = "derive"))]
#[doc = include_str!("../../../README.md")]
struct Readme;
