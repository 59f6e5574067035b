//! Writes records in the order of their keys.

use crate::collection::{Collection, State};
use crate::failure::failed;
use crate::packing::Packing;
use crate::transaction::{Reads, Writing};
use demat_core::Result;
use heed::PutFlags;
use heed::types::Bytes;

/// Writes records through one cursor, and appends those whose keys ascend.
pub(crate) struct Appender<'a, 'w> {
    collection: &'a Collection,
    packing: Option<&'a Packing>,
    cursor: heed::RwIter<'w, Bytes, Bytes>,
    /// The greatest key.
    last: Vec<u8>,
}

impl<'a, 'w> Appender<'a, 'w> {
    pub(crate) fn new(collection: &'a Collection, state: &'a State, writing: &'w mut Writing) -> Result<Self> {
        let table = collection.table();
        let last = table.last(writing.txn()).map_err(failed)?.map(|(key, _)| key.to_vec()).unwrap_or_default();
        let cursor = table.iter_mut(writing.innermost()?).map_err(failed)?;
        Ok(Self { collection, packing: state.packing.last().map(|packing| &**packing), cursor, last })
    }

    pub(crate) fn put(&mut self, key: &[u8], record: &[u8]) -> Result<()> {
        self.collection.check_key(key)?;
        let packed;
        let record = match self.packing {
            Some(packing) => {
                packed = packing.pack(record)?;
                &*packed
            }
            None => record,
        };
        let ascends = key > &*self.last;
        let flags = if ascends { PutFlags::APPEND } else { PutFlags::empty() };
        // SAFETY: key and record are in memory of their own: the buffers of `put_all`, or a packed copy. No reference
        // into a page is kept.
        unsafe { self.cursor.put_current_with_options::<Bytes>(flags, key, record) }.map_err(failed)?;
        if ascends {
            self.last.clear();
            self.last.extend_from_slice(key);
        }
        Ok(())
    }
}
