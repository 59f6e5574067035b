//! Shapes from a **sample**: the shape that all values seen so far have.
//!
//! ```
//! use demat_core::{Inference, InferenceOptions};
//! let inference = Inference::new(InferenceOptions::default());
//! assert_eq!(inference.shape().to_string(), "any");
//! ```
//!
//! # The rule
//!
//! The shape is the narrowest of these that every value of the sample has; in which order they came does not count, but
//! for the order of fields.
//!
//! * **Nothing** seen (no value, only nulls, an empty list's items) is `any`: a sample that has only nulls says nothing of
//!   what else may come.
//! * Values of **one kind** have that kind. Whole numbers are `int`, of any width: that a sample fits 64 bits does not
//!   say that the rest will, and an `int` that fits costs no more.
//! * **Whole numbers and floats** together are `float`, if a float holds each of the whole numbers exactly; **whole numbers
//!   and decimals** are `decimal`. No digit is lost for the sake of a narrower shape.
//! * **Nulls** beside values of a shape make it optional: `T?`.
//! * **Lists** have the one shape of all their items: `[T]`.
//! * **Maps** are records, with their keys as fields, in the order in which these were first seen. A field that some of
//!   the records do not have is optional. Maps are `map(text, T)` instead, `T` the one shape of all their values, where
//!   * they have more than [`keys`](InferenceOptions::keys) different keys between them (1,000; unlimited for the
//!     columns of a table), or a key of more than 1,024 bytes; or
//!   * they have no keys at all; or
//!   * their keys keep growing: there are 16 maps or more, more different keys than maps, and no key is in
//!     half of the maps;
//!
//!   and `map(K, T)` where keys are no text.
//! * A field that no record of the sample has is refused later, and not lost in silence: the records
//!   [forbid](crate::Unknown::Forbid) it, unless [`forbid`](InferenceOptions::forbid) is false.
//! * **Other mixtures** (text and numbers, scalars and lists) are `any`: so each value stays what it is. Unions would be
//!   narrower, but of a sample it can't be known that they are all.
//! * With [`cells`](InferenceOptions::cells) texts are the cells of a table, and a column is the first of these that all of
//!   its cells are: `bool` (`true` and `false`, nothing else), `int` (no leading zeros, no `+`, not `-0`), `float` (what
//!   binary64 holds to the last digit), `date`, `datetime` (all without an offset), `instant` (all with one); `text`
//!   otherwise. An empty cell is a null, and a
//!   column of nothing else is `text?`.
//!
//! Memory is bounded whatever comes: what lies deeper than [`depth`](InferenceOptions::depth) is `any`, and a sample that
//! takes more than 16,384 shapes (of fields, items and values) has its further records as maps, but for the rows of a table. Reading takes no call
//! stack, however deep the input is.

mod cell;
mod collapse;
mod node;
mod read;
mod result;
mod scalar;
#[cfg(test)]
mod tests;

use crate::{Result, Signal, Source};
use node::Nodes;

/// How [`Inference`] looks at a sample.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct InferenceOptions {
    /// Whether texts are cells, as in CSV, that stand for other kinds.
    pub cells: bool,
    /// More different keys than this make maps of records; 1,000, and for [`cells`](Self::cells) any number.
    pub keys: usize,
    /// Deeper than this many lists and maps all is `any`; 64, and 128 at the most.
    pub depth: usize,
    /// Whether fields that no record of the sample has are forbidden; else they will be ignored. True.
    pub forbid: bool,
}

impl Default for InferenceOptions {
    fn default() -> Self {
        Self { cells: false, keys: 1_000, depth: 64, forbid: true }
    }
}

impl InferenceOptions {
    /// For tables of text.
    ///
    /// ```
    /// assert!(demat_core::InferenceOptions::cells().cells);
    /// ```
    pub fn cells() -> Self {
        // A header has named them all, however many there are.
        Self { cells: true, keys: usize::MAX, ..Self::default() }
    }
}

/// The shape of a **sample**, while values of it are observed one by one.
///
/// ```
/// # use demat_core::*;
/// # fn sources() -> Vec<Nothing> { Vec::new() }
/// # fn observe<'a>(mut sources: Vec<impl Source<'a>>) -> Result<Shape> {
/// let mut inference = Inference::new(InferenceOptions::default());
/// for source in &mut sources {
///     inference.observe(source)?;
/// }
/// # Ok(inference.shape()) }
/// ```
#[derive(Debug, Clone)]
pub struct Inference {
    options: InferenceOptions,
    nodes: Nodes,
}

impl Inference {
    /// Nothing observed.
    pub fn new(options: InferenceOptions) -> Self {
        Self { options, nodes: Nodes::default() }
    }

    /// Reads the value that the source stands at, and takes it into account: all of it, or nothing on an error.
    ///
    /// It is passed over once before it is read, so the source has to have it whole.
    ///
    /// # Errors
    /// What the source refuses.
    pub fn observe<'a, S: Source<'a> + ?Sized>(&mut self, source: &mut S) -> Result<()> {
        self.observe_at(source, Nodes::ROOT, 0)
    }

    /// Reads up to `limit` items of the list that the source stands at, and says how many these were; any other value
    /// it reads whole, as [`observe`](Self::observe) does, and as one. Either way the shape is that of what the source
    /// stood at: with records in a list it is `[{…}]`.
    ///
    /// Where a window ends ([`Signal::Incomplete`]) it stops before the item that is not there whole. The source is left
    /// where that is: it is to be made anew, or reset.
    ///
    /// # Errors
    /// What the source refuses, with the path; what was read before counts.
    pub fn observe_items<'a, S: Source<'a> + ?Sized>(&mut self, source: &mut S, limit: usize) -> Result<usize> {
        let mut observed = 0;
        match self.items(source, limit, &mut observed) {
            Err(error) if error.signal() != Some(Signal::Incomplete) => Err(error),
            _ => Ok(observed),
        }
    }

    fn items<'a, S: Source<'a> + ?Sized>(&mut self, source: &mut S, limit: usize, observed: &mut usize) -> Result<()> {
        if limit == 0 {
            return Ok(());
        }
        if source.peek()? != crate::Kind::List {
            self.observe(source)?;
            *observed = 1;
            return Ok(());
        }
        source.list()?;
        let item = self.nodes.list(Nodes::ROOT);
        while *observed < limit && source.item()? {
            if observed.is_multiple_of(256) {
                crate::interrupt::check()?;
            }
            let read = match item {
                Some(item) => self.observe_at(source, item, 1),
                None => source.skip(),
            };
            read.map_err(|error| if error.signal().is_some() { error } else { error.within_item(*observed) })?;
            *observed += 1;
        }
        Ok(())
    }

    fn observe_at<'a, S: Source<'a> + ?Sized>(&mut self, source: &mut S, node: usize, depth: usize) -> Result<()> {
        let mark = source.mark();
        source.skip()?;
        source.reset(mark);
        read::read(&mut self.nodes, source, node, depth, &self.options)
    }
}
