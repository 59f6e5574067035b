//! The shape of an answer, for those who ask for it.

use crate::answer::{self, Reply};
use demat_core::Shape;
use http::HeaderMap;
use http::header::HeaderName;
use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};

/// Says in a request that the shape is wanted, and in the answer which it is: as text, percent-encoded.
pub(crate) const SHAPE: HeaderName = HeaderName::from_static("demat-shape");
/// What a header can't have, or would lose.
const ESCAPED: &AsciiSet = &CONTROLS.add(b'%');
/// Longer heads are refused by many.
const LONGEST: usize = 4096;

pub(crate) fn is_asked(headers: &HeaderMap) -> bool {
    headers.contains_key(SHAPE)
}

/// Says a shape, unless nothing is known, or it would take too many words.
pub(crate) fn say(reply: &mut Reply, shape: &Shape) {
    if *shape != Shape::Any {
        let text = utf8_percent_encode(&shape.to_string(), ESCAPED).to_string();
        if text.len() <= LONGEST {
            answer::set(reply, SHAPE, &text);
        }
    }
}

/// The shape that an answer says; nothing where it says none that can be understood.
#[cfg(feature = "remote")]
pub(crate) fn said(headers: &HeaderMap) -> Option<Shape> {
    let text = headers.get(SHAPE)?.to_str().ok().filter(|text| text.len() <= LONGEST)?;
    percent_encoding::percent_decode_str(text).decode_utf8().ok()?.parse().ok()
}
