//! Parses `multipart/form-data` (RFC 7578) piece by piece.

use super::disposition::{extended, from_browser, parameters};
use super::spool::Spool;
use super::{FIELDS, Field, FieldValue, TEXT, bad, expected, too_large, unfit};
use crate::failure::Failure;
use demat_core::Error;
use memchr::memmem;

/// The maximum length of a part's head.
const HEAD: usize = 8 << 10;
/// The maximum length of the spaces behind a boundary.
const PADDING: usize = 64;

/// Whether a text may be a boundary (RFC 2046, 5.1.1).
pub(super) fn is_boundary(text: &str) -> bool {
    let is_own = |byte: u8| byte.is_ascii_alphanumeric() || b"'()+_,-./:=? ".contains(&byte);
    (1..=70).contains(&text.len()) && text.bytes().all(is_own) && !text.ends_with(' ')
}

/// Where the parser stands.
#[derive(Debug)]
enum State {
    /// Before the first boundary.
    Begin,
    /// Behind a boundary: `--` ends the form, a line break begins a part.
    Boundary,
    Head,
    /// In the bytes of a part, up to the next boundary.
    Data(Part),
    /// Behind the last boundary.
    End,
}

#[derive(Debug)]
struct Part {
    name: String,
    held: Held,
}

#[derive(Debug)]
enum Held {
    Text(Vec<u8>),
    /// With the file's name and media type.
    File(String, Option<String>, Spool),
}

/// A parser of a form.
#[derive(Debug)]
pub(super) struct Multipart {
    /// `\r\n--` and the boundary.
    boundary: Vec<u8>,
    state: State,
    /// Received bytes that are not parsed yet: a piece, and what remained of the one before it.
    rest: Vec<u8>,
    allowed: Vec<Field>,
    fields: Vec<(String, FieldValue)>,
}

impl Multipart {
    pub(super) fn new(boundary: &str, allowed: Vec<Field>) -> Self {
        let boundary = format!("\r\n--{boundary}").into_bytes();
        Self { boundary, state: State::Begin, rest: Vec::new(), allowed, fields: Vec::new() }
    }

    pub(super) fn feed(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        self.rest.extend_from_slice(bytes);
        let mut at = 0;
        while let Some(used) = self.step(at)? {
            at += used;
        }
        self.rest.drain(..at);
        Ok(())
    }

    /// Parses from an offset. Returns how many bytes were used; `None` if more are needed.
    fn step(&mut self, at: usize) -> Result<Option<usize>, Failure> {
        let rest = &self.rest[at..];
        match &mut self.state {
            State::Begin => {
                // The first boundary has no line break before it.
                let first = &self.boundary[2..];
                if rest.starts_with(first) {
                    self.state = State::Boundary;
                    return Ok(Some(first.len()));
                }
                if first.starts_with(rest) { Ok(None) } else { Err(bad("the form does not begin with its boundary")) }
            }
            State::Boundary => {
                if rest.starts_with(b"--") {
                    self.state = State::End;
                    return Ok(Some(2));
                }
                let spaces = rest.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
                let after = &rest[spaces..];
                if after.starts_with(b"\r\n") && spaces <= PADDING {
                    self.state = State::Head;
                    return Ok(Some(spaces + 2));
                }
                let may_go_on = spaces <= PADDING && (b"\r\n".starts_with(after) || spaces == 0 && after == b"-");
                if may_go_on { Ok(None) } else { Err(bad("a boundary of the form is followed by something else")) }
            }
            State::Head => match memmem::find(&rest[..rest.len().min(HEAD + 4)], b"\r\n\r\n") {
                Some(end) => {
                    if self.fields.len() == FIELDS {
                        return Err(too_large(format!("a form has at most {FIELDS} fields")));
                    }
                    self.state = State::Data(part(&rest[..end], &self.allowed, &self.fields)?);
                    Ok(Some(end + 4))
                }
                None if rest.len() > HEAD => Err(too_large(format!("the head of a part has at most {HEAD} bytes"))),
                None => Ok(None),
            },
            State::Data(part) => {
                let found = memmem::find(rest, &self.boundary);
                // The boundary may begin in the last bytes.
                let end = found.unwrap_or((rest.len() + 1).saturating_sub(self.boundary.len()));
                match &mut part.held {
                    Held::Text(text) if text.len() + end > TEXT => {
                        return Err(too_large(format!("the field `{}` has at most {TEXT} bytes", part.name)));
                    }
                    Held::Text(text) => text.extend_from_slice(&rest[..end]),
                    Held::File(.., spool) => spool.push(&rest[..end]).map_err(stored)?,
                }
                if found.is_none() {
                    return Ok((end > 0).then_some(end));
                }
                if let State::Data(part) = core::mem::replace(&mut self.state, State::Boundary) {
                    self.fields.extend(part.value()?);
                }
                Ok(Some(end + self.boundary.len()))
            }
            State::End if b"\r\n".starts_with(rest) => Ok(None),
            State::End => Err(bad("something follows the end of the form")),
        }
    }

