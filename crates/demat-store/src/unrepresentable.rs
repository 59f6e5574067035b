//! Values that a format can't represent: replacements, and a report of them.

use core::cell::RefCell;
use core::fmt;
use core::str::FromStr;

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
/// column may be null whose values the database does not guarantee, and a declared `DATETIME` is what its rows hold.
///
/// ```
/// use demat_store::{Tolerance, Unrepresentable, tolerating};
/// // What a store does where it reads a value that is no number in JSON:
/// let read = || Tolerance::current().map(|own| own.report(|| "t: id=7, column `x`: infinite".to_string()));
/// assert!(read().is_none());
/// let (told, replaced) = tolerating(Unrepresentable::Null, false, read);
/// assert!(told.is_some());
/// assert_eq!((replaced.count(), &*replaced.lines()[0]), (1, "t: id=7, column `x`: infinite"));
/// ```
pub fn tolerating<T>(how: Unrepresentable, columnar: bool, read: impl FnOnce() -> T) -> (T, Replacements) {
    let own = Reading { how, columnar, replaced: Replacements::default() };
    let before = Before(READING.with(|reading| reading.borrow_mut().replace(own)));
    let told = read();
    let replaced = READING.with(|reading| reading.borrow_mut().take()).map(|own| own.replaced).unwrap_or_default();
    drop(before);
    (told, replaced)
}

/// The tolerant read on this thread, from [`tolerating`]: a store asks it what to do with unrepresentable values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tolerance {
    how: Unrepresentable,
    columnar: bool,
}

impl Tolerance {
    /// Returns that of the current read. `None` outside of [`tolerating`]: then such a value is an error.
    pub fn current() -> Option<Self> {
        READING.with(|reading| reading.borrow().as_ref().map(|own| Self { how: own.how, columnar: own.columnar }))
    }

    /// What to write in place of a value.
    pub fn how(self) -> Unrepresentable {
        self.how
    }

    /// Whether the read produces typed columns, in which a replaced value is null.
    pub fn is_columnar(self) -> bool {
        self.columnar
    }

    /// Counts a replacement. `line` says which value, and why; it is called for the first replacements only.
    pub fn report(self, line: impl FnOnce() -> String) {
        READING.with(|reading| {
            if let Some(reading) = reading.borrow_mut().as_mut() {
                reading.replaced.add(line);
            }
        });
    }
}

/// Returns whether the current read has replaced a value.
pub(crate) fn has_replaced() -> bool {
    READING.with(|reading| reading.borrow().as_ref().is_some_and(|reading| reading.replaced.count > 0))
}
