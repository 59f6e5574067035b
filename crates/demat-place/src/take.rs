//! Limits the number of records.

use demat_core::{Error, ErrorKind, Record, Result, Shape, Sink, Union, forward};

#[cfg(test)]
mod tests;

/// A sink that passes on the first records of the outermost list, and counts them.
///
/// The commit after the last one fails, so the copy stops. Call [`end_early`](Self::end_early) then.
pub(crate) struct Take<'s> {
    inner: &'s mut dyn Sink,
    limit: u64,
    position: ListPosition,
    committed: ListPosition,
    enough: bool,
}

#[derive(Debug, Clone, Copy, Default)]
struct ListPosition {
    depth: usize,
    /// Whether the outermost value is a list.
    listed: bool,
    items: u64,
}

impl<'s> Take<'s> {
    pub(crate) fn new(inner: &'s mut dyn Sink, limit: u64) -> Self {
        Self { inner, limit, position: ListPosition::default(), committed: ListPosition::default(), enough: false }
    }

    /// Returns whether this sink has stopped the copy.
    pub(crate) fn has_enough(&self) -> bool {
        self.enough
    }

    /// Ends the list.
    pub(crate) fn end_early(&mut self) -> Result<()> {
        self.inner.end_list()?;
        self.inner.finish()
    }

    /// Hides the length of the outermost list, which may be cut.
    fn known(&self, len: Option<usize>) -> Option<usize> {
        if self.position.depth == 0 { None } else { len }
    }

    fn open(&mut self, list: bool) {
        if self.position.depth == 0 {
            self.position.listed = list;
        }
        self.position.depth += 1;
    }

    fn close(&mut self) {
        self.position.depth -= 1;
    }
}

impl Sink for Take<'_> {
    forward! { self => self.inner; scalars entry value field rest finish begin stated }

    fn begin_list_of(&mut self, item: &Shape, len: Option<usize>) -> Result<()> {
        let len = self.known(len);
        self.open(true);
        self.inner.begin_list_of(item, len)
    }

    fn begin_list(&mut self, len: Option<usize>) -> Result<()> {
        let len = self.known(len);
        self.open(true);
        self.inner.begin_list(len)
    }

    fn item(&mut self) -> Result<()> {
        if self.position.depth == 1 {
            self.position.items += 1;
        }
        self.inner.item()
    }

    fn end_list(&mut self) -> Result<()> {
        self.close();
        self.inner.end_list()
    }

    fn begin_map(&mut self, len: Option<usize>) -> Result<()> {
        self.open(false);
        self.inner.begin_map(len)
    }

    fn end_map(&mut self) -> Result<()> {
        self.close();
        self.inner.end_map()
    }

    fn begin_record(&mut self, record: &Record) -> Result<()> {
        self.open(false);
        self.inner.begin_record(record)
    }

    fn end_record(&mut self, record: &Record) -> Result<()> {
        self.close();
        self.inner.end_record(record)
    }

    /// A variant counts as a container, so a scalar in it is never at the top level.
    fn begin_variant(&mut self, union: &Union, index: usize) -> Result<()> {
        self.open(false);
        self.inner.begin_variant(union, index)
    }

    fn end_variant(&mut self, union: &Union, index: usize) -> Result<()> {
        self.close();
        self.inner.end_variant(union, index)
    }

    fn commit(&mut self) -> Result<()> {
        self.inner.commit()?;
        self.committed = self.position;
        if self.position.listed && self.position.depth == 1 && self.position.items >= self.limit {
            self.enough = true;
            // An `Io` error ends the copy at once, whatever `on_error` says.
            return Err(Error::new(ErrorKind::Io, "enough"));
        }
        Ok(())
    }

    fn rollback(&mut self) -> Result<()> {
        self.position = self.committed;
        self.inner.rollback()
    }
}

impl Take<'_> {
    /// Returns the number of committed records.
    pub(crate) fn items(&self) -> u64 {
        self.committed.items
    }
}
