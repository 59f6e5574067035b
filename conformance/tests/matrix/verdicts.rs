//! Compares what became of each cell with the list of exceptions.

use crate::cases::{Case, Form};
use crate::exceptions::Exception;
use crate::run::Outcome;
use demat_place::Format;

/// What is wrong: one line each.
pub(crate) struct Verdicts {
    wrong: Vec<String>,
    cells: usize,
}

impl Verdicts {
    pub(crate) fn new(wrong: Vec<String>) -> Self {
        Self { wrong, cells: 0 }
    }

    pub(crate) fn extend(&mut self, verdicts: Vec<Option<String>>) {
        self.cells += verdicts.len();
        self.wrong.extend(verdicts.into_iter().flatten());
    }

    /// Fails with all that is wrong.
    pub(crate) fn report(self) {
        let (wrong, cells) = (self.wrong.len(), self.cells);
        assert!(wrong == 0, "{wrong} of {cells} cells:\n{}\n", self.wrong.join("\n"));
    }
}

pub(crate) fn of_form(form: &Form, format: Format, listed: Option<&Exception>, outcome: &Outcome) -> Option<String> {
    verdict(&format!("{format} | form `{}`", form.name), listed, outcome)
}

pub(crate) fn of_cell(case: &Case, format: Format, listed: Option<&Exception>, outcome: &Outcome) -> Option<String> {
    verdict(&format!("{format} | {}", case.name), listed, outcome)
}

pub(crate) fn of_copy(
    case: &Case,
    (from, to): (Format, Format),
    listed: Option<&Exception>,
    outcome: &Outcome,
) -> Option<String> {
    verdict(&format!("{from} > {to} | {}", case.name), listed, outcome)
}

fn verdict(cell: &str, listed: Option<&Exception>, outcome: &Outcome) -> Option<String> {
    match (outcome, listed) {
        (Outcome::Exact, None) => None,
        (Outcome::Refused(_), Some(listed)) if !listed.changes => None,
        (Outcome::Changed(_), Some(listed)) if listed.changes => None,
        (Outcome::Exact, Some(listed)) => Some(format!("{cell} | passes, but is in the list: {}", listed.reason)),
        (outcome, None) => Some(format!("{cell} | {outcome:?}")),
        (outcome, Some(listed)) => Some(format!("{cell} | {outcome:?}, but the list says: {}", listed.reason)),
    }
}
