//! Numbers and strings in the syntax of text formats.
//!
//! Functions that read take the whole input and a position; those that write append to a `Vec<u8>`. They know no format
//! except JSON's grammar, which CSV cells share where it matters. Numbers lose nothing: integers are exact or reported
//! as not exact, floats are correctly rounded when parsed and shortest when written.

mod decimal_float;
mod eight_digits;
mod escape;
mod float_parse;
mod float_plain;
mod float_write;
mod integer_parse;
mod integer_write;
mod number_read;
mod number_scan;
mod unescape;
mod utf8;

#[cfg(test)]
mod tests;

pub use escape::{write_json_string, write_json_string_ascii};
pub use float_parse::{parse_f32, parse_f64};
pub use float_write::{write_f32, write_f64};
pub(crate) use float_write::{write_f32_then, write_f64_then};
pub(crate) use integer_parse::short_number;
pub use integer_parse::{Digits, parse_digits, parse_i64, parse_u64};
pub(crate) use integer_write::{pieces_of_u64, write_i64_then, write_u64_then};
pub use integer_write::{write_i64, write_u64};
pub(crate) use number_read::{Number, PLAIN, other_number, plain_number};
pub use number_scan::{NumberFault, NumberScan, scan_number};
pub use unescape::{EscapeCause, EscapeFault, unescape};
pub(crate) use utf8::utf8;
