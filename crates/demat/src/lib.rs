//! Moves typed data between any two places with nothing in between.
//!
//! Derive [`Decode`] and [`Encode`] for a type, and every format moves it; the [`tutorial`] shows how.
//!
//! ```
//! use demat::{Decode, Encode, Value};
//!
//! #[derive(Debug, PartialEq, Encode, Decode)]
//! struct Task {
//!     title: String,
//!     done: bool,
//! }
//!
//! let task = Task { title: "sleep".to_string(), done: false };
//! let value = Value::of(&task)?;
//! assert_eq!(value.to::<Task>()?, task);
//! # Ok::<(), demat::Error>(())
//! ```
//!
//! | feature | brings |
//! |---|---|
//! | `derive` | the derives of [`Decode`], [`Encode`] and [`Shaped`] |
//! | `formats` | the codecs: [`json`], [`ndjson`], and what they stand on, as [`formats`] |
//!
//! Both are on unless `default-features = false`.
#![forbid(unsafe_code)]

#[cfg(feature = "derive")]
pub mod tutorial;

pub use demat_core::*;
#[cfg(feature = "derive")]
pub use demat_derive::{Decode, Encode, Shaped};
#[cfg(feature = "formats")]
pub use demat_formats as formats;
#[cfg(feature = "formats")]
pub use demat_formats::{json, ndjson, stream};

/// The examples of the README, run.
#[cfg(all(doctest, feature = "formats", feature = "derive"))]
#[doc = include_str!("../../../README.md")]
struct Readme;
