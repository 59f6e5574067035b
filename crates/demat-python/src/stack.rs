//! How much is left of this thread's stack: one rule for all that may come back to itself.

/// Where the stack has less than that left, nothing more is called: code of the user's may need some.
const RESERVE: usize = 40 * 1024;

/// The address that the stack may go down to. 1 where it can't be known, so that nothing is below it.
pub(crate) fn floor() -> usize {
    let here = here();
    // To ask where the stack ends takes longer than to tell a small value.
    stacker::remaining_stack().map_or(1, |left| here.saturating_sub(left) + RESERVE)
}

/// About where the stack is now.
#[inline(always)]
pub(crate) fn here() -> usize {
    let mark = 0_u8;
    (&raw const mark).addr()
}
