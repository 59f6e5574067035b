//! The notes of fields: the tags of their numbers and arrays.

use super::{NbtCodec, Tag};
use crate::codec::HasNotes;
use demat_core::{Field, Fit, Vocabulary, Word};

const TAGS: &[&str] = &["byte", "short", "int", "long", "float", "double", "byte_array", "int_array", "long_array"];
const INTS: Fit = Fit::INTS.or(Fit::FLAGS, "ints").anywhere();
const FLOATS: Fit = Fit::FLOATS.or(Fit::INTS, "numbers").anywhere();
const ARRAYS: Fit = Fit::INT_LISTS.anywhere();

/// The notes. A note also counts for the numbers in lists and maps.
pub(crate) static VOCABULARY: Vocabulary = Vocabulary::new(
    "nbt",
    &[
        Word::new("byte").without(TAGS).on(INTS),
        Word::new("short").without(TAGS).on(INTS),
        Word::new("int").without(TAGS).on(INTS),
        Word::new("long").without(TAGS).on(INTS),
        Word::new("float").without(TAGS).on(FLOATS),
        Word::new("double").without(TAGS).on(FLOATS),
        Word::new("byte_array").without(TAGS).on(ARRAYS),
        Word::new("int_array").without(TAGS).on(ARRAYS),
        Word::new("long_array").without(TAGS).on(ARRAYS),
    ],
);

impl HasNotes for NbtCodec {
    const VOCABULARY: &'static Vocabulary = &VOCABULARY;
}

/// Returns the tag in the notes of a field.
pub(super) fn noted(field: &Field) -> Option<Tag> {
    field.notes_for(VOCABULARY.place).find_map(|note| {
        Some(match note.trim() {
            "byte" => Tag::Byte,
            "short" => Tag::Short,
            "int" => Tag::Int,
            "long" => Tag::Long,
            "float" => Tag::Float,
            "double" => Tag::Double,
            "byte_array" => Tag::ByteArray,
            "int_array" => Tag::IntArray,
            "long_array" => Tag::LongArray,
            _ => return None,
        })
    })
}
