//! Which format somebody wants.

use demat_place::Format;
use http::HeaderMap;
use http::header::{ACCEPT, CONTENT_TYPE};

/// The media types that a format goes by, the usual one first.
pub(crate) fn media_types(format: Format) -> &'static [&'static str] {
    match format {
        Format::Json => &["application/json", "text/json"],
        Format::Ndjson => &["application/x-ndjson", "application/jsonl", "application/x-jsonlines"],
        Format::Csv => &["text/csv"],
        Format::Tsv => &["text/tab-separated-values"],
        // What is sent is the form of a stream.
        Format::Arrow => &["application/vnd.apache.arrow.stream"],
        Format::Parquet => &["application/vnd.apache.parquet"],
        Format::Proto => &["application/protobuf", "application/x-protobuf", "application/vnd.google.protobuf"],
        _ => &[],
    }
}

/// The header that says what is sent.
pub(crate) fn content_type(format: Format) -> &'static str {
    match format {
        Format::Csv => "text/csv; charset=utf-8",
        Format::Tsv => "text/tab-separated-values; charset=utf-8",
        other => media_types(other).first().copied().unwrap_or("application/octet-stream"),
    }
}

/// The formats that are sent and taken.
pub(crate) fn formats() -> impl Iterator<Item = Format> {
    Format::all().filter(|format| !media_types(*format).is_empty())
}

/// The format that is wanted most, of those that there are: JSON where nothing is said. Nothing where none is wanted.
pub(crate) fn wanted(headers: &HeaderMap) -> Option<Format> {
    let mut best: Option<(u16, Format)> = None;
    let mut said = false;
    for value in headers.get_all(ACCEPT) {
        let Ok(value) = value.to_str() else { continue };
        for part in value.split(',').map(str::trim).filter(|part| !part.is_empty()) {
            said = true;
            let (range, weight) = weighed(part);
            let format = match range {
                "*/*" | "application/*" => Some(Format::Json),
                "text/*" => Some(Format::Csv),
                other => of_media_type(other),
            };
            if let Some(format) = format
                && weight > best.map_or(0, |(best, _)| best)
            {
                best = Some((weight, format));
            }
        }
    }
    if said { best.map(|(_, format)| format) } else { Some(Format::Json) }
}

/// Whether a media type is named in what is accepted.
pub(crate) fn accepts(headers: &HeaderMap, media_type: &str) -> bool {
    let named = |value: &http::HeaderValue| {
        value.to_str().is_ok_and(|value| value.split(',').any(|part| weighed(part.trim()).0 == media_type))
    };
    headers.get_all(ACCEPT).iter().any(named)
}

/// A media range, and its weight in thousandths.
pub(crate) fn weighed(part: &str) -> (&str, u16) {
    let mut parts = part.split(';').map(str::trim);
    let range = parts.next().unwrap_or_default();
    let weight = parts.find_map(|part| part.strip_prefix("q=").or_else(|| part.strip_prefix("Q=")));
    (range, weight.map_or(1000, thousandths))
}

/// A weight: `1`, or `0.` and up to three digits. What is none counts as the greatest.
fn thousandths(weight: &str) -> u16 {
    match weight.split_once('.') {
        Some(("0", digits)) if digits.len() <= 3 => format!("{digits:0<3}").parse().unwrap_or(1000),
        None if weight == "0" => 0,
        _ => 1000,
    }
}

/// The format of a media type, whatever parameters it has.
pub(crate) fn of_media_type(media_type: &str) -> Option<Format> {
    let essence = media_type.split(';').next().unwrap_or_default().trim();
    let is = |format: &Format| media_types(*format).iter().any(|own| own.eq_ignore_ascii_case(essence));
    let suffixed = || essence.to_ascii_lowercase().ends_with("+json").then_some(Format::Json);
    formats().find(is).or_else(suffixed)
}

/// The format of a body: JSON where nothing is said of it, nothing where it is none that is known.
pub(crate) fn sent(headers: &HeaderMap) -> Option<Format> {
    match headers.get(CONTENT_TYPE) {
        None => Some(Format::Json),
        Some(value) => of_media_type(value.to_str().ok()?),
    }
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
        assert_eq!(wanted(&HeaderMap::new()), Some(Format::Json));
        assert_eq!(of("text/csv"), Some(Format::Csv));
        assert_eq!(of("text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"), Some(Format::Json));
        assert_eq!(of("text/csv;q=0.5, application/x-ndjson;q=0.7"), Some(Format::Ndjson));
        assert_eq!(of("application/json;q=0, text/csv;q=0.1"), Some(Format::Csv));
        assert_eq!(of("image/png"), None);
        assert_eq!(of("application/json;q=0"), None);
        assert_eq!(of("application/problem+json"), Some(Format::Json));
        assert_eq!(of("TEXT/CSV; charset=utf-8"), Some(Format::Csv));
    }
}
