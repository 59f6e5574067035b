use super::Windowed;
use demat_core::Record;

/// A format whose record ends can be guessed from the bytes, so that several threads can read one input.
pub trait Bordered: Windowed + Send + Sync {
    /// Whether each record stands behind its length, as bytes whose fields have numbers and lengths.
    const MESSAGES: bool = false;

    /// The same format, which remembers nothing yet.
    #[must_use]
    fn anew(&self) -> Self;

    /// The first byte from `from` on where a source may stand between two records. It is a guess: the caller checks that a
    /// reader of what is before it comes by, and drops it otherwise. `None`, the default: there is none that anybody can
    /// guess.
    fn border(&self, bytes: &[u8], from: usize, record: &Record) -> Option<usize> {
        let _ = (bytes, from, record);
        None
    }
}

/// Returns the first byte behind a line that is not blank and ends at `from` or later: a border of formats of lines.
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
