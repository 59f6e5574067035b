use crate::{Refusal, Vocabulary};

/// The texts of a field's attributes for notes, each with the vocabulary that the attribute names.
type Said = [(&'static Vocabulary, &'static str)];

/// More notes than a field can have.
const MOST: usize = 16;

/// Returns the number of notes, and refuses wrong ones at compile time.
///
/// # Panics
/// If a place does not know a note, or if notes exclude each other: at compile time, since the derive calls this in
/// constants only.
#[track_caller]
pub const fn noted(said: &Said) -> usize {
    let (mut count, mut index) = (0, 0);
    while index < said.len() {
        let (vocabulary, text) = said[index];
        count += vocabulary.count(text);
        // All texts for the place so far, since two attributes may exclude each other.
        let mut texts = [""; MOST];
        let (mut len, mut other) = (0, 0);
        while other <= index {
            if crate::shape::equal(said[other].0.place, vocabulary.place) {
                if len == MOST {
                    Refusal::of(&["more notes for ", vocabulary.place, " than a field can have"]).panic();
                }
                texts[len] = said[other].1;
                len += 1;
            }
            other += 1;
        }
        if let Some(refusal) = vocabulary.refusal(texts.split_at(len).0) {
            refusal.panic();
        }
        index += 1;
    }
    count
}

/// Returns the note at this index, of those that [`noted`] counts, with its place. An index beyond them is empty text.
pub const fn note(said: &Said, index: usize) -> (&'static str, &'static str) {
    let (mut left, mut at) = (index, 0);
    while at < said.len() {
        let (vocabulary, text) = said[at];
        if let Some(word) = vocabulary.word(text, left) {
            return (vocabulary.place, word);
        }
        left -= vocabulary.count(text);
        at += 1;
    }
    ("", "")
}
