//! Replacements of values that a format can't represent, in reads of tables.

use demat_core::{Error, Result};
use demat_sqlite::{Instead, Mending, Replaced};
use demat_store::{Tolerance, Unrepresentable};

/// Returns the current read, and what it writes in place of a value; `None` if such values are refused.
fn instead() -> Option<(Tolerance, Instead)> {
    let tolerance = Tolerance::current()?;
    match tolerance.how() {
        Unrepresentable::Null => Some((tolerance, Instead::Null)),
        Unrepresentable::Text => Some((tolerance, Instead::Text)),
        Unrepresentable::Refuse => None,
    }
}

/// Returns whether the current read produces columns in which replaced values are null.
pub(crate) fn is_columnar() -> bool {
    instead().is_some_and(|(tolerance, _)| tolerance.is_columnar())
}

/// Returns whether the current read produces columns.
pub(crate) fn in_columns() -> bool {
    Tolerance::current().is_some_and(Tolerance::is_columnar)
}

/// Reads rows of a table with this key, with replacements if the current read tolerates them.
pub(crate) fn mending<T>(
    table: &str,
    key: &[String],
    read: impl FnOnce(Option<&mut Mending<'_>>) -> Result<T>,
) -> Result<T> {
    let Some((tolerance, instead)) = instead() else { return read(None) };
    let mut told = |replaced: Replaced| {
        let why = |error: &Error| error.reason();
        tolerance
            .report(|| format!("{table}: {}, column `{}`: {}", replaced.row, replaced.column, why(&replaced.error)));
    };
    read(Some(&mut Mending { instead, key, report: &mut told }))
}
