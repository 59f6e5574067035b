//! Content negotiation.

use demat_formats::codec::{Model, Records};
use demat_place::Format;
use http::header::{ACCEPT, CONTENT_TYPE};
use http::{HeaderMap, Method};

/// The formats of requests and answers.
pub(crate) fn formats() -> impl Iterator<Item = Format> {
    Format::all().filter(|format| is_offered(*format))
}

/// Whether requests and answers may be of this format.
pub(crate) fn is_offered(format: Format) -> bool {
    format.is_streamed() && format.about().records == Records::Any
}

/// Returns the format that the client prefers: JSON without an `Accept` header, `None` if no format is acceptable.
///
/// Each format gets the weight of the most specific range that matches it (RFC 9110, 12.5.1). Weight zero excludes it.
pub(crate) fn wanted(headers: &HeaderMap) -> Option<Format> {
    wanted_of(headers, is_offered)
}

/// The same, of the formats that fit, whether or not they hold any list of records.
pub(crate) fn wanted_of(headers: &HeaderMap, fits: impl Fn(Format) -> bool) -> Option<Format> {
    let said = headers.get_all(ACCEPT).iter().filter_map(|value| value.to_str().ok());
    let ranges: Vec<(&str, u16)> =
        said.flat_map(|value| value.split(',').map(str::trim)).filter(|part| !part.is_empty()).map(weighed).collect();
    if ranges.is_empty() && fits(Format::DEFAULT) {
        return Some(Format::DEFAULT);
    }
    // Weight, specificity, and position in the header (earlier wins).
    type Rank = (u16, u8, core::cmp::Reverse<usize>);
    let mut best: Option<(Rank, Format)> = None;
    // Browsers ask for XML beside HTML when they load a page, and show what comes of it as a tree of elements.
    let is_browser = ranges.iter().any(|(range, _)| range.eq_ignore_ascii_case("text/html"));
    let is_shown = |format: &Format| fits(*format) && !(is_browser && format.about().model == Model::Markup);
    for format in Format::all().filter(is_shown) {
        let names = |(place, (range, weight)): (usize, &(&str, u16))| {
            Some((names(range, format)?, *weight, core::cmp::Reverse(place)))
        };
        let Some((exact, weight, place)) = ranges.iter().enumerate().filter_map(names).max_by_key(|(exact, ..)| *exact)
        else {
            continue;
        };
        let rank = (weight, exact, place);
        if weight > 0 && best.is_none_or(|(than, _)| rank > than) {
            best = Some((rank, format));
        }
    }
    best.map(|(_, format)| format)
}

/// Returns how specifically a media range matches a format: 0 for `*/*`, 1 for `type/*`, 2 for an exact match.
fn names(range: &str, format: Format) -> Option<u8> {
    let all = format.media_types();
    let is = |range: &str| all.iter().any(|own| own.eq_ignore_ascii_case(range));
    if is(range) || of_media_type(range) == Some(format) {
        return Some(2);
    }
    match range.split_once('/')? {
        ("*", "*") => Some(0),
        (kind, "*") => {
            let begins = |own: &&str| own.split_once('/').is_some_and(|(own, _)| own.eq_ignore_ascii_case(kind));
            // JSON also has a media type under `text`, but `text/*` doesn't mean it.
            begins(&format.stream_type()).then_some(1)
        }
        _ => None,
    }
}

/// Whether the `Accept` header names a media type.
pub(crate) fn accepts(headers: &HeaderMap, media_type: &str) -> bool {
    let named = |value: &http::HeaderValue| {
        value.to_str().is_ok_and(|value| {
            value
                .split(',')
                .any(|part| matches!(weighed(part.trim()), (own, 1..) if own.eq_ignore_ascii_case(media_type)))
        })
    };
    headers.get_all(ACCEPT).iter().any(named)
}

/// Parses a media range and its weight in thousandths.
pub(crate) fn weighed(part: &str) -> (&str, u16) {
    let mut parts = part.split(';').map(str::trim);
    let range = parts.next().unwrap_or_default();
    let weight = parts.find_map(|part| part.strip_prefix("q=").or_else(|| part.strip_prefix("Q=")));
    (range, weight.map_or(1000, thousandths))
}

/// Parses a weight: `1`, or `0.` and digits, of which three count. An invalid weight counts as 1.
fn thousandths(weight: &str) -> u16 {
    let (whole, digits) = weight.trim().split_once('.').unwrap_or((weight.trim(), ""));
    if whole != "0" || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return 1000;
    }
    let first: String = digits.chars().chain("000".chars()).take(3).collect();
    // A positive weight below a thousandth must not become zero.
    let least = u16::from(digits.bytes().any(|byte| byte != b'0'));
    first.parse::<u16>().unwrap_or(0).max(least)
}

/// Returns the format of a media type; ignores its parameters.
pub(crate) fn of_media_type(media_type: &str) -> Option<Format> {
    let essence = media_type.split(';').next().unwrap_or_default().trim();
    let is_token = |part: &str| {
        !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"!#$&^_.+-".contains(&byte))
    };
    let (kind, own) = essence.split_once('/')?;
    if !is_token(kind) || !is_token(own) {
        return None;
    }
    let is = |format: &Format| format.media_types().iter().any(|own| own.eq_ignore_ascii_case(essence));
    // A structured suffix names the format (RFC 6839): `application/problem+json`.
    let suffixed =
        |format: &Format| own.rsplit_once('+').is_some_and(|(_, suffix)| suffix.eq_ignore_ascii_case(format.name()));
    let all = || Format::all().filter(|format| format.is_streamed());
    all().find(is).or_else(|| all().find(suffixed))
}

