//! The vector instructions of the machine, detected once.

use std::sync::atomic::{AtomicU8, Ordering};

/// A set of vector instructions that the functions of this module are compiled for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Level {
    /// No vector instructions: plain Rust.
    Scalar = 1,
    /// 16 bytes at a time; every `x86_64` has it.
    Sse2 = 2,
    /// 32 bytes at a time, with the bit instructions (BMI, POPCNT) of the same processors.
    Avx2 = 3,
    /// 16 bytes at a time; every `aarch64` has it.
    Neon = 4,
}

impl Level {
    const ALL: [Self; 4] = [Self::Scalar, Self::Sse2, Self::Avx2, Self::Neon];

    /// Whether this machine can run the level.
    pub fn available(self) -> bool {
        match self {
            Self::Scalar => true,
            Self::Sse2 => cfg!(target_arch = "x86_64"),
            Self::Avx2 => has_avx2(),
            Self::Neon => cfg!(all(target_arch = "aarch64", target_feature = "neon")),
        }
    }

    /// Returns every level that this machine can run, the slowest first.
    ///
    /// ```
    /// use demat_formats::scan::Level;
    /// assert_eq!(Level::all().next(), Some(Level::Scalar));
    /// ```
    pub fn all() -> impl Iterator<Item = Self> {
        Self::ALL.into_iter().filter(|level| level.available())
    }

    fn named(name: &str) -> Option<Self> {
        match name {
            "scalar" => Some(Self::Scalar),
            "sse2" => Some(Self::Sse2),
            "avx2" => Some(Self::Avx2),
            "neon" => Some(Self::Neon),
            _ => None,
        }
    }
}

#[cfg(target_arch = "x86_64")]
fn has_avx2() -> bool {
    // All five are required, since the compiled code uses all of them. Only unusual virtual machines lack some.
    is_x86_feature_detected!("avx2")
        && is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("bmi2")
        && is_x86_feature_detected!("lzcnt")
        && is_x86_feature_detected!("popcnt")
}

#[cfg(not(target_arch = "x86_64"))]
fn has_avx2() -> bool {
    false
}

/// The level in use as a number; 0 before it was detected.
///
/// Only [`detect`] and [`force_level`] write it, and both write only a level that is available: the proofs of the
/// `unsafe` calls in this module rely on that. `Relaxed` is enough because nothing else is published with it.
static LEVEL: AtomicU8 = AtomicU8::new(0);

/// Returns the level that the functions of this module use.
///
/// It is the best that the machine has. The environment variable `DEMAT_SIMD` (`scalar`, `sse2`, `avx2`, `neon`), read
/// once, can only lower it: a level that the machine lacks is ignored. The first 32 bytes of a search are always
/// inspected with the vectors that every machine of the target has, since choosing would cost more than the search.
///
/// ```
/// use demat_formats::scan;
/// assert!(scan::level().available());
/// ```
#[inline]
pub fn level() -> Level {
    match LEVEL.load(Ordering::Relaxed) {
        1 => Level::Scalar,
        2 => Level::Sse2,
        3 => Level::Avx2,
        4 => Level::Neon,
        _ => detect(),
    }
}

#[cold]
fn detect() -> Level {
    let wanted =
        std::env::var("DEMAT_SIMD").ok().and_then(|name| Level::named(&name)).filter(|level| level.available());
    let level = wanted.or_else(|| Level::all().last()).unwrap_or(Level::Scalar);
    LEVEL.store(level as u8, Ordering::Relaxed);
    level
}

/// Makes all further searches of the process use `level`, for tests and fuzzing. Returns `false` if the machine lacks
/// it.
///
/// ```
/// use demat_formats::scan::{Level, force_level};
/// assert!(force_level(Level::Scalar));
/// ```
#[doc(hidden)]
pub fn force_level(level: Level) -> bool {
    let available = level.available();
    if available {
        LEVEL.store(level as u8, Ordering::Relaxed);
    }
    available
}
