//! The next 64 bytes, with one comparison to know that they are there.

/// Input that is looked at 64 bytes at a time, as far as it goes.
#[derive(Clone, Copy, Debug)]
pub struct Ahead<'a> {
    bytes: &'a [u8],
    /// Before this position, 64 bytes are left.
    most: usize,
}

impl<'a> Ahead<'a> {
    /// Input from its start.
    pub fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, most: (bytes.len() + 1).saturating_sub(64) }
    }

    /// All of it.
    #[inline(always)]
    pub fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// The 64 bytes at `at`; `None` where fewer are left.
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
