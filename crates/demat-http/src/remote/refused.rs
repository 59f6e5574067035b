//! Converts a server's error answers to errors.

use super::base::Base;
use super::client::Answer;
use demat_core::{Error, ErrorKind, Value};
use demat_store::{Fault, Verb};
use http::StatusCode;
use http::header::LOCATION;
use std::io::Read as _;

/// The maximum size of an error body in bytes.
const MOST: u64 = 64 << 10;
/// The maximum length of an error message in characters.
const LONGEST: usize = 1000;

/// Returns the error for an answer to a request about a reference.
///
/// - `sent`: whether positions in the answer refer to the value that the caller passed to this store
#[cold]
pub(super) fn refused(answer: Answer, base: &Base, verb: Verb, at: &[String], sent: bool) -> Error {
    let status = answer.status;
    let place = || base.url(at, "").map_or_else(|_| base.to_string(), |url| url.to_string());
    if status.is_redirection() {
        let to = answer.headers.get(LOCATION).and_then(|to| to.to_str().ok()).unwrap_or("somewhere else");
        // Following a redirect could leak the token to another server, or make changes in the wrong place.
        let to: String = to.chars().take(LONGEST).collect();
        return Error::new(ErrorKind::Store, format!("it has moved to `{to}`")).in_place(place());
    }
    let said = said(answer);
    let text = |name: &str| match said.as_ref()?.get(name)? {
        Value::Text(text) => Some(text.chars().take(LONGEST).collect::<String>()),
        _ => None,
    };
    let int = |name: &str| match said.as_ref()?.get(name)? {
        Value::Int(number) => number.to_string().parse::<u64>().ok(),
        _ => None,
    };
    let message = text("message");
    if let Some(fault) = fault(status, verb, message.as_deref()) {
        let told = message.filter(|_| !matches!(fault, Fault::NotAllowed(_)));
        let Some(message) = told else { return fault.about(at) };
        // The fault repeats the end of the message.
        let message = message.strip_suffix(&format!(": {fault}")).unwrap_or(&message);
        // The server's reference may have another name in this store.
        let named = message.strip_prefix('`').and_then(|text| text.strip_suffix('`'));
        let own = named.filter(|text| text.starts_with('/')).and_then(|text| base.within(text));
        return own.map_or_else(|| fault.because(message.to_string()), |own| fault.about(&own));
    }
    let kind = match (status, text("kind").as_deref()) {
        (StatusCode::PAYLOAD_TOO_LARGE | StatusCode::URI_TOO_LONG, _) => ErrorKind::Limit,
        (StatusCode::REQUEST_TIMEOUT | StatusCode::TOO_MANY_REQUESTS, _) => ErrorKind::Io,
        (status, _) if status.is_server_error() => ErrorKind::Io,
        (_, Some("syntax")) => ErrorKind::Syntax,
        (_, Some("type")) => ErrorKind::Type,
        (_, Some("constraint")) => ErrorKind::Constraint,
        (_, Some("encode")) => ErrorKind::Encode,
        (_, Some("limit")) => ErrorKind::Limit,
        _ => ErrorKind::Store,
    };
    let error = match (text("expected"), text("found"), message) {
        (Some(expected), Some(found), _) => Error::mismatch(kind, expected, found).showing(text("value")),
        (_, _, Some(message)) => Error::new(kind, message),
        _ => Error::new(kind, format!("the server answers {status}")).in_place(place()),
    };
    let error =
        text("path").map_or_else(Vec::new, |path| steps(&path)).into_iter().rev().fold(
            error,
            |error, step| match step {
                Step::Field(name) => error.within_field(name),
                Step::Item(index) => error.within_item(index),
            },
        );
    let error = match int("record") {
        Some(record) => error.in_record(record),
        None => error,
    };
    if !sent {
        return error;
    }
    let number = |name| int(name);
    error.at(demat_core::Position {
        offset: number("offset"),
        line: number("line"),
        column: number("column"),
        ..demat_core::Position::default()
    })
}

