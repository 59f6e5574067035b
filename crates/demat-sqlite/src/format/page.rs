//! The headers of b-tree pages.

/// The length of the file header, which precedes the header of the first page.
pub(crate) const FILE_HEAD: usize = 100;
/// The maximum depth of a b-tree; with at least four children per page, deeper ones would exceed the number of pages.
pub(crate) const MOST_LEVELS: usize = 40;

/// The type of a b-tree page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PageKind {
    IndexInterior = 2,
    TableInterior = 5,
    IndexLeaf = 10,
    TableLeaf = 13,
}

impl PageKind {
    pub(crate) fn of(byte: u8) -> Option<Self> {
        Some(match byte {
            2 => Self::IndexInterior,
            5 => Self::TableInterior,
            10 => Self::IndexLeaf,
            13 => Self::TableLeaf,
            _ => return None,
        })
    }

    pub(crate) fn is_leaf(self) -> bool {
        matches!(self, Self::IndexLeaf | Self::TableLeaf)
    }

    pub(crate) fn is_table(self) -> bool {
        matches!(self, Self::TableInterior | Self::TableLeaf)
    }

    /// Returns the length of the header.
    pub(crate) fn head(self) -> usize {
        if self.is_leaf() { 8 } else { 12 }
    }
}

/// Writes a page. The cells are adjacent, in the order of their keys, and end with the page.
///
/// `starts` are the offsets of the cells within `cells`; `right` is the right child of an interior page.
pub(crate) fn lay_out(page: &mut [u8], kind: PageKind, cells: &[u8], starts: &[u16], right: u32) {
    let head = kind.head();
    let first = page.len() - cells.len();
    page[0] = kind as u8;
    page[1..3].fill(0);
    page[3..5].copy_from_slice(&(starts.len() as u16).to_be_bytes());
    // The value 65,536 is stored as 0.
    page[5..7].copy_from_slice(&(first as u16).to_be_bytes());
    page[7] = 0;
    if !kind.is_leaf() {
        page[8..12].copy_from_slice(&right.to_be_bytes());
    }
    let (pointers, rest) = page[head..].split_at_mut(2 * starts.len());
    for (pointer, start) in pointers.chunks_exact_mut(2).zip(starts) {
        pointer.copy_from_slice(&(first as u16).wrapping_add(*start).to_be_bytes());
    }
    let gap = rest.len() - cells.len();
    rest[..gap].fill(0);
    rest[gap..].copy_from_slice(cells);
}
