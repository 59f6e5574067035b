//! Decimal numbers of the crate `rust_decimal`. Their digits are kept, also zeros at the end; a number that does not fit
//! their 96 bits is refused and never rounded.

use crate::{Decode, Encode, Error, ErrorKind, Result, Shape, Shaped, Sink, Source, scalar};
use rust_decimal::Decimal;

impl Shaped for Decimal {
    const SHAPE: &'static Shape = &Shape::Decimal;
}

impl Encode for Decimal {
    fn encode<S: Sink + ?Sized>(&self, sink: &mut S) -> Result<()> {
        let digits = self.to_string();
        match scalar::Decimal::parse(&digits) {
            Some(own) => sink.decimal(&own),
            None => Err(Error::new(ErrorKind::Internal, format!("`{digits}` is no decimal"))),
        }
    }
}

impl<'a> Decode<'a> for Decimal {
    fn decode<S: Source<'a> + ?Sized>(source: &mut S) -> Result<Self> {
        let own = source.decimal()?;
        let digits = own.as_str();
        let exact = if digits.contains(['e', 'E']) {
            Self::from_scientific(digits).ok().filter(|number| is_exactly(*number, digits))
        } else {
            Self::from_str_exact(digits).ok()
        };
        exact.ok_or_else(|| {
            let found = digits.to_string();
            let expected = "a decimal of 96 bits with at most 28 digits behind the point";
            Error::mismatch(ErrorKind::Constraint, expected, found).at(source.position())
        })
    }
}

/// Whether a number has all digits of a text with an exponent.
fn is_exactly(number: Decimal, text: &str) -> bool {
    let significant = |digits: &str| {
        let digits: String =
            digits.chars().take_while(|c| !matches!(c, 'e' | 'E')).filter(char::is_ascii_digit).collect();
        digits.trim_matches('0').to_string()
    };
    significant(text) == significant(&number.to_string())
}
