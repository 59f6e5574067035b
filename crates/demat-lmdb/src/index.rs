//! Secondary indexes.

use crate::definition::IndexDefinition;
use crate::environment::Table;
use crate::failure::refused;
use crate::key_of::KeyOf;
use core::fmt;
use demat_core::Result;

/// Makes the keys of an index of a record's bytes.
pub type KeyFunction = Box<dyn Fn(&[u8]) -> Result<Vec<Vec<u8>>> + Send + Sync>;

/// An index that is open.
pub(crate) struct Index {
    pub(crate) definition: IndexDefinition,
    pub(crate) table: Table,
    pub(crate) keys: Keys,
}

pub(crate) enum Keys {
    Fields(KeyOf),
    /// A function, if this program has given it.
    Function(Option<KeyFunction>),
}

impl Index {
    /// Returns the entries of a record, in order, each once.
    ///
    /// # Errors
    /// If the function is missing, or fails.
    pub(crate) fn entries(&self, key: &[u8], record: &[u8]) -> Result<Vec<Vec<u8>>> {
        let mut entries = match &self.keys {
            Keys::Fields(fields) => fields.all(record)?,
            Keys::Function(Some(function)) => function(record)?,
            Keys::Function(None) => {
                return Err(refused(format!(
                    "the index `{}` is {}, which this program has not given: call `index` with it before a change",
                    self.definition.name, self.definition.by
                )));
            }
        };
        if !self.definition.unique {
            for entry in &mut entries {
                entry.extend_from_slice(key);
            }
        }
        entries.sort_unstable();
        entries.dedup();
        Ok(entries)
    }
}

impl fmt::Debug for Index {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Index").field(&self.definition).finish()
    }
}
