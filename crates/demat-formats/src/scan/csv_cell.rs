//! Cells of short plain text, in a few instructions.

use super::class::{Class, mask32};
use super::vector::Vector;

/// The quote, and all bytes of characters beyond ASCII.
#[derive(Clone, Copy)]
struct NotPlain {
    quote: u8,
}

impl Class for NotPlain {
    #[inline(always)]
    unsafe fn test<V: Vector>(self, bytes: V) -> V {
        // As signed numbers, bytes beyond ASCII are negative. SAFETY: the caller guarantees that the machine has these
        // vectors.
        unsafe { bytes.eq(V::splat(self.quote)).or(bytes.less_signed(V::splat(0))) }
    }
}

/// Returns the text `bytes[start..end]` if it is ASCII without a quote and at most 32 bytes long. Returns `None` for
/// other text, or if fewer than 32 bytes follow `start`.
///
/// Most cells are like that. Inspecting all bytes at once is cheaper than checking that both ends of a slice are at
/// character boundaries, and it also shows whether the cell is quoted.
///
/// ```
/// use demat_formats::scan::csv_short_text;
/// let table = b"id,title\n1,milk\n2,\"half \"\"and\"\" half\"\n";
/// assert_eq!(csv_short_text(table, 3, 8, b'"'), Some("title"));
/// assert_eq!(csv_short_text(table, 18, 36, b'"'), None);
/// ```
#[inline(always)]
pub fn csv_short_text(bytes: &[u8], start: usize, end: usize, quote: u8) -> Option<&str> {
    // Overflow is excluded first, so this takes one comparison.
    let block: &[u8; 32] = bytes.get(start..start.checked_add(32)?)?.try_into().ok()?;
    // A negative length wraps to more than 32, too.
    let len = end.wrapping_sub(start);
    if len > block.len() || mask32(NotPlain { quote }, block) & ((1 << len) - 1) != 0 {
        return None;
    }
    // SAFETY: `len` is at most the block's length. No byte before `len` is in the class, which contains all bytes from
    // 0x80 on, so these are ASCII, which is UTF-8.
    Some(unsafe { std::str::from_utf8_unchecked(block.get_unchecked(..len)) })
}
