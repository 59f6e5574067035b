//! Receives forms: `multipart/form-data` and `application/x-www-form-urlencoded`.
//!
//! The parser is our own: it is strict where parsers differ, since a proxy may have checked what its own parser saw, and
//! it limits each part's head.

mod disposition;
mod multipart;
mod spool;
#[cfg(test)]
mod tests;

pub use spool::Spool;

use crate::failure::Failure;
use bytes::Bytes;
use core::time::Duration;
use demat_store::Query;
use http::header::CONTENT_TYPE;
use http::{HeaderMap, StatusCode};
use http_body::Body as _;
use http_body_util::BodyExt as _;
use hyper::body::Incoming;
use multipart::Multipart;

/// A field that a form may have.
#[derive(Debug, Clone)]
pub struct Field {
    /// Its name.
    pub name: String,
    /// Whether it may be there several times.
    pub many: bool,
    /// Whether it is a file.
    pub file: bool,
}

/// The value of a field.
#[derive(Debug)]
pub enum FieldValue {
    /// A text.
    Text(String),
    /// A file.
    File {
        /// The name that the client gave it.
        name: String,
        /// The media type that the client gave it.
        media_type: Option<String>,
        /// The bytes.
        data: Spool,
    },
}

/// The maximum number of fields.
const FIELDS: usize = 1_000;
/// The maximum length of a text in bytes.
const TEXT: usize = 1 << 20;
/// Received bytes are parsed in pieces of this size, so that writing to a file is worth another thread.
const PIECE: usize = 256 << 10;

/// A form's encoding.
#[derive(Debug)]
enum Kind {
    UrlEncoded,
    /// With its boundary.
    Multipart(String),
}

pub(crate) fn bad(message: impl Into<std::borrow::Cow<'static, str>>) -> Failure {
    Failure::new(StatusCode::BAD_REQUEST, message)
}

pub(crate) fn too_large(message: impl Into<std::borrow::Cow<'static, str>>) -> Failure {
    Failure::new(StatusCode::PAYLOAD_TOO_LARGE, message)
}

/// Returns the encoding of a form.
fn kind(headers: &HeaderMap) -> Result<Kind, Failure> {
    let unknown = || {
        let said = "send Content-Type: multipart/form-data, or application/x-www-form-urlencoded";
        Failure::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, said)
    };
    let mut said = headers.get_all(CONTENT_TYPE).iter();
    let (Some(own), None) = (said.next(), said.next()) else { return Err(unknown()) };
    let own = own.to_str().map_err(|_| unknown())?;
    let (essence, rest) = own.split_once(';').unwrap_or((own, ""));
    match essence.trim() {
        own if own.eq_ignore_ascii_case("application/x-www-form-urlencoded") => Ok(Kind::UrlEncoded),
        own if own.eq_ignore_ascii_case("multipart/form-data") => {
            let parameters =
                disposition::parameters(rest).ok_or_else(|| bad("the boundary of the form can't be read"))?;
            let mut boundaries = parameters.into_iter().filter(|(name, _)| name == "boundary");
            match (boundaries.next(), boundaries.next()) {
                (Some((_, boundary)), None) if multipart::is_boundary(&boundary) => Ok(Kind::Multipart(boundary)),
                _ => Err(bad("a form names one boundary of 1 to 70 characters")),
            }
        }
        _ => Err(unknown()),
    }
}

/// Receives a form with these fields. Fails if the body exceeds `most` bytes, or takes longer than `patience`.
pub(crate) async fn received(
    headers: &HeaderMap,
    body: &mut Incoming,
    fields: Vec<Field>,
    most: usize,
    patience: Duration,
) -> Result<Vec<(String, FieldValue)>, Failure> {
    let kind = kind(headers)?;
    if body.size_hint().lower() > most as u64 {
        return Err(too_large(format!("a body has at most {most} bytes")));
    }
    match kind {
        Kind::UrlEncoded => {
            let bytes = crate::incoming::all(body, most, patience).await?;
            url_encoded(&bytes, &fields)
        }
        Kind::Multipart(boundary) => {
            let parser = Multipart::new(&boundary, fields);
            match tokio::time::timeout(patience, multipart(body, parser, most)).await {
                Ok(read) => read,
                Err(_) => Err(Failure::new(StatusCode::REQUEST_TIMEOUT, "the body took too long")),
            }
        }
    }
}

fn url_encoded(bytes: &[u8], fields: &[Field]) -> Result<Vec<(String, FieldValue)>, Failure> {
    let text = core::str::from_utf8(bytes).map_err(|_| bad("the form is not UTF-8"))?;
    let mut own: Vec<(String, FieldValue)> = Vec::new();
    for pair in Query::pairs(text) {
        let (name, value) = pair.map_err(|_| bad("the form is not URL-encoded UTF-8"))?;
        let field = expected(fields, &name, own.iter().any(|(other, _)| *other == name))?;
        if field.file {
            return Err(unfit(format!("the field `{name}` is a file, which needs multipart/form-data")));
        }
        if own.len() == FIELDS {
            return Err(too_large(format!("a form has at most {FIELDS} fields")));
        }
        own.push((name, FieldValue::Text(value)));
    }
    Ok(own)
}

/// Returns the field of a name. Fails if the form has no such field, or has it already.
fn expected<'f>(fields: &'f [Field], name: &str, is_there: bool) -> Result<&'f Field, Failure> {
    let Some(field) = fields.iter().find(|own| own.name == name) else {
        return Err(unfit(format!("there is no field `{name}`")));
    };
    if is_there && !field.many {
        return Err(bad(format!("the field `{name}` is said twice")));
    }
    Ok(field)
}

pub(crate) fn unfit(message: String) -> Failure {
    Failure::new(StatusCode::UNPROCESSABLE_ENTITY, message)
}

async fn multipart(
    body: &mut Incoming,
    mut parser: Multipart,
    most: usize,
) -> Result<Vec<(String, FieldValue)>, Failure> {
    let (mut received, mut piece) = (0usize, Vec::new());
    while let Some(frame) = body.frame().await {
        let frame = frame.map_err(|error| bad(format!("the body can't be read: {error}")))?;
        let Ok(bytes): Result<Bytes, _> = frame.into_data() else { continue };
        received += bytes.len();
        if received > most {
            return Err(too_large(format!("a body has at most {most} bytes")));
        }
        piece.extend_from_slice(&bytes);
        if piece.len() >= PIECE {
            (parser, piece) = fed(parser, piece).await?;
        }
    }
    (parser, _) = fed(parser, piece).await?;
    parser.finish()
}

/// Feeds a piece to the parser. A large one may be written to a file, so this is done on another thread.
async fn fed(mut parser: Multipart, mut piece: Vec<u8>) -> Result<(Multipart, Vec<u8>), Failure> {
    if piece.len() < PIECE {
        parser.feed(&piece)?;
        piece.clear();
        return Ok((parser, piece));
    }
    let fed = tokio::task::spawn_blocking(move || {
        parser.feed(&piece)?;
        piece.clear();
        Ok((parser, piece))
    });
    fed.await.unwrap_or_else(|_| Err(Failure::new(StatusCode::INTERNAL_SERVER_ERROR, "it broke off")))
}
