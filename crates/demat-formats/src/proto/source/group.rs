//! Members of a oneof that are fields of their own: of those that come the last one counts, and the others are not told of.

use super::ProtoSource;
use demat_core::{Field, Presence, Record};

/// Whether a field may be a member: hardly any other one is optional and has notes.
#[inline(always)]
pub(super) fn may_give_way(field: &Field) -> bool {
    field.wire().presence != Presence::Implicit && !field.notes().is_empty()
}

impl ProtoSource<'_> {
    /// Whether the member that stands here does not count, as another one of its group comes behind it. `again` says that it came
    /// before.
    #[inline(never)]
    pub(super) fn gives_way(&mut self, record: &Record, index: usize, number: u32, again: bool) -> bool {
        let fields = record.fields();
        let Some(group) = fields[index].oneof() else { return false };
        let alike = |index: usize| may_give_way(&fields[index]) && fields[index].oneof() == Some(group);
        let is_member = |number| record.index_of_number(number).is_some_and(alike);
        if again {
            // To look at all that follows at each of many would take long, so what was found is kept.
            let key = (0..index).find(|other| alike(*other)).unwrap_or(index);
            return self.is_overruled(key, number, is_member);
        }
        self.tag < self.last_run(number, is_member)
    }
}
