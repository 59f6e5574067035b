//! Values that can't be told as what they are to be: what stands in their place, and who hears of it.

use core::cell::RefCell;
use core::fmt;
use core::str::FromStr;
use demat_core::{Error, Result};
use demat_sqlite::{Instead, Mending};

/// What becomes of a value that a format has no form for, or that is none of its column: a number that is not finite in JSON,
/// text that is not UTF-8, bytes in a column of numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Unrepresentable {
    /// It is null, and reported.
    #[default]
    Null,
    /// It is text where the format takes text there (`"inf"`; U+FFFD for what is not UTF-8; bytes as base64), else null; and
    /// reported.
    Text,
    /// What it is in is refused.
    Refuse,
}

impl Unrepresentable {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Null, Self::Text, Self::Refuse];

    /// Its name.
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

/// The values that were replaced while something was read: the first of them, each as a line, and how many there were.
#[derive(Debug, Default)]
pub struct Replacements {
    lines: Vec<String>,
    count: u64,
}

/// So many of them are told one by one.
const LINES: usize = 20;

impl Replacements {
    /// The first of them: what the value is in, and why it can't be told.
    pub fn lines(&self) -> &[String] {
        &self.lines
    }

    /// How many there were.
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

/// How the reading that goes on in this thread treats such values.
struct Reading {
    how: Unrepresentable,
    columnar: bool,
    replaced: Replacements,
}

thread_local! {
    static READING: RefCell<Option<Reading>> = const { RefCell::new(None) };
}

/// Puts back what was there, also where reading panics.
struct Before(Option<Reading>);

impl Drop for Before {
    fn drop(&mut self) {
        READING.with(|reading| *reading.borrow_mut() = self.0.take());
    }
}

/// Reads something from stores, on this thread, with values that can't be told treated as `how` says; gives what was replaced.
///
/// Without this, programs that read from a store get an error for such a value. `columnar` is whether it is read to columns of
/// types, which may be null then in every column whose values SQLite does not vouch for.
///
/// ```
/// use demat_place::Format;
/// use demat_sqlite::Database;
/// use demat_store::{Query, Store, Table, TableOptions, Unrepresentable, tolerating};
/// let database = Database::memory()?;
/// database.execute("CREATE TABLE t(id INTEGER PRIMARY KEY, x REAL)")?;
/// database.execute("INSERT INTO t VALUES (7, 9e999)")?;
/// let table = Table::of(&database, "t", None, &TableOptions::default())?;
/// let json = || table.encoded(&[], &Query::default(), Format::Json, 1000);
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

/// What stands in place of such values while this thread reads; nothing where they are refused.
fn instead() -> Option<Instead> {
    READING.with(|reading| match reading.borrow().as_ref()?.how {
        Unrepresentable::Null => Some(Instead::Null),
        Unrepresentable::Text => Some(Instead::Text),
        Unrepresentable::Refuse => None,
    })
}

/// Whether columns are read in which such values are null.
pub(crate) fn is_columnar() -> bool {
    instead().is_some() && READING.with(|reading| reading.borrow().as_ref().is_some_and(|reading| reading.columnar))
}

/// Whether the reading that goes on in this thread has replaced a value.
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

/// Reads rows of a table whose key is these columns, mended where that is wanted.
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
