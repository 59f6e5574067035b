//! Members of a oneof that are individual fields: the last one in the message wins, and the source does not return the
//! others.

use super::ProtoSource;
use crate::proto::layout::{RecordLayout, oneof};
use demat_core::Record;

impl ProtoSource<'_> {
    /// Whether another member of the oneof follows, so that this one is overridden. `again`: whether this member came
    /// before.
    #[inline(never)]
    pub(super) fn gives_way(&mut self, record: &Record, index: usize, number: u32, again: bool) -> bool {
        let fields = record.fields();
        let Some(group) = oneof(&fields[index]) else { return false };
        let layout = RecordLayout::of(record);
        let alike = |index: usize| layout.fields()[index].may_give_way && oneof(&fields[index]) == Some(group);
        let is_member = |number| record.index_of_number(number).is_some_and(alike);
        if again {
            // Searching the rest of the message for each of many members would be quadratic, so the result is kept.
            let key = (0..index).find(|other| alike(*other)).unwrap_or(index);
            return self.is_overruled(key, number, is_member);
        }
        self.tag < self.last_run(number, is_member)
    }
}
