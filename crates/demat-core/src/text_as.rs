//! Values that a source has as text.

use crate::scalar::Decimal;
use crate::{Error, Result, Source, Text};

/// Reads a text and parses it as another kind.
///
/// `kind` names what was expected if no text stands there, and `form` if another text does.
///
/// # Errors
/// Those of [`Source::text`], and a type error for a text that `parse` refuses.
#[inline]
pub fn text_as<'a, S: Source<'a> + ?Sized, T>(
    source: &mut S,
    kind: &'static str,
    form: &'static str,
    parse: impl FnOnce(&str) -> Option<T>,
) -> Result<T> {
    let text = source.text().map_err(|error| error.not_of_text(kind))?;
    let Some(value) = parse(&text) else {
        let error = Error::other_text(form, &text);
        return Err(error.at(source.position()));
    };
    Ok(value)
}

/// Reads a text as an exact decimal number, as [`text_as`] does. Digits that stand in the input are not copied.
///
/// # Errors
/// As those of [`text_as`].
pub fn decimal_of_text<'a, S: Source<'a> + ?Sized>(source: &mut S) -> Result<Decimal<'a>> {
    let text = source.text().map_err(|error| error.not_of_text("decimal"))?;
    let decimal = match &text {
        Text::Input(text) => Decimal::parse(text),
        Text::Scratch(text) => Decimal::parse(text).map(Decimal::into_owned),
    };
    let Some(decimal) = decimal else {
        let error = Error::other_text("decimal", &text);
        return Err(error.at(source.position()));
    };
    Ok(decimal)
}
