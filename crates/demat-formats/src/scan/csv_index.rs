//! All bytes of a chunk of CSV that mean something, in one sweep.

use super::class::Class;
use super::csv_special::CsvSpecial;
use super::level::{Level, level};
use super::portable::Portable;
use super::vector::Vector;

/// Appends to `out` where the delimiters, quotes, newlines and returns of `bytes[from..to]` are, counted from `from`,
/// and answers with the end of what was looked at.
///
/// That end is `to`, or the input's, or 4 GiB after `from`, whichever comes first: offsets of four bytes are half the
/// memory traffic of positions, and a chunk that big has outgrown every cache. Nothing is left out, and nothing is
/// understood: bytes inside quotes are there as well. Keep `out` from chunk to chunk, so that it grows only once.
///
/// ```
/// use demat_formats::scan::csv_index;
/// let mut marks = Vec::new();
/// let end = csv_index(b"id,title\n1,\"a,b\"\n", 9, 17, b',', b'"', &mut marks);
/// assert_eq!((end, marks), (17, vec![1, 2, 4, 6, 7]));
/// ```
pub fn csv_index(bytes: &[u8], from: usize, to: usize, delimiter: u8, quote: u8, out: &mut Vec<u32>) -> usize {
    let to = to.min(bytes.len());
    let from = from.min(to);
    let to = to.min(from.saturating_add(u32::MAX as usize));
    // SAFETY: `level` only ever answers with an available one.
    unsafe { index_at(level(), CsvSpecial { delimiter, quote }, &bytes[from..to], out) };
    to
}

/// The same for all of `bytes`, at any level.
///
/// # Safety
/// The level is available.
pub(super) unsafe fn index_at(level: Level, class: CsvSpecial, bytes: &[u8], out: &mut Vec<u32>) {
    debug_assert!(level.available());
    match level {
        #[cfg(target_arch = "x86_64")]
        // SAFETY: the caller says that the level is available: the machine has AVX2 and its companions.
        Level::Avx2 => unsafe { index_avx2(class, bytes, out) },
        #[cfg(target_arch = "x86_64")]
        // SAFETY: every x86_64 has SSE2.
        Level::Sse2 => unsafe { index_with::<std::arch::x86_64::__m128i>(class, bytes, out) },
        #[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
        // SAFETY: the target has NEON.
        Level::Neon => unsafe { index_with::<std::arch::aarch64::uint8x16_t>(class, bytes, out) },
        // SAFETY: every machine runs plain Rust.
        _ => unsafe { index_with::<Portable>(class, bytes, out) },
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn index_avx2(class: CsvSpecial, bytes: &[u8], out: &mut Vec<u32>) {
    // SAFETY: AVX2 is enabled for this function, so whoever could call it has it.
    unsafe { index_with::<std::arch::x86_64::__m256i>(class, bytes, out) }
}

/// For each 64 bytes a mask of the ones that matter, and from the mask the offsets.
///
/// # Safety
/// The machine has the vectors `V`.
#[inline(always)]
unsafe fn index_with<V: Vector>(class: CsvSpecial, bytes: &[u8], out: &mut Vec<u32>) {
    let mut at = 0;
    let (blocks, rest) = bytes.as_chunks::<64>();
    for block in blocks {
        // SAFETY: the caller says that the machine has `V`.
        let mask = unsafe { mask64::<V>(class, block) };
        append(mask, at, out, blocks.len() * 64 - at as usize);
        at = at.wrapping_add(64);
    }
    if !rest.is_empty() {
        let mut block = [0; 64];
        block[..rest.len()].copy_from_slice(rest);
        // SAFETY: the caller says that the machine has `V`.
        let mask = unsafe { mask64::<V>(class, &block) };
        // Any delimiter might be equal to the padding.
        append(mask & ((1 << rest.len()) - 1), at, out, 0);
    }
}

/// # Safety
/// The machine has the vectors `V`.
#[inline(always)]
unsafe fn mask64<V: Vector>(class: CsvSpecial, block: &[u8; 64]) -> u64 {
    let mut mask = 0;
    for at in (0..64).step_by(V::BYTES) {
        // SAFETY: the caller says that the machine has `V`; `BYTES` divides 64, so `at + BYTES <= 64`.
        mask |= unsafe { class.test(V::load(block.as_ptr().add(at))).mask() } << at;
    }
    mask
}

/// Appends `at` plus the number of each bit in `mask`. `left` bytes are to follow, which tells how much to grow by.
///
/// Asking after each bit whether there is another would be a branch that nobody can predict. So bits are taken eight at
/// a time whether they are there or not, and only the length tells how many were.
#[inline(always)]
pub(super) fn append(mut mask: u64, at: u32, out: &mut Vec<u32>, left: usize) {
    const GROUP: usize = 8;
    let len = out.len();
    if out.capacity() - len < 64 {
        grow(out, left);
    }
    let count = mask.count_ones() as usize;
    // SAFETY: there is room for 64 more. `count <= 64`, and the groups end with the one that holds the last bit, so no
    // write is beyond the 64th; those after the `count`-th are into spare room and never seen. The first `count` are
    // written before the length is set to hold them.
    unsafe {
        let mut to = out.as_mut_ptr().add(len);
        let end = to.add(count);
        loop {
            for slot in 0..GROUP {
                // Of an empty mask that is a number like any other, and not seen.
                to.add(slot).write(at.wrapping_add(mask.trailing_zeros()));
                mask &= mask.wrapping_sub(1);
            }
            to = to.add(GROUP);
            if to >= end {
                break;
            }
        }
        out.set_len(len + count);
    }
}

/// Makes room for 64 more at the least, and for what `left` more bytes of short cells are likely to need.
#[cold]
fn grow(out: &mut Vec<u32>, left: usize) {
    out.reserve(64 + left / 8);
}
