//! Vectors in plain Rust: the level `Scalar`, and the base of targets without vector instructions.

use super::vector::Vector;

/// 16 bytes, without special instructions.
#[derive(Clone, Copy, Debug)]
pub(super) struct Portable([u8; 16]);

impl Portable {
    #[inline(always)]
    fn join(self, other: Self, with: impl Fn(u8, u8) -> u8) -> Self {
        let mut joined = self.0;
        for (byte, other) in joined.iter_mut().zip(other.0) {
            *byte = with(*byte, other);
        }
        Self(joined)
    }
}

/// Returns 0xff if it holds, and 0 otherwise.
#[inline(always)]
fn all_bits(holds: bool) -> u8 {
    u8::from(holds).wrapping_neg()
}

impl Vector for Portable {
    const BYTES: usize = 16;

    #[inline(always)]
    unsafe fn splat(byte: u8) -> Self {
        Self([byte; 16])
    }

    #[inline(always)]
    unsafe fn load(data: *const u8) -> Self {
        // SAFETY: the caller guarantees that 16 bytes can be read; an array of bytes needs no alignment.
        Self(unsafe { data.cast::<[u8; 16]>().read() })
    }

    #[inline(always)]
    unsafe fn store(self, data: *mut u8) {
        // SAFETY: the caller guarantees that 16 bytes can be written; an array of bytes needs no alignment.
        unsafe { data.cast::<[u8; 16]>().write(self.0) }
    }

    #[inline(always)]
    unsafe fn eq(self, other: Self) -> Self {
        self.join(other, |a, b| all_bits(a == b))
    }

    #[inline(always)]
    unsafe fn less_signed(self, other: Self) -> Self {
        self.join(other, |a, b| all_bits(a.cast_signed() < b.cast_signed()))
    }

    #[inline(always)]
    unsafe fn at_most(self, other: Self) -> Self {
        self.join(other, |a, b| all_bits(a <= b))
    }

    #[inline(always)]
    unsafe fn or(self, other: Self) -> Self {
        self.join(other, |a, b| a | b)
    }

    #[inline(always)]
    unsafe fn mask(self) -> u64 {
        self.0.iter().rev().fold(0, |mask, byte| mask << 1 | u64::from(byte >> 7))
    }
}