/// Returns the fault for a status.
fn fault(status: StatusCode, verb: Verb, message: Option<&str>) -> Option<Fault> {
    let is = |fault: Fault| message.is_some_and(|message| message.ends_with(&fault.to_string()));
    Some(match status {
        StatusCode::NOT_FOUND | StatusCode::GONE => Fault::NotFound,
        StatusCode::METHOD_NOT_ALLOWED => Fault::NotAllowed(verb),
        StatusCode::PRECONDITION_FAILED => Fault::Changed,
        StatusCode::CONFLICT => Fault::Conflict,
        StatusCode::FORBIDDEN => Fault::Forbidden,
        StatusCode::BAD_REQUEST if is(Fault::BadReference) => Fault::BadReference,
        StatusCode::BAD_REQUEST if is(Fault::BadQuery) => Fault::BadQuery,
        _ => return None,
    })
}

/// Returns the error object of an answer in Demat's form.
fn said(answer: Answer) -> Option<Value> {
    let mut bytes = Vec::new();
    answer.body.bytes(MOST).ok()?.read_to_end(&mut bytes).ok()?;
    let whole: Value = demat_formats::json::decode(&bytes).ok()?;
    whole.get("error").cloned()
}

/// A step of a path.
#[derive(Debug, PartialEq)]
enum Step {
    Field(String),
    Item(usize),
}

/// Parses a path such as `$.a[3]["b c"]`, as far as it is valid.
fn steps(path: &str) -> Vec<Step> {
    let mut rest = path.strip_prefix('$').unwrap_or_default();
    let mut steps = Vec::new();
    loop {
        if let Some(own) = rest.strip_prefix('.') {
            let end = own.find(['.', '[']).unwrap_or(own.len());
            steps.push(Step::Field(own[..end].to_string()));
            rest = &own[end..];
        } else if let Some(own) = rest.strip_prefix("[\"") {
            let Some((name, end)) = quoted(own) else { return steps };
            steps.push(Step::Field(name));
            rest = &own[end..];
        } else if let Some((number, after)) = rest.strip_prefix('[').and_then(|own| own.split_once(']')) {
            let Ok(number) = number.parse() else { return steps };
            steps.push(Step::Item(number));
            rest = after;
        } else {
            return steps;
        }
    }
}

/// Parses a quoted name with its bracket. Returns it and the offset behind it.
fn quoted(text: &str) -> Option<(String, usize)> {
    let (mut name, mut letters) = (String::new(), text.char_indices());
    while let Some((at, letter)) = letters.next() {
        match letter {
            '"' => return text[at..].starts_with("\"]").then_some((name, at + 2)),
            '\\' => name.push(match letters.next()?.1 {
                'n' => '\n',
                'r' => '\r',
                't' => '\t',
                '0' => '\0',
                'u' => {
                    let (hex, _) = text[letters.next()?.0 + 1..].split_once('}')?;
                    let letter = char::from_u32(u32::from_str_radix(hex, 16).ok()?)?;
                    letters.find(|(_, letter)| *letter == '}')?;
                    letter
                }
                other => other,
            }),
            other => name.push(other),
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_leads_back_to_where_it_came_from() {
        for names in [&["a", "b c"][..], &["\"", "\\]", "\n\u{7f}é\0", "", "[0]", "x.y"], &["tasks", "title"]] {
            let error = Error::new(ErrorKind::Type, "x").within_item(7);
            let error = names.iter().rev().fold(error, |error, name| error.within_field(name.to_string()));
            let mut steps = steps(&error.path());
            assert_eq!(steps.pop(), Some(Step::Item(7)), "{}", error.path());
            let wanted: Vec<Step> = names.iter().map(|name| Step::Field((*name).to_string())).collect();
            assert_eq!(steps, wanted);
        }
        for odd in ["", "$[", "$[x]", "$[\"", "$[\"\\u{", "$[\"\\u{110000}\"]", "$[\"a\"", "x"] {
            assert_eq!(steps(odd), []);
        }
    }
}
