use demat_core::Record;

/// Which record it is, in one comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Identity(u64);

impl Identity {
    /// No record's.
    pub(super) const NONE: Self = Self(0);

    #[inline(always)]
    pub(super) fn of(record: &Record) -> Self {
        Self(record.identity())
    }
}
