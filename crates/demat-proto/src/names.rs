//! Names in the text of a shape.

use core::fmt::Write;
use std::collections::{HashMap, HashSet};

/// The names of types in a shape: without packages, as long as they are unique.
#[derive(Debug, Default)]
pub(crate) struct TypeNames {
    names: HashMap<String, String>,
    taken: HashSet<String>,
}

impl TypeNames {
    /// Returns the name of a type: its own name if that is unique, otherwise with the names of the enclosing scopes.
    pub(crate) fn name(&mut self, full: &str) -> String {
        if let Some(name) = self.names.get(full) {
            return name.clone();
        }
        let parts: Vec<&str> = full.split('.').collect();
        let mut name = full.to_owned();
        for from in (0..parts.len()).rev() {
            name = parts[from..].join("_");
            if !self.taken.contains(&name) {
                break;
            }
        }
        self.taken.insert(name.clone());
        self.names.insert(full.to_owned(), name.clone());
        name
    }
}

/// Appends a name, quoted if the text of shapes requires it.
pub(crate) fn push_name(out: &mut String, name: &str) {
    let mut letters = name.chars();
    let plain = letters.next().is_some_and(|first| first.is_ascii_alphabetic() || first == '_')
        && letters.all(|letter| letter.is_ascii_alphanumeric() || letter == '_' || letter == '-');
    if plain { out.push_str(name) } else { push_quoted(out, name) }
}

/// Appends the name of a type. Quotes all names that could be a reserved word.
pub(crate) fn push_type(out: &mut String, name: &str) {
    let capital = name.starts_with(|first: char| first.is_ascii_uppercase());
    if capital { push_name(out, name) } else { push_quoted(out, name) }
}

/// Appends text quoted as in JSON.
pub(crate) fn push_quoted(out: &mut String, text: &str) {
    out.push('"');
    for letter in text.chars() {
        match letter {
            '"' | '\\' => {
                out.push('\\');
                out.push(letter);
            }
            letter if letter < ' ' => {
                let _ = write!(out, "\\u{:04x}", u32::from(letter));
            }
            letter => out.push(letter),
        }
    }
    out.push('"');
}
