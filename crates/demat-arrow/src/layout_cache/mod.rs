//! A fast path for messages with the same layout as an earlier one: from their bytes directly to the columns.
//!
//! A program usually writes many messages with the same fields in the same order, and often with numbers and texts of
//! the same length. So a layout is kept as a pattern: the bytes that determine the positions, which are tags, lengths,
//! and the continuation bits of varints. If a message has the same bytes in these places, its values are in the same
//! positions. That is a comparison of a few independent words. Parsing takes steps from field to field, each of which
//! depends on the one before.
//!
//! It is only a shortcut: messages with another layout, or invalid ones, are read by the source.

mod append;
mod layout;
#[cfg(test)]
mod tests;

use crate::build::Builders;
use append::Target;
use layout::Layout;

/// Cache of message layouts.
#[derive(Debug)]
pub(crate) struct LayoutCache {
    /// The wanted fields, in the order of their columns.
    targets: Vec<Target>,
    layouts: Vec<Layout>,
    /// The index of the layout that matched last.
    current: usize,
    /// The index of the layout to replace next.
    oldest: usize,
    patience: i32,
    /// The offsets of messages that matched and are not yet appended.
    begins: Vec<usize>,
}

/// The maximum number of layouts.
const LAYOUTS: usize = 4;
/// The number of messages to match before their values are appended, column by column.
const BLOCK: usize = 256;
/// The initial patience; what a message with an unknown layout costs of it; and the number of rows to read from the
/// source when it is used up.
const PATIENCE: i32 = 64;
const COST: i32 = 8;
const PAUSE: usize = 4096;

impl LayoutCache {
    /// Returns the fast path for these columns, if there is one.
    pub(crate) fn of(builders: &Builders) -> Option<Self> {
        let targets = Target::all(builders)?;
        let begins = Vec::with_capacity(BLOCK);
        Some(Self { targets, layouts: Vec::new(), current: 0, oldest: 0, patience: PATIENCE, begins })
    }

    /// Appends the messages from `at` up to `stop` that have a known layout, at most `most`. Returns the offset of the
    /// next message, and the number of messages.
    pub(crate) fn rows(
        &mut self,
        builders: &mut Builders,
        bytes: &[u8],
        mut at: usize,
        stop: usize,
        most: usize,
    ) -> (usize, usize) {
        let mut rows = 0;
        while rows < most && at < stop {
            if !self.is_met(bytes, at) {
                break;
            }
            let layout = &self.layouts[self.current];
            self.begins.clear();
            let count = BLOCK.min(most - rows);
            let mut next = at;
            while self.begins.len() < count && next < stop && layout.is_at(bytes, next) {
                layout.prefetch(bytes, next);
                self.begins.push(next);
                next += layout.len;
            }
            let done = append::append(builders, &self.targets, layout, bytes, &self.begins);
            rows += done;
            if done < self.begins.len() {
                // That message is invalid, or a column is full.
                at = self.begins[done];
                break;
            }
            at = next;
        }
        self.patience = self.patience.saturating_add(i32::try_from(rows).unwrap_or(PATIENCE)).min(PATIENCE);
        (at, rows)
    }

    /// Whether the message at this offset has a known layout. Makes that the current one.
    fn is_met(&mut self, bytes: &[u8], at: usize) -> bool {
        if self.layouts.get(self.current).is_some_and(|layout| layout.is_at(bytes, at)) {
            return true;
        }
        let found = self.layouts.iter().position(|layout| layout.is_at(bytes, at));
        self.current = found.unwrap_or(self.current);
        found.is_some()
    }

    /// Returns the number of rows to read from the source: one, for [`learn`](Self::learn), or many if the messages are
    /// not alike.
    pub(crate) fn pause(&mut self) -> usize {
        self.patience -= COST;
        if self.patience > 0 {
            return 1;
        }
        self.patience = PATIENCE / 2;
        PAUSE
    }

    /// Learns the layout of a message, including its length.
    pub(crate) fn learn(&mut self, message: &[u8]) {
        let Some(layout) = Layout::of(message, &self.targets) else { return };
        if self.layouts.len() < LAYOUTS {
            self.current = self.layouts.len();
            self.layouts.push(layout);
        } else {
            self.current = self.oldest;
            self.layouts[self.oldest] = layout;
            self.oldest = (self.oldest + 1) % LAYOUTS;
        }
    }
}
