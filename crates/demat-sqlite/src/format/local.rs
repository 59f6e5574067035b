//! The division of a long value between its cell and overflow pages.

/// The minimum page size.
pub(crate) const SMALLEST: usize = 512;
/// The maximum page size.
pub(crate) const LARGEST: usize = 65_536;
/// The offset of the bytes that SQLite locks; the page at this offset, the lock page, holds no data.
pub(crate) const LOCKED: u64 = 0x4000_0000;

/// Returns the number of the lock page, for a page size.
pub(crate) fn locked_page(page_size: usize) -> u64 {
    LOCKED / page_size as u64 + 1
}

/// The sizes that fit into a cell, for pages with this number of usable bytes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Local {
    usable: usize,
    most: usize,
    least: usize,
}

impl Local {
    /// The sizes in leaves of tables.
    pub(crate) fn of_table(usable: usize) -> Self {
        Self { usable, most: usable - 35, least: (usable - 12) * 32 / 255 - 23 }
    }

    /// The sizes in indexes.
    pub(crate) fn of_index(usable: usize) -> Self {
        Self { most: (usable - 12) * 64 / 255 - 23, ..Self::of_table(usable) }
    }

    /// Returns the maximum length that needs no overflow pages.
    pub(crate) fn most(self) -> usize {
        self.most
    }

    /// Returns how many bytes of a value are stored in its cell.
    #[inline(always)]
    pub(crate) fn stays(self, len: usize) -> usize {
        if len <= self.most { len } else { self.of_long(len) }
    }

    #[cold]
    fn of_long(self, len: usize) -> usize {
        let stays = self.least + (len - self.least) % (self.usable - 4);
        if stays <= self.most { stays } else { self.least }
    }
}
