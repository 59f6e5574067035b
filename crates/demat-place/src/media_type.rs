//! Media types of files, by their suffixes.

use crate::Format;
use std::path::Path;

/// The media type of unknown files.
const UNKNOWN: &str = "application/octet-stream";

/// Suffixes of files in other formats, sorted.
const TYPES: &[(&str, &str)] = &[
    ("avif", "image/avif"),
    ("css", "text/css; charset=utf-8"),
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

/// Returns the media type of a file by its suffix, with a charset for text. For an unknown suffix, that is
/// `application/octet-stream`.
///
/// ```
/// assert_eq!(demat_place::media_type("tasks.csv".as_ref()), "text/csv; charset=utf-8");
/// assert_eq!(demat_place::media_type("tasks.csv.gz".as_ref()), "application/gzip");
/// ```
pub fn media_type(path: &Path) -> &'static str {
    let Some(suffix) = path.extension().and_then(|suffix| suffix.to_str()) else { return UNKNOWN };
    let suffix = suffix.to_ascii_lowercase();
    if let Ok(index) = TYPES.binary_search_by_key(&&*suffix, |(own, _)| *own) {
        return TYPES[index].1;
    }
    Format::of_path(path).map_or(UNKNOWN, Format::file_type)
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
            ("a.csv", "text/csv; charset=utf-8"),
            ("a.tab", "text/tab-separated-values; charset=utf-8"),
            ("a.arrow", "application/vnd.apache.arrow.file"),
            ("a.json.gz", "application/gzip"),
            ("a.parquet", "application/vnd.apache.parquet"),
            ("a", "application/octet-stream"),
            ("a.unheard", "application/octet-stream"),
        ] {
            assert_eq!(media_type(name.as_ref()), is, "{name}");
        }
    }
}
