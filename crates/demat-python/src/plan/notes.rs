//! The notes of fields for single formats, in the words that the formats declare.

use demat_core::{Shape, Vocabulary};
use demat_formats::Format;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// Returns the notes in an argument of `Field`, each with its place.
///
/// # Errors
/// `ValueError` if no format has such notes, or the format refuses one of them.
#[pyfunction]
pub(crate) fn notes(argument: &str, text: &str) -> PyResult<Vec<(&'static str, String)>> {
    let found = Format::vocabularies().find(|vocabulary| vocabulary.attribute == argument);
    let vocabulary = found.ok_or_else(|| PyValueError::new_err(format!("no format has the notes `{argument}`")))?;
    match vocabulary.refusal(&[text]) {
        Some(refusal) => Err(PyValueError::new_err(refusal.to_string())),
        None => Ok(vocabulary.words(text).map(|word| (vocabulary.place, word.to_owned())).collect()),
    }
}

/// Checks the notes of a field.
///
/// # Errors
/// The reason of the format that refuses one of them.
pub(super) fn verify(places: &[(String, String)], shape: &Shape) -> Result<(), String> {
    let refusal = |vocabulary: &'static Vocabulary| {
        let notes: Vec<&str> = of_place(places, vocabulary).map(|(_, note)| note.as_str()).collect();
        vocabulary.refusal_for(&notes, shape).map(|refusal| refusal.to_string())
    };
    Format::vocabularies().find_map(refusal).map_or(Ok(()), Err)
}

/// Returns the notes that sources need, too.
pub(super) fn read(places: &[(String, String)]) -> Vec<(String, String)> {
    let read = Format::vocabularies().filter(|vocabulary| vocabulary.is_read);
    read.flat_map(|vocabulary| of_place(places, vocabulary).cloned()).collect()
}

fn of_place<'n>(
    places: &'n [(String, String)],
    vocabulary: &'static Vocabulary,
) -> impl Iterator<Item = &'n (String, String)> {
    places.iter().filter(|(place, _)| place == vocabulary.place)
}
