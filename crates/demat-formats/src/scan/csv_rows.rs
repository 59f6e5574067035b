//! Finds the ends of cells and rows in a chunk of CSV, with quotes interpreted.

use super::csv_index::append;
use super::level::{Level, level};
use super::portable::Portable;
use super::prefetch::prefetch_ahead;
use super::vector::Vector;

/// The delimiter and the quote of a table.
#[derive(Clone, Copy)]
pub(super) struct Marks {
    pub(super) delimiter: u8,
    pub(super) quote: Option<u8>,
}

/// Appends to `marks` the ends of the cells and rows in `bytes[from..to]`, relative to `from`, and to `rows` the
/// indexes in `marks` of those that end a row. Returns the end of the bytes that were inspected.
///
/// A row must begin at `from`. Delimiters and line breaks inside quotes are left out. Both bytes of `\r\n` have a mark,
/// but the row ends with the first. The sweep does not interpret quotes in places that RFC 4180 does not allow (inside
/// an unquoted cell, or before text after the closing quote). It ends before the 64 bytes with the first of these, or
/// else at `to`, the input's end or 4 GiB after `from`. Rows that end before that are complete.
///
/// ```
/// use demat_formats::scan::csv_rows;
/// let (mut marks, mut rows) = (Vec::new(), Vec::new());
/// let end = csv_rows(b"1,\"a,b\"\n2,c\n", 0, 12, b',', Some(b'"'), &mut marks, &mut rows);
/// assert_eq!((end, marks, rows), (12, vec![1, 7, 9, 11], vec![1, 3]));
/// ```
pub fn csv_rows(
    bytes: &[u8],
    from: usize,
    to: usize,
    delimiter: u8,
    quote: Option<u8>,
    marks: &mut Vec<u32>,
    rows: &mut Vec<u32>,
) -> usize {
    let to = to.min(bytes.len());
    let from = from.min(to);
    let to = to.min(from.saturating_add(u32::MAX as usize));
    // SAFETY: `level` only returns an available one.
    from + unsafe { rows_at(level(), Marks { delimiter, quote }, &bytes[from..to], marks, rows) }
}

