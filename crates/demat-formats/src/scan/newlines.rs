//! How many lines.

/// How many newlines there are in `bytes`: what an error adds one to for its line number.
///
/// ```
/// use demat_formats::scan::count_newlines;
/// assert_eq!(count_newlines(b"one\ntwo\r\nthree"), 2);
/// ```
pub fn count_newlines(bytes: &[u8]) -> usize {
    memchr::memchr_iter(b'\n', bytes).count()
}
