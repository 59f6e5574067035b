//! Sorts the entries of maps by their keys.

/// The place of an entry in the output.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Entry {
    /// The start of its key.
    pub(super) key: usize,
    /// The start of its value.
    pub(super) value: usize,
}

/// Sorts the entries at the end of the buffer by the bytes of their keys. Of entries with the same key the last one
/// stays. Returns the number of entries.
pub(super) fn sort(buffer: &mut Vec<u8>, entries: &[Entry]) -> usize {
    let key = |entry: &Entry| buffer.get(entry.key..entry.value).unwrap_or_default();
    if entries.is_sorted_by(|one, two| key(one) < key(two)) {
        return entries.len();
    }
    let begin = entries.first().map_or(buffer.len(), |first| first.key);
    let mut order: Vec<usize> = (0..entries.len()).collect();
    order.sort_by(|one, two| key(&entries[*one]).cmp(key(&entries[*two])));
    let mut sorted = Vec::with_capacity(buffer.len() - begin);
    let mut count = 0;
    for (place, index) in order.iter().enumerate() {
        let entry = &entries[*index];
        // The sort is stable.
        if order.get(place + 1).is_some_and(|next| key(&entries[*next]) == key(entry)) {
            continue;
        }
        let end = entries.get(index + 1).map_or(buffer.len(), |next| next.key);
        sorted.extend_from_slice(&buffer[entry.key..end]);
        count += 1;
    }
    buffer.truncate(begin);
    buffer.extend_from_slice(&sorted);
    count
}

#[cfg(test)]
mod tests {
    use super::{Entry, sort};

    #[test]
    fn the_last_of_equal_keys_stays() {
        let mut buffer = b"..b1a22b33c4a5".to_vec();
        let entries = [(2, 3), (4, 5), (7, 8), (10, 11), (12, 13)].map(|(key, value)| Entry { key, value });
        assert_eq!(sort(&mut buffer, &entries), 3);
        assert_eq!(buffer, b"..a5b33c4");
        assert_eq!(sort(&mut buffer, &[]), 0);
        assert_eq!(buffer, b"..a5b33c4");
    }
}
