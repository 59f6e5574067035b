//! Overflow pages: linked pages with the parts of values that do not fit into a cell.

use super::pages::Pages;
use demat_core::{Error, ErrorKind, Result};

/// Writes the rest of a long value; returns the number of its first page.
pub(super) fn spill(pages: &mut Pages, rest: &[u8]) -> Result<u32> {
    pages.mark_spilled();
    let mut first = 0;
    let mut parts = rest.chunks(pages.page_size() - 4).peekable();
    let mut before = 0;
    while let Some(part) = parts.next() {
        let (number, page) = pages.add()?;
        page[..4].fill(0);
        page[4..4 + part.len()].copy_from_slice(part);
        page[4 + part.len()..].fill(0);
        if first == 0 {
            first = number;
        } else if before + 1 != number {
            // The numbers are only discontiguous around the lock page.
            pages.write_over(before, 0, &number.to_be_bytes())?;
        }
        if parts.peek().is_some() {
            pages.write_over(number, 0, &(number + 1).to_be_bytes())?;
        }
        before = number;
    }
    Ok(first)
}

/// Reads an overflow chain: appends `len` bytes to `to`.
pub(super) fn gather(pages: &mut Pages, first: u32, len: usize, to: &mut Vec<u8>, page: &mut Vec<u8>) -> Result<()> {
    let (mut left, mut next) = (len, first);
    while left > 0 {
        pages.read(next, page)?;
        let Some((link, part)) = page.split_first_chunk() else {
            return Err(Error::new(ErrorKind::Store, "a page that was built can't be read again"));
        };
        next = u32::from_be_bytes(*link);
        let take = left.min(part.len());
        to.extend_from_slice(&part[..take]);
        left -= take;
    }
    Ok(())
}
