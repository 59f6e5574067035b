//! Errors as HTTP answers.

use bytes::Bytes;
use demat_core::scalar::Int;
use demat_core::{Error, ErrorKind, Value};
use demat_store::{Fault, Trouble, fault_of, trouble_of};
use http::StatusCode;

/// The status of an error answer, and the error.
#[derive(Debug)]
pub(crate) struct Failure {
    pub(crate) status: StatusCode,
    pub(crate) error: Error,
}

impl Failure {
    pub(crate) fn new(status: StatusCode, message: impl Into<std::borrow::Cow<'static, str>>) -> Self {
        Self { status, error: Error::new(ErrorKind::Store, message) }
    }

    /// Returns the error as a JSON body.
    pub(crate) fn json(&self) -> Bytes {
        let text = |text: &str| Value::Text(text.to_string().into());
        let int = |value: u64| Value::Int(Int::from(i64::try_from(value).unwrap_or(i64::MAX)));
        let error = &self.error;
        // Internal errors belong in the server's log, not in the client's answer.
        let inner = self.status.is_server_error();
        let message = if inner { "internal server error".to_string() } else { error.reason() };
        let mut parts = vec![
            (text("status"), int(u64::from(self.status.as_u16()))),
            (text("kind"), text(error.kind().name())),
            (text("message"), Value::Text(message.into())),
        ];
        if !inner {
            let path = error.path();
            if path != "$" {
                parts.push((text("path"), text(&path)));
            }
            let said = [("expected", error.expectation()), ("found", error.found()), ("value", error.value())];
            parts.extend(said.into_iter().filter_map(|(name, said)| Some((text(name), text(said?)))));
            let at = error.position();
            let numbers = [("line", at.line), ("column", at.column), ("offset", at.offset), ("record", at.record)];
            parts.extend(numbers.into_iter().filter_map(|(name, number)| Some((text(name), int(number?)))));
        }
        let whole = Value::Map(vec![(text("error"), Value::Map(parts))]);
        demat_formats::json::encode(&whole).unwrap_or_default().into()
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        let status = match fault_of(&error) {
            Some(Fault::NotFound) => StatusCode::NOT_FOUND,
            Some(Fault::NotAllowed(_)) => StatusCode::METHOD_NOT_ALLOWED,
            Some(Fault::Changed) => StatusCode::PRECONDITION_FAILED,
            Some(Fault::Conflict) => StatusCode::CONFLICT,
            Some(Fault::BadReference | Fault::BadQuery | Fault::BadRequest) => StatusCode::BAD_REQUEST,
            Some(Fault::Forbidden) => StatusCode::FORBIDDEN,
            None => match trouble_of(&error) {
                Some(Trouble::Busy) => StatusCode::SERVICE_UNAVAILABLE,
                Some(Trouble::Full) => StatusCode::INSUFFICIENT_STORAGE,
                Some(Trouble::Broken) => StatusCode::INTERNAL_SERVER_ERROR,
                None => Self::status_of(error.kind()),
            },
        };
        Self { status, error }
    }
}

impl Failure {
    /// Returns the status for an error in the data that the client sent.
    fn status_of(kind: ErrorKind) -> StatusCode {
        match kind {
            ErrorKind::Syntax | ErrorKind::Limit => StatusCode::BAD_REQUEST,
            ErrorKind::Type | ErrorKind::Constraint | ErrorKind::Store => StatusCode::UNPROCESSABLE_ENTITY,
            ErrorKind::Encode => StatusCode::NOT_ACCEPTABLE,
            ErrorKind::Io | ErrorKind::Internal => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }

    /// Turns a client error into 500 if the bad data came from the store: then the client sent nothing wrong.
    pub(crate) fn of_what_is_there(self) -> Self {
        let is_here = matches!(self.error.kind(), ErrorKind::Syntax | ErrorKind::Type | ErrorKind::Store);
        let is_sent = matches!(self.status, StatusCode::BAD_REQUEST | StatusCode::UNPROCESSABLE_ENTITY);
        if fault_of(&self.error).is_none() && is_here && is_sent {
            return Self { status: StatusCode::INTERNAL_SERVER_ERROR, ..self };
        }
        self
    }
}
