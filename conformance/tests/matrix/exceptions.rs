//! The list of what formats can't hold, `conformance/exceptions.toml`, which Rust and Python share.

use crate::cases::{Case, Cases, Form};
use crate::notation::text;
use demat_core::Value;
use demat_place::Format;
use std::path::PathBuf;

/// All exceptions.
pub(crate) struct Exceptions {
    pub(crate) forms: Vec<Exception>,
    pub(crate) cells: Vec<Exception>,
    pub(crate) copies: Vec<Exception>,
}

/// Cells that are no exact round trip, and why.
pub(crate) struct Exception {
    /// The formats; of a copy, those that it is read from.
    formats: Vec<String>,
    /// The formats that a copy is written to, and those of them that it is not about.
    to: Vec<String>,
    but: Vec<String>,
    /// The names of cases, or of forms; `*` stands for any characters.
    names: Vec<String>,
    /// Whether the value comes back as another one; else an error refuses it.
    pub(crate) changes: bool,
    /// The languages in which it is so; empty: in all.
    pub(crate) languages: Vec<String>,
    pub(crate) reason: String,
}

impl Exceptions {
    /// Loads the list: the built-in one, and that of other formats.
    pub(crate) fn load(paths: &[PathBuf]) -> Self {
        let lists: Vec<Value> = paths
            .iter()
            .map(|path| {
                let read = std::fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
                demat_formats::toml::decode(&read).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
            })
            .collect();
        let of = |list: &Value, key: &str| match list.get(key) {
            Some(Value::List(entries)) => entries.iter().map(Exception::new).collect(),
            _ => Vec::new(),
        };
        let entries = |key: &str| lists.iter().flat_map(|list| of(list, key)).collect();
        Self { forms: entries("form"), cells: entries("cell"), copies: entries("copy") }
    }

    /// Returns why a format does not hold documents of a form.
    pub(crate) fn form(&self, format: Format, form: &Form) -> Option<&Exception> {
        self.forms.iter().find(|entry| entry.is_of(format, &form.name))
    }

    /// Returns why a format does not hold a case in Rust.
    pub(crate) fn cell(&self, format: Format, case: &Case) -> Option<&Exception> {
        self.cells_of(format, case).into_iter().find(|entry| entry.counts_in("rust"))
    }

    /// Returns all exceptions for a cell.
    pub(crate) fn cells_of(&self, format: Format, case: &Case) -> Vec<&Exception> {
        self.cells.iter().filter(|entry| entry.is_of(format, &case.name)).collect()
    }

    /// Returns why a case is not copied from a format to another in Rust.
    pub(crate) fn copy(&self, pair: (Format, Format), case: &Case) -> Option<&Exception> {
        self.copies_of(pair, case).into_iter().find(|entry| entry.counts_in("rust"))
    }

    /// Returns all exceptions for a copy.
    pub(crate) fn copies_of(&self, (from, to): (Format, Format), case: &Case) -> Vec<&Exception> {
        let is_in = |list: &[String]| list.iter().any(|own| fits(own, to.name()));
        let is_to = |entry: &Exception| is_in(&entry.to) && !is_in(&entry.but);
        self.copies.iter().filter(|entry| entry.is_of(from, &case.name) && is_to(entry)).collect()
    }

    /// Returns what is wrong with the list itself: names of nothing, and cells that are listed twice.
    pub(crate) fn problems(&self, cases: &Cases) -> Vec<String> {
        let (mut problems, formats): (Vec<String>, Vec<_>) = (Vec::new(), Format::all().collect());
        let of_format = |name: &str| formats.iter().any(|format| fits(name, format.name()));
        let of_case = |name: &str| cases.all.iter().any(|case| fits(name, &case.name));
        for entry in self.cells.iter().chain(&self.copies) {
            let unknown = entry.names.iter().filter(|name| !of_case(name));
            problems.extend(unknown.map(|name| format!("`{name}` in the list is the name of no case")));
        }
        for entry in self.forms.iter().chain(&self.cells).chain(&self.copies) {
            let unknown = entry.formats.iter().chain(&entry.to).chain(&entry.but).filter(|name| !of_format(name));
            problems.extend(unknown.map(|name| format!("`{name}` in the list is the name of no format")));
        }
        for case in &cases.all {
            for format in &formats {
                for language in ["rust", "python"] {
                    if self.cells_of(*format, case).iter().filter(|entry| entry.counts_in(language)).count() > 1 {
                        problems.push(format!("{format}: {} is in the list twice for {language}", case.name));
                    }
                }
            }
        }
        problems
    }
}

impl Exception {
    fn new(entry: &Value) -> Self {
        let names = |key: &str| match entry.get(key) {
            Some(Value::List(items)) => items.iter().map(|item| text(item).to_string()).collect(),
            _ => Vec::new(),
        };
        let outcome = text(entry.get("outcome").expect("an exception has an outcome"));
        assert!(matches!(outcome, "refused" | "changed"), "an outcome is `refused` or `changed`, not `{outcome}`");
        Self {
            formats: names("formats"),
            to: names("to"),
            but: names("but"),
            names: names("cases"),
            changes: outcome == "changed",
            languages: names("languages"),
            reason: text(entry.get("reason").expect("an exception has a reason")).to_string(),
        }
    }

    pub(crate) fn counts_in(&self, language: &str) -> bool {
        self.languages.is_empty() || self.languages.iter().any(|own| own == language)
    }

    fn is_of(&self, format: Format, name: &str) -> bool {
        self.formats.iter().any(|own| fits(own, format.name())) && self.names.iter().any(|own| fits(own, name))
    }
}

/// Whether a name is that of a pattern, in which `*` stands for any characters.
fn fits(pattern: &str, name: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == name,
        Some((start, rest)) => {
            let Some(after) = name.strip_prefix(start) else { return false };
            let mut ends = after.char_indices().map(|(at, _)| at).chain([after.len()]);
            ends.any(|at| fits(rest, &after[at..]))
        }
    }
}
