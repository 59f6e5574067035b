use super::{FieldLayout, RecordLayout};
use crate::codec::verify_notes;
use crate::proto::ProtoCodec;
use core::cell::Cell;
use demat_core::{Record, Result};
use std::sync::Arc;

/// Cache of the layouts of records that a source or sink has entered. A field finds its layout by one comparison, and a
/// record that comes again needs no look-up.
///
/// There is one source or sink per message, usually for the same records. So the next one on the same thread takes over
/// this cache.
#[derive(Debug, Default)]
pub(in crate::proto) struct LayoutCache(Option<Box<Layouts>>);

#[derive(Debug)]
struct Layouts {
    now: Known,
    others: Vec<Known>,
}

#[derive(Debug)]
struct Known {
    /// The identity of the record; no later record has the same.
    record: u64,
    fields: Arc<[FieldLayout]>,
    has_oneof: bool,
    /// Whether the notes of a field are wrong.
    is_wrong: bool,
}

/// The maximum number of records in the cache. Searching more would take longer than asking the record for its layout.
const MOST: usize = 16;

thread_local! {
    static SPARE: Cell<Option<Box<Layouts>>> = const { Cell::new(None) };
}

impl LayoutCache {
    /// Returns the layout of a field, if the record has that many.
    #[inline(always)]
    pub(in crate::proto) fn get(&mut self, record: &Record, index: usize) -> Option<&FieldLayout> {
        self.known(record)?.fields.get(index)
    }

    /// Returns the layout of a field.
    #[inline(always)]
    pub(in crate::proto) fn field(&mut self, record: &Record, index: usize) -> &FieldLayout {
        self.get(record, index).expect("the record has the field")
    }

    /// Returns whether a field of the record is a union whose variants are numbered like fields.
    #[inline(always)]
    pub(in crate::proto) fn has_oneof(&mut self, record: &Record) -> bool {
        self.known(record).is_some_and(|known| known.has_oneof)
    }

    /// Checks the notes of a record's fields.
    ///
    /// # Errors
    /// As [`verify_notes`].
    #[inline(always)]
    pub(in crate::proto) fn verify(&mut self, record: &Record) -> Result<()> {
        let is_wrong = record.has_notes() && self.known(record).is_some_and(|known| known.is_wrong);
        if is_wrong { verify_notes::<ProtoCodec>(record) } else { Ok(()) }
    }

    #[inline(always)]
    fn known(&mut self, record: &Record) -> Option<&Known> {
        let identity = record.identity();
        if self.0.as_ref().is_none_or(|layouts| layouts.now.record != identity) {
            self.switch(record);
        }
        self.0.as_ref().map(|layouts| &layouts.now)
    }

    #[inline(never)]
    fn switch(&mut self, record: &Record) {
        let spare = || SPARE.try_with(Cell::take).ok().flatten();
        let Some(layouts) = self.0.take().or_else(spare) else {
            self.0 = Some(Box::new(Layouts { now: Known::of(record), others: Vec::new() }));
            return;
        };
        let Layouts { now, others } = &mut **self.0.insert(layouts);
        let identity = record.identity();
        if now.record == identity {
            return;
        }
        if let Some(known) = others.iter_mut().find(|known| known.record == identity) {
            core::mem::swap(now, known);
            return;
        }
        if others.len() == MOST {
            others.clear();
        }
        others.push(core::mem::replace(now, Known::of(record)));
    }
}

impl Known {
    fn of(record: &Record) -> Self {
        let layout = RecordLayout::of(record);
        Self {
            record: record.identity(),
            fields: Arc::clone(layout.fields()),
            has_oneof: layout.has_oneof(),
            is_wrong: verify_notes::<ProtoCodec>(record).is_err(),
        }
    }
}

impl Drop for LayoutCache {
    #[inline(always)]
    fn drop(&mut self) {
        if let Some(layouts) = self.0.take() {
            keep(layouts);
        }
    }
}

/// Keeps the layouts for the next source or sink of this thread. Does nothing while the thread ends.
#[inline(never)]
fn keep(layouts: Box<Layouts>) {
    let _ = SPARE.try_with(|spare| spare.set(Some(layouts)));
}
