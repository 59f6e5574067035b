use core::ops::{Deref, DerefMut};

/// An entered value that is not a JSON object of fields.
#[derive(Debug)]
pub(super) enum Frame {
    /// A message that JSON writes as its only field, and whether that field was returned.
    Transparent { begun: bool },
    /// Seconds and nanoseconds, and how many of the two were returned.
    Times { parts: [i64; 2], named: usize },
    /// The paths of a field mask, the number of paths that were read, and whether the list was returned.
    Paths { paths: Vec<String>, asked: usize, named: bool },
    /// The type URL and the bytes of an `Any`, and how many of the two were returned.
    Any { url: String, bytes: Vec<u8>, named: usize },
    /// A list or map of enum names. Names that the slot's enum lacks are skipped.
    Names(u32),
    /// Another list or map, in a message that JSON writes as its only field.
    Many,
    /// A variant.
    Variant,
}

/// The next value for the reader.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Next {
    /// The value at the current position of the JSON.
    Value,
    /// A number of seconds or nanoseconds.
    Int(i64),
    /// The type URL of an `Any`, or its bytes.
    Url,
    Bytes,
    /// The list of paths of a field mask, or the path with this index.
    Paths,
    Path(usize),
    /// The variant of a oneof whose key was read.
    Variant(u32),
    /// The variant of a `google.protobuf.Value`, by the kind of the JSON value.
    Kind,
}

/// The stack of frames: owned, or borrowed from the format, which keeps it from window to window.
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
