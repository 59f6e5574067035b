//! Compression of answers.

use crate::negotiate::weighed;
use bytes::Bytes;
use flate2::Compression;
use flate2::write::GzEncoder;
use http::HeaderMap;
use http::header::ACCEPT_ENCODING;
use std::io::{self, Write};

/// A content encoding.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Encoding {
    Gzip,
    Zstd,
}

/// How the client accepts compressed answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Packing {
    /// Uncompressed.
    None,
    /// Compressed if that is worth it.
    Maybe(Encoding),
    /// Compressed only (`identity` is refused).
    Must(Encoding),
    /// The client accepts no encoding that the server has.
    Impossible,
}

/// Shorter bodies are not compressed.
pub(crate) const WORTH: usize = 1024;

/// Whether a media type is one of text, which compression makes much smaller. Images, films and archives are compressed
/// already.
pub(crate) fn is_text(media_type: &str) -> bool {
    let essence = media_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    let Some((kind, own)) = essence.split_once('/') else { return false };
    match kind {
        // Events are sent one by one.
        "text" => own != "event-stream",
        "application" | "image" | "model" | "message" => {
            let is = |name: &str| own == name || own.rsplit_once('+').is_some_and(|(_, suffix)| suffix == name);
            let more = ["javascript", "ecmascript", "wasm", "x-ndjson", "x-sh", "sql", "graphql", "rtf", "svg"];
            ["json", "xml", "yaml", "toml"].into_iter().any(is) || more.contains(&own)
        }
        "font" => matches!(own, "ttf" | "otf"),
        _ => false,
    }
}

/// Clients wait for compression, so speed matters more than size.
const GZIP_LEVEL: u32 = 3;
const ZSTD_LEVEL: i32 = 1;

impl Encoding {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Gzip => "gzip",
            Self::Zstd => "zstd",
        }
    }

    /// Returns the client's preferred encoding. Returns `Packing::None` if it prefers `identity` or sends no header.
    pub(crate) fn wanted(headers: &HeaderMap) -> Packing {
        let said = headers.get_all(ACCEPT_ENCODING).iter().filter_map(|value| value.to_str().ok());
        let said: Vec<(&str, u16)> = said
            .flat_map(|value| value.split(',').map(str::trim))
            .filter(|part| !part.is_empty())
            .map(weighed)
            .collect();
        let weight = |names: &[&str]| {
            let named = said.iter().find(|(own, _)| names.iter().any(|name| name.eq_ignore_ascii_case(own)));
            named.map(|(_, weight)| *weight)
        };
        let any = weight(&["*"]);
        // On a tie, prefer the faster one. `*` makes an encoding acceptable, but not preferred.
        let all = [(Self::Zstd, weight(&["zstd"])), (Self::Gzip, weight(&["gzip", "x-gzip"]))];
        let mut best: Option<(Self, u16)> = None;
        for (own, weight) in all.iter().filter_map(|(own, weight)| Some((*own, (*weight)?))) {
            if weight > 0 && best.is_none_or(|(_, than)| weight > than) {
                best = Some((own, weight));
            }
        }
        // `identity` is acceptable unless the header excludes it.
        if weight(&["identity"]).or(any) != Some(0) {
            return best.map_or(Packing::None, |(own, _)| Packing::Maybe(own));
        }
        let any = all.iter().find(|(_, weight)| weight.is_none() && any.is_some_and(|any| any > 0));
        match best.map(|(own, _)| own).or(any.map(|(own, _)| *own)) {
            Some(own) => Packing::Must(own),
            None => Packing::Impossible,
        }
    }

    /// Compresses bytes.
    pub(crate) fn packed(self, bytes: &[u8]) -> io::Result<Bytes> {
        let mut packer = Packer::new(self, Vec::with_capacity(bytes.len() / 4))?;
        packer.write_all(bytes)?;
        packer.finish().map(Bytes::from)
    }
}

/// A writer that compresses.
pub(crate) enum Packer<W: Write> {
    Gzip(GzEncoder<W>),
    Zstd(zstd::Encoder<'static, W>),
}

impl<W: Write> Packer<W> {
    pub(crate) fn new(encoding: Encoding, writer: W) -> io::Result<Self> {
        Ok(match encoding {
            Encoding::Gzip => Self::Gzip(GzEncoder::new(writer, Compression::new(GZIP_LEVEL))),
            Encoding::Zstd => Self::Zstd(zstd::Encoder::new(writer, ZSTD_LEVEL)?),
        })
    }

    pub(crate) fn finish(self) -> io::Result<W> {
        match self {
            Self::Gzip(encoder) => encoder.finish(),
            Self::Zstd(encoder) => encoder.finish(),
        }
    }
}

impl<W: Write> Write for Packer<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Gzip(encoder) => encoder.write(bytes),
            Self::Zstd(encoder) => encoder.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Gzip(encoder) => encoder.flush(),
            Self::Zstd(encoder) => encoder.flush(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use http::HeaderValue;

    #[test]
    fn texts_are_known_by_their_media_type() {
        for text in [
            "text/plain",
            "TEXT/CSV; charset=utf-8",
            "application/json",
            "application/problem+json;x=y",
            "image/svg+xml",
            "application/toml",
        ] {
            assert!(is_text(text), "{text}");
        }
        for other in ["image/png", "application/zip", "application/jsonx", "text/event-stream", "text", "", "audio/xml"]
        {
            assert!(!is_text(other), "{other}");
        }
    }

    #[test]
    fn what_is_refused_is_not_sent() {
        use Encoding::{Gzip, Zstd};
        for (accept, packing) in [
            ("", Packing::None),
            ("gzip", Packing::Maybe(Gzip)),
            ("gzip, zstd", Packing::Maybe(Zstd)),
            ("gzip;q=1, zstd;q=0.5", Packing::Maybe(Gzip)),
            ("gzip;q=0", Packing::None),
            ("gzip;q=0.0000, zstd", Packing::Maybe(Zstd)),
            ("*", Packing::None),
            ("br", Packing::None),
            ("identity;q=0", Packing::Impossible),
            ("*;q=0", Packing::Impossible),
            ("br, identity;q=0", Packing::Impossible),
            ("*;q=0, gzip", Packing::Must(Gzip)),
            ("identity;q=0, *", Packing::Must(Zstd)),
            ("identity;q=0, *, zstd;q=0", Packing::Must(Gzip)),
            ("*;q=0, identity", Packing::None),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(ACCEPT_ENCODING, HeaderValue::from_static(accept));
            assert_eq!(Encoding::wanted(&headers), packing, "{accept}");
        }
    }
}