    /// Returns the fields. Fails if the last boundary is missing.
    pub(super) fn finish(self) -> Result<Vec<(String, FieldValue)>, Failure> {
        match self.state {
            State::End => Ok(self.fields),
            _ => Err(bad("the form ends before its last boundary")),
        }
    }
}

/// A temporary file that can't be written.
fn stored(error: std::io::Error) -> Failure {
    demat_place::lift(Error::from(error)).into()
}

impl Part {
    /// Returns the field; `None` for a file that was not chosen.
    fn value(self) -> Result<Option<(String, FieldValue)>, Failure> {
        let value = match self.held {
            Held::Text(text) => match String::from_utf8(text) {
                Ok(text) => FieldValue::Text(text),
                Err(_) => return Err(bad(format!("the field `{}` is not UTF-8", self.name))),
            },
            // Browsers send this for an empty input.
            Held::File(name, _, data) if name.is_empty() && data.len() == 0 => return Ok(None),
            Held::File(name, media_type, data) => {
                FieldValue::File { name, media_type, data: data.rewound().map_err(stored)? }
            }
        };
        Ok(Some((self.name, value)))
    }
}

/// Parses the head of a part.
fn part(head: &[u8], allowed: &[Field], fields: &[(String, FieldValue)]) -> Result<Part, Failure> {
    let head = core::str::from_utf8(head).map_err(|_| bad("the head of a part is not UTF-8"))?;
    let (mut disposition, mut media_type) = (None, None);
    for line in head.split("\r\n") {
        let Some((name, value)) = line.split_once(':') else { return Err(bad("the head of a part can't be read")) };
        if name.is_empty() || name.contains([' ', '\t', '\r', '\n']) || value.contains(['\r', '\n']) {
            return Err(bad("the head of a part can't be read"));
        }
        let value = value.trim_matches([' ', '\t']);
        let place = match name.to_ascii_lowercase().as_str() {
            "content-disposition" => &mut disposition,
            "content-type" => &mut media_type,
            "content-transfer-encoding" if !["7bit", "8bit", "binary"].contains(&&*value.to_ascii_lowercase()) => {
                return Err(bad("the parts of a form are sent as they are, without a transfer encoding"));
            }
            // RFC 7578, 4.8: other headers are ignored.
            _ => continue,
        };
        if place.replace(value).is_some() {
            return Err(bad(format!("a part says {name} twice")));
        }
    }
    let (name, filename) = names(disposition).ok_or_else(|| bad("a part has no name: Content-Disposition"))?;
    let field = expected(allowed, &name, fields.iter().any(|(other, _)| *other == name))?;
    let held = match (filename, field.file) {
        (Some(filename), true) => Held::File(filename, media_type.map(str::to_string), Spool::default()),
        (None, false) => Held::Text(Vec::new()),
        (Some(_), false) => return Err(unfit(format!("the field `{name}` is a text, and a file was sent"))),
        (None, true) => return Err(unfit(format!("the field `{name}` is a file, and a text was sent"))),
    };
    Ok(Part { name, held })
}

/// Returns the name of the field, and that of the file, if it is one.
fn names(disposition: Option<&str>) -> Option<(String, Option<String>)> {
    let (kind, rest) = disposition?.split_once(';')?;
    if !kind.trim_matches([' ', '\t']).eq_ignore_ascii_case("form-data") {
        return None;
    }
    let parameters = parameters(rest)?;
    let said = |name: &str| parameters.iter().find(|(own, _)| own == name).map(|(_, value)| value.as_str());
    let filename = match (said("filename*"), said("filename")) {
        (Some(encoded), _) => Some(extended(encoded)?),
        (None, plain) => plain.map(from_browser),
    };
    Some((from_browser(said("name")?), filename))
}
