//! What sources of one file pass on from window to window.

use super::super::header::Header;
use super::frame::Frame;

/// The state of a file that is read.
#[derive(Debug, Clone, Default)]
pub(in super::super) struct State {
    pub(in super::super) header: Option<Header>,
    /// The open containers, outermost first. Later ones are kept for a reset to a mark in them.
    pub(super) frames: Vec<Frame>,
    /// The offset in the file of the block that was loaded last.
    pub(super) block: Option<u64>,
    /// Its data, if it was compressed.
    pub(super) unpacked: Vec<u8>,
    /// The number of values without bytes that may still be read from it.
    pub(super) spare: u64,
}

/// Where the current block is in the part.
#[derive(Debug, Clone, Copy)]
pub(super) struct Block {
    pub(super) begin: usize,
    /// Where its data begins and ends, packed if it is.
    pub(super) data: (usize, usize),
    /// The end of its marker.
    pub(super) end: usize,
    pub(super) packed: bool,
}

/// A block may always have this number of values without bytes.
const FEW: u64 = 4_096;
/// And this number for each of its bytes. Other formats have no such values: each takes a byte at least.
const MANY: u64 = 256;

/// Returns how many values without bytes a block of this length may have. Without a limit, a few bytes could demand any
/// number of them.
pub(super) fn most_empty(len: usize) -> u64 {
    FEW + MANY * len as u64
}
