//! The body of an answer.

use crate::subscription::Subscription;
use bytes::Bytes;
use core::pin::Pin;
use core::task::{Context, Poll};
use http_body::{Frame, SizeHint};
use std::io;
use tokio::sync::mpsc::Receiver;

/// The body of an answer.
#[derive(Debug)]
pub(crate) enum Body {
    /// A complete body.
    Whole(Option<Bytes>),
    /// The first part, and a channel for the others. An error aborts the body, so that the client sees that it is
    /// incomplete.
    Parts(Option<Bytes>, Receiver<io::Result<Bytes>>),
    /// Events about changes, until the channel sends `None` or closes.
    Events(Receiver<Option<Bytes>>, #[allow(dead_code)] Subscription), // kept alive, never read
}

impl Body {
    pub(crate) fn empty() -> Self {
        Self::Whole(None)
    }

    /// The length in bytes, if it is known.
    pub(crate) fn len(&self) -> Option<u64> {
        match self {
            Self::Whole(bytes) => Some(bytes.as_ref().map_or(0, Bytes::len) as u64),
            Self::Parts(..) | Self::Events(..) => None,
        }
    }
}

impl From<Bytes> for Body {
    fn from(bytes: Bytes) -> Self {
        Self::Whole((!bytes.is_empty()).then_some(bytes))
    }
}

impl http_body::Body for Body {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<io::Result<Frame<Bytes>>>> {
        match self.get_mut() {
            Self::Whole(bytes) => Poll::Ready(bytes.take().map(|bytes| Ok(Frame::data(bytes)))),
            Self::Parts(first, rest) => match first.take() {
                Some(first) => Poll::Ready(Some(Ok(Frame::data(first)))),
                None => rest.poll_recv(context).map(|part| part.map(|part| part.map(Frame::data))),
            },
            Self::Events(events, _) => {
                events.poll_recv(context).map(|event| event.flatten().map(|event| Ok(Frame::data(event))))
            }
        }
    }

    fn is_end_stream(&self) -> bool {
        matches!(self, Self::Whole(None))
    }

    fn size_hint(&self) -> SizeHint {
        self.len().map_or_else(SizeHint::default, SizeHint::with_exact)
    }
}
