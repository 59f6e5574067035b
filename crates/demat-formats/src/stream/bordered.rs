use super::Windowed;
use demat_core::Record;

/// A format whose record boundaries can be guessed from the bytes, so that several threads can read one input.
pub trait Bordered: Windowed + Send + Sync {
    /// Whether each record is length-prefixed and consists of numbered fields with lengths, as in Protocol Buffers.
    const MESSAGES: bool = false;

    /// Returns the same format without any state.
    #[must_use]
    fn anew(&self) -> Self;

    /// Returns the first position from `from` on that may be a boundary between two records. It is a guess: the caller
    /// checks that a reader of the bytes before it arrives at it, and discards the guess otherwise. The default,
    /// `None`, means that boundaries can't be guessed.
    fn border(&self, bytes: &[u8], from: usize, record: &Record) -> Option<usize> {
        let _ = (bytes, from, record);
        None
    }
}

/// Returns the first byte after a non-blank line that ends at `from` or later: a record boundary in line-based formats.
pub(crate) fn after_line(bytes: &[u8], from: usize) -> Option<usize> {
    let mut begin = bytes.get(..from)?.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
    loop {
        let end = begin + bytes.get(begin..)?.iter().position(|byte| *byte == b'\n')?;
        if end >= from && !bytes[begin..end].trim_ascii().is_empty() {
            return Some(end + 1);
        }
        begin = end + 1;
    }
}
