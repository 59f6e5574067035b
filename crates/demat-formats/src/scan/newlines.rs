//! Counts lines.

/// Returns the number of newlines in `bytes`. An error's line number is one more.
///
/// ```
/// use demat_formats::scan::count_newlines;
/// assert_eq!(count_newlines(b"one\ntwo\r\nthree"), 2);
/// ```
pub fn count_newlines(bytes: &[u8]) -> usize {
    memchr::memchr_iter(b'\n', bytes).count()
}
