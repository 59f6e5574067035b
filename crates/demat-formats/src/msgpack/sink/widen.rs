//! Headers that turned out longer than what was reserved for them.

use super::header::Header;

/// A header to be replaced.
#[derive(Debug, Clone, Copy)]
pub(super) struct Wide {
    /// Where the reserved bytes are, and how many.
    pub(super) at: usize,
    pub(super) reserved: usize,
    pub(super) header: Header,
}

/// Replaces headers by other ones, in one pass from the end: each byte moves once, whatever the nesting.
pub(super) fn widen(buffer: &mut Vec<u8>, wide: &mut Vec<Wide>) {
    if wide.is_empty() {
        return;
    }
    // They were noted as their containers ended, inner ones first.
    wide.sort_unstable_by_key(|one| one.at);
    let old = buffer.len();
    let added: usize = wide.iter().map(|one| one.header.as_bytes().len()).sum();
    let removed: usize = wide.iter().map(|one| one.reserved).sum();
    // An announced header may also become shorter. Room for all new ones is enough on the way.
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
