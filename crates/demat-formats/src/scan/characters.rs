//! Counts the characters of a text, and finds how wide they are.

use super::level::{Level, level};
use super::prefix::padded16;
use super::vector::{Base, Vector};

/// What a host with fixed-width strings needs to know about a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Characters {
    /// The number of characters.
    pub count: usize,
    /// Whether a character is above U+00FF, so that one byte per character is not enough.
    pub beyond_one: bool,
    /// Whether a character is above U+FFFF, so that two bytes per character are not enough.
    pub beyond_two: bool,
}

/// Counts the characters of a text, and finds the widest.
///
/// ```
/// use demat_formats::scan::{Characters, characters};
/// assert_eq!(characters("käse"), Characters { count: 4, beyond_one: false, beyond_two: false });
/// assert_eq!(characters("tōfu"), Characters { count: 4, beyond_one: true, beyond_two: false });
/// assert_eq!(characters("🧀"), Characters { count: 1, beyond_one: true, beyond_two: true });
/// ```
#[inline]
pub fn characters(text: &str) -> Characters {
    // SAFETY: `level` only returns an available one.
    unsafe { characters_at(level(), text.as_bytes()) }
}

/// As [`characters`], at a given level.
///
/// # Safety
/// The level is available.
#[inline]
pub(super) unsafe fn characters_at(level: Level, text: &[u8]) -> Characters {
    debug_assert!(level.available());
    match level {
        #[cfg(target_arch = "x86_64")]
        // SAFETY: the caller guarantees that the level is available: the machine has AVX2 and its companions.
        Level::Avx2 => unsafe { characters_avx2(text) },
        // SAFETY: every machine of the target has `Base`.
        _ => unsafe { characters_with::<Base>(text) },
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn characters_avx2(text: &[u8]) -> Characters {
    // SAFETY: AVX2 is enabled for this function, so every caller has it.
    unsafe { characters_with::<std::arch::x86_64::__m256i>(text) }
}

/// Results for the bytes inspected so far.
struct Seen {
    /// The number of continuation bytes.
    more: usize,
    /// One bit per byte of a vector: whether it was never above the highest first byte of a character up to U+00FF.
    one: u64,
    /// The same for U+FFFF.
    two: u64,
}

impl Seen {
    /// Inspects a vector. The first `before` bytes were inspected before.
    ///
    /// # Safety
    /// The machine has the vectors `V`.
    #[inline(always)]
    unsafe fn look<V: Vector>(&mut self, bytes: V, before: usize) {
        // SAFETY: the caller guarantees that the machine has these vectors.
        unsafe {
            // As signed numbers, the continuation bytes 0x80 to 0xBF are the smallest.
            self.more += (bytes.less_signed(V::splat(0xC0)).mask() >> before).count_ones() as usize;
            self.one &= bytes.at_most(V::splat(0xC3)).mask();
            self.two &= bytes.at_most(V::splat(0xEF)).mask();
        }
    }
}

/// # Safety
/// The machine has the vectors `V`.
#[inline(always)]
unsafe fn characters_with<V: Vector>(text: &[u8]) -> Characters {
    let mut seen = Seen { more: 0, one: u64::MAX, two: u64::MAX };
    let (start, len) = (text.as_ptr(), text.len());
    let all = u64::MAX >> (64 - V::BYTES);
    let mut at = 0;
    // SAFETY: the caller guarantees that the machine has `V`, and every machine has `Base`. Each load of `V::BYTES`
    // bytes is guarded by a condition that at least that many bytes are left or, for the last load, that the text has
    // that many; the other loads are from arrays of 16.
    unsafe {
        while len - at >= V::BYTES {
            seen.look(V::load(start.add(at)), 0);
            at += V::BYTES;
        }
        if at > 0 {
            let last = len - V::BYTES;
            seen.look(V::load(start.add(last)), at - last);
        } else {
            // Less than one vector. Zeros behind the end are neither continuation bytes nor wide.
            for from in (0..len).step_by(16) {
                let block = padded16(text, from).to_le_bytes();
                let mut part = Seen { more: 0, ..seen };
                part.look(Base::load(block.as_ptr()), 0);
                seen = Seen { more: seen.more + part.more, one: part.one | !0xFFFF, two: part.two | !0xFFFF };
            }
        }
    }
    Characters { count: len - seen.more, beyond_one: seen.one & all != all, beyond_two: seen.two & all != all }
}
