//! Streams: places that are read through a window.
//!
//! A codec works on a slice. Here a window over the reader holds at least one whole unit (a record, mostly); the codec
//! goes ahead as if the window were everything, and where it meets the window's end, source and sink go back to the
//! last commit, the window is filled again, and the copy goes on. So streams run at the speed of slices, in memory that
//! is bounded by the longest unit.

mod awaited;
mod base;
mod bordered;
mod counter;
mod driver;
mod record_path;
mod records;
#[cfg(test)]
mod records_tests;
#[cfg(test)]
mod tests;
mod walk;
mod window;

pub use awaited::{Awaited, End};
pub use base::Base;
pub(crate) use base::MARK;
pub use bordered::Bordered;
pub(crate) use bordered::after_line;
pub use counter::Counter;
pub use driver::{OnError, Repair, Stop, Summary, copy, copy_from, copy_repaired};
pub use record_path::{RecordPath, Step};
pub use records::Records;
pub use walk::Walk;
pub use window::Window;

use demat_core::{Record, Result, Shape, Source};

/// A format that can be read through a window: it makes a source over any part of the place, and keeps what must be
/// remembered from one part to the next (a header, a buffer).
pub trait Windowed {
    /// The source over one window.
    type Source<'w>: Source<'w>
    where
        Self: 'w;

    /// Makes a source over a part of the place. The caller then [resets](Source::reset) it to a mark of an earlier
    /// source, whose offset it has made to count from this window's start, or leaves it at the start of the place.
    fn source<'w>(&'w mut self, part: Part<'w>) -> Self::Source<'w>;

    /// Tells the shape that the place will be read as, before the first source is made. Formats whose bytes do not say what
    /// they are need it.
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

    /// What a record ends with, where that can be seen without reading it: then one that comes in slowly is read as soon
    /// as it is there.
    fn end(&self) -> Option<End> {
        None
    }
}

/// A part of a place.
#[derive(Debug, Clone, Copy)]
pub struct Part<'w> {
    /// Its bytes.
    pub bytes: &'w [u8],
    /// Whether the place ends here. Where it does not, a value that reaches the end is
    /// [incomplete](demat_core::Signal::Incomplete), not wrong.
    pub last: bool,
    /// Where the first byte stands in the place.
    pub base: Base,
}

impl<'w> Part<'w> {
    /// The whole of a place.
    pub fn whole(bytes: &'w [u8]) -> Self {
        Self { bytes, last: true, base: Base::default() }
    }
}
