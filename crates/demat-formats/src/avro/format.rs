use super::ReadOptions;
use super::header::{SYNC, length, number};
use super::source::{AvroSource, State};
use crate::binary::Input;
use crate::stream::{Bordered, Part, Windowed};
use demat_core::{Mark, Result, Shape};

/// Avro as a format that is read through a window, which holds a block as a whole.
#[derive(Debug, Clone, Default)]
pub struct Avro {
    options: ReadOptions,
    state: State,
}

impl Avro {
    /// Returns Avro that is read with these options.
    pub fn new(options: ReadOptions) -> Self {
        // A mark has 32 bits for the offset in a block.
        let block = options.block.min(u32::MAX as usize);
        Self { options: ReadOptions { block, ..options }, state: State::default() }
    }

    /// Returns a source of a whole file.
    pub fn whole<'a>(&mut self, part: Part<'a>) -> AvroSource<'a, '_> {
        AvroSource::new(part, self.options, &mut self.state)
    }
}

impl Windowed for Avro {
    type Source<'w> = AvroSource<'w, 'w>;

    fn source<'w>(&'w mut self, part: Part<'w>) -> AvroSource<'w, 'w> {
        self.whole(part)
    }

    fn begin(&mut self, _: &Shape) -> Result<()> {
        self.state = State::default();
        Ok(())
    }

    fn declares(&self) -> bool {
        true
    }

    fn declared(&self) -> Option<Shape> {
        self.state.header.as_ref().and_then(|header| header.schema.shape())
    }

    /// Looks at the length of the next block. A block that was begun is there as a whole.
    fn holds_item(&mut self, part: Part<'_>, mark: Mark) -> Option<bool> {
        if AvroSource::is_in_block(mark) {
            return Some(true);
        }
        let end = block(Input::new(part), mark.offset).map(|(.., end)| end);
        Some(end.map_or_else(|error| error.signal().is_none(), |end| end <= part.bytes.len()))
    }
}

/// Reads the head of a block: the number of its values, and where its data begins and ends.
///
/// # Errors
/// If the numbers are invalid, or the window ends before them.
pub(super) fn block(input: Input<'_>, at: usize) -> Result<(u64, usize, usize, usize)> {
    let (count, begin) = length(input, at, "the number of values in a block")?;
    let (len, data) = number(input, begin, "the length of a block")?;
    let len = usize::try_from(len).ok().filter(|len| data.checked_add(*len).is_some_and(|end| end < usize::MAX - SYNC));
    let Some(len) = len else {
        return Err(input.unexpected(begin, "the length of a block", "a number out of range"));
    };
    Ok((count, data, data + len, data + len + SYNC))
}

/// Blocks end with a marker, but one thread reads a file: values are read from each block in their order.
impl Bordered for Avro {
    fn anew(&self) -> Self {
        Self::new(self.options)
    }
}
