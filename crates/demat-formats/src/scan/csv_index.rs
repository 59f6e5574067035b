//! Finds all special bytes in a chunk of CSV in one sweep.

use super::class::Class;
use super::csv_special::CsvSpecial;
use super::level::{Level, level};
use super::portable::Portable;
use super::vector::Vector;

/// Appends to `out` the offsets of the delimiters, quotes, newlines and carriage returns in `bytes[from..to]`, relative
/// to `from`. Returns the end of the bytes that were inspected.
///
/// That end is `to`, the end of the input, or 4 GiB after `from`, whichever comes first: four-byte offsets halve the
/// memory traffic, and a chunk of that size has outgrown every cache. Quotes are not interpreted: special bytes inside
/// quotes are listed as well. Reuse `out` from chunk to chunk, so that it grows only once.
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
    // SAFETY: `level` only returns an available one.
    unsafe { index_at(level(), CsvSpecial { delimiter, quote }, &bytes[from..to], out) };
    to
}

/// The same for all of `bytes`, at a given level.
///
/// # Safety
/// The level is available.
pub(super) unsafe fn index_at(level: Level, class: CsvSpecial, bytes: &[u8], out: &mut Vec<u32>) {
    debug_assert!(level.available());
    match level {
        #[cfg(target_arch = "x86_64")]
        // SAFETY: the caller guarantees that the level is available: the machine has AVX2 and its companions.
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
    // SAFETY: AVX2 is enabled for this function, so every caller has it.
    unsafe { index_with::<std::arch::x86_64::__m256i>(class, bytes, out) }
}

/// Computes a mask of the special bytes for each 64 bytes, and from the mask the offsets.
///
/// # Safety
/// The machine has the vectors `V`.
#[inline(always)]
unsafe fn index_with<V: Vector>(class: CsvSpecial, bytes: &[u8], out: &mut Vec<u32>) {
    let mut at = 0;
    let (blocks, rest) = bytes.as_chunks::<64>();
    for block in blocks {
        // SAFETY: the caller guarantees that the machine has `V`.
        let mask = unsafe { mask64::<V>(class, block) };
        append(mask, at, out, blocks.len() * 64 - at as usize);
        at = at.wrapping_add(64);
    }
    if !rest.is_empty() {
        let mut block = [0; 64];
        block[..rest.len()].copy_from_slice(rest);
        // SAFETY: the caller guarantees that the machine has `V`.
        let mask = unsafe { mask64::<V>(class, &block) };
        // The delimiter might equal the padding.
        append(mask & ((1 << rest.len()) - 1), at, out, 0);
    }
}

/// # Safety
/// The machine has the vectors `V`.
#[inline(always)]
unsafe fn mask64<V: Vector>(class: CsvSpecial, block: &[u8; 64]) -> u64 {
    let mut mask = 0;
    for at in (0..64).step_by(V::BYTES) {
        // SAFETY: the caller guarantees that the machine has `V`; `BYTES` divides 64, so `at + BYTES <= 64`.
        mask |= unsafe { class.test(V::load(block.as_ptr().add(at))).mask() } << at;
    }
    mask
}

/// Appends `at` plus the index of each bit in `mask`. `left` is the number of bytes that follow, for an estimate of the
/// capacity needed.
///
/// A branch after each bit would be unpredictable. So bits are taken eight at a time whether they are set or not, and
/// only the length reflects how many were.
#[inline(always)]
pub(super) fn append(mut mask: u64, at: u32, out: &mut Vec<u32>, left: usize) {
    const GROUP: usize = 8;
    let len = out.len();
    if out.capacity() - len < 64 {
        grow(out, left);
    }
    let count = mask.count_ones() as usize;
    // SAFETY: there is room for 64 more. `count <= 64`, and the groups end with the one that holds the last bit, so no
    // write is beyond the 64th; those after the `count`-th are into spare room and never read. The first `count` are
    // written before the length is set to include them.
    unsafe {
        let mut to = out.as_mut_ptr().add(len);
        let end = to.add(count);
        loop {
            for slot in 0..GROUP {
                // For an empty mask this stores a meaningless number, which is never read.
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

/// Makes room for at least 64 more, and for as many as `left` more bytes of short cells probably need.
#[cold]
fn grow(out: &mut Vec<u32>, left: usize) {
    out.reserve(64 + left / 8);
}
