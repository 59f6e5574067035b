//! Blocks: counts of lists and maps, written before or after their children.

use super::super::varint;
use super::fault::wrong_count;
use demat_core::Result;

/// A header below this is a count. This header precedes a longer count.
const LONG: u8 = 127;
/// A header above this minus this is a count, and another block follows.
const MORE: u8 = 128;

/// The current block of a list or map.
///
/// A list of unknown length reserves one byte for its header, which is enough for 126 items. After 127 items, or when
/// the bytes leave the memory, the block ends and another one follows.
#[derive(Debug, Clone, Default)]
pub(super) struct Block {
    /// Where its header is; `None` before its first child.
    header: Option<usize>,
    count: u8,
    /// The count that was written, and the number of children so far.
    exact: Option<(u64, u64)>,
}

impl Block {
    /// Begins a list or map of `len` children; `None` if unknown.
    pub(super) fn open(buffer: &mut Vec<u8>, len: Option<usize>) -> Self {
        let announced = len.and_then(|len| u32::try_from(len).ok()).filter(|len| *len >= LONG.into());
        let Some(len) = announced else { return Self::default() };
        buffer.push(LONG);
        varint::write(buffer, u64::from(len) - u64::from(LONG));
        Self { exact: Some((len.into(), 0)), ..Self::default() }
    }

    /// Begins another child.
    #[inline]
    pub(super) fn child(&mut self, buffer: &mut Vec<u8>) {
        if let Some((_, came)) = &mut self.exact {
            *came += 1;
            return;
        }
        if self.count == LONG {
            self.seal(buffer);
        }
        if self.header.is_none() {
            self.header = Some(buffer.len());
            buffer.push(0);
        }
        self.count += 1;
    }

    /// Ends the block and announces another one, so that its header may leave the memory.
    pub(super) fn seal(&mut self, buffer: &mut [u8]) {
        if let Some(header) = self.header.take().and_then(|at| buffer.get_mut(at)) {
            *header = MORE + self.count;
        }
        self.count = 0;
    }

    /// Whether [`close`](Self::close) appends nothing.
    pub(super) fn closes_in_place(&self) -> bool {
        self.exact.is_some() || self.header.is_some() && self.count < LONG
    }

    /// Ends the list or map.
    ///
    /// # Errors
    /// If another count was announced.
    pub(super) fn close(&mut self, buffer: &mut Vec<u8>) -> Result<()> {
        if let Some((announced, came)) = self.exact {
            return if announced == came { Ok(()) } else { Err(wrong_count(announced, came)) };
        }
        if self.count == LONG {
            self.seal(buffer);
        }
        match self.header.take() {
            Some(at) => {
                if let Some(header) = buffer.get_mut(at) {
                    *header = self.count;
                }
            }
            None => buffer.push(0),
        }
        Ok(())
    }
}
