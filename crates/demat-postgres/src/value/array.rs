//! Arrays.

use crate::column_type::ColumnType;
use demat_core::{Error, ErrorKind, Result};

/// The maximum number of dimensions.
pub(crate) const DEEPEST: usize = 6;

/// The largest number of items.
const MOST: u64 = 0x07FF_FFFF;

/// An array that is being written: its items follow each other, whatever their dimension.
#[derive(Debug)]
pub(crate) struct ArrayWriter {
    /// The numbers of items of the lists that are open, from the outermost.
    open: Vec<u64>,
    /// The numbers of items per dimension, as far as a list has ended.
    sizes: [Option<u64>; DEEPEST],
    /// The depth at which there are items that are no lists.
    leaves: Option<usize>,
    has_null: bool,
    items: Vec<u8>,
}

impl ArrayWriter {
    pub(crate) fn new() -> Self {
        Self { open: vec![0], sizes: [None; DEEPEST], leaves: None, has_null: false, items: Vec::new() }
    }

    /// Begins a list in a list.
    pub(crate) fn begin_list(&mut self) -> Result<()> {
        if self.open.len() == DEEPEST {
            return Err(Error::limit("the number of dimensions of an array of PostgreSQL", DEEPEST));
        }
        if self.leaves.is_some_and(|depth| depth <= self.open.len()) {
            return Err(ragged());
        }
        self.open.push(0);
        Ok(())
    }

    /// Counts an item.
    pub(crate) fn item(&mut self) -> Result<()> {
        let count = self.open.last_mut().ok_or_else(ragged)?;
        *count += 1;
        if *count > MOST {
            return Err(Error::limit("the number of items of an array of PostgreSQL", MOST));
        }
        Ok(())
    }

    /// Returns where an item that is no list is to be written.
    pub(crate) fn leaf(&mut self, null: bool) -> Result<&mut Vec<u8>> {
        if *self.leaves.get_or_insert(self.open.len()) != self.open.len() {
            return Err(ragged());
        }
        self.has_null |= null;
        Ok(&mut self.items)
    }

    /// Ends a list. Returns whether it was the outermost one.
    pub(crate) fn end_list(&mut self) -> Result<bool> {
        let count = self.open.pop().ok_or_else(ragged)?;
        let size = self.sizes.get_mut(self.open.len()).ok_or_else(ragged)?;
        if *size.get_or_insert(count) != count {
            return Err(ragged());
        }
        Ok(self.open.is_empty())
    }

    /// Appends the array without its length.
    pub(crate) fn finish(self, item: &ColumnType, out: &mut Vec<u8>) -> Result<()> {
        let sizes: Vec<_> = self.sizes.iter().map_while(|size| *size).collect();
        // An array without items has no dimensions.
        if sizes.last() == Some(&0) && sizes.len() > 1 {
            let message = "an array of PostgreSQL can't hold empty lists; only a list that is empty as a whole";
            return Err(Error::new(ErrorKind::Encode, message));
        }
        let sizes = if sizes == [0] { &[][..] } else { &sizes };
        out.extend_from_slice(&(sizes.len() as u32).to_be_bytes());
        out.extend_from_slice(&u32::from(self.has_null).to_be_bytes());
        out.extend_from_slice(&item.oid.to_be_bytes());
        for size in sizes {
            out.extend_from_slice(&(*size as u32).to_be_bytes());
            out.extend_from_slice(&1_u32.to_be_bytes());
        }
        out.extend_from_slice(&self.items);
        Ok(())
    }
}

#[cold]
fn ragged() -> Error {
    let message = "the lists in an array of PostgreSQL have the same length, and hold either lists or values";
    Error::new(ErrorKind::Encode, message)
}

/// The current item of an array.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Item {
    /// There is none, or it is a list.
    None,
    Null,
    /// Where its bytes begin, and their number.
    Bytes(usize, usize),
}

/// A position in an array that is being read.
#[derive(Debug, Clone)]
pub(crate) struct ArrayCursor {
    sizes: [u32; DEEPEST],
    dimensions: usize,
    /// The number of open lists.
    pub(crate) depth: usize,
    /// The number of items read, over all dimensions.
    pub(crate) index: usize,
    /// Whether no item of the innermost list was stepped to.
    pub(crate) fresh: bool,
    /// Where the next item begins.
    at: usize,
    pub(crate) item: Item,
}

