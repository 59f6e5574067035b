//! The vector operations that the algorithms need.

use std::fmt::Debug;

/// A vector of bytes that are processed at once.
///
/// It has only operations that every machine has under some name. A comparison yields 0xff for bytes where it holds and
/// 0 for the others, so that comparisons can be combined before they are inspected.
///
/// # Safety of the methods
///
/// Each is `unsafe` for a single reason: the machine must have the instructions behind it. The implementations are
/// `#[inline(always)]`, and so is all code that is generic over `Vector`: it must end up inside a function that enables
/// these instructions, or else each operation would become a call.
pub(super) trait Vector: Copy + Debug {
    /// The number of bytes; divides 64.
    const BYTES: usize;

    /// Returns a vector with the same byte everywhere.
    ///
    /// # Safety
    /// The machine has these vectors.
    unsafe fn splat(byte: u8) -> Self;

    /// Loads [`BYTES`](Self::BYTES) bytes from `data`, which need not be aligned.
    ///
    /// # Safety
    /// The machine has these vectors, and `BYTES` bytes can be read at `data`.
    unsafe fn load(data: *const u8) -> Self;

    /// Stores the bytes at `data`, which need not be aligned.
    ///
    /// # Safety
    /// The machine has these vectors, and `BYTES` bytes can be written at `data`.
    unsafe fn store(self, data: *mut u8);

    /// Compares for `self == other`.
    ///
    /// # Safety
    /// The machine has these vectors.
    unsafe fn eq(self, other: Self) -> Self;

    /// Compares for `self < other`, both as signed numbers: bytes from 0x80 on are less than all ASCII.
    ///
    /// # Safety
    /// The machine has these vectors.
    unsafe fn less_signed(self, other: Self) -> Self;

    /// Compares for `self <= other`, both as unsigned numbers.
    ///
    /// # Safety
    /// The machine has these vectors.
    unsafe fn at_most(self, other: Self) -> Self;

    /// Returns the bitwise or.
    ///
    /// # Safety
    /// The machine has these vectors.
    unsafe fn or(self, other: Self) -> Self;

    /// Returns the highest bit of each byte, the first byte's lowest.
    ///
    /// # Safety
    /// The machine has these vectors.
    unsafe fn mask(self) -> u64;
}

/// The vectors that every machine of the target has: they need no detection and can be inlined anywhere.
#[cfg(target_arch = "x86_64")]
pub(super) type Base = std::arch::x86_64::__m128i;
/// The vectors that every machine of the target has: they need no detection and can be inlined anywhere.
#[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
pub(super) type Base = std::arch::aarch64::uint8x16_t;
/// The vectors that every machine of the target has: they need no detection and can be inlined anywhere.
#[cfg(not(any(target_arch = "x86_64", all(target_arch = "aarch64", target_feature = "neon"))))]
pub(super) type Base = super::portable::Portable;
