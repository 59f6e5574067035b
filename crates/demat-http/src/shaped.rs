//! The shape of an answer, in a header, for clients that request it.

use crate::answer::{self, Reply};
use demat_core::Shape;
use http::HeaderMap;
use http::header::HeaderName;
use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};

/// In a request, this header asks for the shape; in the answer, it has the shape as percent-encoded text.
pub(crate) const SHAPE: HeaderName = HeaderName::from_static("demat-shape");
/// Characters that a header can't contain or would lose.
const ESCAPED: &AsciiSet = &CONTROLS.add(b'%');
/// Many clients refuse longer headers.
const LONGEST: usize = 4096;

pub(crate) fn is_asked(headers: &HeaderMap) -> bool {
    headers.contains_key(SHAPE)
}

/// Sets the header, unless the shape is `any` or its text is too long.
pub(crate) fn say(reply: &mut Reply, shape: &Shape) {
    if *shape != Shape::Any {
        let text = utf8_percent_encode(&shape.to_string(), ESCAPED).to_string();
        if text.len() <= LONGEST {
            answer::set(reply, SHAPE, &text);
        }
    }
}

/// Returns the shape of an answer; `None` if the header is absent or invalid.
#[cfg(feature = "remote")]
pub(crate) fn said(headers: &HeaderMap) -> Option<Shape> {
    let text = headers.get(SHAPE)?.to_str().ok().filter(|text| text.len() <= LONGEST)?;
    percent_encoding::percent_decode_str(text).decode_utf8().ok()?.parse().ok()
}
