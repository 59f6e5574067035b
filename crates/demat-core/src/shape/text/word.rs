//! The reserved words, and the notation of other names.

use crate::{FloatWidth, IntWidth, Shape};
use core::fmt::{self, Write};

/// Returns the kind that a word names.
pub(super) fn kind(word: &str) -> Option<Shape> {
    Some(match word {
        "any" => Shape::Any,
        "null" => Shape::Null,
        "bool" => Shape::Bool,
        "int" => Shape::Int(IntWidth::Any),
        "float" | "float64" => Shape::Float(FloatWidth::F64),
        "float32" => Shape::Float(FloatWidth::F32),
        "text" => Shape::Text,
        "bytes" => Shape::Bytes,
        "decimal" => Shape::Decimal,
        "date" => Shape::Date,
        "time" => Shape::Time,
        "datetime" => Shape::DateTime,
        "instant" => Shape::Instant,
        "duration" => Shape::Duration,
        "uuid" => Shape::Uuid,
        _ => {
            if let Some(bits) = word.strip_prefix("int") {
                Shape::Int(IntWidth::Signed(width(bits)?))
            } else {
                Shape::Int(IntWidth::Unsigned(width(word.strip_prefix("uint")?)?))
            }
        }
    })
}

/// Parses bits in canonical digits, so that each width has one word.
fn width(digits: &str) -> Option<u16> {
    let canonical = digits.bytes().all(|byte| byte.is_ascii_digit()) && (digits == "0" || !digits.starts_with('0'));
    if canonical { digits.parse().ok() } else { None }
}

pub(super) fn begins(char: char) -> bool {
    char.is_alphabetic() || char == '_'
}

pub(super) fn goes_on(char: char) -> bool {
    char.is_alphanumeric() || char == '_' || char == '-'
}

fn is_word(name: &str) -> bool {
    name.starts_with(begins) && name.chars().all(goes_on)
}

/// Writes the name of a field, an enum name or a variant.
pub(super) fn write_name(out: &mut impl Write, name: &str) -> fmt::Result {
    if is_word(name) { out.write_str(name) } else { write_quoted(out, name) }
}

/// Writes the name of a type, which must differ from the reserved words.
pub(super) fn write_type(out: &mut impl Write, name: &str) -> fmt::Result {
    if is_taken(name) { write_quoted(out, name) } else { write_name(out, name) }
}

/// Whether the word is reserved where a type's name could be.
pub(super) fn is_taken(word: &str) -> bool {
    matches!(word, "map" | "enum" | "union") || kind(word).is_some()
}

/// Writes text quoted as in JSON.
pub(super) fn write_quoted(out: &mut impl Write, text: &str) -> fmt::Result {
    out.write_char('"')?;
    for char in text.chars() {
        match char {
            '"' => out.write_str("\\\"")?,
            '\\' => out.write_str("\\\\")?,
            '\n' => out.write_str("\\n")?,
            '\r' => out.write_str("\\r")?,
            '\t' => out.write_str("\\t")?,
            control if control.is_control() => write!(out, "\\u{:04x}", u32::from(control))?,
            char => out.write_char(char)?,
        }
    }
    out.write_char('"')
}
