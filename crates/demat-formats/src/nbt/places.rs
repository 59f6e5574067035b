use crate::stream::{Base, Counter};
use demat_core::Position;

/// Maps the values of a document to positions in the input that the document was made from.
#[derive(Debug, Clone)]
pub(crate) enum Places {
    /// The document was parsed from text.
    Text(TextPlaces),
    /// The document was unpacked from data that begins at this byte.
    Packed(u64),
}

/// Maps the values of a document to positions in the text that it was parsed from.
#[derive(Debug, Clone, Default)]
pub(crate) struct TextPlaces {
    /// The text.
    pub(crate) text: Vec<u8>,
    /// Pairs of offsets, in ascending order: one in the document, and the one in the text that it was parsed from.
    pub(crate) pairs: Vec<(usize, usize)>,
}

impl Places {
    /// Returns the position in the text for an offset in the document. `counter` counts the lines of this text.
    pub(super) fn position(&self, counter: &Counter, at: usize) -> Position {
        let places = match self {
            Self::Packed(offset) => return Position { offset: Some(*offset), ..Position::default() },
            Self::Text(places) => places,
        };
        let after = places.pairs.partition_point(|(offset, _)| *offset <= at);
        let place = after.checked_sub(1).map_or(0, |index| places.pairs[index].1);
        counter.position(&Base::default(), &places.text, place)
    }
}
