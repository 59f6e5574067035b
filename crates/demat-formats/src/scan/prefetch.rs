//! Asking for memory before it is needed.

/// Asks for the bytes that stand so far behind `at`: the machine's own guesses end with each page of 4 KiB, and a
/// reader that goes straight on waits at each border. On virtual machines that was more than half of a sweep's time.
#[inline(always)]
pub(crate) fn prefetch_ahead(bytes: &[u8], at: usize) {
    const AHEAD: usize = 2048;
    prefetch_at(bytes, at.wrapping_add(AHEAD));
}

/// Asks the machine for the bytes that stand at `at`, if there are any, so that who looks at them soon need not wait.
///
/// ```
/// let bytes = [0; 1 << 16];
/// demat_formats::scan::prefetch_at(&bytes, 40_000);
/// demat_formats::scan::prefetch_at(&bytes, usize::MAX); // there are none, and nothing happens
/// ```
#[inline(always)]
pub fn prefetch_at(bytes: &[u8], at: usize) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: every x86_64 has the instruction, which reads nothing and may be given any address.
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(bytes.as_ptr().wrapping_add(at).cast());
    }
    let _ = (bytes, at);
}
