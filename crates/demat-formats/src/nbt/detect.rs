//! Detects the variant of a document.

use super::Tag;
use super::source::{Form, Frames, NbtSource};
use super::variant::Variant;
use crate::stream::Part;
use demat_core::{ErrorKind, Signal};

/// The number of bytes that detection looks at. It looks at all bytes of a shorter document.
const ENOUGH: usize = 64 * 1024;
/// A document is Java's if this many of its first values parse as Java's.
const CONVINCING: u32 = 64;

/// The result of parsing a document as one variant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Outcome {
    /// The whole document parses.
    Whole,
    /// The document ends too early, or is longer than the bytes that detection looks at.
    Cut,
    Wrong,
}

/// Returns whether the document begins with the eight bytes of a Bedrock `level.dat`: a version, and the number of
/// bytes that follow. Returns `None` if it needs more bytes.
pub(super) fn has_header(part: Part<'_>) -> Option<bool> {
    let Some([a, b, 0, 0, len @ .., tag, _, _]) = part.bytes.first_chunk::<11>() else {
        return if part.last || part.bytes.len() >= 11 { Some(false) } else { None };
    };
    let is_likely = (1..1000).contains(&u16::from_le_bytes([*a, *b]));
    if !is_likely || !matches!(Tag::of(*tag), Some(Tag::Compound | Tag::List)) {
        return Some(false);
    }
    // The result must not depend on the size of the window. The length decides, or a fixed number of bytes.
    let (len, there) = (u32::from_le_bytes(*len) as usize, part.bytes.len() - 8);
    if there >= ENOUGH || there > len { Some(len >= ENOUGH) } else { part.last.then_some(len == there) }
}

/// Detects the variant, and whether there is a header. Returns `None` if it needs more of the input.
///
/// The result is Java's variant, unless the bytes can't be Java's and can be another variant's. It accepts another
/// variant only if the document is complete or long. So a truncated Java document is never detected as another variant.
pub(super) fn detect(part: Part<'_>, form: Form) -> Option<Form> {
    if has_header(part)? {
        return Some(Form { variant: Variant::Bedrock, header: true, ..form });
    }
    let java = Form { variant: Variant::Java, ..form };
    let shown = part.bytes.len().min(ENOUGH);
    let part = Part { bytes: &part.bytes[..shown], last: part.last && shown == part.bytes.len(), base: part.base };
    let (outcome, count) = probe(part, java);
    if outcome == Outcome::Whole || outcome == Outcome::Cut && count >= CONVINCING {
        return Some(java);
    }
    if !part.last && shown < ENOUGH {
        return None;
    }
    let mut best = (outcome, count, java);
    for variant in [Variant::Bedrock, Variant::BedrockNetwork] {
        let form = Form { variant, ..form };
        match probe(part, form) {
            (Outcome::Whole, _) => return Some(form),
            (Outcome::Cut, count) if best.0 == Outcome::Wrong || !part.last && count > best.1 => {
                best = (Outcome::Cut, count, form);
            }
            _ => {}
        }
    }
    Some(best.2)
}

fn probe(part: Part<'_>, form: Form) -> (Outcome, u32) {
    let mut source = NbtSource::with(part, form, Frames::Own(Vec::new()));
    let (first, count, passed) = source.probe();
    // An empty compound has so few bytes that many Java documents begin like one of another variant.
    let is_nothing = first < 2 && form.variant != Variant::Java;
    let outcome = match passed {
        _ if is_nothing => Outcome::Wrong,
        Ok(()) => Outcome::Whole,
        Err(error) if error.signal() == Some(Signal::Incomplete) => Outcome::Cut,
        // The input ends inside a value.
        Err(error) if error.position().offset == Some(part.base.offset + part.bytes.len() as u64) => Outcome::Cut,
        // The values up to the depth limit parse.
        Err(error) if error.kind() == ErrorKind::Limit => Outcome::Cut,
        Err(_) => Outcome::Wrong,
    };
    (outcome, count)
}
