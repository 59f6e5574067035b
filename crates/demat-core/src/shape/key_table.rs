//! Finds the field of a key by a hash of its length and its ends.
//!
//! A record compiles the table once, from its own keys. Any input is looked up in a bounded number of steps: keys that
//! are too alike for the hash get no table, and the record searches for them in its sorted list.

use super::Field;

/// The hash table of a record's keys, with open addressing.
#[derive(Debug)]
pub(super) struct KeyTable {
    /// Indices of fields; [`EMPTY`] where there is none. Its length is a power of two.
    slots: Box<[u16]>,
    /// How far a hash is shifted to be an index of `slots`.
    shift: u32,
}

const EMPTY: u16 = u16::MAX;

/// The most slots that a lookup visits.
const STEPS: usize = 16;

impl KeyTable {
    /// Returns the table; `None` if a lookup could visit more than [`STEPS`] slots.
    pub(super) fn new(fields: &[Field]) -> Option<Self> {
        // A quarter of the slots is used at most, so that keys seldom meet.
        let len = (fields.len() * 4).next_power_of_two().max(2);
        let mut table = Self { slots: vec![EMPTY; len].into(), shift: u64::BITS - len.trailing_zeros() };
        for (index, field) in fields.iter().enumerate() {
            let free = table.steps(field.key()).find(|at| table.slots[*at] == EMPTY)?;
            table.slots[free] = u16::try_from(index).ok().filter(|index| *index != EMPTY)?;
        }
        Some(table)
    }

    /// Returns the indices of the slots that may hold the key.
    #[inline(always)]
    fn steps(&self, key: &str) -> impl Iterator<Item = usize> + use<> {
        let (first, mask) = ((hash(key.as_bytes()) >> self.shift) as usize, self.slots.len() - 1);
        (0..STEPS.min(self.slots.len())).map(move |step| (first + step) & mask)
    }

    /// Returns the index of the field with this key.
    #[inline]
    pub(super) fn find(&self, fields: &[Field], key: &str) -> Option<usize> {
        for at in self.steps(key) {
            let index = usize::from(self.slots[at]);
            // An empty slot has no field.
            if is_same(fields.get(index)?.key().as_bytes(), key.as_bytes()) {
                return Some(index);
            }
        }
        None
    }
}

/// Whether two keys are equal; up to 16 bytes are compared without a call.
#[inline(always)]
fn is_same(one: &[u8], other: &[u8]) -> bool {
    let ends = |key: &[u8]| Some((word::<8>(Some(key.first_chunk()?)), word::<8>(Some(key.last_chunk()?))));
    let short_ends = |key: &[u8]| Some((word::<4>(Some(key.first_chunk()?)), word::<4>(Some(key.last_chunk()?))));
    one.len() == other.len()
        && match one.len() {
            8..=16 => ends(one) == ends(other),
            4..8 => short_ends(one) == short_ends(other),
            _ => one == other,
        }
}

/// Returns a hash of the length, the first eight bytes and the last eight.
#[inline(always)]
fn hash(key: &[u8]) -> u64 {
    let (first, last) = match key {
        [] => (0, 0),
        [a, ..] if key.len() < 4 => (u64::from(*a), u64::from(key[key.len() / 2]) << 8 | u64::from(key[key.len() - 1])),
        _ if key.len() < 8 => (word::<4>(key.first_chunk()), word::<4>(key.last_chunk())),
        _ => (word::<8>(key.first_chunk()), word::<8>(key.last_chunk())),
    };
    // Multiplying moves the differences of all bytes into the upper bits, of which the index consists.
    let mixed = (first ^ last.rotate_left(32) ^ key.len() as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (mixed ^ mixed >> 32).wrapping_mul(0xd6e8_feb8_6659_fd93)
}

#[inline(always)]
fn word<const N: usize>(bytes: Option<&[u8; N]>) -> u64 {
    let mut word = [0; 8];
    word[..N].copy_from_slice(bytes.unwrap_or(&[0; N]));
    u64::from_le_bytes(word)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Shape;

    fn fields(keys: &[String]) -> Vec<Field> {
        keys.iter().enumerate().map(|(at, key)| Field::new(key.clone(), at as u32 + 1, Shape::Bool)).collect()
    }

    #[test]
    fn every_key_is_found_and_no_other() {
        for count in [1, 2, 9, 100, 1000] {
            for name in ["", "field_", "ключ", "a_long_name_of_a_field_number_"] {
                let keys: Vec<String> = (0..count).map(|at| format!("{name}{at}")).collect();
                let fields = fields(&keys);
                let Some(table) = KeyTable::new(&fields) else { continue };
                for (at, key) in keys.iter().enumerate() {
                    assert_eq!(table.find(&fields, key), Some(at), "{key}");
                }
                for other in ["", "x", "field", "field_x", &format!("{name}{count}"), &format!("{name}0 ")] {
                    assert_eq!(table.find(&fields, other), None, "{other}");
                }
            }
        }
    }

    #[test]
    fn usual_names_have_a_table() {
        for name in ["", "field_", "column ", "価格"] {
            let keys: Vec<String> = (0..500).map(|at| format!("{name}{at}")).collect();
            assert!(KeyTable::new(&fields(&keys)).is_some(), "{name}");
        }
    }

    #[test]
    fn keys_that_differ_in_the_middle_alone_have_no_table() {
        let keys: Vec<String> = (10..30).map(|at| format!("same front {at} same back")).collect();
        assert!(KeyTable::new(&fields(&keys)).is_none());
    }
}
