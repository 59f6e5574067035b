//! The search for the first byte of a class, which most functions of this module are.

use super::class::{Class, mask16, mask32};
use super::level::{Level, level};
use super::portable::Portable;
use super::prefix::padded16;
use super::vector::Vector;

/// Returns the position of the first byte of `class` at or after `from`.
///
/// The first 32 bytes are inspected inline, without a choice of level: most runs in real documents end there. They are
/// inspected together, since a branch after the first 16 is unpredictable where lengths vary around it. That cost 8 ns
/// per string of 3 to 30 bytes; this costs 2.
#[inline(always)]
pub(super) fn find<C: Class>(class: C, bytes: &[u8], from: usize) -> usize {
    let from = from.min(bytes.len());
    let Some(block) = bytes[from..].first_chunk::<32>() else { return find_near_end(class, bytes, from) };
    let mask = mask32(class, block);
    if mask != 0 {
        return from + mask.trailing_zeros() as usize;
    }
    find_long(class, bytes, from + 32)
}

/// As [`find`], if fewer than 32 bytes are left.
#[inline(never)]
fn find_near_end<C: Class>(class: C, bytes: &[u8], from: usize) -> usize {
    let Some(block) = bytes[from..].first_chunk() else { return find_short(class, bytes, from) };
    let mask = mask16(class, block);
    if mask != 0 {
        return from + mask.trailing_zeros() as usize;
    }
    find_short(class, bytes, from + 16)
}

/// As [`find`], if fewer than 16 bytes are left.
#[inline]
pub(super) fn find_short<C: Class>(class: C, bytes: &[u8], from: usize) -> usize {
    debug_assert!(from <= bytes.len() && bytes.len() - from < 16);
    let block = padded16(bytes, from).to_le_bytes();
    let left = bytes.len() - from;
    // The bit after the last byte ends the search before the padding, whether the class contains it or not.
    let mask = mask16(class, &block) | 1 << left;
    from + mask.trailing_zeros() as usize
}

/// As [`find`], for runs that are probably long, at the level of the machine.
#[inline(never)]
fn find_long<C: Class>(class: C, bytes: &[u8], from: usize) -> usize {
    // SAFETY: `level` only returns an available one.
    unsafe { find_at(level(), class, bytes, from) }
}

/// As [`find`], at a given level.
///
/// # Safety
/// The level is available.
#[inline(always)]
pub(super) unsafe fn find_at<C: Class>(level: Level, class: C, bytes: &[u8], from: usize) -> usize {
    debug_assert!(level.available());
    match level {
        #[cfg(target_arch = "x86_64")]
        // SAFETY: the caller guarantees that the level is available: the machine has AVX2 and its companions.
        Level::Avx2 => unsafe { find_avx2(class, bytes, from) },
        #[cfg(target_arch = "x86_64")]
        // SAFETY: every x86_64 has SSE2.
        Level::Sse2 => unsafe { find_with::<std::arch::x86_64::__m128i, C>(class, bytes, from) },
        #[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
        // SAFETY: the target has NEON.
        Level::Neon => unsafe { find_with::<std::arch::aarch64::uint8x16_t, C>(class, bytes, from) },
        // SAFETY: every machine runs plain Rust.
        _ => unsafe { find_with::<Portable, C>(class, bytes, from) },
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn find_avx2<C: Class>(class: C, bytes: &[u8], from: usize) -> usize {
    // SAFETY: AVX2 is enabled for this function, so every caller has it.
    unsafe { find_with::<std::arch::x86_64::__m256i, C>(class, bytes, from) }
}

/// The search over vectors `V`:
///
/// ```text
/// four vectors at a time: any byte of the class in them?     (one branch for 64 or 128 bytes)
/// one vector at a time:   the first byte of the class in it
/// the rest:               the vector that ends with the input, less what was seen of it before
/// ```
///
/// # Safety
/// The machine has the vectors `V`.
#[inline(always)]
unsafe fn find_with<V: Vector, C: Class>(class: C, bytes: &[u8], from: usize) -> usize {
    let len = bytes.len();
    let start = bytes.as_ptr();
    let mut at = from.min(len);
    // SAFETY: the caller guarantees that the machine has `V`. Each load is of `V::BYTES` bytes at `start + at + k`,
    // where the loop's condition, or for the last load the `if`, ensures that `at + k + V::BYTES <= len`.
    unsafe {
        while len - at >= 4 * V::BYTES {
            let first = class.test(V::load(start.add(at)));
            let second = class.test(V::load(start.add(at + V::BYTES)));
            let third = class.test(V::load(start.add(at + 2 * V::BYTES)));
            let fourth = class.test(V::load(start.add(at + 3 * V::BYTES)));
            // The loop below finds which one it was.
            if first.or(second).or(third.or(fourth)).mask() != 0 {
                break;
            }
            at += 4 * V::BYTES;
        }
        while len - at >= V::BYTES {
            let mask = class.test(V::load(start.add(at))).mask();
            if mask != 0 {
                return at + mask.trailing_zeros() as usize;
            }
            at += V::BYTES;
        }
        if at == len {
            return len;
        }
        if len >= V::BYTES {
            let last = len - V::BYTES;
            // `at > last`, or the loop would have continued. The shift removes the bits of bytes before `at`.
            let mask = class.test(V::load(start.add(last))).mask() >> (at - last);
            return if mask == 0 { len } else { at + mask.trailing_zeros() as usize };
        }
    }
    // The whole input is shorter than one vector.
    if let Some(block) = bytes[at..].first_chunk() {
        let mask = mask16(class, block);
        if mask != 0 {
            return at + mask.trailing_zeros() as usize;
        }
        at += 16;
    }
    find_short(class, bytes, at)
}