impl ArrayCursor {
    /// Reads the header. Returns `None` if the bytes are no array of such items.
    pub(crate) fn new(bytes: &[u8], item: &ColumnType) -> Option<Self> {
        let word = |at: usize| Some(u32::from_be_bytes(bytes.get(at * 4..at * 4 + 4)?.try_into().ok()?));
        let dimensions = word(0)? as usize;
        if dimensions > DEEPEST || word(2)? != item.oid {
            return None;
        }
        let mut sizes = [0; DEEPEST];
        let mut items = u64::from(dimensions > 0);
        for (dimension, size) in sizes.iter_mut().enumerate().take(dimensions) {
            *size = word(3 + dimension * 2)?;
            word(4 + dimension * 2)?;
            items = items.checked_mul(u64::from(*size))?;
        }
        let at = 12 + dimensions * 8;
        // Each item has a length of four bytes.
        if items.saturating_mul(4) > (bytes.len() - at) as u64 || items == 0 && bytes.len() > at {
            return None;
        }
        Some(Self { sizes, dimensions, depth: 0, index: 0, fresh: false, at, item: Item::None })
    }

    /// The number of items that the list at this depth has, over all dimensions.
    fn size(&self, depth: usize) -> usize {
        match self.sizes.get(depth - 1..self.dimensions) {
            Some(sizes) if !sizes.is_empty() => sizes.iter().map(|size| *size as usize).product(),
            _ => 0,
        }
    }

    /// Whether the items of the innermost list are lists.
    pub(crate) fn holds_lists(&self) -> bool {
        self.depth < self.dimensions
    }

    /// Enters a list. Returns the number of its items.
    pub(crate) fn enter(&mut self) -> usize {
        self.depth += 1;
        self.fresh = true;
        self.sizes.get(self.depth - 1).map_or(0, |size| *size as usize)
    }

    /// Steps to the next item. Returns false at the end, and leaves the list; `None` if the bytes are no array.
    pub(crate) fn step(&mut self, bytes: &[u8]) -> Option<bool> {
        let size = self.size(self.depth);
        if size == 0 || !self.fresh && self.index.is_multiple_of(size) {
            self.depth -= 1;
            self.fresh = false;
            return Some(if self.depth == 0 && self.at != bytes.len() { return None } else { false });
        }
        self.fresh = false;
        if !self.holds_lists() {
            self.read(bytes)?;
        }
        Some(true)
    }

    /// Reads the length of the next item.
    fn read(&mut self, bytes: &[u8]) -> Option<()> {
        let start = self.at + 4;
        let len = i32::from_be_bytes(bytes.get(self.at..start)?.try_into().ok()?);
        self.item = match len {
            -1 => Item::Null,
            len => {
                let len = usize::try_from(len).ok()?;
                bytes.get(start..start.checked_add(len)?)?;
                Item::Bytes(start, len)
            }
        };
        Some(())
    }

    /// Moves behind the current item.
    pub(crate) fn taken(&mut self) {
        self.at = match self.item {
            Item::None => return,
            Item::Null => self.at + 4,
            Item::Bytes(start, len) => start + len,
        };
        self.item = Item::None;
        self.index += 1;
    }

    /// Moves behind the list that the current item is.
    pub(crate) fn skip_list(&mut self, bytes: &[u8]) -> Option<()> {
        for _ in 0..self.size(self.depth + 1) {
            self.read(bytes)?;
            self.taken();
        }
        Some(())
    }

    /// Moves to an item by its index, in an array that was read this far before.
    pub(crate) fn seek(&mut self, bytes: &[u8], index: usize, depth: usize, fresh: bool, at_item: bool) -> Option<()> {
        while self.index < index {
            self.read(bytes)?;
            self.taken();
        }
        (self.depth, self.fresh) = (depth, fresh);
        if at_item && !self.holds_lists() {
            self.read(bytes)?;
        }
        Some(())
    }
}
