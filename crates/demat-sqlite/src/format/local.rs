//! How much of a long value stays in its page; the rest goes to pages of its own, chained one to the next.

/// The smallest page that there is.
pub(crate) const SMALLEST: usize = 512;
/// The largest page that there is.
pub(crate) const LARGEST: usize = 65_536;
/// The byte that SQLite locks; the page that it is in holds nothing.
pub(crate) const LOCKED: u64 = 0x4000_0000;

/// The page that holds nothing, where pages are of this size.
pub(crate) fn locked_page(page_size: usize) -> u64 {
    LOCKED / page_size as u64 + 1
}

/// What fits a cell, for pages with so many bytes in use.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Local {
    usable: usize,
    most: usize,
    least: usize,
}

impl Local {
    /// For the leaves of tables.
    pub(crate) fn of_table(usable: usize) -> Self {
        Self { usable, most: usable - 35, least: (usable - 12) * 32 / 255 - 23 }
    }

    /// For indexes.
    pub(crate) fn of_index(usable: usize) -> Self {
        Self { most: (usable - 12) * 64 / 255 - 23, ..Self::of_table(usable) }
    }

    /// The most that stays whole.
    pub(crate) fn most(self) -> usize {
        self.most
    }

    /// How many bytes of so many stay in the page.
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
