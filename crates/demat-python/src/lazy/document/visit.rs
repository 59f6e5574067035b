//! The work that is done on a source at a value.

use demat_core::{Error, Kind, Mark, Result, Source};
use demat_formats::lookup::{Items, Spot, Step, Visit, last_of_key, way_to};
use std::borrow::Cow;

/// Returns the kind of a value.
pub(super) struct KindOf(pub(super) Spot);

impl Visit for KindOf {
    type Output = Result<Kind>;

    fn visit<'s, S: Source<'s>>(self, mut source: S) -> Result<Kind> {
        self.0.reach(&mut source)?;
        source.peek()
    }
}

/// Returns the bytes of a value.
pub(super) struct SpanOf(pub(super) Spot);

impl Visit for SpanOf {
    type Output = Result<Vec<u8>>;

    fn visit<'s, S: Source<'s>>(self, mut source: S) -> Result<Vec<u8>> {
        self.0.reach(&mut source)?;
        let span = source.span().map(Cow::into_owned)?;
        if self.0.is_whole() {
            source.end()?;
        }
        Ok(span)
    }
}

/// Returns the bytes of a value, and where they begin in the source's part.
pub(super) struct CopyOf(pub(super) Spot);

impl Visit for CopyOf {
    type Output = Result<(Vec<u8>, usize)>;

    fn visit<'s, S: Source<'s>>(self, mut source: S) -> Result<(Vec<u8>, usize)> {
        self.0.reach(&mut source)?;
        let begin = source.mark().offset;
        let span = source.span()?;
        let begin = match &span {
            Cow::Borrowed(span) => source.mark().offset.saturating_sub(span.len()),
            Cow::Owned(_) => begin,
        };
        if self.0.is_whole() {
            source.end()?;
        }
        Ok((span.into_owned(), begin))
    }
}

/// Returns the number of items that the format stores of a list; `None` if it stores none.
pub(super) struct StoredCount(pub(super) Spot);

impl Visit for StoredCount {
    type Output = Result<Option<usize>>;

    fn visit<'s, S: Source<'s>>(self, mut source: S) -> Result<Option<usize>> {
        self.0.reach(&mut source)?;
        source.list()
    }
}

/// Returns whether a container has a child.
pub(super) struct IsFilled {
    pub(super) is_map: bool,
}

impl Visit for IsFilled {
    type Output = Result<bool>;

    fn visit<'s, S: Source<'s>>(self, mut source: S) -> Result<bool> {
        if self.is_map {
            source.map()?;
            source.entry()
        } else {
            source.list()?;
            source.item()
        }
    }
}

/// Returns the value of a key of the map that the source is at.
pub(super) struct LastOfKey<'k>(pub(super) &'k str);

impl Visit for LastOfKey<'_> {
    type Output = Result<Option<Mark>>;

    fn visit<'s, S: Source<'s>>(self, mut source: S) -> Result<Option<Mark>> {
        source.map()?;
        last_of_key(&mut source, self.0)
    }
}

/// Returns an item of the list that the source is at.
pub(super) struct ItemAt<'i> {
    pub(super) items: &'i mut Items,
    pub(super) index: usize,
}

impl Visit for ItemAt<'_> {
    type Output = Result<Option<Mark>>;

    fn visit<'s, S: Source<'s>>(self, mut source: S) -> Result<Option<Mark>> {
        source.list()?;
        self.items.find(&mut source, self.index)
    }
}

/// Counts the items of the list that the source is at.
pub(super) struct CountOf<'i>(pub(super) &'i mut Items);

impl Visit for CountOf<'_> {
    type Output = Result<usize>;

    fn visit<'s, S: Source<'s>>(self, mut source: S) -> Result<usize> {
        source.list()?;
        self.0.count(&mut source)
    }
}

/// The most items that an iterator finds at a time.
const MOST: usize = 64;

/// Returns the items after one of the list that the source is at.
pub(super) struct Following(pub(super) Option<Mark>);

impl Visit for Following {
    type Output = Result<Vec<Mark>>;

    fn visit<'s, S: Source<'s>>(self, mut source: S) -> Result<Vec<Mark>> {
        source.list()?;
        Items::following(&mut source, self.0, MOST)
    }
}

/// Returns the way to a value, from the start of the document.
pub(super) struct WayTo(pub(super) Spot);

impl Visit for WayTo {
    type Output = Result<Vec<Step>>;

    fn visit<'s, S: Source<'s>>(self, mut source: S) -> Result<Vec<Step>> {
        way_to(&mut source, self.0)
    }
}

/// Moves an error to the position of a value.
pub(super) struct AtValue {
    pub(super) spot: Spot,
    pub(super) error: Error,
}

impl Visit for AtValue {
    type Output = Error;

    fn visit<'s, S: Source<'s>>(self, mut source: S) -> Error {
        match self.spot.reach(&mut source).and_then(|()| source.peek()) {
            Ok(_) => self.error.at(source.position()),
            Err(other) => other,
        }
    }
}

/// Returns the error for a value of another kind than wanted.
pub(super) struct Mismatch {
    pub(super) spot: Spot,
    pub(super) expected: &'static str,
}

impl Visit for Mismatch {
    type Output = Error;

    fn visit<'s, S: Source<'s>>(self, mut source: S) -> Error {
        match self.spot.reach(&mut source) {
            Ok(()) => source.mismatch(self.expected),
            Err(other) => other,
        }
    }
}
