//! Reads records with overflow pages.

use super::damage::damaged;
use super::fetch::Fetch;
use super::walk::Walk;
use demat_core::Result;

/// The bytes of a long record, read as far as needed.
#[derive(Debug, Default)]
pub(super) struct Long {
    pub(super) bytes: Vec<u8>,
    /// The next overflow page.
    next: u32,
    page: Vec<u8>,
}

impl Long {
    /// Discards the record.
    #[inline]
    pub(super) fn clear(&mut self) {
        self.bytes.clear();
    }

    /// Reads more of the walk's current record, until `wanted` bytes are there.
    pub(super) fn reach(&mut self, wanted: usize, walk: &Walk, fetch: &mut Fetch<'_>) -> Result<()> {
        let cell = walk.cell;
        let inside = || damaged(walk.number(), "a record is longer than its cell says");
        if wanted as u64 > cell.len {
            return Err(inside());
        }
        if self.bytes.is_empty() {
            let end = cell.start + cell.stays;
            self.bytes.extend_from_slice(walk.page().get(cell.start..end).ok_or_else(inside)?);
            let link = walk.page().get(end..).and_then(|rest| rest.first_chunk());
            self.next = link.map_or(0, |link| u32::from_be_bytes(*link));
        }
        while self.bytes.len() < wanted {
            let number = self.next;
            fetch.page(number, &mut self.page)?;
            let Some((link, part)) = self.page.split_first_chunk() else {
                return Err(damaged(number, "it is too short"));
            };
            self.next = u32::from_be_bytes(*link);
            let left = cell.len - self.bytes.len() as u64;
            let take = part.len().min(usize::try_from(left).unwrap_or(usize::MAX));
            self.bytes.extend_from_slice(&part[..take]);
        }
        Ok(())
    }
}
