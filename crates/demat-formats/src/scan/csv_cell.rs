//! A cell that is plain text, in a few instructions.

use super::class::{Class, mask32};
use super::vector::Vector;

/// The quote, or a part of something beyond ASCII.
#[derive(Clone, Copy)]
struct NotPlain {
    quote: u8,
}

impl Class for NotPlain {
    #[inline(always)]
    unsafe fn test<V: Vector>(self, bytes: V) -> V {
        // What is beyond ASCII is below zero as a signed number.
        // SAFETY: the caller says that the machine has these vectors.
        unsafe { bytes.eq(V::splat(self.quote)).or(bytes.less_signed(V::splat(0))) }
    }
}

/// The text `bytes[start..end]`, if it is ASCII without a quote and no longer than 32 bytes; nothing for any other, and
/// where fewer than 32 bytes are left from `start` on.
///
/// That is what most cells are. Looking at all of them at once is cheaper than finding out whether both ends of a slice
/// are between characters, and it answers in the same go whether the cell is quoted.
///
/// ```
/// use demat_formats::scan::csv_short_text;
/// let table = b"id,title\n1,milk\n2,\"half \"\"and\"\" half\"\n";
/// assert_eq!(csv_short_text(table, 3, 8, b'"'), Some("title"));
/// assert_eq!(csv_short_text(table, 18, 36, b'"'), None);
/// ```
#[inline(always)]
pub fn csv_short_text(bytes: &[u8], start: usize, end: usize, quote: u8) -> Option<&str> {
    // One comparison, where it is known that nothing overflows.
    let block: &[u8; 32] = bytes.get(start..start.checked_add(32)?)?.try_into().ok()?;
    // Less than nothing is more than 32 as well.
    let len = end.wrapping_sub(start);
    if len > block.len() || mask32(NotPlain { quote }, block) & ((1 << len) - 1) != 0 {
        return None;
    }
    // SAFETY: `len` is at most the block's length; no byte before `len` is in the class,
    // which all bytes from 0x80 on are, so these are ASCII, which is UTF-8.
    Some(unsafe { std::str::from_utf8_unchecked(block.get_unchecked(..len)) })
}
