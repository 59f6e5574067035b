//! Prefetches memory before it is needed.

/// Prefetches the bytes 2,048 behind `at`. The hardware prefetcher stops at each page of 4 KiB, so a sequential reader
/// would wait at each page boundary. On virtual machines that was more than half of a sweep's time.
#[inline(always)]
pub(crate) fn prefetch_ahead(bytes: &[u8], at: usize) {
    const AHEAD: usize = 2048;
    prefetch_at(bytes, at.wrapping_add(AHEAD));
}

/// Prefetches the bytes at `at`, if there are any, so that a later access need not wait.
///
/// ```
/// let bytes = [0; 1 << 16];
/// demat_formats::scan::prefetch_at(&bytes, 40_000);
/// demat_formats::scan::prefetch_at(&bytes, usize::MAX); // there are none, and nothing happens
/// ```
#[inline(always)]
pub fn prefetch_at(bytes: &[u8], at: usize) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: every x86_64 has the instruction, which reads nothing and accepts any address.
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(bytes.as_ptr().wrapping_add(at).cast());
    }
    let _ = (bytes, at);
}
