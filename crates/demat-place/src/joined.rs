//! Several places as one list.

use crate::reading::listed;
use demat_core::{Record, Result, Shape, Sink, Union, forward};

#[cfg(test)]
mod tests;

/// A sink that writes several values to another sink as one list: the items of lists, and each other value as an item.
///
/// Call [`end`](Self::end) after the last one.
pub(crate) struct Joined<'s> {
    inner: &'s mut dyn Sink,
    /// The shape of an item, if it is known.
    item: Shape,
    state: State,
    saved: State,
}

#[derive(Debug, Clone, Copy, Default)]
struct State {
    /// Whether the one list has begun.
    begun: bool,
    /// Whether the list that is being written is one of those that are joined.
    listed: bool,
    /// The number of open containers within it.
    depth: usize,
}

impl<'s> Joined<'s> {
    pub(crate) fn new(inner: &'s mut dyn Sink) -> Self {
        Self { inner, item: Shape::Any, state: State::default(), saved: State::default() }
    }

    /// Ends the list, which is empty if nothing was written.
    pub(crate) fn end(&mut self) -> Result<()> {
        self.start_list()?;
        self.inner.end_list()?;
        self.inner.commit()?;
        self.inner.finish()
    }

    fn start(&mut self, begin: impl FnOnce(&mut dyn Sink) -> Result<()>) -> Result<()> {
        if !self.state.begun {
            begin(&mut *self.inner)?;
            self.state.begun = true;
        }
        Ok(())
    }

    fn start_list(&mut self) -> Result<()> {
        let item = self.item.clone();
        self.start(|inner| match &item {
            Shape::Any => inner.begin_list(None),
            item => inner.begin_list_of(item, None),
        })
    }

    /// Writes a scalar.
    fn scalar(&mut self, write: impl FnOnce(&mut dyn Sink) -> Result<()>) -> Result<()> {
        self.value_begins()?;
        write(&mut *self.inner)
    }

    /// Makes a value that is no list an item.
    fn value_begins(&mut self) -> Result<()> {
        if self.state.depth == 0 && !self.state.listed {
            self.start_list()?;
            return self.inner.item();
        }
        Ok(())
    }

    fn open(&mut self, begin: impl FnOnce(&mut dyn Sink) -> Result<()>) -> Result<()> {
        self.value_begins()?;
        self.state.depth += 1;
        begin(&mut *self.inner)
    }

    /// Begins a list, unless it is one of those that are joined.
    fn list(&mut self, begin: impl FnOnce(&mut dyn Sink) -> Result<()>) -> Result<()> {
        if self.state.depth == 0 && !self.state.listed {
            self.state.listed = true;
            return self.start(begin);
        }
        self.state.depth += 1;
        begin(&mut *self.inner)
    }

    fn close(&mut self, end: impl FnOnce(&mut dyn Sink) -> Result<()>) -> Result<()> {
        self.state.depth -= 1;
        end(&mut *self.inner)
    }
}

impl Sink for Joined<'_> {
    forward! { self by scalar; scalars }
    forward! { self => self.inner; entry value field rest keys stated }

    /// The shape of one of the lists, which is that of the whole.
    fn begin(&mut self, shape: &Shape) -> Result<()> {
        if self.state.begun {
            return Ok(());
        }
        let whole = listed(shape.clone());
        if let Shape::List(item) = &whole {
            self.item = (**item).clone();
        }
        self.inner.begin(&whole)
    }

    fn begin_list_of(&mut self, item: &Shape, len: Option<usize>) -> Result<()> {
        let len = len.filter(|_| self.state.listed || self.state.depth > 0);
        self.list(|inner| inner.begin_list_of(item, len))
    }

    fn begin_list(&mut self, len: Option<usize>) -> Result<()> {
        let len = len.filter(|_| self.state.listed || self.state.depth > 0);
        self.list(|inner| inner.begin_list(len))
    }

    fn item(&mut self) -> Result<()> {
        self.inner.item()
    }

    fn end_list(&mut self) -> Result<()> {
        if self.state.depth == 0 {
            self.state.listed = false;
            return Ok(());
        }
        self.close(|inner| inner.end_list())
    }

    fn begin_map(&mut self, len: Option<usize>) -> Result<()> {
        self.open(|inner| inner.begin_map(len))
    }

    fn end_map(&mut self) -> Result<()> {
        self.close(|inner| inner.end_map())
    }

    fn begin_record(&mut self, record: &Record) -> Result<()> {
        self.open(|inner| inner.begin_record(record))
    }

    fn end_record(&mut self, record: &Record) -> Result<()> {
        self.close(|inner| inner.end_record(record))
    }

    fn begin_variant(&mut self, union: &Union, index: usize) -> Result<()> {
        self.open(|inner| inner.begin_variant(union, index))
    }

    fn end_variant(&mut self, union: &Union, index: usize) -> Result<()> {
        self.close(|inner| inner.end_variant(union, index))
    }

    fn commit(&mut self) -> Result<()> {
        self.saved = self.state;
        self.inner.commit()
    }

    fn rollback(&mut self) -> Result<()> {
        self.state = self.saved;
        self.inner.rollback()
    }

    /// One of the values has ended.
    fn finish(&mut self) -> Result<()> {
        Ok(())
    }
}
