use super::RecordLayout;
use demat_core::Record;
use std::sync::Arc;

/// Layouts of the records that a source or sink has stepped into: a field finds its own by one comparison, and nothing
/// is looked up when a record comes again.
#[derive(Debug, Default)]
pub(in crate::proto) struct LayoutCache {
    now: Known,
    others: Vec<Known>,
}

#[derive(Debug, Default)]
struct Known {
    /// The identity of the record; no record has 0.
    record: u64,
    layout: Option<Arc<RecordLayout>>,
}

/// So many records are remembered at most: to search more takes longer than to ask the record.
const MOST: usize = 16;

impl LayoutCache {
    /// Returns the layout of a record.
    #[inline(always)]
    pub(in crate::proto) fn of(&mut self, record: &Record) -> &RecordLayout {
        if self.now.record != record.identity() {
            self.switch(record);
        }
        match &self.now.layout {
            Some(layout) => layout,
            None => unreachable!("the record has been switched to"),
        }
    }

    #[inline(never)]
    fn switch(&mut self, record: &Record) {
        let identity = record.identity();
        if let Some(known) = self.others.iter_mut().find(|known| known.record == identity) {
            core::mem::swap(&mut self.now, known);
            return;
        }
        let new = Known { record: identity, layout: Some(Arc::clone(RecordLayout::of(record))) };
        let old = core::mem::replace(&mut self.now, new);
        if old.layout.is_some() {
            if self.others.len() == MOST {
                self.others.clear();
            }
            self.others.push(old);
        }
    }
}
