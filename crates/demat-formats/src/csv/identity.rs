use demat_core::Record;

/// Which record it is, in one comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Identity(u64);

impl Identity {
    #[inline]
    pub(super) fn of(record: &Record) -> Self {
        Self(record.identity())
    }
}
