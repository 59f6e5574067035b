//! Members of a oneof that are fields of their own: of those that come the last one counts, and the others are not told of.

use super::ProtoSource;
use crate::proto::layout::{RecordLayout, oneof};
use demat_core::Record;

impl ProtoSource<'_> {
    /// Whether the member that stands here does not count, as another one of its group comes behind it. `again` says that it came
    /// before.
    #[inline(never)]
    pub(super) fn gives_way(&mut self, record: &Record, index: usize, number: u32, again: bool) -> bool {
        let fields = record.fields();
        let Some(group) = oneof(&fields[index]) else { return false };
        let layout = RecordLayout::of(record);
        let alike = |index: usize| layout.fields()[index].may_give_way && oneof(&fields[index]) == Some(group);
        let is_member = |number| record.index_of_number(number).is_some_and(alike);
        if again {
            // To look at all that follows at each of many would take long, so what was found is kept.
            let key = (0..index).find(|other| alike(*other)).unwrap_or(index);
            return self.is_overruled(key, number, is_member);
        }
        self.tag < self.last_run(number, is_member)
    }
}
