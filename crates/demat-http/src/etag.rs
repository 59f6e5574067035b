//! Entity tags, which hold the versions of values.

use crate::embed::Embed;
use crate::encoding::Encoding;
use core::hash::{Hash, Hasher};
use demat_place::Format;
use demat_store::{Query, Version, When};
use http::header::{HeaderName, IF_MATCH, IF_NONE_MATCH};
use http::{HeaderMap, HeaderValue};
use std::hash::DefaultHasher;

/// Returns the tag of a version of a value in one representation: the version, and a hash of the representation.
///
/// Representations of one value have different tags, since their bytes differ. Conditions on changes compare only the
/// version.
pub(crate) fn tag(version: Version, format: Format, query: impl Hash, url: &str, packed: Option<Encoding>) -> String {
    let mut form = DefaultHasher::new();
    (format.name(), url, packed.map(Encoding::name)).hash(&mut form);
    query.hash(&mut form);
    format!("\"{:016x}-{:08x}\"", version.0, form.finish() as u32)
}

/// Returns the tag, without quotes, that a server gives a version of a whole value in a format.
///
/// ```
/// use demat_http::value_tag;
/// use demat_place::Format;
/// use demat_store::Version;
/// assert!(value_tag(Version(1), Format::JSON).starts_with("0000000000000001-"));
/// ```
pub fn value_tag(version: Version, format: Format) -> String {
    let whole: (Query, Vec<Embed>) = Default::default();
    tag(version, format, (&whole.0, &whole.1), "", None).trim_matches('"').to_string()
}

/// Returns the tags in a header; `*` counts as one.
fn tags(value: &HeaderValue) -> Option<Vec<&str>> {
    Some(value.to_str().ok()?.split(',').map(str::trim).filter(|tag| !tag.is_empty()).collect())
}

/// Whether the client has this version already.
pub(crate) fn is_known(headers: &HeaderMap, tag: &str) -> bool {
    let known = |value| tags(value).is_some_and(|tags| tags.iter().any(|own| matches!(*own, "*") || weak(own) == tag));
    headers.get_all(IF_NONE_MATCH).iter().any(known)
}

fn weak(tag: &str) -> &str {
    tag.strip_prefix("W/").unwrap_or(tag)
}

/// Returns whether the request has conditional headers.
pub(crate) fn has_conditions(headers: &HeaderMap) -> bool {
    headers.contains_key(IF_MATCH) || headers.contains_key(IF_NONE_MATCH)
}

/// Parses the condition for a change. Returns `None` if a header is invalid, or if both are present.
pub(crate) fn when(headers: &HeaderMap) -> Option<When> {
    let version = |tag: &str| {
        let number = tag.trim_matches('"').split('-').next()?;
        // A tag of another origin matches no version.
        Some(Version(u64::from_str_radix(number, 16).ok()?))
    };
    let all = |name: &HeaderName| {
        let values: Option<Vec<Vec<&str>>> = headers.get_all(name).iter().map(tags).collect();
        values.map(|values| values.concat())
    };
    match (headers.contains_key(IF_MATCH), headers.contains_key(IF_NONE_MATCH)) {
        (false, false) => Some(When::Always),
        (true, true) => None,
        (true, false) => {
            let tags = all(&IF_MATCH)?;
            // A weak tag never matches in `If-Match` (RFC 9110, 13.1.1).
            let versions = tags.iter().filter(|tag| !tag.starts_with("W/")).filter_map(|tag| version(tag)).collect();
            Some(if tags.contains(&"*") { When::There } else { When::Of(versions) })
        }
        (false, true) => {
            let tags = all(&IF_NONE_MATCH)?;
            let versions = tags.iter().filter_map(|tag| version(weak(tag))).collect();
            Some(if tags.contains(&"*") { When::Absent } else { When::NotOf(versions) })
        }
    }
}
