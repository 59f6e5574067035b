//! The notes of fields and variants: how they are encoded, and what they are called.

use super::ProtoCodec;
use crate::codec::HasNotes;
use demat_core::{Argument, Fit, Vocabulary, Word};

const FORMS: &[&str] = &[
    "int32",
    "int64",
    "uint32",
    "uint64",
    "sint32",
    "sint64",
    "fixed32",
    "fixed64",
    "sfixed32",
    "sfixed64",
    "float",
    "double",
    "bool",
    "string",
    "bytes",
    "enum",
    "ipv4",
    "ip",
    "ip_port",
    "group",
    "delimited",
];
const KEYS: &[&str] = &[
    "int32", "int64", "uint32", "uint64", "sint32", "sint64", "fixed32", "fixed64", "sfixed32", "sfixed64", "bool",
    "string", "enum", "ipv4", "ip", "ip_port", "float", "double", "bytes",
];
const JSON: &[&str] = &["wrapper", "struct", "list", "value", "timestamp", "duration", "field_mask", "any"];
const INTS: Fit = Fit::INTS.or(Fit::FLAGS, "ints").anywhere();
const FLOATS: Fit = Fit::FLOATS.or(Fit::INTS, "numbers").anywhere();

const fn form(name: &'static str) -> Word {
    Word::new(name).without(FORMS)
}

/// The notes.
pub(crate) static VOCABULARY: Vocabulary = Vocabulary {
    attribute: "wire",
    ..Vocabulary::new(
        "proto",
        &[
            form("int32").on(INTS),
            form("int64").on(INTS),
            form("uint32").on(INTS),
            form("uint64").on(INTS),
            form("sint32").on(INTS),
            form("sint64").on(INTS),
            form("fixed32").on(INTS),
            form("fixed64").on(INTS),
            form("sfixed32").on(INTS),
            form("sfixed64").on(INTS),
            form("float").on(FLOATS),
            form("double").on(FLOATS),
            form("bool"),
            form("string"),
            form("bytes"),
            form("enum"),
            form("ipv4"),
            form("ip"),
            form("ip_port"),
            form("group"),
            form("delimited"),
            Word::new("key").with(Argument::OneOf(KEYS)),
            Word::new("packed").without(&["expanded"]),
            Word::new("expanded").on(Fit::LISTS),
            Word::new("required").without(&["implicit"]),
            Word::new("implicit"),
            Word::new("closed"),
            Word::new("oneof").with(Argument::OptionalRest("the numbers of the variants")),
            Word::new("in").with(Argument::Rest("the name of a oneof")),
            Word::new("reserved").with(Argument::Rest("a name")).repeated(),
            Word::new("json_name").with(Argument::Rest("a name")),
            Word::new("text_name").with(Argument::Rest("a name")),
            Word::new("json").with(Argument::OneOf(JSON)),
        ],
    )
};

impl HasNotes for ProtoCodec {
    const VOCABULARY: &'static Vocabulary = &VOCABULARY;
}
