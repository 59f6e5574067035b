//! Renders the matrix as `docs/conformance.md`, from the cases and the exceptions alone: the other tests make sure that
//! these are so.

use crate::cases::{Case, Cases};
use crate::exceptions::{Exception, Exceptions};
use core::fmt::Write as _;
use demat_place::Format;

const HEAD: &str = "# Conformance

Which values come back from which formats exactly as they were, in Rust and in Python. Each cell is a test: the value is
written with the format's usual options, read back as its type, and compared exactly (`1`, `1.0` and `true` differ).
`make matrix` writes this page from `conformance/cases/` and `conformance/exceptions.toml`; tests fail where it differs
from them, or they from what Demat does.

- `✓`: the same value comes back
- a number: Demat refuses the value with an error, for the [reason](#reasons) with this number
- `≈` and a number: another value comes back, for this reason
- `R` or `P` before it: only in Rust, or only in Python

The rows of a document hold the values of a case. They are a list of records; in a format that has no such documents,
they are in the next form that it has:

";

/// Reasons, numbered in the order in which they first appear.
#[derive(Default)]
struct Reasons<'e>(Vec<&'e str>);

impl<'e> Reasons<'e> {
    fn mark(&mut self, entry: &'e Exception) -> String {
        let known = self.0.iter().position(|reason| *reason == entry.reason);
        let number = known.unwrap_or_else(|| {
            self.0.push(&entry.reason);
            self.0.len() - 1
        });
        let language = match (entry.counts_in("rust"), entry.counts_in("python")) {
            (true, false) => "R",
            (false, true) => "P",
            _ => "",
        };
        format!("{language}{}{}", if entry.changes { "≈" } else { "" }, number + 1)
    }
}

/// Returns the text of the page.
pub(crate) fn page(cases: &Cases, exceptions: &Exceptions, formats: &[Format]) -> String {
    let mut reasons = Reasons::default();
    let mut page = HEAD.to_string();
    heading(&mut page, "form", formats);
    for form in &cases.forms {
        write!(page, "| {} |", form.name).unwrap();
        for format in formats {
            let entry = exceptions.form(*format, form);
            write!(page, " {} |", cell(entry.into_iter().collect(), &mut reasons)).unwrap();
        }
        page.push('\n');
    }
    let mut group = "";
    for case in &cases.all {
        if case.group != group {
            group = &case.group;
            write!(page, "\n## {group}\n\n").unwrap();
            heading(&mut page, "case", formats);
        }
        let note = if case.rust_only.is_some() { " (Rust)" } else { "" };
        write!(page, "| {}{note} |", case.name.replace('|', "\\|")).unwrap();
        for format in formats {
            write!(page, " {} |", cell(exceptions.cells_of(*format, case), &mut reasons)).unwrap();
        }
        page.push('\n');
    }
    copies(&mut page, cases, exceptions, formats, &mut reasons);
    page.push_str("\n## Reasons\n\n");
    for (index, reason) in reasons.0.iter().enumerate() {
        writeln!(page, "{}. {reason}", index + 1).unwrap();
    }
    let rust: Vec<_> = cases.all.iter().filter_map(|case| Some((&case.name, case.rust_only.as_ref()?))).collect();
    if !rust.is_empty() {
        page.push_str("\nCases that only Rust runs:\n\n");
        for (name, reason) in rust {
            writeln!(page, "- {name}: {reason}").unwrap();
        }
    }
    page
}

fn heading(page: &mut String, first: &str, formats: &[Format]) {
    write!(page, "| {first} |").unwrap();
    for format in formats {
        write!(page, " {format} |").unwrap();
    }
    writeln!(page, "\n|---{}|", "|:-:".repeat(formats.len())).unwrap();
}

fn cell<'e>(entries: Vec<&'e Exception>, reasons: &mut Reasons<'e>) -> String {
    let marks: Vec<_> = entries.into_iter().map(|entry| reasons.mark(entry)).collect();
    if marks.is_empty() { "✓".to_string() } else { marks.join(" ") }
}

/// Writes the table of copies: how many cases come through of those that both formats hold.
fn copies<'e>(
    page: &mut String,
    cases: &'e Cases,
    exceptions: &'e Exceptions,
    formats: &[Format],
    reasons: &mut Reasons<'e>,
) {
    page.push_str(
        "\n## Copies\n\nThe number of cases that `copy` copies exactly from the format of the row to that of the column: \
         all that both hold,\nbut for those with a reason. `–`: they have no form of documents in common.\n\n",
    );
    heading(page, "from", formats);
    for from in formats {
        write!(page, "| {from} |").unwrap();
        for to in formats {
            let common = |form| exceptions.form(*from, form).is_none() && exceptions.form(*to, form).is_none();
            let held = |case: &&Case| {
                let by = |format| exceptions.cell(format, case).is_none();
                !case.evolves() && (case.is_document() || cases.forms.iter().any(common)) && by(*from) && by(*to)
            };
            let both: Vec<_> = cases.all.iter().filter(held).collect();
            let listed: Vec<_> = both.iter().map(|case| exceptions.copies_of((*from, *to), case)).collect();
            let mut marks: Vec<_> = listed.iter().flatten().map(|entry| reasons.mark(entry)).collect();
            marks.sort();
            marks.dedup();
            let copied = listed.iter().filter(|entries| entries.is_empty()).count();
            let count = if both.is_empty() { "–".to_string() } else { copied.to_string() };
            write!(page, " {} |", [count].into_iter().chain(marks).collect::<Vec<_>>().join(" ")).unwrap();
        }
        page.push('\n');
    }
}
