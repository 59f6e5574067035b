//! Where cells and rows end in a chunk of CSV, quotes understood.

use super::csv_index::append;
use super::level::{Level, level};
use super::portable::Portable;
use super::prefetch::prefetch_ahead;
use super::vector::Vector;

/// What parts the cells of a table, and what stands around some of them.
#[derive(Clone, Copy)]
pub(super) struct Marks {
    pub(super) delimiter: u8,
    pub(super) quote: Option<u8>,
}

/// Appends to `marks` where the cells and rows of `bytes[from..to]` end, counted from `from`, and to `rows` which of the
/// marks (by index in `marks`) end a row. Answers with the end of what was looked at.
///
/// A row must begin at `from`. Delimiters and line breaks inside quotes are left out. Of a return and a newline after it
/// both are marks, but the row ends with the first. Quotes that do not stand as RFC 4180 has it (inside an unquoted
/// cell, or with text after the closing one) mean what only a closer look can tell: the sweep ends before the 64 bytes
/// with the first of these, or at `to`, the input's end or 4 GiB after `from`. Rows that end before are whole.
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
    // SAFETY: `level` only ever answers with an available one.
    from + unsafe { rows_at(level(), Marks { delimiter, quote }, &bytes[from..to], marks, rows) }
}

/// The same for all of `bytes`, at any level.
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
        // SAFETY: the caller says that the level is available: the machine has AVX2 and its companions.
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
    // SAFETY: AVX2 is enabled for this function, so whoever could call it has it.
    unsafe { rows_with::<std::arch::x86_64::__m256i>(which, bytes, marks, rows) }
}

/// What the bytes before a block mean for it: each is 0 or 1.
struct Before {
    /// Whether the block begins inside quotes; then it is all ones.
    inside: u64,
    /// Whether a quote as its first byte would be the first of a cell, or the second of a doubled one.
    opens: u64,
    /// Whether the byte before it closed a quoted cell, or half of a doubled quote.
    closed: u64,
    /// Whether the byte before it is a return outside quotes.
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
        // SAFETY: the caller says that the machine has `V`.
        if !unsafe { sweep::<V>(which, block, at as u32, u64::MAX, &mut before, marks, rows, bytes.len() - at) } {
            return at;
        }
    }
    if !rest.is_empty() {
        let at = blocks.len() * 64;
        let mut block = [0; 64];
        block[..rest.len()].copy_from_slice(rest);
        // Any delimiter might be equal to the padding.
        let valid = (1 << rest.len()) - 1;
        // SAFETY: the caller says that the machine has `V`.
        if !unsafe { sweep::<V>(which, &block, at as u32, valid, &mut before, marks, rows, 0) } {
            return at;
        }
    }
    bytes.len()
}

/// Sweeps one block, of which the bytes in `valid` are input; false, with nothing appended, where its quotes are odd.
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
        // SAFETY: the caller says that the machine has `V`; `BYTES` divides 64, so `at + BYTES <= 64`.
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
        // From each opening quote up to the byte before the one that closes it.
        let inside = prefix_xor(quotes) ^ before.inside;
        let (opening, closing) = (quotes & inside, quotes & !inside);
        let parting = (cells | newlines | carriages) & !inside;
        // A quote opens a cell at its start, or follows one that seemed to close it; and a quote that closes one is
        // followed by what parts cells, or a quote. Anything else is odd.
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

/// Each bit becomes the parity of all bits up to and with it.
#[inline(always)]
fn prefix_xor(mut bits: u64) -> u64 {
    for shift in [1, 2, 4, 8, 16, 32] {
        bits ^= bits << shift;
    }
    bits
}

/// Appends, for each bit in `ends`, which of the bits in `parting` it is, counted from `first`.
///
/// As in [`append`], whether another follows is not asked after each one but after three: that many rows end in 64 bytes
/// of a table with short ones, and one or none in others.
#[inline(always)]
fn append_rows(mut ends: u64, parting: u64, first: u32, rows: &mut Vec<u32>) {
    const GROUP: usize = 3;
    const MOST: usize = 64_usize.next_multiple_of(GROUP);
    let len = rows.len();
    if rows.capacity() - len < MOST {
        grow(rows);
    }
    let count = ends.count_ones() as usize;
    // SAFETY: there is room for `MOST` more. `count <= 64`, and the groups end with the one that holds the last bit, so no
    // write is beyond the last group that 64 bits fill, which ends at `MOST`; those after the `count`-th are into spare
    // room and never seen. The first `count` are written before the length is set to hold them.
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
