//! The contract of Demat: typed values move between **places** directly, without an intermediate representation.
//!
//! Five terms define the architecture:
//!
//! | word | is |
//! |---|---|
//! | [`Shape`] | the type of a value: a kind, or a record of fields, each with a name *and* a number |
//! | [`Source`] | a **place** that values are read from, part by part |
//! | [`Sink`] | a **place** that values are written to, part by part |
//! | Plan | a shape bound to one host's memory; for Rust types, it is the derived code |
//! | Store | a place with references (a crate of its own) |
//!
//! [`copy`] reads a source and writes to a sink without making host values. [`Decode`] reads a source to build a Rust
//! value, and [`Encode`] writes one to a sink. Formats implement `Source` and `Sink` and know no type; types implement
//! `Decode` and `Encode` and know no format.
#![forbid(unsafe_code)]

mod accept_single;
mod borrowed;
mod check;
mod copy;
mod decode;
#[doc(hidden)]
pub mod derived;
mod encode;
mod error;
pub mod excerpt;
mod forward;
mod infer;
pub mod interrupt;
mod key_predictor;
mod kind;
mod lax;
mod listed;
mod numbers;
mod panic;
mod position;
mod run;
pub mod scalar;
mod shape;
mod sink;
mod sink_reference;
mod source;
mod source_reference;
mod tape;
mod tee;
mod text_as;
mod token;
mod trouble;
mod types;
mod value;

pub use crate::accept_single::AcceptSingle;
pub use crate::borrowed::{Borrowed, Bytes, Text};
pub use crate::check::{CheckOptions, Checked, Checks, IntRange, Pattern, Patterns, Validated, Validator};
pub use crate::copy::{Copier, Progress, copy, copy_any};
pub use crate::decode::{Decode, DecodeFields, Recorded, Shaped, decode_list};
pub use crate::encode::{Encode, EncodeFields};
pub use crate::error::{Error, ErrorKind, Segment, Signal};
pub use crate::infer::{Inference, InferenceOptions};
pub use crate::key_predictor::{KeyPredictor, Step};
pub use crate::kind::Kind;
pub use crate::lax::Lax;
pub use crate::listed::Listed;
pub use crate::numbers::{Numbers, NumbersInto};
pub use crate::panic::{caught, panicked, silence_panics};
pub use crate::position::{Mark, Position};
pub use crate::run::{Basic, Next, Wanted};
pub use crate::shape::{
    Argument, Enum, Field, Fit, FloatWidth, Held, IntWidth, Items, KeyPattern, Layout, Named, Note, QuotedKey, Record,
    RecordRef, Ref, Reference, Refusal, Shape, Tag, Union, UnionRef, Unknown, Variant, Vocabulary, Word, json_name,
};
pub use crate::sink::{Nothing, Sink};
pub use crate::source::Source;
pub use crate::tape::{Tape, TapeSource};
pub use crate::tee::Tee;
pub use crate::token::Token;
pub use crate::trouble::Trouble;
pub use crate::value::{Value, ValueSink, ValueSource};

/// The result of every fallible call in Demat.
pub type Result<T, E = Error> = core::result::Result<T, E>;
