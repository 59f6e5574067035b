use crate::stream::Base;
use demat_core::Position;

/// Where the values of a document stand in the place that it was made from.
#[derive(Debug, Clone)]
pub(crate) enum Places {
    /// In a text.
    Text(TextPlaces),
    /// Behind this byte, packed.
    Packed(u64),
}

/// Where each value of a document stands in the text that it was made from.
#[derive(Debug, Clone, Default)]
pub(crate) struct TextPlaces {
    /// The text.
    pub(crate) text: Vec<u8>,
    /// Offsets of the document, and the offsets of the text that they were made from, in their order.
    pub(crate) pairs: Vec<(usize, usize)>,
}

impl Places {
    /// The position in the text of what stands at an offset of the document.
    pub(super) fn position(&self, at: usize) -> Position {
        let places = match self {
            Self::Packed(offset) => return Position { offset: Some(*offset), ..Position::default() },
            Self::Text(places) => places,
        };
        let after = places.pairs.partition_point(|(offset, _)| *offset <= at);
        let place = after.checked_sub(1).map_or(0, |index| places.pairs[index].1);
        Base::default().position(&places.text, place)
    }
}
