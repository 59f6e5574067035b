//! Resolves scalars by their tag, or by their text.

use super::super::word::{Word, is_float, is_int, resolve};
use super::timestamp::timestamp;
use crate::whole::{Content, Tape, int};
use demat_core::excerpt;
use demat_core::scalar::base64;
use demat_core::{Error, ErrorKind, Result};
use granit_parser::Tag;

/// The types of the core schema, and the two other types that are supported.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Type {
    /// No tag: the text decides.
    Untagged,
    Null,
    Bool,
    Int,
    Float,
    Text,
    Binary,
    Timestamp,
    List,
    Map,
}

/// Returns the type that a tag names.
pub(super) fn type_of(tag: Option<&Tag>) -> Result<Type> {
    let Some(tag) = tag else { return Ok(Type::Untagged) };
    let name = tag.suffix_in_namespace("tag:yaml.org,2002:");
    Ok(match (name.as_deref(), tag.parts()) {
        (Some("null"), _) => Type::Null,
        (Some("bool"), _) => Type::Bool,
        (Some("int"), _) => Type::Int,
        (Some("float"), _) => Type::Float,
        (Some("binary"), _) => Type::Binary,
        (Some("timestamp"), _) => Type::Timestamp,
        (Some("seq"), _) => Type::List,
        (Some("map"), _) => Type::Map,
        // By the specification, the tag `!` makes a scalar text, and has no effect on a list or a map.
        (Some("str"), _) | (None, ("", "!")) => Type::Text,
        _ => {
            return Err(Error::mismatch(
                ErrorKind::Constraint,
                "a tag of the core schema",
                format!("`{}`", tag.original()),
            ));
        }
    })
}

/// Resolves a scalar.
pub(super) fn content(tape: &mut Tape, input: &str, text: &str, plain: bool, of: Type) -> Result<Content> {
    let wrong = |expected: &'static str| {
        let found = excerpt::name(text);
        Err(Error::mismatch(ErrorKind::Constraint, expected, found))
    };
    Ok(match of {
        Type::Untagged if plain => match resolve(text) {
            Word::Null => Content::Null,
            Word::Bool(value) => Content::Bool(value),
            Word::Int if int(text).is_none() => return wrong("an int of 128 bits in octal or hexadecimal"),
            Word::Int => Content::Int(tape.slice(text, input)?),
            Word::Float => Content::Float(tape.slice(text, input)?),
            Word::Text => Content::Text(tape.slice(text, input)?),
        },
        Type::Untagged | Type::Text => Content::Text(tape.slice(text, input)?),
        Type::Null if resolve(text) == Word::Null => Content::Null,
        Type::Null => return wrong("a null, as the tag says"),
        Type::Bool => match resolve(text) {
            Word::Bool(value) => Content::Bool(value),
            _ => return wrong("`true` or `false`, as the tag says"),
        },
        Type::Int if is_int(text) && int(text).is_some() => Content::Int(tape.slice(text, input)?),
        Type::Int => return wrong("an int, as the tag says"),
        Type::Float if is_float(text) => Content::Float(tape.slice(text, input)?),
        Type::Float => return wrong("a float, as the tag says"),
        Type::Timestamp => match timestamp(text) {
            Some(content) => content,
            None => return wrong("a timestamp, as the tag says"),
        },
        Type::Binary => {
            let digits: String = text.chars().filter(|char| !char.is_ascii_whitespace()).collect();
            match base64::decode(&digits) {
                Some(bytes) => Content::Bytes(tape.keep(&bytes)?),
                None => return wrong("base64, as the tag says"),
            }
        }
        Type::List => return wrong("a list, as the tag says"),
        Type::Map => return wrong("a map, as the tag says"),
    })
}
