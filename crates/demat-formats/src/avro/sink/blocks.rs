//! The blocks of a file: values are collected, packed, and written behind their number and length.

use super::super::Compression;
use super::super::header::{Header, SYNC, sync_of, write_len, write_sized};
use super::super::schema::Schema;
use crate::{Drain, Output};
use demat_core::Result;

/// The length from which a block ends with its current value.
const LENGTH: usize = 64 * 1024;

/// The values that were written and not yet packed.
#[derive(Debug, Default)]
pub(super) struct Blocks {
    /// The bytes of the values.
    pub(super) bytes: Vec<u8>,
    /// The ends of complete blocks, each with the number of its values.
    cuts: Vec<(usize, usize)>,
    /// The number of values behind the last cut.
    count: usize,
    /// The marker, once the header was written.
    begun: Option<[u8; SYNC]>,
    packed: Vec<u8>,
    /// The state at the last commit: the bytes, the cuts and the count.
    saved: (usize, usize, usize),
}

impl Blocks {
    /// Counts a value of the file that has ended.
    pub(super) fn ended(&mut self) {
        self.count += 1;
        if self.bytes.len() - self.last_cut() >= LENGTH {
            self.cut();
        }
    }

    fn last_cut(&self) -> usize {
        self.cuts.last().map_or(0, |cut| cut.0)
    }

    fn cut(&mut self) {
        if self.count > 0 {
            self.cuts.push((self.bytes.len(), core::mem::take(&mut self.count)));
        }
    }

    /// Whether there is a block to write.
    pub(super) fn is_worth_writing(&self) -> bool {
        self.bytes.len() >= LENGTH
    }

    pub(super) fn save(&mut self) {
        self.saved = (self.bytes.len(), self.cuts.len(), self.count);
    }

    pub(super) fn restore(&mut self) {
        let (bytes, cuts, count) = self.saved;
        self.bytes.truncate(bytes);
        self.cuts.truncate(cuts);
        self.count = count;
    }

    /// Writes all values as blocks, behind the header if there is none yet.
    ///
    /// # Errors
    /// If the packer fails.
    pub(super) fn write<D: Drain>(
        &mut self,
        schema: &Schema,
        (compression, single): (Compression, bool),
        output: &mut Output<D>,
    ) -> Result<()> {
        self.cut();
        let buffer = &mut output.buffer;
        let sync = if let Some(sync) = self.begun {
            sync
        } else {
            let text = schema.text();
            let sync = sync_of(&text, &self.bytes[..self.cuts.first().map_or(0, |cut| cut.0)]);
            Header::write(&text, compression, single, &sync, buffer);
            *self.begun.insert(sync)
        };
        let mut begin = 0;
        for (end, count) in self.cuts.drain(..) {
            self.packed.clear();
            compression.pack(&self.bytes[begin..end], &mut self.packed)?;
            write_len(buffer, count);
            write_sized(buffer, &self.packed);
            buffer.extend_from_slice(&sync);
            begin = end;
        }
        self.bytes.clear();
        Ok(())
    }
}
