//! The remaining stack of this thread: one limit for all recursive code.

/// Recursion stops when less stack than this is left, as user code may need some.
const RESERVE: usize = 40 * 1024;

/// Returns the lowest address that the stack may reach; 1 if it is unknown, which disables the check.
pub(crate) fn floor() -> usize {
    let here = here();
    // Finding the end of the stack takes longer than encoding a small value, so callers ask for it late.
    stacker::remaining_stack().map_or(1, |left| here.saturating_sub(left) + RESERVE)
}

/// Returns the approximate stack pointer.
#[inline(always)]
pub(crate) fn here() -> usize {
    let mark = 0_u8;
    (&raw const mark).addr()
}
