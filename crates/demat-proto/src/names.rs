//! Names in the text of a shape.

use core::fmt::Write;
use std::collections::{HashMap, HashSet};

/// The names of types in a shape, which are those without packages as long as these differ.
#[derive(Debug, Default)]
pub(crate) struct TypeNames {
    names: HashMap<String, String>,
    taken: HashSet<String>,
}

impl TypeNames {
    /// The name of a type: its own where no other one has that, else with those that it stands in.
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

/// Appends a name, quoted where the text of shapes needs that.
pub(crate) fn push_name(out: &mut String, name: &str) {
    let mut letters = name.chars();
    let plain = letters.next().is_some_and(|first| first.is_ascii_alphabetic() || first == '_')
        && letters.all(|letter| letter.is_ascii_alphanumeric() || letter == '_' || letter == '-');
    if plain { out.push_str(name) } else { push_quoted(out, name) }
}

/// Appends the name of a type: all those that a word of the language could mean are quoted.
pub(crate) fn push_type(out: &mut String, name: &str) {
    let capital = name.starts_with(|first: char| first.is_ascii_uppercase());
    if capital { push_name(out, name) } else { push_quoted(out, name) }
}

/// Appends a text as JSON quotes it.
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
