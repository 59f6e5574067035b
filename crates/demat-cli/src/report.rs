//! Reports failures.

use crate::arguments::Arguments;
use crate::exit::Exit;
use crate::failure::{About, Failure, is_closed_pipe};
use crate::screen::Screen;
use crate::sentence::{self, inferred};
use crate::{output, snippet};
use clap::CommandFactory;
use demat_core::{Error, ErrorKind};
use demat_place::{Format, OnError, Place, Summary};

/// The maximum number of refused records that are reported one by one.
pub(crate) const MOST: usize = 20;

/// Reports why a command failed. Returns the exit status.
pub(crate) fn failure(failure: Failure, screen: Screen) -> Exit {
    match failure {
        Failure::Usage { message, hint } => {
            output::line(&format!("{} {message}", screen.error()));
            if let Some(hint) = hint {
                output::line(&format!("{} {hint}", screen.hint()));
            }
            Exit::Usage
        }
        Failure::Terminal(command) => {
            let mut arguments = Arguments::command();
            arguments.build();
            if let Some(command) = arguments.find_subcommand_mut(command) {
                output::help(&command.render_help(), screen.colored);
            }
            Exit::Usage
        }
        Failure::Error { error, .. } if is_closed_pipe(&error) => Exit::Closed,
        Failure::Error { error, about } => {
            output::line(&format!("{} {}", screen.error(), sentence::of(&error)));
            if let Some((place, _)) = &about.source
                && !about.encoded
                && error.place().is_none_or(|own| own == place.to_string())
                && let Some(snippet) = snippet::of(place, error.position())
                && is_about_source(&error)
            {
                output::line(&snippet);
            }
            for hint in hints(&error, &about) {
                output::line(&format!("{} {hint}", screen.hint()));
            }
            error.kind().into()
        }
    }
}

fn is_about_source(error: &Error) -> bool {
    error.kind() != ErrorKind::Io
}

/// Returns hints that may help.
fn hints(error: &Error, about: &About) -> Vec<String> {
    let mut hints = Vec::new();
    if let Some(inferred) = inferred(error) {
        let more = "set it with --shape, or infer it from more records with --sample N or --sample all";
        hints.push(format!("{inferred}; {more}"));
    }
    let from = about.source.as_ref().map(|(_, format)| *format);
    let nested = error.kind() == ErrorKind::Encode && about.target.is_some_and(Format::is_table);
    if nested && !about.flatten && error.reason().contains("a cell holds one value") {
        hints.push("--flatten turns nested records into columns, and lists and maps into JSON text".to_string());
    }
    let another = error.expectation() == Some("end of input") && matches!(error.found(), Some("`{`" | "`[`"));
    if from.is_some_and(Format::is_json_document) && another {
        let lines = Format::LINES.name();
        hints.push(format!("one JSON value per line is {}: use --from {lines}", lines.to_uppercase()));
    }
    let cells = |text: Option<&str>| -> Option<u64> {
        let (count, unit) = text?.split_once(' ')?;
        count.parse().ok().filter(|_| matches!(unit, "cell" | "cells"))
    };
    // A row that is too long is refused in any case.
    let is_short = cells(error.found()).zip(cells(error.expectation())).is_some_and(|(found, wanted)| found < wanted);
    if from.is_some_and(Format::is_table) && is_short {
        hints.push("--ragged accepts short rows".to_string());
    }
    let text_compared = error.reason().ends_with("is not: text stands in quotes");
    if text_compared && from.is_some_and(Format::is_table) && !about.typed {
        hints.push("cells are text without --infer or --shape".to_string());
    }
    let no_null = ["has no null", "have no null"].iter().any(|part| error.reason().contains(part));
    if error.kind() == ErrorKind::Encode && no_null && !about.typed {
        hints.push("--infer gives records a shape, by which fields that are null are left out".to_string());
    }
    if from.is_some_and(Format::needs_type) && error.reason().ends_with("the shape has to be given") {
        hints.push(
            "--shape SHAPE gives it: text, a file with that text (@FILE) or a message (FILE.proto:NAME)".to_string(),
        );
    }
    let is_basic =
        |kind: &str| ["int", "uint", "float", "bool"].iter().any(|own| kind.trim_matches('`').starts_with(own));
    let would_lax = about.typed && about.strict && error.expectation().is_some_and(is_basic);
    if would_lax && error.kind() == ErrorKind::Type && error.value().is_some_and(is_convertible) {
        hints.push("--lax converts text to numbers and bools".to_string());
    }
    if error.kind() == ErrorKind::Limit && error.reason().contains("depth of nesting") {
        hints.push("--depth N sets the limit".to_string());
    }
    hints
}

/// Whether the value of an error, as the message shows it, is text that `--lax` converts.
fn is_convertible(shown: &str) -> bool {
    let text = shown.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
    text.is_some_and(|text| {
        let word = text.trim().to_ascii_lowercase();
        word.parse().is_ok_and(f64::is_finite) || matches!(&*word, "true" | "yes" | "on" | "false" | "no" | "off")
    })
}

/// The refused records that the copy skipped.
#[derive(Debug, Default)]
pub(crate) struct Refused {
    first: Vec<String>,
    others: u64,
    hint: Option<String>,
}

impl Refused {
    pub(crate) fn keep(&mut self, error: &Error) {
        if self.first.len() < MOST {
            self.first.push(sentence::of(error));
        } else {
            self.others += 1;
        }
        if self.hint.is_none() {
            self.hint = hints(error, &About::default()).into_iter().next();
        }
    }

    /// Keeps the first errors of others, and counts the rest of these.
    pub(crate) fn add(&mut self, others: u64, first: impl Iterator<Item = Error>) {
        first.for_each(|error| self.keep(&error));
        self.others += others;
    }

    pub(crate) fn tell(&self, screen: Screen) {
        for error in &self.first {
            output::line(&format!("{} {error}", screen.error()));
        }
        if self.others > 0 {
            output::line(&format!("{} and {} more like these", screen.error(), self.others));
        }
        if let Some(hint) = &self.hint {
            output::line(&format!("{} {hint}", screen.hint()));
        }
    }
}

/// Prints a summary of a copy with refused records.
pub(crate) fn rejected(summary: Summary, on_error: OnError, screen: Screen) {
    let Summary { records, rejected, .. } = summary;
    let refused =
        if rejected == 1 { "1 record was refused".to_string() } else { format!("{rejected} records were refused") };
    let rest = match on_error {
        OnError::All => "nothing was written".to_string(),
        _ if records == 1 => "1 was written".to_string(),
        _ => format!("{records} were written"),
    };
    output::line(&format!("{} {refused}, {rest}", screen.error()));
}

/// Returns a display name of a place.
pub(crate) fn name(place: &Place, standard: &str) -> String {
    place.path().map_or_else(|| standard.to_string(), |path| path.display().to_string())
}
