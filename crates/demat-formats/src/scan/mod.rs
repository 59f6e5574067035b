//! Finds the next relevant byte, 16 or 32 bytes at a time.
//!
//! Every function here is safe, takes the whole input and a position in it, and returns a position in the same input:
//! the input's length if nothing was found. A position past the end counts as the end.
//!
//! # How it is built
//!
//! * `Vector` is the small set of operations that a machine must provide: load, compare, combine, and one bit per byte.
//! * `Class` is a set of bytes, defined once in terms of a `Vector`.
//! * An algorithm is written once over both and compiled for each [`Level`]. The level is detected once per process.
//! * Most runs in real documents are short. So a search inspects its first 32 bytes inline, with the vectors that every
//!   machine of the target has (SSE2, NEON), and only longer runs pay for a call and the choice of a level.
//!
//! The slow, obvious twin of each function is in `naive.rs`. The tests compare both at every level of the machine.
//!
//! This module is the only one of the crate with `unsafe` code.
#![allow(unsafe_code, reason = "vector instructions; every block carries its proof, every routine a tested twin")]

mod ahead;
mod append;
mod ascii_short;
mod characters;
mod class;
mod csv_block;
mod csv_cell;
mod csv_index;
mod csv_rows;
mod csv_special;
mod digits;
mod find;
mod json_plain;
mod json_quoted;
mod json_string;
mod json_unescaped;
mod level;
#[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
mod neon;
mod newlines;
mod portable;
mod prefetch;
mod prefix;
mod room;
mod sixteen;
mod space;
mod utf8_short;
mod vector;
#[cfg(target_arch = "x86_64")]
mod x86;
mod xml_text;

#[cfg(test)]
mod naive;
#[cfg(test)]
mod tests;

pub use ahead::Ahead;
pub(crate) use append::{
    Pieces, append_array, append_block, append_both, append_bytes, append_fixed, append_framed, append_headed,
    append_headed_words, append_items, append_made, append_number, append_over, append_part, append_parts,
    append_quoted_words, append_two,
};
pub use ascii_short::ascii_short;
pub use characters::{Characters, characters};
pub use csv_block::{CsvMasks, csv_block};
pub use csv_cell::csv_short_text;
pub use csv_index::csv_index;
pub use csv_rows::csv_rows;
pub use csv_special::csv_special;
pub use digits::{digit_count, digits_end, fraction_digits};
pub use json_plain::{json_plain, json_plain_text, json_short_text};
pub(crate) use json_quoted::{ESCAPES, append_json_quoted, escape_len};
pub use json_string::json_string_end;
pub(crate) use json_unescaped::{ESCAPED, HEX, append_unescaped};
#[doc(hidden)]
pub use level::force_level;
pub use level::{Level, level};
pub use newlines::count_newlines;
pub(crate) use prefetch::prefetch_ahead;
pub use prefetch::prefetch_at;
pub use prefix::{padded8, padded16, prefix8, prefix16};
pub(crate) use room::{Room, Tail};
pub(crate) use sixteen::sixteen_digits;
pub(crate) use space::indent_end;
pub use space::space_end;
pub use utf8_short::utf8_short;
pub use xml_text::{xml_control, xml_escape, xml_special};