/// The same for all of `bytes`, at a given level.
///
/// # Safety
/// The level is available.
pub(super) unsafe fn rows_at(
    level: Level,
    which: Marks,
    bytes: &[u8],
    marks: &mut Vec<u32>,
    rows: &mut Vec<u32>,
) -> usize {
    debug_assert!(level.available());
    match level {
        #[cfg(target_arch = "x86_64")]
        // SAFETY: the caller guarantees that the level is available: the machine has AVX2 and its companions.
        Level::Avx2 => unsafe { rows_avx2(which, bytes, marks, rows) },
        #[cfg(target_arch = "x86_64")]
        // SAFETY: every x86_64 has SSE2.
        Level::Sse2 => unsafe { rows_with::<std::arch::x86_64::__m128i>(which, bytes, marks, rows) },
        #[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
        // SAFETY: the target has NEON.
        Level::Neon => unsafe { rows_with::<std::arch::aarch64::uint8x16_t>(which, bytes, marks, rows) },
        // SAFETY: every machine runs plain Rust.
        _ => unsafe { rows_with::<Portable>(which, bytes, marks, rows) },
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn rows_avx2(which: Marks, bytes: &[u8], marks: &mut Vec<u32>, rows: &mut Vec<u32>) -> usize {
    // SAFETY: AVX2 is enabled for this function, so every caller has it.
    unsafe { rows_with::<std::arch::x86_64::__m256i>(which, bytes, marks, rows) }
}

/// The state of the sweep before a block: each is 0 or 1.
struct Before {
    /// Whether the block begins inside quotes. If so, it is all ones.
    inside: u64,
    /// Whether a quote as the first byte would open a cell, or be the second of a doubled one.
    opens: u64,
    /// Whether the byte before the block closed a quoted cell, or was the first half of a doubled quote.
    closed: u64,
    /// Whether the byte before the block is a carriage return outside quotes.
    carriage: u64,
}

/// # Safety
/// The machine has the vectors `V`.
#[inline(always)]
unsafe fn rows_with<V: Vector>(which: Marks, bytes: &[u8], marks: &mut Vec<u32>, rows: &mut Vec<u32>) -> usize {
    let mut before = Before { inside: 0, opens: 1, closed: 0, carriage: 0 };
    let (blocks, rest) = bytes.as_chunks::<64>();
    for (number, block) in blocks.iter().enumerate() {
        let at = number * 64;
        prefetch_ahead(block, 0);
        // SAFETY: the caller guarantees that the machine has `V`.
        if !unsafe { sweep::<V>(which, block, at as u32, u64::MAX, &mut before, marks, rows, bytes.len() - at) } {
            return at;
        }
    }
    if !rest.is_empty() {
        let at = blocks.len() * 64;
        let mut block = [0; 64];
        block[..rest.len()].copy_from_slice(rest);
        // The delimiter might equal the padding.
        let valid = (1 << rest.len()) - 1;
        // SAFETY: the caller guarantees that the machine has `V`.
        if !unsafe { sweep::<V>(which, &block, at as u32, valid, &mut before, marks, rows, 0) } {
            return at;
        }
    }
    bytes.len()
}

/// Sweeps one block, whose bytes in `valid` are input. Returns false and appends nothing if it has quotes in a place
/// that the sweep does not handle.
///
/// # Safety
/// The machine has the vectors `V`.
#[inline(always)]
#[expect(clippy::too_many_arguments, reason = "always in line: they are the registers of one loop")]
unsafe fn sweep<V: Vector>(
    which: Marks,
    block: &[u8; 64],
    at: u32,
    valid: u64,
    before: &mut Before,
    marks: &mut Vec<u32>,
    rows: &mut Vec<u32>,
    left: usize,
) -> bool {
    let (mut cells, mut quotes, mut newlines, mut carriages) = (0, 0, 0, 0);
    for at in (0..64).step_by(V::BYTES) {
        // SAFETY: the caller guarantees that the machine has `V`; `BYTES` divides 64, so `at + BYTES <= 64`.
        unsafe {
            let bytes = V::load(block.as_ptr().add(at));
            cells |= bytes.eq(V::splat(which.delimiter)).mask() << at;
            newlines |= bytes.eq(V::splat(b'\n')).mask() << at;
            carriages |= bytes.eq(V::splat(b'\r')).mask() << at;
            if let Some(quote) = which.quote {
                quotes |= bytes.eq(V::splat(quote)).mask() << at;
            }
        }
    }
    (cells, newlines, carriages, quotes) = (cells & valid, newlines & valid, carriages & valid, quotes & valid);
    if (quotes | before.inside | before.closed) != 0 {
        // From each opening quote to the byte before its closing quote.
        let inside = prefix_xor(quotes) ^ before.inside;
        let (opening, closing) = (quotes & inside, quotes & !inside);
        let parting = (cells | newlines | carriages) & !inside;
        // A quote must open a cell at its start, or follow a quote that seemed to close it. A closing quote must be
        // followed by a separator or a quote. The sweep does not handle anything else.
        let opens = (parting | closing) << 1 | before.opens;
        let closed = (closing << 1 | before.closed) & valid;
        if (opening & !opens) | (closed & !(parting | quotes)) != 0 {
            return false;
        }
        (cells, newlines, carriages) = (cells & !inside, newlines & !inside, carriages & !inside);
        before.inside = 0_u64.wrapping_sub(inside >> 63);
        before.closed = closing >> 63;
        before.opens = (parting | closing) >> 63;
    } else {
        before.opens = (cells | newlines | carriages) >> 63;
    }
    let ends = carriages | newlines & !(carriages << 1 | before.carriage);
    before.carriage = carriages >> 63;
    let parting = cells | newlines | carriages;
    append_rows(ends, parting, marks.len() as u32, rows);
    append(parting, at, marks, left);
    true
}

/// Sets each bit to the parity of all bits up to and including it.
#[inline(always)]
fn prefix_xor(mut bits: u64) -> u64 {
    for shift in [1, 2, 4, 8, 16, 32] {
        bits ^= bits << shift;
    }
    bits
}

/// Appends, for each bit in `ends`, its index among the bits in `parting`, plus `first`.
///
/// As in [`append`], bits are taken in groups, here of three: 64 bytes of a table with short rows have about that many
/// row ends, and those of other tables have one or none.
#[inline(always)]
fn append_rows(mut ends: u64, parting: u64, first: u32, rows: &mut Vec<u32>) {
    const GROUP: usize = 3;
    const MOST: usize = 64_usize.next_multiple_of(GROUP);
    let len = rows.len();
    if rows.capacity() - len < MOST {
        grow(rows);
    }
    let count = ends.count_ones() as usize;
    // SAFETY: there is room for `MOST` more. `count <= 64`, and the groups end with the one that holds the last bit, so
    // no write is beyond the last group that 64 bits fill, which ends at `MOST`; those after the `count`-th are into
    // spare room and never read. The first `count` are written before the length is set to include them.
    unsafe {
        let mut to = rows.as_mut_ptr().add(len);
        let end = to.add(count);
        loop {
            for slot in 0..GROUP {
                let below = ends.wrapping_sub(1) & !ends;
                to.add(slot).write(first.wrapping_add((parting & below).count_ones()));
                ends &= ends.wrapping_sub(1);
            }
            to = to.add(GROUP);
            if to >= end {
                break;
            }
        }
        rows.set_len(len + count);
    }
}

#[cold]
fn grow(rows: &mut Vec<u32>) {
    rows.reserve(256);
}
