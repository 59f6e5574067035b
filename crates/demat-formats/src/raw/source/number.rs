//! Numbers, flags and names.

use super::super::varint::{self, NoVarint};
use super::RawSource;
use demat_core::scalar::Int;
use demat_core::{Enum, Error, ErrorKind, IntWidth, Result};

impl<'a> RawSource<'a, '_> {
    /// Reads an unsigned number. Returns it and its end.
    #[inline]
    pub(super) fn varint(&self) -> Result<(u128, usize)> {
        varint::read(self.part.bytes, self.at).map_err(|fault| self.no_varint(self.at, fault))
    }

    /// Returns the byte at the current position.
    #[inline]
    pub(super) fn byte(&self, expected: &'static str) -> Result<u8> {
        self.part.bytes.get(self.at).copied().ok_or_else(|| self.ended(expected))
    }

    /// Reads a byte that must be 0 or 1.
    #[inline]
    pub(super) fn flag(&self, expected: &'static str) -> Result<bool> {
        match self.byte(expected)? {
            0 => Ok(false),
            1 => Ok(true),
            other => Err(self.unexpected(self.at, expected, format!("byte 0x{other:02x}"))),
        }
    }

    /// Reads an int of this width. Returns it and its end.
    #[inline]
    pub(super) fn number(&self, width: IntWidth) -> Result<(Int<'a>, usize)> {
        let is_signed = match width {
            IntWidth::Signed(..=8) => return Ok((Int::I64(self.byte("an int")?.cast_signed().into()), self.at + 1)),
            IntWidth::Unsigned(..=8) => return Ok((Int::I64(self.byte("an int")?.into()), self.at + 1)),
            IntWidth::Signed(_) | IntWidth::Any => true,
            IntWidth::Unsigned(_) => false,
        };
        match varint::read(self.part.bytes, self.at) {
            Ok((value, end)) if is_signed => Ok((Int::from(varint::unzigzag(value)), end)),
            Ok((value, end)) => Ok((Int::from(value), end)),
            Err(NoVarint::Escape) => self.digits(is_signed),
            Err(fault) => Err(self.no_varint(self.at, fault)),
        }
    }

    /// Reads an int of more than 128 bits: text after `80 00`.
    #[cold]
    fn digits(&self, is_signed: bool) -> Result<(Int<'a>, usize)> {
        let begin = self.at + 2;
        let (len, begin) = varint::read(self.part.bytes, begin).map_err(|fault| self.no_varint(begin, fault))?;
        let content = self.content(begin, len, "digits")?;
        let int = core::str::from_utf8(content).ok().and_then(Int::from_digits);
        let wide = int.filter(|int| match (is_signed, int) {
            (true, int) => int.to_i128().is_none(),
            (false, int) => int.to_u128().is_none(),
        });
        let end = begin + content.len();
        wide.map(|int| (int, end))
            .ok_or_else(|| self.unexpected(begin, "the digits of a number of more than 128 bits", "other text"))
    }

    /// Reads the index of a name. Returns it and its end. An enum with one name takes no bytes.
    pub(super) fn index_of(&self, names: &Enum) -> Result<(usize, usize)> {
        if names.len() == 1 {
            return Ok((0, self.at));
        }
        let (index, end) = self.varint()?;
        match usize::try_from(index) {
            Ok(index) if index < names.len() => Ok((index, end)),
            _ => {
                let (expected, found) = (names.names(), format!("number {index}"));
                Err(Error::mismatch(ErrorKind::Constraint, expected, found).at(self.position_of(self.at)))
            }
        }
    }

    #[cold]
    pub(super) fn no_name(&self, names: &Enum, found: &str) -> Error {
        let error = Error::mismatch(ErrorKind::Constraint, names.names(), format!("`{found}`"));
        error.at(self.position_of(self.start))
    }
}
