//! Replacements of bytes by others of another length. They are applied when no rollback can undo them any more.

/// A replacement.
#[derive(Debug, Clone)]
pub(super) struct Edit {
    /// The bytes to replace.
    pub(super) from: usize,
    pub(super) to: usize,
    pub(super) by: Vec<u8>,
}

/// Applies all replacements in one pass: each byte moves once, at any nesting. Replacements must not overlap.
pub(super) fn apply(buffer: &mut Vec<u8>, edits: &mut Vec<Edit>) {
    if edits.is_empty() {
        return;
    }
    // Each was added when its list ended, so inner lists come first.
    edits.sort_unstable_by_key(|edit| edit.from);
    let mut edited = Vec::with_capacity(buffer.len());
    let mut at = 0;
    for edit in edits.drain(..) {
        edited.extend_from_slice(&buffer[at..edit.from]);
        edited.extend_from_slice(&edit.by);
        at = edit.to;
    }
    edited.extend_from_slice(&buffer[at..]);
    *buffer = edited;
}

/// Returns the offset after all replacements of a byte that none of them replaces.
pub(super) fn moved(at: usize, edits: &[Edit]) -> usize {
    let before = edits.iter().filter(|edit| edit.to <= at);
    before.fold(at, |at, edit| at + edit.by.len() - (edit.to - edit.from))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edits_are_made_in_any_order() {
        let edit = |from, to, by: &str| Edit { from, to, by: by.into() };
        let mut edits = vec![edit(4, 6, "xyz"), edit(1, 2, "")];
        assert_eq!((moved(0, &edits), moved(3, &edits), moved(7, &edits)), (0, 2, 7));
        let mut buffer = b"0123456789".to_vec();
        apply(&mut buffer, &mut edits);
        assert_eq!(buffer, b"023xyz6789");
        assert!(edits.is_empty());
    }
}
