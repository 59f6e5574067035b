//! Skipping values: as strict as decoding, without recursion.

use super::super::Tag;
use super::super::options::Root;
use super::frame::Within;
use super::{NbtSource, Phase};
use demat_core::Result;

/// A count from here on is that of no array in practice: small counts are as large in the wrong byte order.
const MANY: u32 = 1 << 24;

/// A list or compound that is being skipped.
#[derive(Debug, Clone, Copy)]
pub(super) enum Open {
    List { tag: Tag, left: u32 },
    Compound,
}

/// The progress of a search for the end of a value.
#[derive(Debug, Clone, Default)]
pub(crate) struct Search {
    /// The tag of the value that comes next. `None` between two values.
    tag: Option<Tag>,
    /// The lists and compounds that are open in the value.
    open: Vec<Open>,
    has_begun: bool,
}

impl Search {
    fn begin(&mut self, tag: Tag) {
        self.open.clear();
        (self.tag, self.has_begun) = (Some(tag), true);
    }
}

impl NbtSource<'_> {
    /// Returns the offset of the end of the payload with this tag at `at`.
    pub(in super::super) fn end_of(&mut self, tag: Tag, at: usize) -> Result<usize> {
        let mut search = core::mem::take(&mut self.search);
        search.begin(tag);
        let mut end = at;
        let ended = self.find_end(&mut end, &mut search);
        self.search = search;
        ended.map(|()| end)
    }

    /// Advances `at` to the end of the item that begins there, of a list or a sequence. After
    /// [`Incomplete`](demat_core::Signal::Incomplete), the search can continue in a longer part.
    pub(in super::super) fn find_end_of_item(&mut self, at: &mut usize, search: &mut Search) -> Result<()> {
        if !search.has_begun {
            if let Some((Within::List, tag)) = self.innermost().map(|frame| (frame.within, frame.tag)) {
                search.begin(tag);
            } else {
                let (tag, payload) = self.root_at(*at)?;
                *at = payload;
                search.begin(tag);
            }
        }
        self.find_end(at, search)
    }

    /// Advances `at` to the end of a value.
    fn find_end(&mut self, at: &mut usize, search: &mut Search) -> Result<()> {
        loop {
            if let Some(tag) = search.tag {
                *at = match self.step_over(tag, *at, &mut search.open) {
                    Ok(end) => end,
                    Err(error) => {
                        self.steps = self.steps.saturating_add(self.items_there(tag, *at));
                        return Err(error);
                    }
                };
                search.tag = None;
                self.steps = self.steps.saturating_add(1);
                self.unsure += u32::from(tag == Tag::Compound);
            }
            // Moves to the next child, and closes the containers that have ended.
            loop {
                match search.open.last_mut() {
                    None => return Ok(()),
                    Some(Open::List { tag: item, left }) => {
                        if let Some(fewer) = left.checked_sub(1) {
                            *left = fewer;
                            search.tag = Some(*item);
                            break;
                        }
                    }
                    Some(Open::Compound) => {
                        let (next, after) = self.tag_at(*at)?;
                        if next != Tag::End {
                            let (name, end) = self.text_at(after)?;
                            self.unsure += u32::from(name.is_empty() && next != Tag::Compound);
                            (*at, search.tag) = (end, Some(next));
                            break;
                        }
                        *at = after;
                    }
                }
                search.open.pop();
            }
        }
    }

    /// Skips a scalar or an array, or opens a list or compound.
    fn step_over(&self, tag: Tag, at: usize, open: &mut Vec<Open>) -> Result<usize> {
        let opened = match tag {
            Tag::Compound => (Open::Compound, at),
            Tag::List => {
                let (tag, left, end) = self.list_at(at)?;
                (Open::List { tag, left }, end)
            }
            Tag::ByteArray | Tag::IntArray | Tag::LongArray => return self.end_of_array(tag, at),
            Tag::String => return self.text_at(at).map(|(_, end)| end),
            Tag::Float => return self.number(self.form.variant.float(self.part.bytes, at)).map(|(_, end)| end),
            Tag::Double => return self.number(self.form.variant.double(self.part.bytes, at)).map(|(_, end)| end),
            Tag::End => return Ok(at),
            int => return self.int_at(int, at).map(|(_, end)| end),
        };
        if self.levels() + open.len() >= self.form.depth as usize {
            return Err(self.too_deep(at));
        }
        open.push(opened.0);
        Ok(opened.1)
    }

    /// Returns the offset of the end of an array.
    fn end_of_array(&self, tag: Tag, at: usize) -> Result<usize> {
        let (count, mut at) = self.count_at(at)?;
        let item = tag.item().unwrap_or(Tag::Byte);
        if let Some(width) = self.form.variant.width(item) {
            let len = (count as usize).checked_mul(width);
            let end = len.and_then(|len| at.checked_add(len)).filter(|end| *end <= self.part.bytes.len());
            return end.ok_or_else(|| self.cut_short(at, count, tag.name()));
        }
        for _ in 0..count {
            at = self.int_at(item, at)?.1;
        }
        Ok(at)
    }

    /// Returns the number of items before the end of the input, of an array that the input ends in. Returns 0 if its
    /// count is as large as one in the wrong byte order.
    #[cold]
    fn items_there(&self, tag: Tag, at: usize) -> u32 {
        let width = tag.item().and_then(|item| self.form.variant.width(item));
        let (Some(width), Ok((count, start))) = (width, self.count_at(at)) else { return 0 };
        let there = self.part.bytes.len().saturating_sub(start) / width;
        if count < MANY { count.min(there as u32) } else { 0 }
    }

    /// Returns whether the whole input is a sequence of at least two compounds.
    pub(super) fn is_sequence(&mut self) -> Result<bool> {
        if !self.is_at_root() || self.form.root == Root::Entry {
            return Ok(false);
        }
        let (tag, at) = self.root_at(self.at)?;
        if tag != Tag::Compound {
            return Ok(false);
        }
        match self.end_of(tag, at) {
            Ok(end) => match self.part.bytes.get(end) {
                Some(byte) => Ok(*byte == Tag::Compound as u8),
                None if self.part.last => Ok(false),
                None => Err(self.ended("a compound")),
            },
            Err(error) if error.signal().is_some() => Err(error),
            // The first compound is malformed. Reading it returns the error with its path.
            Err(_) => Ok(false),
        }
    }

    /// Skips all values of the input. Returns the number of lists, compounds and scalars in the first value, and in all
    /// values. On an error, these are the numbers before it; the items of an array that the input ends in count. Compounds,
    /// and values without a name, count in the first value only: in the wrong byte order, an array of longs is a list of
    /// them.
    pub(in super::super) fn probe(&mut self) -> (u32, u32, Result<()>) {
        let mut first = None;
        let passed = loop {
            let end = match self.root_at(self.at) {
                Ok((tag, _)) if tag != Tag::Compound && first.is_some() => Err(self.no_tag(self.at, tag as u8)),
                Ok((tag, at)) => self.end_of(tag, at),
                Err(error) => Err(error),
            };
            match end {
                Ok(end) if end == self.part.bytes.len() => {
                    break if self.part.last { Ok(()) } else { Err(self.ended("a value")) };
                }
                Ok(end) => {
                    first.get_or_insert(self.steps);
                    (self.at, self.phase) = (end, Phase::Root);
                }
                Err(error) => break Err(error),
            }
        };
        (first.unwrap_or(self.steps), self.steps.saturating_sub(self.unsure), passed)
    }
}
