//! Values that a format can't represent: replacements, and a report of them.

use core::cell::RefCell;
use core::fmt;
use core::str::FromStr;
use demat_core::{Error, Result};
use demat_sqlite::{Instead, Mending};

/// How to handle a value that a format can't represent or that does not fit its column: a non-finite number in JSON,
/// text that is not UTF-8, bytes in a column of numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Unrepresentable {
    /// Write null, and report it.
    #[default]
    Null,
    /// Write text if the format allows it there, else null; and report it. Text is `"inf"`, invalid UTF-8 with U+FFFD,
    /// or bytes as base64.
    Text,
    /// Fail the whole answer.
    Refuse,
}

impl Unrepresentable {
    /// All variants.
    pub const ALL: [Self; 3] = [Self::Null, Self::Text, Self::Refuse];

    /// The option's name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Text => "text",
            Self::Refuse => "refuse",
        }
    }
}

impl fmt::Display for Unrepresentable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Unrepresentable {
    type Err = String;

    fn from_str(text: &str) -> core::result::Result<Self, String> {
        let found = Self::ALL.into_iter().find(|own| own.name() == text);
        found.ok_or_else(|| format!("it is `null`, `text` or `refuse`, and not `{text}`"))
    }
}

/// The replacements made during a read: a line for each of the first ones, and their total number.
#[derive(Debug, Default)]
pub struct Replacements {
    lines: Vec<String>,
    count: u64,
}

/// The most lines that are kept.
const LINES: usize = 20;

impl Replacements {
    /// The first replacements: the value's row and column, and why it was refused.
    pub fn lines(&self) -> &[String] {
        &self.lines
    }

    /// The total number of replacements.
    pub fn count(&self) -> u64 {
        self.count
    }

    fn add(&mut self, line: impl FnOnce() -> String) {
        self.count += 1;
        if self.lines.len() < LINES {
            self.lines.push(line());
        }
    }
}

/// State of the tolerant read on this thread.
struct Reading {
    how: Unrepresentable,
    columnar: bool,
    replaced: Replacements,
}

thread_local! {
    static READING: RefCell<Option<Reading>> = const { RefCell::new(None) };
}

/// Restores the previous state when dropped, also after a panic.
struct Before(Option<Reading>);

impl Drop for Before {
    fn drop(&mut self) {
        READING.with(|reading| *reading.borrow_mut() = self.0.take());
    }
}

/// Runs a read on this thread that replaces unrepresentable values as `how` says. Returns the result and the
/// replacements.
///
/// Outside of this function, such a value is an error. With `columnar`, the read produces typed columns; then every
/// column may be null whose values SQLite does not guarantee, and a declared `DATETIME` is what its rows hold.
///
/// ```
/// use demat_place::Format;
/// use demat_sqlite::Database;
/// use demat_store::{Query, Store, Table, TableOptions, Unrepresentable, tolerating};
/// let database = Database::memory()?;
/// database.execute("CREATE TABLE t(id INTEGER PRIMARY KEY, x REAL)")?;
/// database.execute("INSERT INTO t VALUES (7, 9e999)")?;
/// let table = Table::of(&database, "t", None, &TableOptions::default())?;
/// let json = || table.encoded(&[], &Query::default(), Format::JSON, 1000);
/// assert!(json().is_err());
/// let (told, replaced) = tolerating(Unrepresentable::Null, false, json);
/// assert_eq!(told?.as_deref(), Some(&br#"[{"id":7,"x":null}]"#[..]));
/// assert!(replaced.lines()[0].starts_with("t: id=7, column `x`: expected a finite number"));
/// # Ok::<(), demat_core::Error>(())
/// ```
pub fn tolerating<T>(how: Unrepresentable, columnar: bool, read: impl FnOnce() -> T) -> (T, Replacements) {
    let own = Reading { how, columnar, replaced: Replacements::default() };
    let before = Before(READING.with(|reading| reading.borrow_mut().replace(own)));
    let told = read();
    let replaced = READING.with(|reading| reading.borrow_mut().take()).map(|own| own.replaced).unwrap_or_default();
    drop(before);
    (told, replaced)
}

/// Returns the replacement for this thread's current read; `None` if such values are refused.
fn instead() -> Option<Instead> {
    READING.with(|reading| match reading.borrow().as_ref()?.how {
        Unrepresentable::Null => Some(Instead::Null),
        Unrepresentable::Text => Some(Instead::Text),
        Unrepresentable::Refuse => None,
    })
}

/// Returns whether the current read produces columns in which replaced values are null.
pub(crate) fn is_columnar() -> bool {
    instead().is_some() && in_columns()
}

/// Returns whether the current read produces columns.
pub(crate) fn in_columns() -> bool {
    READING.with(|reading| reading.borrow().as_ref().is_some_and(|reading| reading.columnar))
}

/// Returns whether the current read has replaced a value.
pub(crate) fn has_replaced() -> bool {
    READING.with(|reading| reading.borrow().as_ref().is_some_and(|reading| reading.replaced.count > 0))
}

fn report(line: impl FnOnce() -> String) {
    READING.with(|reading| {
        if let Some(reading) = reading.borrow_mut().as_mut() {
            reading.replaced.add(line);
        }
    });
}

/// Reads rows of a table with this key, with replacements if the current read tolerates them.
pub(crate) fn mending<T>(
    table: &str,
    key: &[String],
    read: impl FnOnce(Option<&mut Mending<'_>>) -> Result<T>,
) -> Result<T> {
    let Some(instead) = instead() else { return read(None) };
    let mut told = |replaced: demat_sqlite::Replaced| {
        let why = |error: &Error| error.reason();
        report(|| format!("{table}: {}, column `{}`: {}", replaced.row, replaced.column, why(&replaced.error)));
    };
    read(Some(&mut Mending { instead, key, report: &mut told }))
}
