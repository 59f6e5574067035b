use demat_core::Record;

/// The identity of a record, compared in one step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Identity(u64);

impl Identity {
    /// The identity of no record.
    pub(super) const NONE: Self = Self(0);

    #[inline(always)]
    pub(super) fn of(record: &Record) -> Self {
        Self(record.identity())
    }
}
