//! Excerpts of values for messages: at most [`SHOWN`] characters, made in constant time.

use crate::{Kind, Result, Source, Token};
use core::fmt::{self, Write};

/// The number of characters of a value that a message shows.
pub const SHOWN: usize = 60;

/// The number of bytes that always contain the first [`SHOWN`] characters of a UTF-8 text.
pub const ENOUGH: usize = SHOWN * 4;

/// Returns a text in quotes, with escapes for what does not print. An ellipsis stands for what is cut.
///
/// ```
/// use demat_core::excerpt;
/// assert_eq!(excerpt::text("say \"no\"\n"), r#""say \"no\"\n""#);
/// assert_eq!(excerpt::text(&"a".repeat(61)), format!("\"{}…\"", "a".repeat(60)));
/// ```
#[cold]
pub fn text(text: &str) -> String {
    match cut(text) {
        Some(start) => format!("{:?}", format!("{start}…")),
        None => format!("{text:?}"),
    }
}

/// Returns a text in backticks, as messages show names of fields and of variants.
///
/// ```
/// assert_eq!(demat_core::excerpt::name("up"), "`up`");
/// ```
#[cold]
pub fn name(name: &str) -> String {
    match cut(name) {
        Some(start) => format!("`{start}…`"),
        None => format!("`{name}`"),
    }
}

/// Returns the excerpt of a text by its first bytes; `whole` says whether that is all of it. It needs no more than
/// [`ENOUGH`] bytes. Returns `None` if they are not UTF-8.
///
/// ```
/// use demat_core::excerpt;
/// assert_eq!(excerpt::text_bytes("né".as_bytes(), true).as_deref(), Some("\"né\""));
/// assert_eq!(excerpt::text_bytes(&"né".as_bytes()[..2], false).as_deref(), Some("\"n…\""));
/// assert_eq!(excerpt::text_bytes(b"\xff", true), None);
/// ```
#[cold]
pub fn text_bytes(bytes: &[u8], whole: bool) -> Option<String> {
    let (bytes, whole) = if bytes.len() > ENOUGH { (&bytes[..ENOUGH], false) } else { (bytes, whole) };
    let start = match core::str::from_utf8(bytes) {
        Ok(start) => start,
        // The cut may be within a character.
        Err(error) if !whole && error.error_len().is_none() => {
            core::str::from_utf8(&bytes[..error.valid_up_to()]).ok()?
        }
        Err(_) => return None,
    };
    Some(if whole || cut(start).is_some() { text(start) } else { format!("{:?}", format!("{start}…")) })
}

/// Returns bytes as a literal of Rust and Python. It needs no more than [`SHOWN`] and one bytes.
///
/// ```
/// assert_eq!(demat_core::excerpt::bytes(b"\x00ab"), r#"b"\x00ab""#);
/// ```
#[cold]
pub fn bytes(bytes: &[u8]) -> String {
    match bytes.get(..SHOWN).filter(|_| bytes.len() > SHOWN) {
        Some(start) => format!("b\"{}…\"", start.escape_ascii()),
        None => format!("b\"{}\"", bytes.escape_ascii()),
    }
}

/// Returns a value as it displays, without quotes.
///
/// ```
/// use demat_core::excerpt;
/// assert_eq!(excerpt::plain(1.5), "1.5");
/// assert_eq!(excerpt::plain("9".repeat(61)), format!("{}…", "9".repeat(60)));
/// ```
#[cold]
pub fn plain(value: impl fmt::Display) -> String {
    let mut start = Start { text: String::new(), left: SHOWN };
    match write!(start, "{value}") {
        Ok(()) => start.text,
        Err(_) => start.text + "…",
    }
}

/// Returns the excerpt of the scalar at a source, which stays where it is. Returns `None` for null, lists and maps, and
/// for a value that can't be read.
///
/// It reads the whole scalar. A source whose scalars may be huge must make the excerpt itself.
///
/// # Errors
/// A signal of the source.
#[cold]
pub fn of<'a, S: Source<'a> + ?Sized>(source: &mut S) -> Result<Option<String>> {
    let mark = source.mark();
    let shown = match source.peek() {
        Ok(Kind::Null | Kind::List | Kind::Map) => Ok(None),
        Ok(_) => source.take().map(|token| of_token(&token)),
        Err(error) => Err(error),
    };
    source.reset(mark);
    match shown {
        Err(error) if error.signal().is_some() => Err(error),
        shown => Ok(shown.unwrap_or(None)),
    }
}

fn of_token(token: &Token<'_, '_>) -> Option<String> {
    Some(match token {
        Token::Bool(value) => value.to_string(),
        Token::I64(value) => value.to_string(),
        Token::Int(value) => plain(value),
        Token::Float(value) => format!("{value:?}"),
        Token::Text(value) => text(value),
        Token::Bytes(value) => bytes(value),
        Token::Decimal(value) => plain(value.as_str()),
        Token::Date(value) => value.to_string(),
        Token::Time(value) => value.to_string(),
        Token::DateTime(value) => value.to_string(),
        Token::Instant(at, offset) => at.with_offset(*offset).to_string(),
        Token::Duration(value) => value.to_string(),
        Token::Uuid(value) => value.to_string(),
        Token::Null | Token::List(_) | Token::Map(_) => return None,
    })
}

/// Returns the first characters of a text, if it has more than [`SHOWN`].
fn cut(text: &str) -> Option<&str> {
    text.char_indices().nth(SHOWN).map(|(end, _)| &text[..end])
}

/// The start of what is written. It fails when there is more.
struct Start {
    text: String,
    left: usize,
}

impl Write for Start {
    fn write_str(&mut self, part: &str) -> fmt::Result {
        let (start, ended) = match part.char_indices().nth(self.left) {
            Some((end, _)) => (&part[..end], true),
            None => (part, false),
        };
        self.text.push_str(start);
        self.left -= start.chars().count();
        if ended { Err(fmt::Error) } else { Ok(()) }
    }
}
