use demat_core::{Mark, Result, Source, Token, interrupt};

/// Returns the mark of the value of a key in the map that the source has entered; `None` if there is no such key.
///
/// The last one counts if the key repeats, so this reads the map to its end. Only text is compared; other keys are
/// passed.
///
/// # Errors
/// If the map is malformed.
pub fn last_of_key<'a, S: Source<'a>>(source: &mut S, wanted: &str) -> Result<Option<Mark>> {
    let mut found = None;
    while let Some(is_wanted) = next_key(source, wanted)? {
        interrupt::check()?;
        source.value()?;
        if is_wanted {
            found = Some(source.mark());
        }
        source.skip()?;
    }
    Ok(found)
}

/// Steps to the next key. Returns whether it is the wanted one; `None` at the end.
fn next_key<'a, S: Source<'a>>(source: &mut S, wanted: &str) -> Result<Option<bool>> {
    if !source.entry()? {
        return Ok(None);
    }
    let mark = source.mark();
    match source.take()? {
        Token::Text(text) => return Ok(Some(*text == *wanted)),
        Token::List(_) | Token::Map(_) => {}
        _ => return Ok(Some(false)),
    }
    source.reset(mark);
    Err(source.mismatch("a scalar as a key"))
}

/// Reads a key, and replaces the content of `into` with its name in paths. Returns whether the key is text.
///
/// # Errors
/// If it is malformed.
pub(crate) fn read_key<'a, S: Source<'a>>(source: &mut S, into: &mut String) -> Result<bool> {
    into.clear();
    let mark = source.mark();
    match source.take()? {
        Token::List(_) | Token::Map(_) => {
            source.reset(mark);
            return Err(source.mismatch("a scalar as a key"));
        }
        Token::Text(text) => {
            into.push_str(&text);
            return Ok(true);
        }
        Token::I64(int) => into.push_str(&int.to_string()),
        Token::Int(int) => into.push_str(&int.to_string()),
        Token::Bool(bool) => into.push_str(&bool.to_string()),
        Token::Float(float) => into.push_str(&float.to_string()),
        Token::Null => into.push_str("null"),
        other => into.push_str(other.kind().name()),
    }
    Ok(false)
}
