/// A place in a document, as a hash of the path to it. A collision only costs speed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Site(u64);

impl Site {
    /// The site of a list's items, or of a map's values.
    #[inline]
    pub(super) fn child(self) -> Self {
        self.field(usize::MAX)
    }

    /// The site of a record's field.
    #[inline]
    pub(super) fn field(self, index: usize) -> Self {
        Self((self.0 ^ index as u64).wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(29))
    }

    /// The first bucket to look in. `buckets` is a power of two.
    #[inline]
    pub(super) fn bucket(self, buckets: usize) -> usize {
        self.0 as usize & (buckets - 1)
    }
}
