use core::ptr::from_ref;
use demat_core::Record;

/// Which record it is, in a comparison or two: by address, since records are constants or kept alive by the shape that
/// is being followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Identity {
    record: usize,
    fields: usize,
    count: usize,
}

impl Identity {
    #[inline]
    pub(super) fn of(record: &Record) -> Self {
        let fields = record.fields();
        Self { record: from_ref(record).addr(), fields: fields.as_ptr().addr(), count: fields.len() }
    }
}
