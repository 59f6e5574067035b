//! Values whose kind a tag defines.

use super::super::head::{BREAK, Head, head};
use super::super::tag::{Meaning, Tag, meaning};
use super::super::{bignum, decimal, epoch};
use super::{CborSource, negative};
use demat_core::scalar::{Date, Decimal, Instant, Int, Uuid};
use demat_core::{Error, ErrorKind, Result};
use std::borrow::Cow;

/// A value whose kind a tag defines.
#[derive(Debug)]
pub(super) enum Tagged {
    Int(Int<'static>),
    Decimal(Decimal<'static>),
    Instant(Instant),
    Date(Date),
    Uuid(Uuid),
}

impl Tag {
    /// Whether its value is an int or a decimal.
    pub(in super::super) fn is_number(self) -> bool {
        matches!(self, Self::Positive | Self::Negative | Self::Decimal | Self::Bigfloat)
    }
}

impl<'a> CborSource<'a> {
    /// Reads the content of a tag at `at`. Returns the value and its end.
    pub(super) fn tagged(&self, tag: Tag, at: usize) -> Result<(Tagged, usize)> {
        match tag {
            Tag::DateTime => {
                let (instant, end) = self.text_as(at, "a date and time as RFC 3339, with an offset", |text| {
                    Instant::parse(text).filter(|instant| instant.offset.is_some())
                })?;
                Ok((Tagged::Instant(instant), end))
            }
            Tag::Epoch => {
                let expected = "seconds since 1970 in the years 1 to 9999";
                let (instant, end) = match self.content_at(at, expected)? {
                    (Head::Unsigned(value), end) => (epoch::of_int(value.into()), end),
                    (Head::Negative(value), end) => (epoch::of_int(-1 - i128::from(value)), end),
                    (Head::Half(value) | Head::Double(value), end) => (epoch::of_float(value), end),
                    (Head::Single(value), end) => (epoch::of_float(value.into()), end),
                    _ => return Err(self.bad_content(at, expected)),
                };
                let instant = instant.ok_or_else(|| self.bad_content(at, expected))?;
                Ok((Tagged::Instant(instant), end))
            }
            Tag::Positive | Tag::Negative => {
                let (int, end) = self.bignum(at, tag == Tag::Negative)?;
                Ok((Tagged::Int(int), end))
            }
            Tag::Decimal | Tag::Bigfloat => {
                let (exponent, mantissa, end) = self.exponent_and_mantissa(at)?;
                let decimal = if tag == Tag::Decimal {
                    decimal::of_parts(&mantissa, exponent)
                } else {
                    decimal::of_bigfloat(&mantissa, exponent)
                };
                let limit = decimal::MOST_BITS;
                let decimal = decimal.ok_or_else(|| self.too_large(at, "the exponent of a bigfloat", limit))?;
                Ok((Tagged::Decimal(decimal), end))
            }
            Tag::Uuid => match self.content_at(at, "16 bytes")? {
                (Head::Bytes(len), end) => self.uuid_at(end, len).map(|(uuid, end)| (Tagged::Uuid(uuid), end)),
                _ => Err(self.bad_content(at, "16 bytes")),
            },
            Tag::Days => {
                let expected = "days since 1970 in the years 1 to 9999";
                let (days, end) = self.small_int(at, expected)?;
                let date = i32::try_from(days).ok().and_then(Date::from_days_since_epoch);
                Ok((Tagged::Date(date.ok_or_else(|| self.bad_content(at, expected))?), end))
            }
            Tag::Date => {
                let (date, end) = self.text_as(at, "a date as YYYY-MM-DD", Date::parse)?;
                Ok((Tagged::Date(date), end))
            }
        }
    }

    /// Reads the head of a tag's content.
    fn content_at(&self, at: usize, expected: &'static str) -> Result<(Head, usize)> {
        match head(self.input.bytes(), at) {
            Ok((Head::Tag(_), _)) => Err(self.bad_content(at, expected)),
            Ok(found) => Ok(found),
            Err(fault) => Err(self.no_head(at, fault)),
        }
    }

    fn text_as<T>(
        &self,
        at: usize,
        expected: &'static str,
        parse: impl FnOnce(&str) -> Option<T>,
    ) -> Result<(T, usize)> {
        let (Head::Text(len), end) = self.content_at(at, expected)? else { return Err(self.bad_content(at, expected)) };
        let (text, end) = self.text_at(end, len)?;
        let Some(value) = parse(&text) else {
            let error = Error::other_text(expected, &text).with_kind(ErrorKind::Constraint);
            return Err(error.at(self.input.position_of(at)));
        };
        Ok((value, end))
    }

    fn bignum(&self, at: usize, is_negative: bool) -> Result<(Int<'static>, usize)> {
        let (bytes, end) = self.bignum_bytes(at)?;
        let digits = bignum::digits(&bytes, is_negative);
        let int = digits.as_deref().and_then(Int::from_digits).map(Int::into_owned);
        int.map(|int| (int, end)).ok_or_else(|| self.too_long(at))
    }

    /// Reads the content of tags 2 and 3.
    pub(super) fn bignum_bytes(&self, at: usize) -> Result<(Cow<'a, [u8]>, usize)> {
        let (Head::Bytes(len), end) = self.content_at(at, "the bytes of an int")? else {
            return Err(self.bad_content(at, "the bytes of an int"));
        };
        let (bytes, end) = self.bytes_at(end, len)?;
        let zeros = bytes.iter().take_while(|byte| **byte == 0).count();
        if bytes.len() - zeros > bignum::MOST {
            return Err(self.too_long(at));
        }
        Ok((bytes, end))
    }

    #[cold]
    fn too_long(&self, at: usize) -> Error {
        self.too_large(at, "the length of an int", format_args!("{} bytes", bignum::MOST))
    }

    fn small_int(&self, at: usize, expected: &'static str) -> Result<(i128, usize)> {
        match self.content_at(at, expected)? {
            (Head::Unsigned(value), end) => Ok((value.into(), end)),
            (Head::Negative(value), end) => Ok((-1 - i128::from(value), end)),
            _ => Err(self.bad_content(at, expected)),
        }
    }

    /// Reads the content of tags 4 and 5: an array of an exponent and a mantissa.
    fn exponent_and_mantissa(&self, at: usize) -> Result<(i128, Int<'static>, usize)> {
        const EXPECTED: &str = "an array of an exponent and a mantissa";
        let (Head::Array(count @ (Some(2) | None)), end) = self.content_at(at, EXPECTED)? else {
            return Err(self.bad_content(at, EXPECTED));
        };
        let (exponent, end) = self.small_int(end, "an exponent")?;
        let (mantissa, end) = match head(self.input.bytes(), end) {
            Ok((Head::Unsigned(value), end)) => (Int::from(value), end),
            Ok((Head::Negative(value), end)) => (negative(value), end),
            Ok((Head::Tag(number), content)) => match meaning(number) {
                Meaning::Kind(tag @ (Tag::Positive | Tag::Negative)) => self.bignum(content, tag == Tag::Negative)?,
                _ => return Err(self.bad_content(end, "a mantissa")),
            },
            Ok(_) => return Err(self.bad_content(end, "a mantissa")),
            Err(fault) => return Err(self.no_head(end, fault)),
        };
        if count.is_some() {
            return Ok((exponent, mantissa, end));
        }
        match self.input.byte(end) {
            Some(BREAK) => Ok((exponent, mantissa, end + 1)),
            Some(_) => Err(self.bad_content(at, EXPECTED)),
            None => Err(self.input.ended("a break")),
        }
    }
}
