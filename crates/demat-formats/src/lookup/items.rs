use demat_core::{Mark, Result, Source, interrupt};

/// The distance in bytes between two items whose marks are kept.
const APART: usize = 256;

/// The number of items that are quickly passed.
const FEW: usize = 16;

/// The items of a list that were found so far.
///
/// It keeps the marks of items that are at least 256 bytes apart, and that of the last one that was looked up. So a loop
/// over all indices takes linear time, an item that was passed before is found by skipping at most 256 bytes and one
/// item, and the marks take a fraction of the list's own bytes.
#[derive(Debug, Default)]
pub struct Items {
    /// Indices and marks, ascending.
    pub(super) kept: Vec<(usize, Mark)>,
    /// The item that was found last.
    near: Option<(usize, Mark)>,
    /// The number of items, once it is known.
    count: Option<usize>,
}

impl Items {
    /// Returns the number of items, if all were passed already.
    pub fn known_count(&self) -> Option<usize> {
        self.count
    }

    /// Returns whether the item is one of few behind an item that is known.
    pub fn is_near(&self, index: usize) -> bool {
        self.before(index).is_some_and(|(known, _)| index - known <= FEW)
    }

    /// Returns the last known item up to an index.
    fn before(&self, index: usize) -> Option<(usize, Mark)> {
        let kept = self.kept.partition_point(|(known, _)| *known <= index).checked_sub(1).map(|at| self.kept[at]);
        let near = self.near.filter(|(known, _)| *known <= index);
        if near.map(|(known, _)| known) >= kept.map(|(known, _)| known) { near } else { kept }
    }

    /// Returns the mark of an item in the list that the source has entered; `None` if the list is shorter.
    ///
    /// # Errors
    /// If an item before it is malformed.
    pub fn find<'a, S: Source<'a>>(&mut self, source: &mut S, index: usize) -> Result<Option<Mark>> {
        if self.count.is_some_and(|count| index >= count) {
            return Ok(None);
        }
        let mut at = 0;
        if let Some((known, mark)) = self.before(index) {
            source.reset(mark);
            at = known;
        } else if source.item()? {
            self.keep(0, source.mark());
        } else {
            self.count = Some(0);
            return Ok(None);
        }
        while at < index {
            source.skip()?;
            if !source.item()? {
                self.count = Some(at + 1);
                return Ok(None);
            }
            at += 1;
            interrupt::check()?;
            self.keep(at, source.mark());
        }
        let mark = source.mark();
        self.near = Some((index, mark));
        Ok(Some(mark))
    }

    /// Returns the number of items of the list that the source has entered.
    ///
    /// # Errors
    /// If an item is malformed.
    pub fn count<'a, S: Source<'a>>(&mut self, source: &mut S) -> Result<usize> {
        let near = self.near;
        loop {
            if let Some(count) = self.count {
                self.near = near;
                return Ok(count);
            }
            self.find(source, usize::MAX)?;
        }
    }

    /// Returns the marks of the next items, at most `most` and not many more than 4 KiB: after the item with this mark, or
    /// from the first one on. None is left at the end.
    ///
    /// # Errors
    /// If the first of them is malformed; otherwise the ones before a malformed one are returned.
    pub fn following<'a, S: Source<'a>>(source: &mut S, after: Option<Mark>, most: usize) -> Result<Vec<Mark>> {
        if let Some(mark) = after {
            source.reset(mark);
            source.skip()?;
        }
        let begin = source.mark().offset;
        let mut marks = Vec::new();
        let more = |source: &mut S, is_first: bool| {
            if !is_first {
                source.skip()?;
            }
            source.item()
        };
        loop {
            match more(source, marks.is_empty()) {
                Ok(true) => marks.push(source.mark()),
                Err(error) if marks.is_empty() => return Err(error),
                Ok(false) | Err(_) => return Ok(marks),
            }
            if marks.len() >= most || source.mark().offset - begin >= 4096 {
                return Ok(marks);
            }
        }
    }

    fn keep(&mut self, index: usize, mark: Mark) {
        let is_new = match self.kept.last() {
            Some((known, last)) => index > *known && mark.offset.saturating_sub(last.offset) >= APART,
            None => true,
        };
        if is_new {
            self.kept.push((index, mark));
        }
    }
}
