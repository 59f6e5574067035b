//! Media types by suffix.

use demat_place::{Compression, Format};
use std::path::Path;

/// Of what nobody knows.
pub(super) const UNKNOWN: &str = "application/octet-stream";

/// What is served as it is, beside the formats.
const TYPES: &[(&str, &str)] = &[
    ("avif", "image/avif"),
    ("css", "text/css; charset=utf-8"),
    ("csv", "text/csv; charset=utf-8"),
    ("gif", "image/gif"),
    ("gz", "application/gzip"),
    ("htm", "text/html; charset=utf-8"),
    ("html", "text/html; charset=utf-8"),
    ("ico", "image/x-icon"),
    ("jpeg", "image/jpeg"),
    ("jpg", "image/jpeg"),
    ("js", "text/javascript; charset=utf-8"),
    ("map", "application/json"),
    ("md", "text/markdown; charset=utf-8"),
    ("mjs", "text/javascript; charset=utf-8"),
    ("mp3", "audio/mpeg"),
    ("mp4", "video/mp4"),
    ("ogg", "audio/ogg"),
    ("otf", "font/otf"),
    ("pdf", "application/pdf"),
    ("png", "image/png"),
    ("svg", "image/svg+xml"),
    ("tar", "application/x-tar"),
    ("toml", "application/toml"),
    ("tsv", "text/tab-separated-values; charset=utf-8"),
    ("ttf", "font/ttf"),
    ("txt", "text/plain; charset=utf-8"),
    ("wasm", "application/wasm"),
    ("wav", "audio/wav"),
    ("webm", "video/webm"),
    ("webmanifest", "application/manifest+json"),
    ("webp", "image/webp"),
    ("woff", "font/woff"),
    ("woff2", "font/woff2"),
    ("xml", "application/xml"),
    ("yaml", "application/yaml"),
    ("yml", "application/yaml"),
    ("zip", "application/zip"),
    ("zst", "application/zstd"),
];

/// The media type of a file that is called so.
pub(super) fn media_type(name: &str) -> &'static str {
    let path = Path::new(name);
    let Some(suffix) = path.extension().and_then(|suffix| suffix.to_str()) else { return UNKNOWN };
    let suffix = suffix.to_ascii_lowercase();
    let own = TYPES.binary_search_by_key(&&*suffix, |(own, _)| *own).ok().map(|index| TYPES[index].1);
    own.or_else(|| match Compression::of_path(path) {
        None => Format::of_path(path).map(Format::media_type),
        Some(_) => None,
    })
    .unwrap_or(UNKNOWN)
}

#[cfg(test)]
mod tests {
    use super::{TYPES, media_type};

    #[test]
    fn the_table_is_sorted() {
        assert!(TYPES.is_sorted_by_key(|(suffix, _)| *suffix));
    }

    #[test]
    fn suffixes_say_what_it_is() {
        for (name, is) in [
            ("a.HTML", "text/html; charset=utf-8"),
            ("a.json", "application/json"),
            ("a.json.gz", "application/gzip"),
            ("a.parquet", "application/vnd.apache.parquet"),
            ("a", "application/octet-stream"),
            ("a.unheard", "application/octet-stream"),
        ] {
            assert_eq!(media_type(name), is, "{name}");
        }
    }
}
