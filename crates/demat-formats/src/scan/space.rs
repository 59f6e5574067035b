//! Finds the end of whitespace.

use super::class::{Class, mask16, not};
use super::find::find;
use super::vector::Vector;

/// All bytes but space, tab, newline and carriage return.
#[derive(Clone, Copy)]
pub(super) struct NotSpace;

impl Class for NotSpace {
    #[inline(always)]
    unsafe fn test<V: Vector>(self, bytes: V) -> V {
        // SAFETY: the caller guarantees that the machine has these vectors.
        unsafe {
            let blank = bytes.eq(V::splat(b' ')).or(bytes.eq(V::splat(b'\t')));
            let line = bytes.eq(V::splat(b'\n')).or(bytes.eq(V::splat(b'\r')));
            not(blank.or(line))
        }
    }
}

/// Returns the position of the first byte at or after `from` that is not a space, tab, newline or carriage return.
///
/// Compact documents have no whitespace and most others have a single space, so these two cases come first.
///
/// ```
/// use demat_formats::scan::space_end;
/// assert_eq!(space_end(b"{ \n\t\r }", 1), 6);
/// assert_eq!(space_end(b"12", 0), 0);
/// ```
#[inline(always)]
pub fn space_end(bytes: &[u8], from: usize) -> usize {
    match bytes.get(from) {
        Some(0x21..) => return from,
        Some(_) => {}
        None => return bytes.len(),
    }
    match bytes.get(from + 1) {
        Some(0x21..) if bytes[from] == b' ' => from + 1,
        _ => run_end(bytes, from),
    }
}

#[inline(never)]
fn run_end(bytes: &[u8], from: usize) -> usize {
    find(NotSpace, bytes, from)
}

/// All bytes but spaces.
#[derive(Clone, Copy)]
struct NotIndent;

impl Class for NotIndent {
    #[inline(always)]
    unsafe fn test<V: Vector>(self, bytes: V) -> V {
        // SAFETY: the caller guarantees that the machine has these vectors.
        unsafe { not(bytes.eq(V::splat(b' '))) }
    }
}

/// Returns the index of the first of 33 bytes, after the first one, that is not a space; 33 if all are. If the first
/// byte ends a line, this is where the content of the next line begins, in documents that are indented with spaces.
#[inline(always)]
pub(crate) fn indent_end(block: &[u8; 33]) -> usize {
    let half = |at: usize| block[at..].first_chunk().map_or(0, |half| mask16(NotIndent, half));
    let first = half(1);
    if first != 0 {
        return 1 + first.trailing_zeros() as usize;
    }
    17 + (half(17) | 1 << 16).trailing_zeros() as usize
}
