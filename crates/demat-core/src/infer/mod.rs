//! Shape inference from a **sample**: finds the narrowest shape that all observed values have.
//!
//! ```
//! use demat_core::{Inference, InferenceOptions};
//! let inference = Inference::new(InferenceOptions::default());
//! assert_eq!(inference.shape().to_string(), "any");
//! ```
//!
//! # The rule
//!
//! The shape is the narrowest of these that every value of the sample has. The order of the values does not matter,
//! except for the order of fields.
//!
//! * **No value** observed (an empty sample, only nulls, an empty list's items) gives `any`: a sample of nulls says
//!   nothing about other values.
//! * Values of **one kind** have that kind. Integers are `int`, of any width: the rest of the data may exceed 64 bits
//!   even if the sample does not, and an `int` that fits costs no more.
//! * **Integers and floats** together are `float`, if a float represents each of the integers exactly; **integers and
//!   decimals** are `decimal`. No digit is lost for a narrower shape. Floats
//!   in text are `decimal`, too, if one of them is beyond binary64 (`1e400`).
//! * **Nulls** besides values of a shape make it optional: `T?`.
//! * **Lists** have one shape for all their items: `[T]`.
//! * **Maps** are records with their keys as fields, in the order of their first occurrence. A field that some of the
//!   records lack is optional. Maps are `map(text, T)` instead, with one shape `T` for all their values, if
//!   * they have more than [`keys`](InferenceOptions::keys) different keys between them (1,000; unlimited for the
//!     columns of a table), or a key of more than 1,024 bytes. Rows, which are the items of a list that is the whole,
//!     may have [`columns`](InferenceOptions::columns) (10,000), if half of the keys are in half of the rows, and
//!     almost all values are scalars; or
//!   * they have no keys at all; or
//!   * their keys keep growing: there are at least 16 maps, more different keys than maps, and no key is in half of
//!     the maps;
//!
//!   and `map(K, T)` if keys are not text.
//! * A field that no record of the sample has is an error later, and not silently lost: the records
//!   [forbid](crate::Unknown::Forbid) it, unless [`forbid`](InferenceOptions::forbid) is false.
//! * **Other mixtures** (text and numbers, scalars and lists) are `any`, so that each value keeps its kind. Unions
//!   would be narrower, but a sample can't show that their variants are complete.
//! * With [`cells`](InferenceOptions::cells), texts are the cells of a table. A column has the first of these types
//!   that fits all of its cells: `bool` (only `true` and `false`), `int` (no leading zeros, no `+`, not `-0`), `float`
//!   (exact in binary64), `date`, `datetime` (all without an offset), `instant` (all with one); otherwise `text`. An
//!   empty cell is null, and a column of empty cells is `text?`.
//!
//! Memory is bounded: values deeper than [`depth`](InferenceOptions::depth) are `any`, and once a sample has 16,384
//! shapes (of fields, items and values) its further records become maps, except for the rows of a table. Reading uses
//! no call stack, whatever the depth of the input.

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

/// Options of [`Inference`].
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct InferenceOptions {
    /// Whether texts are cells, as in CSV, and may stand for other kinds.
    pub cells: bool,
    /// The maximum number of different keys in records; with more they are maps. 1,000 by default, and unlimited for
    /// [tables](Self::cells()).
    pub keys: usize,
    /// The maximum number of different keys in rows, where it is more than [`keys`](Self::keys). 10,000 by default.
    pub columns: usize,
    /// The maximum depth of lists and maps; anything deeper is `any`. 64 by default, and at most 128.
    pub depth: usize,
    /// Whether fields that no record of the sample has are forbidden; otherwise they are ignored. True by default.
    pub forbid: bool,
}

impl Default for InferenceOptions {
    fn default() -> Self {
        Self { cells: false, keys: 1_000, columns: 10_000, depth: 64, forbid: true }
    }
}

impl InferenceOptions {
    /// Returns the options for tables of text.
    ///
    /// ```
    /// assert!(demat_core::InferenceOptions::cells().cells);
    /// ```
    pub fn cells() -> Self {
        // The header names all columns, whatever their number.
        Self { cells: true, keys: usize::MAX, ..Self::default() }
    }

    /// Returns the options for documents of text that may nest, such as XML: cells, with the usual limit of keys.
    ///
    /// ```
    /// let options = demat_core::InferenceOptions::texts();
    /// assert!(options.cells && options.keys == 1_000);
    /// ```
    pub fn texts() -> Self {
        Self { cells: true, ..Self::default() }
    }
}

/// Infers the shape of a **sample**, whose values are observed one by one.
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
    /// Returns an inference without observations.
    pub fn new(options: InferenceOptions) -> Self {
        Self { options, nodes: Nodes::default() }
    }

    /// Reads the source's next value and adds it to the observations: all of it, or nothing at an error.
    ///
    /// It skips the value once before it reads it, so the source must hold all of it.
    ///
    /// # Errors
    /// The errors of the source.
    pub fn observe<'a, S: Source<'a> + ?Sized>(&mut self, source: &mut S) -> Result<()> {
        self.observe_at(source, Nodes::ROOT, 0)
    }

    /// Reads up to `limit` items of the source's list, and returns their number. It reads any other value whole, as
    /// [`observe`](Self::observe) does, and counts it as one. Either way the shape is that of the source's whole value:
    /// for records in a list it is `[{…}]`.
    ///
    /// At the end of a window ([`Signal::Incomplete`]) it stops before the item that is not complete. The source is
    /// then in no valid position: make a new one, or reset it.
    ///
    /// # Errors
    /// The errors of the source, with the path. The items before the error are observed.
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
        if !source.lists_records(None)? {
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