/// Returns the format of a body. `None` if `Content-Type` is missing, repeated or unknown.
pub(crate) fn sent(headers: &HeaderMap) -> Option<Format> {
    let mut said = headers.get_all(CONTENT_TYPE).iter();
    match (said.next(), said.next()) {
        (Some(value), None) => of_media_type(value.to_str().ok()?),
        _ => None,
    }
}

/// Whether a body of this `Content-Type` can be the value or the merge patch that `method` takes.
///
/// A patch is a value in a format, of which the fields that are there count, as a merge patch is (RFC 7396). Other
/// patches, such as `application/json-patch+json`, are JSON as well, but don't mean that; nor may any other type with a
/// suffix.
pub(crate) fn is_for(method: &Method, headers: &HeaderMap) -> bool {
    let said = headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let essence = said.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    let Some((own, _)) = essence.split_once('/').and_then(|(_, own)| own.rsplit_once('+')) else { return true };
    if *method != Method::PATCH {
        return !own.ends_with("-patch");
    }
    own == "merge-patch" || formats().any(|format| format.media_types().contains(&&*essence))
}

/// Returns the media types of patches, for the header `Accept-Patch`.
pub(crate) fn patches() -> String {
    let formats = formats().map(Format::stream_type);
    core::iter::once("application/merge-patch+json").chain(formats).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use http::HeaderValue;

    fn of(accept: &str) -> Option<Format> {
        let mut headers = HeaderMap::new();
        headers.insert(ACCEPT, HeaderValue::from_str(accept).unwrap());
        wanted(&headers)
    }

    #[test]
    fn the_heaviest_that_is_there_is_wanted() {
        assert_eq!(wanted(&HeaderMap::new()), Some(Format::JSON));
        assert_eq!(of("text/csv"), Some(Format::CSV));
        assert_eq!(of("text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"), Some(Format::JSON));
        assert_eq!(of("text/csv;q=0.5, application/x-ndjson;q=0.7"), Some(Format::NDJSON));
        assert_eq!(of("application/json;q=0, text/csv;q=0.1"), Some(Format::CSV));
        assert_eq!(of("image/png"), None);
        assert_eq!(of("application/json;q=0"), None);
        assert_eq!(of("application/problem+json"), Some(Format::JSON));
        assert_eq!(of("TEXT/CSV; charset=utf-8"), Some(Format::CSV));
        assert_eq!(of("*/*;q=0"), None);
        assert_eq!(of("*/*;q=0, text/csv"), Some(Format::CSV));
        assert_eq!(of("*/*, application/json;q=0.000"), Some(Format::NDJSON));
        assert_eq!(of("application/*"), Some(Format::JSON));
        assert_eq!(of("text/*"), Some(Format::CSV));
        assert_eq!(of("text/*;q=0, */*;q=0.1"), Some(Format::JSON));
        assert_eq!(of("application/json;q=0.2, */*;q=0.1"), Some(Format::JSON));
        assert_eq!(of("text/csv;q=0.0001"), Some(Format::CSV));
    }

    #[test]
    fn a_patch_is_a_merge_patch() {
        let is_for = |method: &Method, kind: &'static str| {
            let mut headers = HeaderMap::new();
            headers.insert(CONTENT_TYPE, HeaderValue::from_static(kind));
            is_for(method, &headers)
        };
        for kind in ["application/json", "text/csv", "Application/Merge-Patch+JSON; charset=utf-8"] {
            assert!(is_for(&Method::PATCH, kind), "{kind}");
        }
        for kind in ["application/json-patch+json", "application/problem+json", "application/vnd.x+json", "a/b+c+json"]
        {
            assert!(!is_for(&Method::PATCH, kind), "{kind}");
        }
        assert!(is_for(&Method::PUT, "application/vnd.x+json"));
        for kind in ["application/json-patch+json", "application/merge-patch+json", "application/xml-patch+xml"] {
            assert!(!is_for(&Method::PUT, kind), "{kind}");
        }
        let patches = patches();
        assert!(patches.starts_with("application/merge-patch+json, application/json, "), "{patches}");
    }

    #[test]
    fn what_forms_can_send_is_no_format() {
        let sent_as = |types: &[&str]| {
            let mut headers = HeaderMap::new();
            for own in types {
                headers.append(CONTENT_TYPE, HeaderValue::from_str(own).unwrap());
            }
            sent(&headers)
        };
        for form in [
            "text/plain",
            "text/plain; charset=utf-8",
            "application/x-www-form-urlencoded",
            "multipart/form-data; boundary=x",
            "",
            "text/plain;application/json",
            "text/plain, application/json",
            "text/plain+json, x",
            "text/plain x+json",
            "+json",
            "/+json",
        ] {
            assert_eq!(sent_as(&[form]), None, "{form}");
        }
        assert_eq!(sent_as(&[]), None);
        assert_eq!(sent_as(&["application/json", "application/json"]), None);
        assert_eq!(sent_as(&["Application/JSON;charset=utf-8"]), Some(Format::JSON));
    }
}
