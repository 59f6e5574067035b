//! Receives request bodies.

use crate::failure::Failure;
use bytes::{Bytes, BytesMut};
use core::time::Duration;
use http::header::EXPECT;
use http::{HeaderMap, StatusCode};
use http_body::Body as _;
use http_body_util::BodyExt as _;
use hyper::body::Incoming;

/// Receives a whole body. Fails if it exceeds `most` bytes, or takes longer than `patience`.
pub(crate) async fn all(body: &mut Incoming, most: usize, patience: Duration) -> Result<Bytes, Failure> {
    let too_long = || Failure::new(StatusCode::PAYLOAD_TOO_LARGE, format!("a body has at most {most} bytes"));
    if body.size_hint().lower() > most as u64 {
        return Err(too_long());
    }
    let read = async {
        let mut first: Option<Bytes> = None;
        let mut rest = BytesMut::new();
        while let Some(frame) = body.frame().await {
            let frame = frame
                .map_err(|error| Failure::new(StatusCode::BAD_REQUEST, format!("the body can't be read: {error}")))?;
            let Ok(bytes) = frame.into_data() else { continue };
            let there = if rest.is_empty() { first.as_ref().map_or(0, Bytes::len) } else { rest.len() };
            if there + bytes.len() > most {
                return Err(too_long());
            }
            match &first {
                None => first = Some(bytes),
                Some(first) => {
                    if rest.is_empty() {
                        rest.extend_from_slice(first);
                    }
                    rest.extend_from_slice(&bytes);
                }
            }
        }
        Ok(if rest.is_empty() { first.unwrap_or_default() } else { rest.freeze() })
    };
    match tokio::time::timeout(patience, read).await {
        Ok(read) => read,
        Err(_) => Err(Failure::new(StatusCode::REQUEST_TIMEOUT, "the body took too long")),
    }
}

/// Unread bodies up to this size are read and dropped, to keep the connection; longer ones close it.
const LITTLE: u64 = 64 << 10;
/// The maximum time to wait for them.
const SHORTLY: Duration = Duration::from_secs(1);

/// Reads and drops the rest of a body, so that the connection can be reused. Returns whether the end was reached.
pub(crate) async fn passed_over(headers: &HeaderMap, mut body: Incoming) -> bool {
    // A client that sent `Expect` may send the body after this answer or not, so the connection can't be reused.
    if body.is_end_stream() {
        return true;
    }
    if body.size_hint().lower() > LITTLE || headers.contains_key(EXPECT) {
        return false;
    }
    let read = async {
        let mut left = LITTLE;
        while let Some(frame) = body.frame().await {
            let Ok(frame) = frame else { return false };
            let len = frame.data_ref().map_or(0, Bytes::len) as u64;
            let Some(rest) = left.checked_sub(len) else { return false };
            left = rest;
        }
        true
    };
    tokio::time::timeout(SHORTLY, read).await.unwrap_or(false)
}
