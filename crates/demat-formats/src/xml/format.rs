use super::source::State;
use super::view::View;
use super::{ReadOptions, XmlSource};
use crate::stream::{Bordered, Part, Windowed};
use std::sync::Arc;

/// XML as a format that is read through a window.
#[derive(Debug, Default)]
pub struct Xml {
    options: Arc<ReadOptions>,
    /// The open elements with their names and namespaces, and the index of the element in work.
    state: State,
    /// The text of the document, if it is not the input itself.
    view: View,
}

impl Xml {
    /// Returns XML that is read with these options.
    pub fn new(options: ReadOptions) -> Self {
        Self { options: Arc::new(options), ..Self::default() }
    }
}

impl Windowed for Xml {
    type Source<'w> = XmlSource<'w>;

    fn source<'w>(&'w mut self, part: Part<'w>) -> XmlSource<'w> {
        self.view.read(part, &self.options);
        XmlSource::continued(self.view.part(part), self.options.clone(), &mut self.state)
    }
}

/// An element may stand in a comment or in another element, so there are no borders that can be guessed.
impl Bordered for Xml {
    fn anew(&self) -> Self {
        Self { options: self.options.clone(), ..Self::default() }
    }
}
