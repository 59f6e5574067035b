//! Runs of numbers and bools as items of a list.

use super::CompactSink;
use crate::Drain;
use crate::scan::{Pieces, append_items};
use crate::text::pieces_of_u64;
use demat_core::{Error, Result, Sink};

impl<D: Drain> CompactSink<D> {
    /// Writes items of the list that was begun last, as [`Sink::i64`] writes each, but with one look for room. As many as
    /// that are written at once, so there should be but a few dozens of them.
    ///
    /// # Errors
    /// Never fails: the sink accepts any number.
    ///
    /// ```
    /// use demat_core::Sink;
    /// use demat_formats::{Keep, Output, json::CompactSink};
    /// let mut sink = CompactSink::new(Output::new(Vec::new(), Keep));
    /// sink.begin_list(None)?;
    /// sink.i64_items([1, -20].into_iter())?;
    /// sink.u64_items([u64::MAX].into_iter())?;
    /// sink.bool_items([true].into_iter())?;
    /// sink.end_list()?;
    /// sink.finish()?;
    /// assert_eq!(sink.into_output().into_parts().0, b"[1,-20,18446744073709551615,true]");
    /// # Ok::<(), demat_core::Error>(())
    /// ```
    #[inline(always)]
    pub fn i64_items(&mut self, items: impl ExactSizeIterator<Item = i64>) -> Result<()> {
        self.run(items, Self::i64, |item| (item < 0, pieces_of_u64(item.unsigned_abs())))
    }

    /// As [`i64_items`](Self::i64_items), for numbers that are not negative.
    ///
    /// # Errors
    /// Never fails.
    #[inline(always)]
    pub fn u64_items(&mut self, items: impl ExactSizeIterator<Item = u64>) -> Result<()> {
        self.run(items, Self::u64, |item| (false, pieces_of_u64(item)))
    }

    /// As [`i64_items`](Self::i64_items), for bools.
    ///
    /// # Errors
    /// Never fails.
    #[inline(always)]
    pub fn bool_items(&mut self, items: impl ExactSizeIterator<Item = bool>) -> Result<()> {
        self.run(items, Self::bool, |item| {
            let (text, len) = if item { (*b"true\0\0\0\0", 4) } else { (*b"false\0\0\0", 5) };
            (false, Pieces { first: u64::from_le_bytes(text), len, rest: [0; 2], more: 0 })
        })
    }

    #[inline(always)]
    fn run<T>(
        &mut self,
        items: impl ExactSizeIterator<Item = T>,
        one: impl Fn(&mut Self, T) -> Result<()>,
        pieces: impl Fn(T) -> (bool, Pieces),
    ) -> Result<()> {
        if self.at_line() || self.state.key {
            for item in items {
                self.item()?;
                one(self, item)?;
            }
            return Ok(());
        }
        append_items(&mut self.output.buffer, items.map(pieces));
        Ok(())
    }
}

/// The number of items that are written at once: they reserve room for the longest numbers.
const RUN: usize = 64;

/// Writes items in runs. An error has the place of the run's first item.
#[inline(always)]
pub(super) fn in_runs<T>(items: &[T], mut write: impl FnMut(&[T]) -> Result<()>) -> Result<(), (usize, Error)> {
    for (at, run) in items.chunks(RUN).enumerate() {
        write(run).map_err(|error| (at * RUN, error))?;
    }
    Ok(())
}
