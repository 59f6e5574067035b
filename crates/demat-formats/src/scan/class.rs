//! Sets of bytes, defined once for all machines.

use super::vector::{Base, Vector};

/// A set of bytes that a search stops at.
pub(super) trait Class: Copy {
    /// Returns 0xff for each byte in the set, and 0 for the others.
    ///
    /// # Safety
    /// The machine has the vectors `V`.
    unsafe fn test<V: Vector>(self, bytes: V) -> V;
}

/// Returns one bit for each byte of `block` that is in the set; the first byte has the lowest.
#[inline(always)]
pub(super) fn mask16<C: Class>(class: C, block: &[u8; 16]) -> u64 {
    const { assert!(Base::BYTES == 16) };
    // SAFETY: every machine of the target has `Base`, and 16 bytes are read from an array of 16.
    unsafe { class.test(Base::load(block.as_ptr())).mask() }
}

/// As [`mask16`], for 32 bytes.
#[inline(always)]
pub(super) fn mask32<C: Class>(class: C, block: &[u8; 32]) -> u64 {
    // SAFETY: every machine of the target has `Base`, and twice 16 bytes are read from an array of 32.
    unsafe {
        let first = class.test(Base::load(block.as_ptr())).mask();
        first | class.test(Base::load(block.as_ptr().add(16))).mask() << 16
    }
}

/// Inverts a result of [`Class::test`].
///
/// # Safety
/// The machine has the vectors `V`.
#[inline(always)]
pub(super) unsafe fn not<V: Vector>(tested: V) -> V {
    // SAFETY: the caller guarantees that the machine has these vectors.
    unsafe { tested.eq(V::splat(0)) }
}
