use super::Base;
use demat_core::Position;
use std::cell::Cell;

/// Counts lines and columns of a window incrementally, from the position of the previous count.
///
/// So an error costs time for the distance to the previous one, not for the whole window. Where errors are collected,
/// or a union tries its variants one by one, there may be as many errors as values.
#[derive(Debug, Clone, Default)]
pub struct Counter {
    /// The byte of the last count, and the count.
    last: Cell<Counted>,
}

#[derive(Debug, Clone, Copy, Default)]
struct Counted {
    at: usize,
    lines: u64,
    /// Since the last line break, or since the start of the window.
    columns: u64,
}

impl Counter {
    /// Returns the position of a byte of the window. The window must be the same in each call, except for its end.
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
    /// Returns the count for another byte.
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

/// Returns a base for counting from a byte of the window. Its offset shows whether a byte order mark may be there, at
/// the start of the place.
fn from(base: &Base, at: usize) -> Base {
    Base { offset: base.offset + at as u64, lines: 0, columns: 0 }
}
