//! The vectors of `aarch64`.

use super::vector::Vector;
#[allow(clippy::wildcard_imports, reason = "every name of it says where it is from")]
use std::arch::aarch64::*;

/// NEON. The module is compiled only for targets where every machine has it.
impl Vector for uint8x16_t {
    const BYTES: usize = 16;

    #[inline(always)]
    unsafe fn splat(byte: u8) -> Self {
        // SAFETY: the target has NEON.
        unsafe { vdupq_n_u8(byte) }
    }

    #[inline(always)]
    unsafe fn load(data: *const u8) -> Self {
        // SAFETY: the target has NEON; the caller guarantees that 16 bytes can be read, and bytes need no alignment.
        unsafe { vld1q_u8(data) }
    }

    #[inline(always)]
    unsafe fn store(self, data: *mut u8) {
        // SAFETY: the target has NEON; the caller guarantees that 16 bytes can be written, and bytes need no alignment.
        unsafe { vst1q_u8(data, self) }
    }

    #[inline(always)]
    unsafe fn eq(self, other: Self) -> Self {
        // SAFETY: the target has NEON.
        unsafe { vceqq_u8(self, other) }
    }

    #[inline(always)]
    unsafe fn less_signed(self, other: Self) -> Self {
        // SAFETY: the target has NEON.
        unsafe { vcltq_s8(vreinterpretq_s8_u8(self), vreinterpretq_s8_u8(other)) }
    }

    #[inline(always)]
    unsafe fn at_most(self, other: Self) -> Self {
        // SAFETY: the target has NEON.
        unsafe { vcleq_u8(self, other) }
    }

    #[inline(always)]
    unsafe fn or(self, other: Self) -> Self {
        // SAFETY: the target has NEON.
        unsafe { vorrq_u8(self, other) }
    }

    #[inline(always)]
    unsafe fn mask(self) -> u64 {
        // NEON has no such instruction. Each byte's highest bit, spread over the byte, keeps one bit of its own. These
        // are added up in halves of eight bytes, because a sum of eight different bits just fits one byte.
        const WEIGHTS: [u8; 16] = [1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128];
        // SAFETY: the target has NEON, and 16 bytes are read from an array of 16.
        unsafe {
            let spread = vreinterpretq_u8_s8(vshrq_n_s8::<7>(vreinterpretq_s8_u8(self)));
            let bits = vandq_u8(spread, vld1q_u8(WEIGHTS.as_ptr()));
            u64::from(vaddv_u8(vget_low_u8(bits))) | u64::from(vaddv_u8(vget_high_u8(bits))) << 8
        }
    }
}
