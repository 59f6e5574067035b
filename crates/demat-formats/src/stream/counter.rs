use super::Base;
use demat_core::Position;
use std::cell::Cell;

/// Counts lines and columns of a window, each time on from where the last time ended.
///
/// An error costs so as much as lies between it and the one before, and not all of the window: where errors are gathered,
/// and where a union is tried type by type, there may be as many errors as values.
#[derive(Debug, Clone, Default)]
pub struct Counter {
    /// A byte of the window, and what lies before it.
    last: Cell<Counted>,
}

#[derive(Debug, Clone, Copy, Default)]
struct Counted {
    at: usize,
    lines: u64,
    /// Since the last of these, or since the window begins.
    columns: u64,
}

impl Counter {
    /// The position of a byte of the window, which must be the same one each time but for where it ends.
    ///
    /// ```
    /// use demat_formats::stream::{Base, Counter};
    /// let (counter, window) = (Counter::default(), b"[\n1,\n  x]");
    /// for at in [7, 2, 4, 0, 7] {
    ///     assert_eq!(counter.position(&Base::default(), window, at), Base::default().position(window, at));
    /// }
    /// ```
    pub fn position(&self, base: &Base, window: &[u8], at: usize) -> Position {
        let at = at.min(window.len());
        let counted = self.last.get().moved(base, window, at);
        self.last.set(counted);
        let columns = if counted.lines == 0 { base.columns + counted.columns } else { counted.columns };
        Position {
            offset: Some(base.offset + at as u64),
            line: Some(base.lines + counted.lines + 1),
            column: Some(columns + 1),
            record: None,
        }
    }
}

impl Counted {
    /// The same of another byte.
    fn moved(self, base: &Base, window: &[u8], at: usize) -> Self {
        let Some(between) = window.get(self.at..at) else { return self.back(base, window, at) };
        let after = Base { lines: self.lines, columns: self.columns, ..from(base, self.at) }.after(between);
        Self { at, lines: after.lines, columns: after.columns }
    }

    #[cold]
    fn back(self, base: &Base, window: &[u8], at: usize) -> Self {
        let Some(between) = window.get(at..self.at) else { return Self::default().moved(base, window, at) };
        let over = from(base, at).after(between);
        if over.lines == 0 {
            return Self { at, lines: self.lines, columns: self.columns - over.columns };
        }
        let line = memchr::memrchr(b'\n', &window[..at]).map_or(0, |last| last + 1);
        Self { at, lines: self.lines - over.lines, columns: from(base, line).after(&window[line..at]).columns }
    }
}

/// A count that begins at a byte of the window: whether it is the place's first says whether a byte order mark may stand there.
fn from(base: &Base, at: usize) -> Base {
    Base { offset: base.offset + at as u64, lines: 0, columns: 0 }
}
