//! Replaces headers that do not fit the bytes reserved for them.

use super::Header;

/// A header to be replaced.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Wide {
    /// The offset and the number of the reserved bytes.
    pub(crate) at: usize,
    pub(crate) reserved: usize,
    pub(crate) header: Header,
}

/// Replaces headers in one pass from the end: each byte moves once, whatever the nesting. `open` are offsets in the
/// buffer in ascending order, which are adjusted.
pub(crate) fn widen<'o>(
    buffer: &mut Vec<u8>,
    wide: &mut Vec<Wide>,
    open: impl DoubleEndedIterator<Item = &'o mut usize>,
) {
    if wide.is_empty() {
        return;
    }
    // Headers were added when their containers ended, inner ones first.
    wide.sort_unstable_by_key(|one| one.at);
    let old = buffer.len();
    let added: usize = wide.iter().map(|one| one.header.len()).sum();
    let removed: usize = wide.iter().map(|one| one.reserved).sum();
    let (mut new_before, mut old_before, mut before) = (added, removed, wide.len());
    for at in open.rev() {
        while let Some(one) = before.checked_sub(1).and_then(|last| wide.get(last)).filter(|one| one.at >= *at) {
            (new_before, old_before) = (new_before - one.header.len(), old_before - one.reserved);
            before -= 1;
        }
        *at = *at + new_before - old_before;
    }
    // An announced header may also become shorter. Room for all new headers is enough in between.
    buffer.resize(old + added, 0);
    let (mut from, mut to) = (old, buffer.len());
    while let Some(Wide { at, reserved, header }) = wide.pop() {
        let moved = from - (at + reserved);
        buffer.copy_within(at + reserved..from, to - moved);
        to -= moved;
        from = at;
        let header = header.as_bytes();
        buffer[to - header.len()..to].copy_from_slice(header);
        to -= header.len();
    }
    if removed > 0 {
        buffer.copy_within(to.., from);
        buffer.truncate(old + added - removed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offsets_move_along() {
        let mut buffer = b"_ab__cd_e".to_vec();
        let header = |first, width| Header::new(first, 0x3132_3334, width);
        let mut wide = vec![
            Wide { at: 7, reserved: 1, header: header(b'X', 4) },
            Wide { at: 3, reserved: 2, header: header(b'Y', 0) },
        ];
        let mut open = [0, 5, 6, 8];
        widen(&mut buffer, &mut wide, open.iter_mut());
        assert_eq!(buffer, b"_abYcdX1234e");
        assert_eq!(open, [0, 4, 5, 11]);
        assert!(wide.is_empty());
    }
}
