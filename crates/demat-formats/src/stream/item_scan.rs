//! A search for the end of a list item that continues from window to window.

use super::Part;
use demat_core::{Mark, Result, Signal};

/// The progress of a search for the end of one item. `S` is what the format keeps between two windows, usually the open
/// containers.
///
/// A format without visible ends (see [`End`](super::End)) uses it for [`Windowed::holds_item`](super::Windowed): each
/// byte of an item is searched once, however small the pieces are in which it arrives.
#[derive(Debug, Clone, Default)]
pub(crate) struct ItemScan<S> {
    /// The offset in the place at which the item begins; `None` before the first search.
    item: Option<u64>,
    /// The offset in the place at which the search continues.
    at: u64,
    state: S,
    found: bool,
}

impl<S: Default> ItemScan<S> {
    /// Continues the search for the end of the item at `mark`, or begins one if the last search was for another item.
    /// Returns whether the end was found.
    ///
    /// `step` receives the offset in the part and the state. It advances both until the item has ended or the part has.
    /// Any error except [`Incomplete`](Signal::Incomplete) counts as an end: decoding the item returns it with its
    /// path.
    pub(crate) fn holds_item(
        &mut self,
        part: Part<'_>,
        mark: Mark,
        step: impl FnOnce(&mut usize, &mut S) -> Result<()>,
    ) -> bool {
        let item = part.base.offset + mark.offset as u64;
        if self.item != Some(item) {
            *self = Self { item: Some(item), at: item, state: S::default(), found: false };
        }
        if !self.found {
            let mut at = self.at.saturating_sub(part.base.offset) as usize;
            let outcome = step(&mut at, &mut self.state);
            self.at = part.base.offset + at as u64;
            self.found = outcome.err().and_then(|error| error.signal()) != Some(Signal::Incomplete);
        }
        self.found
    }
}
