//! What the runner asks, and what it is told.

use demat::{Decode, Encode, Shaped};
use std::borrow::Cow;

/// One test.
#[derive(Debug, Decode)]
pub(crate) struct Request<'a> {
    #[demat(number = 1)]
    pub(crate) protobuf_payload: Option<&'a [u8]>,
    #[demat(number = 2)]
    pub(crate) json_payload: Option<&'a str>,
    /// A number of [`PROTOBUF`] and its like.
    #[demat(number = 3, default)]
    pub(crate) requested_output_format: i32,
    /// The full name of the message.
    #[demat(number = 4, default)]
    pub(crate) message_type: &'a str,
    #[demat(number = 5, default)]
    pub(crate) test_category: i32,
    #[demat(number = 8)]
    pub(crate) text_payload: Option<&'a [u8]>,
    /// Whether the text format has unknown fields, too.
    #[demat(number = 9, default)]
    pub(crate) print_unknown_fields: bool,
}

pub(crate) const PROTOBUF: i32 = 1;
pub(crate) const JSON: i32 = 2;
pub(crate) const TEXT: i32 = 4;
pub(crate) const IGNORE_UNKNOWN: i32 = 3;

/// The answer: one of these.
#[derive(Debug, Default, Encode, Shaped)]
pub(crate) struct Response {
    #[demat(number = 1)]
    pub(crate) parse_error: Option<String>,
    #[demat(number = 6)]
    pub(crate) serialize_error: Option<String>,
    #[demat(number = 2)]
    pub(crate) runtime_error: Option<String>,
    #[demat(number = 3)]
    pub(crate) protobuf_payload: Option<Cow<'static, [u8]>>,
    #[demat(number = 4)]
    pub(crate) json_payload: Option<String>,
    #[demat(number = 5)]
    pub(crate) skipped: Option<String>,
    #[demat(number = 8)]
    pub(crate) text_payload: Option<String>,
}
