//! The vectors of `x86_64`.

use super::vector::Vector;
#[allow(clippy::wildcard_imports, reason = "every name of it says where it is from")]
use std::arch::x86_64::*;

/// SSE2, which every `x86_64` has.
impl Vector for __m128i {
    const BYTES: usize = 16;

    #[inline(always)]
    unsafe fn splat(byte: u8) -> Self {
        // SAFETY: every x86_64 has SSE2.
        unsafe { _mm_set1_epi8(byte.cast_signed()) }
    }

    #[inline(always)]
    unsafe fn load(data: *const u8) -> Self {
        // SAFETY: every x86_64 has SSE2; the caller guarantees that 16 bytes can be read, and this load needs no
        // alignment.
        unsafe { _mm_loadu_si128(data.cast()) }
    }

    #[inline(always)]
    unsafe fn store(self, data: *mut u8) {
        // SAFETY: every x86_64 has SSE2; the caller guarantees that 16 bytes can be written, and no alignment is
        // needed.
        unsafe { _mm_storeu_si128(data.cast(), self) }
    }

    #[inline(always)]
    unsafe fn eq(self, other: Self) -> Self {
        // SAFETY: every x86_64 has SSE2.
        unsafe { _mm_cmpeq_epi8(self, other) }
    }

    #[inline(always)]
    unsafe fn less_signed(self, other: Self) -> Self {
        // SAFETY: every x86_64 has SSE2.
        unsafe { _mm_cmplt_epi8(self, other) }
    }

    #[inline(always)]
    unsafe fn at_most(self, other: Self) -> Self {
        // There is no unsigned comparison, but an unsigned minimum.
        // SAFETY: every x86_64 has SSE2.
        unsafe { _mm_cmpeq_epi8(_mm_min_epu8(self, other), self) }
    }

    #[inline(always)]
    unsafe fn or(self, other: Self) -> Self {
        // SAFETY: every x86_64 has SSE2.
        unsafe { _mm_or_si128(self, other) }
    }

    #[inline(always)]
    unsafe fn mask(self) -> u64 {
        // SAFETY: every x86_64 has SSE2.
        u64::from(unsafe { _mm_movemask_epi8(self) }.cast_unsigned())
    }
}

/// AVX2, which must be detected at run time.
impl Vector for __m256i {
    const BYTES: usize = 32;

    #[inline(always)]
    unsafe fn splat(byte: u8) -> Self {
        // SAFETY: the caller guarantees that the machine has AVX2.
        unsafe { _mm256_set1_epi8(byte.cast_signed()) }
    }

    #[inline(always)]
    unsafe fn load(data: *const u8) -> Self {
        // SAFETY: the caller guarantees that the machine has AVX2 and that 32 bytes can be read; no alignment is
        // needed.
        unsafe { _mm256_loadu_si256(data.cast()) }
    }

    #[inline(always)]
    unsafe fn store(self, data: *mut u8) {
        // SAFETY: the caller guarantees that the machine has AVX2 and that 32 bytes can be written; no alignment is
        // needed.
        unsafe { _mm256_storeu_si256(data.cast(), self) }
    }

    #[inline(always)]
    unsafe fn eq(self, other: Self) -> Self {
        // SAFETY: the caller guarantees that the machine has AVX2.
        unsafe { _mm256_cmpeq_epi8(self, other) }
    }

    #[inline(always)]
    unsafe fn less_signed(self, other: Self) -> Self {
        // SAFETY: the caller guarantees that the machine has AVX2.
        unsafe { _mm256_cmpgt_epi8(other, self) }
    }

    #[inline(always)]
    unsafe fn at_most(self, other: Self) -> Self {
        // SAFETY: the caller guarantees that the machine has AVX2.
        unsafe { _mm256_cmpeq_epi8(_mm256_min_epu8(self, other), self) }
    }

    #[inline(always)]
    unsafe fn or(self, other: Self) -> Self {
        // SAFETY: the caller guarantees that the machine has AVX2.
        unsafe { _mm256_or_si256(self, other) }
    }

    #[inline(always)]
    unsafe fn mask(self) -> u64 {
        // SAFETY: the caller guarantees that the machine has AVX2.
        u64::from(unsafe { _mm256_movemask_epi8(self) }.cast_unsigned())
    }
}
