//! The target of a copy with workers: what they wrote, joined in the order of the source.

use super::piece::{Spool, aside};
use demat_core::Result;
use demat_place::{Compression, Place, Target};
use std::io::{self, Read};

/// How what the parts become is joined.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum How {
    /// One behind the other.
    Ends,
    /// The same, and only the first one has a header.
    Header,
    /// The items of all in one array.
    Array,
}

/// The number of bytes that are copied at once.
const PIECE: usize = 1 << 18;

/// Gathers what the parts become in the target, which appears when all are there.
pub(super) struct Joined {
    target: Target,
    how: How,
    empty: bool,
    piece: Vec<u8>,
}

impl Joined {
    /// `held`: whether nothing is written before the end, even if the target is no file.
    pub(super) fn create(place: &Place, packed: Option<Compression>, how: How, held: bool) -> Result<Self> {
        let target = if held { Target::create_held(place, packed)? } else { Target::create_packed(place, packed)? };
        let mut joined = Self { target, how, empty: true, piece: vec![0; PIECE] };
        if how == How::Array {
            joined.target.write(b"[")?;
        }
        Ok(joined)
    }

    /// Adds what a part has become.
    pub(super) fn add(&mut self, spool: &Spool) -> Result<()> {
        let mut len = spool.len().map_err(aside)?;
        let mut from = spool.read().map_err(aside)?;
        if self.how != How::Array {
            return self.copy(&mut from, len);
        }
        // A line feed ends the document. One that is no list is one item; else the brackets are left out.
        len = len.saturating_sub(1);
        let mut first = [0];
        from.read_exact(&mut first).map_err(aside)?;
        let is_list = first == *b"[";
        let mut items = io::Cursor::new(first).take(u64::from(!is_list)).chain(from);
        len = if is_list { len.saturating_sub(2) } else { len };
        if len == 0 {
            return Ok(());
        }
        if !core::mem::replace(&mut self.empty, false) {
            self.target.write(b",")?;
        }
        self.copy(&mut items, len)
    }

    fn copy(&mut self, from: &mut impl Read, mut len: u64) -> Result<()> {
        while len > 0 {
            let most = usize::try_from(len).unwrap_or(PIECE).min(PIECE);
            from.read_exact(&mut self.piece[..most]).map_err(aside)?;
            self.target.write(&self.piece[..most])?;
            len -= most as u64;
        }
        // What follows may take long, and a pipe's reader need not wait for it.
        if self.target.is_prompt() { self.target.flush() } else { Ok(()) }
    }

    /// Lets the target appear.
    pub(super) fn finish(mut self) -> Result<()> {
        if self.how == How::Array {
            self.target.write(b"]\n")?;
        }
        self.target.finish()
    }
}
