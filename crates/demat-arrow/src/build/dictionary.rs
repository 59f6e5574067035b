use super::texts::{Full, Texts};
use arrow_array::types::Int32Type;
use arrow_array::{ArrayRef, DictionaryArray, PrimitiveArray, StringArray};
use arrow_buffer::{Buffer, NullBuffer, OffsetBuffer, ScalarBuffer};
use arrow_schema::ArrowError;
use core::hash::BuildHasher;
use core::mem::take;
use demat_core::Result;
use std::hash::RandomState;
use std::sync::Arc;

/// A column of texts as indices of those that occur, in the order of their first row.
///
/// It takes no more memory than the texts as they are, plus some 30 bytes for each different one.
#[derive(Debug, Default)]
pub(crate) struct Dictionary {
    pub(crate) keys: Vec<i32>,
    texts: Texts,
    /// The hash of each text, and the row that it came with.
    entries: Vec<(u64, usize)>,
    /// An open-addressing table of indices plus one; zero for a free slot. Its length is a power of two, or zero.
    slots: Vec<u32>,
    hasher: RandomState,
}

impl Dictionary {
    /// Appends a row.
    ///
    /// # Errors
    /// If the texts take 2 GiB; then nothing is appended.
    pub(crate) fn push(&mut self, text: &[u8]) -> Result<()> {
        // Neighbours are often the same.
        if let Some(last) = self.keys.last()
            && self.texts.len() > 0
            && self.texts.get(*last as usize) == text
        {
            self.keys.push(*last);
            return Ok(());
        }
        if (self.entries.len() + 1) * 2 > self.slots.len() {
            self.grow();
        }
        let hash = self.hasher.hash_one(text);
        let mask = self.slots.len() - 1;
        let mut slot = hash as usize & mask;
        while let Some(index) = (self.slots[slot] as usize).checked_sub(1) {
            if self.entries[index].0 == hash && self.texts.get(index) == text {
                self.keys.push(index as i32);
                return Ok(());
            }
            slot = (slot + 1) & mask;
        }
        let Ok(index) = i32::try_from(self.entries.len()) else {
            return Err(Full::error("the number of texts in a dictionary"));
        };
        self.texts.push(text)?;
        self.entries.push((hash, self.keys.len()));
        self.slots[slot] = index as u32 + 1;
        self.keys.push(index);
        Ok(())
    }

    /// Appends a row whose text does not matter. `masked`: it is no null itself, but below one.
    pub(crate) fn push_blank(&mut self, masked: bool) {
        if masked && self.entries.is_empty() {
            // The key of what is no null has to be one of a text. There is room for an empty one.
            let _ = self.push(&[]);
        } else {
            self.keys.push(0);
        }
    }

    /// Removes the rows from this one on, and the texts that came with them.
    pub(crate) fn truncate(&mut self, rows: usize) {
        self.keys.truncate(rows);
        while let Some((hash, _)) = self.entries.pop_if(|(_, row)| *row >= rows) {
            self.forget(hash, self.entries.len());
        }
        self.texts.truncate(self.entries.len());
    }

    /// Frees the slot of an entry. Entries behind it move up, so that they are found without it.
    fn forget(&mut self, hash: u64, index: usize) {
        let mask = self.slots.len() - 1;
        let mut slot = hash as usize & mask;
        while self.slots[slot] as usize != index + 1 {
            slot = (slot + 1) & mask;
        }
        let mut next = (slot + 1) & mask;
        while let Some(other) = (self.slots[next] as usize).checked_sub(1) {
            let home = self.entries[other].0 as usize & mask;
            // Whether the free slot lies between the entry's home and where it stands.
            if (next.wrapping_sub(home) & mask) >= (next.wrapping_sub(slot) & mask) {
                self.slots[slot] = self.slots[next];
                slot = next;
            }
            next = (next + 1) & mask;
        }
        self.slots[slot] = 0;
    }

    #[cold]
    fn grow(&mut self) {
        let len = (self.slots.len() * 2).max(16);
        self.slots.clear();
        self.slots.resize(len, 0);
        for (index, (hash, _)) in self.entries.iter().enumerate() {
            let mut slot = *hash as usize & (len - 1);
            while self.slots[slot] != 0 {
                slot = (slot + 1) & (len - 1);
            }
            self.slots[slot] = index as u32 + 1;
        }
    }

    /// The size in bytes.
    pub(crate) fn bytes(&self) -> usize {
        self.keys.len() * 4 + self.texts.data.len() + self.texts.offsets.len() * 4
    }

    /// Returns the rows as an array. The column is then empty.
    ///
    /// # Errors
    /// None that input could cause.
    pub(crate) fn finish(&mut self, nulls: Option<NullBuffer>) -> Result<ArrayRef, ArrowError> {
        let Self { keys, texts, .. } = take(self);
        let (mut keys, Texts { mut offsets, mut data }) = (keys, texts);
        keys.shrink_to_fit();
        offsets.shrink_to_fit();
        data.shrink_to_fit();
        let offsets = OffsetBuffer::new(ScalarBuffer::from(offsets));
        let values = Arc::new(StringArray::try_new(offsets, Buffer::from_vec(data), None)?);
        let keys = PrimitiveArray::<Int32Type>::try_new(keys.into(), nulls)?;
        Ok(Arc::new(DictionaryArray::try_new(keys, values)?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use arrow_array::cast::AsArray;

    /// Against a list of texts, with rows that are taken back and columns that begin again.
    #[test]
    fn rows_are_as_in_a_list() {
        let mut state = 0x9E37_79B9_7F4A_7C15_u64;
        let mut below = |bound: usize| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state >> 20) as usize % bound
        };
        let (mut own, mut twin) = (Dictionary::default(), Vec::<String>::new());
        for _ in 0..50_000 {
            match below(60) {
                0 => {
                    let rows = below(twin.len() + 1);
                    own.truncate(rows);
                    twin.truncate(rows);
                }
                1 if below(20) == 0 => {
                    let array = own.finish(None).unwrap();
                    let array = array.as_dictionary::<Int32Type>();
                    let texts = array.values().as_string::<i32>();
                    let found: Vec<_> = array.keys().values().iter().map(|key| texts.value(*key as usize)).collect();
                    assert_eq!(found, twin);
                    // Each text is there once, in the order of its first row, and no other one is.
                    let mut first = Vec::new();
                    for text in &twin {
                        if !first.contains(&text.as_str()) {
                            first.push(text);
                        }
                    }
                    assert_eq!(texts.iter().map(Option::unwrap).collect::<Vec<_>>(), first);
                    twin.clear();
                }
                _ => {
                    let text = format!("{}", below(200));
                    own.push(text.as_bytes()).unwrap();
                    twin.push(text);
                }
            }
        }
    }

    #[test]
    fn a_column_of_nulls_has_a_text_for_its_keys() {
        let mut own = Dictionary::default();
        own.push_blank(true);
        own.push_blank(true);
        own.push(b"a").unwrap();
        let array = own.finish(None).unwrap();
        assert_eq!(array.as_dictionary::<Int32Type>().keys().values().to_vec(), [0, 0, 1]);
        own.push_blank(false);
        own.truncate(0);
        own.push_blank(false);
        let array = own.finish(Some(NullBuffer::new_null(1))).unwrap();
        assert_eq!(array.as_dictionary::<Int32Type>().values().len(), 0);
    }
}
