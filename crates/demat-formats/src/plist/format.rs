use super::document::Document;
use super::source::Frame;
use super::{PlistSource, ReadOptions};
use crate::stream::{Bordered, Part, Windowed};

/// Property lists as a format that is read through a window, which grows to the whole document.
#[derive(Debug, Clone)]
pub struct Plist {
    options: ReadOptions,
    state: State,
}

/// State that the sources of one document share.
#[derive(Debug, Clone, Default)]
pub(super) struct State {
    /// The document, once parsed.
    pub(super) document: Option<Document>,
    /// The open arrays and dicts first. The frames after them are kept for a reset to a mark inside them.
    pub(super) frames: Vec<Frame>,
}

impl Default for Plist {
    fn default() -> Self {
        Self::new(ReadOptions::default())
    }
}

impl Plist {
    /// Returns a reader of property lists with these options.
    pub fn new(options: ReadOptions) -> Self {
        Self { options, state: State::default() }
    }

    /// Returns a source over a complete document.
    pub fn whole<'a>(&mut self, part: Part<'a>) -> PlistSource<'a, '_> {
        PlistSource::new(part, self.options, &mut self.state)
    }
}

impl Windowed for Plist {
    type Source<'w> = PlistSource<'w, 'w>;

    fn source<'w>(&'w mut self, part: Part<'w>) -> PlistSource<'w, 'w> {
        self.whole(part)
    }
}

/// Nothing can be read without the end of the document, so there are no record boundaries.
impl Bordered for Plist {
    fn anew(&self) -> Self {
        Self::new(self.options)
    }
}
