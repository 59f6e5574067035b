//! The little that the algorithms ask of a machine.

use std::fmt::Debug;

/// Some bytes that are worked on at once.
///
/// The operations are those that every machine has under some name, and no others: a comparison answers with 0xff for
/// the bytes where it holds and 0 for the rest, so that comparisons can be joined before they are looked at.
///
/// # Safety of the methods
///
/// Each is `unsafe` for the one reason that the machine must have the instructions behind it. The implementations are
/// `#[inline(always)]` and so is all code that is generic over `Vector`: it has to end up inside a function that
/// enables these instructions, or else each of them would become a call.
pub(super) trait Vector: Copy + Debug {
    /// How many bytes it holds. Divides 64.
    const BYTES: usize;

    /// The same byte everywhere.
    ///
    /// # Safety
    /// The machine has these vectors.
    unsafe fn splat(byte: u8) -> Self;

    /// The [`BYTES`](Self::BYTES) bytes at `data`, which need not be aligned.
    ///
    /// # Safety
    /// The machine has these vectors, and `BYTES` bytes can be read at `data`.
    unsafe fn load(data: *const u8) -> Self;

    /// Writes them to `data`, which need not be aligned.
    ///
    /// # Safety
    /// The machine has these vectors, and `BYTES` bytes can be written at `data`.
    unsafe fn store(self, data: *mut u8);

    /// Where both are equal.
    ///
    /// # Safety
    /// The machine has these vectors.
    unsafe fn eq(self, other: Self) -> Self;

    /// Where `self < other`, both taken as signed: bytes from 0x80 on are less than all ASCII.
    ///
    /// # Safety
    /// The machine has these vectors.
    unsafe fn less_signed(self, other: Self) -> Self;

    /// Where `self <= other`, both taken as unsigned.
    ///
    /// # Safety
    /// The machine has these vectors.
    unsafe fn at_most(self, other: Self) -> Self;

    /// All bits of both.
    ///
    /// # Safety
    /// The machine has these vectors.
    unsafe fn or(self, other: Self) -> Self;

    /// The highest bit of each byte, the first byte's lowest.
    ///
    /// # Safety
    /// The machine has these vectors.
    unsafe fn mask(self) -> u64;
}

/// The vectors that every machine of the target has: they need no asking, and can be used in line anywhere.
#[cfg(target_arch = "x86_64")]
pub(super) type Base = std::arch::x86_64::__m128i;
/// The vectors that every machine of the target has: they need no asking, and can be used in line anywhere.
#[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
pub(super) type Base = std::arch::aarch64::uint8x16_t;
/// The vectors that every machine of the target has: they need no asking, and can be used in line anywhere.
#[cfg(not(any(target_arch = "x86_64", all(target_arch = "aarch64", target_feature = "neon"))))]
pub(super) type Base = super::portable::Portable;
