/// Which place in a document, by the way to it: a hash, since all that hangs on it is speed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Site(u64);

impl Site {
    /// The place of the items of a list here, or of the values of a map.
    #[inline]
    pub(super) fn child(self) -> Self {
        self.field(usize::MAX)
    }

    /// The place of a field of a record here.
    #[inline]
    pub(super) fn field(self, index: usize) -> Self {
        Self((self.0 ^ index as u64).wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(29))
    }

    /// The first of so many buckets to look for it in, a power of two.
    #[inline]
    pub(super) fn bucket(self, buckets: usize) -> usize {
        self.0 as usize & (buckets - 1)
    }
}
