//! Counts the items of a list without keeping them.

use demat_core::scalar::Int;
use demat_core::{Result, Sink};

#[cfg(test)]
mod tests;

/// A sink that counts the items of a list.
#[derive(Debug, Default)]
pub(crate) struct Counted {
    depth: u64,
    items: u64,
    /// Whether the whole value is a list.
    is_list: bool,
    /// The state at the last commit.
    committed: (u64, u64, bool),
}

impl Counted {
    /// The number of items; `None` if the value was no list.
    pub(crate) fn items(&self) -> Option<u64> {
        self.is_list.then_some(self.items)
    }

    #[allow(clippy::unnecessary_wraps)] // it implements a method of the sink
    fn deeper(&mut self) -> Result<()> {
        self.depth += 1;
        Ok(())
    }

    #[allow(clippy::unnecessary_wraps)]
    fn back(&mut self) -> Result<()> {
        self.depth = self.depth.saturating_sub(1);
        Ok(())
    }
}

impl Sink for Counted {
    fn null(&mut self) -> Result<()> {
        Ok(())
    }
    fn bool(&mut self, _: bool) -> Result<()> {
        Ok(())
    }
    fn int(&mut self, _: &Int<'_>) -> Result<()> {
        Ok(())
    }
    fn float(&mut self, _: f64) -> Result<()> {
        Ok(())
    }
    fn text(&mut self, _: &str) -> Result<()> {
        Ok(())
    }
    fn begin_list(&mut self, _: Option<usize>) -> Result<()> {
        self.is_list |= self.depth == 0;
        self.deeper()
    }
    fn item(&mut self) -> Result<()> {
        self.items += u64::from(self.depth == 1 && self.is_list);
        Ok(())
    }
    fn end_list(&mut self) -> Result<()> {
        self.back()
    }
    fn begin_map(&mut self, _: Option<usize>) -> Result<()> {
        self.deeper()
    }
    fn entry(&mut self) -> Result<()> {
        Ok(())
    }
    fn value(&mut self) -> Result<()> {
        Ok(())
    }
    fn end_map(&mut self) -> Result<()> {
        self.back()
    }
    fn commit(&mut self) -> Result<()> {
        self.committed = (self.depth, self.items, self.is_list);
        Ok(())
    }
    fn rollback(&mut self) -> Result<()> {
        (self.depth, self.items, self.is_list) = self.committed;
        Ok(())
    }
    fn finish(&mut self) -> Result<()> {
        Ok(())
    }
}
