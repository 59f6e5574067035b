//! Cuts content into pieces, as far as it takes to find its references.

use super::super::scan::chars::is_space;

/// A piece of content.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Piece {
    Text,
    /// A reference to an entity or a character.
    Reference,
    /// The start tag of an element.
    Start,
    /// The tag of an empty element.
    Empty,
    End,
    /// A comment, a processing instruction or a CDATA section: references in it are text.
    Opaque,
}

/// The longest reference that is looked for.
const LONGEST: usize = 1 << 12;

/// Returns the first piece and its length; `None` if its end is not there.
pub(super) fn piece(bytes: &[u8]) -> Option<(Piece, usize)> {
    let within = |end: &[u8], from: usize| {
        let found = memchr::memmem::find(bytes.get(from..)?, end)?;
        Some(from + found + end.len())
    };
    match bytes.first()? {
        b'&' => match reference(bytes)? {
            1 => Some((Piece::Text, 1)),
            len => Some((Piece::Reference, len)),
        },
        b'<' => match bytes.get(1)? {
            b'/' => Some((Piece::End, within(b">", 2)?)),
            b'?' => Some((Piece::Opaque, within(b"?>", 2)?)),
            b'!' if bytes.starts_with(b"<!--") => Some((Piece::Opaque, within(b"-->", 4)?)),
            b'!' if bytes.starts_with(b"<![CDATA[") => Some((Piece::Opaque, within(b"]]>", 9)?)),
            b'!' if bytes.len() < 9 && (b"<!--".starts_with(bytes) || b"<![CDATA[".starts_with(bytes)) => None,
            b'!' => Some((Piece::Opaque, 2)),
            _ => tag(bytes),
        },
        _ => Some((Piece::Text, memchr::memchr2(b'<', b'&', bytes).unwrap_or(bytes.len()))),
    }
}

/// The length of a reference; 1 if it is none.
fn reference(bytes: &[u8]) -> Option<usize> {
    let ends = |byte: &u8| matches!(byte, b';' | b'<' | b'&' | b'"' | b'\'') || is_space(*byte);
    match bytes.iter().skip(1).take(LONGEST).position(ends) {
        Some(len) if bytes[len + 1] == b';' => Some(len + 2),
        None if bytes.len() <= LONGEST => None,
        _ => Some(1),
    }
}

fn tag(bytes: &[u8]) -> Option<(Piece, usize)> {
    let mut at = 1;
    loop {
        let found = memchr::memchr3(b'>', b'"', b'\'', bytes.get(at..)?)?;
        at += found + 1;
        match bytes[at - 1] {
            b'>' if bytes[at - 2] == b'/' => return Some((Piece::Empty, at)),
            b'>' => return Some((Piece::Start, at)),
            quote => at += memchr::memchr(quote, bytes.get(at..)?)? + 1,
        }
    }
}

/// Returns where the next reference in a tag's attributes begins and ends.
pub(super) fn reference_in_tag(tag: &[u8], from: usize) -> Option<(usize, usize)> {
    let mut at = from;
    loop {
        at += memchr::memchr(b'&', tag.get(at..)?)?;
        match reference(&tag[at..])? {
            1 => at += 1,
            len => return Some((at, at + len)),
        }
    }
}
