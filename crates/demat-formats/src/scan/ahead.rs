//! The next 64 bytes, with one comparison to check that they exist.

/// Input that is inspected 64 bytes at a time.
#[derive(Clone, Copy, Debug)]
pub struct Ahead<'a> {
    bytes: &'a [u8],
    /// Before this position, at least 64 bytes are left.
    most: usize,
}

impl<'a> Ahead<'a> {
    /// Returns the input, from its start.
    pub fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, most: (bytes.len() + 1).saturating_sub(64) }
    }

    /// All of the input.
    #[inline(always)]
    pub fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// Returns the 64 bytes at `at`; `None` if fewer are left.
    ///
    /// ```
    /// use demat_formats::scan::Ahead;
    /// let zeros = [0; 65];
    /// let ahead = Ahead::new(&zeros);
    /// assert!(ahead.block(0).is_some() && ahead.block(1).is_some());
    /// assert!(ahead.block(2).is_none() && ahead.block(usize::MAX).is_none());
    /// ```
    #[inline(always)]
    pub fn block(&self, at: usize) -> Option<&'a [u8; 64]> {
        // SAFETY: `most` is only ever made above, and if it is not 0, it is 63 less than the length of `bytes`: from a
        // position below it, 64 bytes are left.
        (at < self.most).then(|| unsafe { &*self.bytes.as_ptr().add(at).cast::<[u8; 64]>() })
    }
}
