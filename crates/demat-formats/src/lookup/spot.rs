use crate::Format;
use crate::codec::{Engine, ReadOptions};
use crate::stream::{Base, Part};
use demat_core::{Mark, Result, Source};
use std::borrow::Cow;

/// The place of a value in a document.
///
/// It holds the container around the value, and the mark of the value in it. So it also says where parts of a value
/// stand that have no bytes of their own, such as the code of an extension type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Spot {
    /// `None` for the document itself.
    around: Option<Around>,
    /// Whether the document is a table. Its rows need the header, so each source begins with the document, and all marks
    /// count from there.
    is_table: bool,
}

/// A container, and the mark of a value in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Around {
    /// Where the container begins in the document.
    start: usize,
    is_map: bool,
    /// The number of containers around this one.
    level: u32,
    mark: Mark,
}

impl Spot {
    /// The document itself.
    pub const WHOLE: Self = Self { around: None, is_table: false };

    /// Returns the document itself, of this format; `None` if values inside such a document can't be looked up.
    ///
    /// ```
    /// use demat_formats::{Format, lookup::Spot};
    /// assert_eq!(Spot::whole(Format::JSON), Some(Spot::WHOLE));
    /// assert!(Spot::whole(Format::CSV).is_some_and(|spot| spot.is_in_table()));
    /// assert_eq!(Spot::whole(Format::XML), None);
    /// ```
    pub fn whole(format: Format) -> Option<Self> {
        let is_table = format.about().engine == Engine::Cells;
        (is_table || format.about().values_stand_alone).then_some(Self { is_table, ..Self::WHOLE })
    }

    /// Returns whether the document is a table, whose values can't be read without its header.
    pub fn is_in_table(&self) -> bool {
        self.is_table
    }

    /// Returns whether it is the document itself.
    pub fn is_whole(&self) -> bool {
        self.around.is_none()
    }

    /// Returns where the value begins, in bytes from the start of the document. White space may come first.
    pub fn start(&self) -> usize {
        self.around.map_or(0, |around| around.start + around.mark.offset)
    }

    /// Returns the number of containers around the value.
    pub fn level(&self) -> u32 {
        self.around.map_or(0, |around| around.level + 1)
    }

    /// Returns the spot of a child of this container. `mark` is of a source that [`open_inside`](super::open_inside) has
    /// opened here, at the child.
    #[must_use]
    pub fn child(&self, is_map: bool, mark: Mark) -> Self {
        let start = self.inner_start();
        Self { around: Some(Around { start, is_map, level: self.level(), mark }), ..*self }
    }

    /// Returns where the container around the value begins: where a source begins that [reaches](Self::reach) it.
    pub fn outer_start(&self) -> usize {
        self.around.map_or(0, |around| around.start)
    }

    /// Returns where a source begins that [`open_inside`](super::open_inside) opens here: with the value, or with the table
    /// that it is in.
    pub fn inner_start(&self) -> usize {
        if self.is_table { 0 } else { self.start() }
    }

    /// Returns whether a mark has the state of this value's, but for the number of containers around it.
    pub(super) fn is_like(&self, mark: Mark) -> bool {
        self.around.is_none_or(|around| around.mark.state[1..] == mark.state[1..])
    }

    /// Moves a source over the container to the value in it.
    ///
    /// # Errors
    /// If the bytes are another container than they were.
    pub fn reach<'a, S: Source<'a>>(&self, source: &mut S) -> Result<()> {
        let Some(around) = self.around else { return Ok(()) };
        if around.is_map && !self.is_table {
            source.map()?;
        } else {
            source.list()?;
        }
        source.reset(around.mark);
        Ok(())
    }

    /// Returns the options for a source that begins with the container around the value.
    pub fn outer_options<'o>(&self, format: Format, options: &'o ReadOptions) -> Cow<'o, ReadOptions> {
        match self.around {
            Some(around) => options_at(format, options, around.start, around.level),
            None => Cow::Borrowed(options),
        }
    }

    /// Returns the options for a source that begins with the value.
    pub fn options<'o>(&self, format: Format, options: &'o ReadOptions) -> Cow<'o, ReadOptions> {
        if self.is_whole() { Cow::Borrowed(options) } else { options_at(format, options, self.start(), self.level()) }
    }
}

/// Returns the options for a source that begins inside of `level` containers.
fn options_at(format: Format, options: &ReadOptions, start: usize, level: u32) -> Cow<'_, ReadOptions> {
    if level == 0 {
        return Cow::Borrowed(options);
    }
    let mut own = match format.codec().filter(|_| start == 0) {
        // The first item of a sequence begins where the document does.
        Some(codec) => codec.options_inside(options),
        None => options.clone(),
    };
    own.depth = options.depth.saturating_sub(level);
    Cow::Owned(own)
}

/// Returns the part of a document from a byte on. Lines are not counted.
pub(super) fn part_from(bytes: &[u8], start: usize) -> Part<'_> {
    let base = Base { offset: start as u64, ..Base::default() };
    Part { bytes: bytes.get(start..).unwrap_or_default(), last: true, base }
}
