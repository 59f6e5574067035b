//! The bytes of a table, as options say them.

/// Reads the byte that stands between cells: itself, or `tab` or `\t`.
pub(crate) fn delimiter(text: &str) -> Result<u8, String> {
    match text {
        "tab" | "\\t" => Ok(b'\t'),
        _ => byte(text),
    }
}

/// What stands around cells, if something does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Quote(pub(crate) Option<u8>);

/// Reads the byte that stands around cells: itself, or `none`.
pub(crate) fn quote(text: &str) -> Result<Quote, String> {
    if text == "none" { Ok(Quote(None)) } else { byte(text).map(|byte| Quote(Some(byte))) }
}

fn byte(text: &str) -> Result<u8, String> {
    match text.as_bytes() {
        [byte] if byte.is_ascii() => Ok(*byte),
        _ => Err("expected one ASCII character".to_string()),
    }
}
