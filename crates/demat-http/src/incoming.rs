//! What is received.

use crate::failure::Failure;
use bytes::{Bytes, BytesMut};
use core::time::Duration;
use http::StatusCode;
use http_body::Body as _;
use http_body_util::BodyExt as _;
use hyper::body::Incoming;

/// All of a body, if it is no longer than this, and there in time.
pub(crate) async fn all(mut body: Incoming, most: usize, patience: Duration) -> Result<Bytes, Failure> {
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
