//! Messages that are laid out like one before: a short cut from their bytes to the columns.
//!
//! Who writes many messages mostly writes the same fields of them in the same order, and numbers and texts mostly are as long as
//! the ones before. So where everything stands in a message is kept as a pattern: the bytes that say it, which are tags,
//! lengths, and of numbers of variable length the bits that say how long they are. Where a message has the same bytes in these
//! places, its values stand where they stood. That is a comparison of a few words, none of which waits for another, in place of
//! steps from field to field each of which waits for the one before.
//!
//! It is a short cut and nothing else: what is not as before, or not as it should be, the source is asked for.

mod append;
mod layout;
#[cfg(test)]
mod tests;

use crate::build::Builders;
use append::Target;
use layout::Layout;

/// What is known of the messages so far.
#[derive(Debug)]
pub(crate) struct LayoutCache {
    /// The wanted fields, in the order of their columns.
    targets: Vec<Target>,
    layouts: Vec<Layout>,
    /// The one that was met last.
    current: usize,
    /// The one that is given up next.
    oldest: usize,
    patience: i32,
    /// Where messages begin that were found and not appended yet.
    begins: Vec<usize>,
}

/// So many layouts are known at a time.
const LAYOUTS: usize = 4;
/// So many messages are found before their values are appended, column by column.
const BLOCK: usize = 256;
/// So much it takes to give up, with what a message costs that is like none before, and so many rows are then asked for.
const PATIENCE: i32 = 64;
const COST: i32 = 8;
const PAUSE: usize = 4096;

impl LayoutCache {
    /// The short cut to such columns, if there is one.
    pub(crate) fn of(builders: &Builders) -> Option<Self> {
        let targets = Target::all(builders)?;
        let begins = Vec::with_capacity(BLOCK);
        Some(Self { targets, layouts: Vec::new(), current: 0, oldest: 0, patience: PATIENCE, begins })
    }

    /// Appends the messages that begin at `at` and before `stop` and that are like one before, at most so many; gives where the
    /// next one begins, and how many they were.
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
                // Something is wrong with that one, or a column is full.
                at = self.begins[done];
                break;
            }
            at = next;
        }
        self.patience = self.patience.saturating_add(i32::try_from(rows).unwrap_or(PATIENCE)).min(PATIENCE);
        (at, rows)
    }

    /// Whether the layout of the message that begins there is known; it is the current one then.
    fn is_met(&mut self, bytes: &[u8], at: usize) -> bool {
        if self.layouts.get(self.current).is_some_and(|layout| layout.is_at(bytes, at)) {
            return true;
        }
        let found = self.layouts.iter().position(|layout| layout.is_at(bytes, at));
        self.current = found.unwrap_or(self.current);
        found.is_some()
    }

    /// How many rows the source is to be asked for: one, from which [`learn`](Self::learn) learns, or many where messages
    /// are not like each other.
    pub(crate) fn pause(&mut self) -> usize {
        self.patience -= COST;
        if self.patience > 0 {
            return 1;
        }
        self.patience = PATIENCE / 2;
        PAUSE
    }

    /// Learns from a message, its length included.
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
