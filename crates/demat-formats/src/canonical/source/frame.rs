use core::ops::{Deref, DerefMut};

/// Something that the source has stepped into, and that is no object of fields.
#[derive(Debug)]
pub(super) enum Frame {
    /// A message that stands for its only field, and whether that was named.
    Transparent { begun: bool },
    /// Seconds and nanoseconds, and how many of both were named.
    Times { parts: [i64; 2], named: usize },
    /// The paths of a mask, how many of them were asked for, and whether the list was named.
    Paths { paths: Vec<String>, asked: usize, named: bool },
    /// The type and the bytes of a message, and how many of both were named.
    Any { url: String, bytes: Vec<u8>, named: usize },
    /// A list or map of names that are passed over where the slot's enum does not have them.
    Names(u32),
    /// A list or map of anything else, within a message that stands for it.
    Many,
    /// A variant.
    Variant,
}

/// What is asked for next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Next {
    /// What stands in the JSON.
    Value,
    /// A number of seconds or nanoseconds.
    Int(i64),
    /// The URL of a type, or the bytes of a message.
    Url,
    Bytes,
    /// A mask's list of paths, or the path with this index.
    Paths,
    Path(usize),
    /// The variant of a oneof whose name was read.
    Variant(u32),
    /// That which a value's kind tells.
    Kind,
}

/// What it has stepped into, kept here or where windows come from.
#[derive(Debug)]
pub(super) enum Frames<'a> {
    Own(Vec<Frame>),
    Borrowed(&'a mut Vec<Frame>),
}

impl Deref for Frames<'_> {
    type Target = Vec<Frame>;
    #[inline]
    fn deref(&self) -> &Vec<Frame> {
        match self {
            Self::Own(frames) => frames,
            Self::Borrowed(frames) => frames,
        }
    }
}

impl DerefMut for Frames<'_> {
    #[inline]
    fn deref_mut(&mut self) -> &mut Vec<Frame> {
        match self {
            Self::Own(frames) => frames,
            Self::Borrowed(frames) => frames,
        }
    }
}
