//! Streaming: reads a place through a window of limited size.
//!
//! A codec works on a slice. A window over the reader holds at least one whole unit, usually a record, and the codec
//! reads it as if it were everything. At the window's end, source and sink are reset to the last commit, the window is
//! refilled, and the copy continues. So streams run at the speed of slices, in memory that is bounded by the longest
//! unit.

mod awaited;
mod base;
mod bordered;
mod choice;
mod counter;
mod driver;
mod edit;
mod header;
mod item_scan;
mod lax;
mod record_path;
mod record_paths;
mod records;
mod records_at;
#[cfg(test)]
mod records_tests;
mod selected;
mod single;
#[cfg(test)]
mod tests;
mod walk;
mod window;

pub use awaited::{Awaited, End};
pub use base::Base;
pub(crate) use base::MARK;
pub use bordered::Bordered;
pub(crate) use bordered::after_line;
pub use choice::{Choice, Decide};
pub use counter::Counter;
pub use driver::{OnError, Repair, Stop, Summary, copy, copy_chosen, copy_from, copy_repaired};
pub use edit::{Change, Edited, Found, edit_at};
pub use header::{Header, HeaderChange};
pub(crate) use item_scan::ItemScan;
pub use lax::LaxFormat;
pub use record_path::{RecordPath, Step};
pub use record_paths::RecordPaths;
pub use records::Records;
pub use records_at::{RecordsAt, Selection};
pub use selected::{AtRecords, copy_at, listed, walked};
pub(crate) use single::{ACCEPT_SINGLE, accepting};
pub use walk::Walk;
pub use window::Window;

use demat_core::{Mark, Record, Result, Shape, Source};

/// A format that can be read through a window. It makes a source over any part of the place, and keeps the state
/// between parts (a header, a buffer).
pub trait Windowed {
    /// The source over one window.
    type Source<'w>: Source<'w>
    where
        Self: 'w;

    /// Makes a source over a part of the place. The caller then [resets](Source::reset) it to a mark of an earlier
    /// source, after adjusting the mark's offset to this window; or leaves it at the start of the place.
    fn source<'w>(&'w mut self, part: Part<'w>) -> Self::Source<'w>;

    /// Prepares for a place of this shape. Called before the first source is made. Formats that don't describe
    /// themselves need it.
    ///
    /// # Errors
    /// If the format can't hold such a shape.
    fn begin(&mut self, shape: &Shape) -> Result<()> {
        let _ = shape;
        Ok(())
    }

    /// Whether the place begins with a header, which a source reads when it enters the list.
    fn is_headed(&self) -> bool {
        false
    }

    /// Returns the record type that a table's header describes, if the source has read one before the first record.
    ///
    /// # Errors
    /// If the header does not describe a valid record.
    fn header(&self) -> Result<Option<Record>> {
        Ok(None)
    }

    /// Whether the place begins with a schema of all its values, so that nobody has to infer one from a sample.
    fn declares(&self) -> bool {
        false
    }

    /// Returns the shape of the place's items by the schema that it begins with, once a source has entered the list.
    /// `None` if the schema says more than a shape should: then it is inferred after all.
    fn declared(&self) -> Option<Shape> {
        None
    }

    /// What a record ends with, if the end is visible without decoding. Then a slowly arriving record is decoded as
    /// soon as it is complete.
    fn end(&self) -> Option<End> {
        None
    }

    /// Returns whether the part holds all of the list item that follows `mark`; `None` if the format does not search
    /// for the ends of items. `mark` has the offset in this part, and stands between two items.
    ///
    /// A format whose ends are not [visible](Self::end) continues the search where it stopped, when it is called again
    /// for the same item. So an item that arrives in small pieces is decoded once it is complete, not with every piece.
    fn holds_item(&mut self, part: Part<'_>, mark: Mark) -> Option<bool> {
        let _ = (part, mark);
        None
    }
}

/// A part of a place.
#[derive(Debug, Clone, Copy)]
pub struct Part<'w> {
    /// The bytes of the part.
    pub bytes: &'w [u8],
    /// Whether the place ends with these bytes. If not, a value that reaches the end is
    /// [incomplete](demat_core::Signal::Incomplete), not invalid.
    pub last: bool,
    /// The position of the first byte in the place.
    pub base: Base,
}

impl<'w> Part<'w> {
    /// Returns a whole place as one part.
    pub fn whole(bytes: &'w [u8]) -> Self {
        Self { bytes, last: true, base: Base::default() }
    }
}
