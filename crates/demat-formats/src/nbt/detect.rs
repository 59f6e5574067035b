//! Finding out which variant a document is of.

use super::Tag;
use super::source::{Form, Frames, NbtSource};
use super::variant::Variant;
use crate::stream::Part;
use demat_core::{ErrorKind, Signal};

/// So many bytes are looked at, or all where there are fewer.
const ENOUGH: usize = 64 * 1024;
/// So many values that can be read one after the other as Java's are Java's.
const CONVINCING: u32 = 64;

/// What reading a document as one variant came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Outcome {
    /// All of it is NBT.
    Whole,
    /// It ends too early, or goes on behind what was looked at.
    Cut,
    Wrong,
}

/// Returns whether the eight bytes of a Bedrock `level.dat` come first: a version, and how many bytes follow. `None`
/// if more bytes are needed to tell.
pub(super) fn has_header(part: Part<'_>) -> Option<bool> {
    let Some([a, b, 0, 0, len @ .., tag, _, _]) = part.bytes.first_chunk::<11>() else {
        return if part.last || part.bytes.len() >= 11 { Some(false) } else { None };
    };
    let is_likely = (1..1000).contains(&u16::from_le_bytes([*a, *b]));
    if !is_likely || !matches!(Tag::of(*tag), Some(Tag::Compound | Tag::List)) {
        return Some(false);
    }
    // The same is found out whatever the window: by the length, or by so many bytes.
    let (len, there) = (u32::from_le_bytes(*len) as usize, part.bytes.len() - 8);
    if there >= ENOUGH || there > len { Some(len >= ENOUGH) } else { part.last.then_some(len == there) }
}

/// Finds out the variant, and whether there is a header. `None` if more of the place is needed to tell.
///
/// Java's is taken unless the bytes can't be Java's and can be another one's. A document of another variant is whole,
/// or long; so one of Java's that is cut off is never taken for another.
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
    // An empty compound has so few bytes that much of Java's begins like another variant's.
    let is_nothing = first < 2 && form.variant != Variant::Java;
    let outcome = match passed {
        _ if is_nothing => Outcome::Wrong,
        Ok(()) => Outcome::Whole,
        Err(error) if error.signal() == Some(Signal::Incomplete) => Outcome::Cut,
        // The input ends inside a value.
        Err(error) if error.position().offset == Some(part.base.offset + part.bytes.len() as u64) => Outcome::Cut,
        // It is read as far as the limit.
        Err(error) if error.kind() == ErrorKind::Limit => Outcome::Cut,
        Err(_) => Outcome::Wrong,
    };
    (outcome, count)
}
