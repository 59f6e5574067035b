//! A refused record and the reason.

use demat_core::Error;
use std::io::{self, Read, Write};

#[cfg(test)]
mod tests;

/// A refused record, with where it stands and why it is refused, as [`Rejects`](crate::Rejects) writes it.
///
/// It can be put aside as bytes, which the same version of this crate reads again.
///
/// ```
/// use demat_core::Error;
/// use demat_place::RejectedRecord;
/// let one = RejectedRecord::of(&Error::expected("int", "text").within_item(3).in_record(4), b"x");
/// let mut aside = Vec::new();
/// one.write_to(&mut aside)?;
/// assert_eq!(RejectedRecord::read_from(&mut &aside[..])?, Some(one));
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RejectedRecord {
    /// The record, the line, the column and the offset.
    pub(crate) numbers: [Option<u64>; 4],
    /// The path, the kind, what was expected, what was found, and the reason.
    pub(crate) texts: [Option<String>; 5],
    pub(crate) data: Vec<u8>,
}

/// The length of a text that is not there.
const NONE: u64 = u64::MAX;

impl RejectedRecord {
    /// Returns the record of these bytes, which was refused with this error.
    pub fn of(error: &Error, data: &[u8]) -> Self {
        let position = error.position();
        let texts = [
            Some(error.path()),
            Some(error.kind().name().to_string()),
            error.expectation().map(str::to_string),
            error.found().map(str::to_string),
            Some(error.reason()),
        ];
        let numbers = [position.record, position.line, position.column, position.offset];
        Self { numbers, texts, data: data.to_vec() }
    }

    /// Returns the offset in bytes where it is refused, if the error has one.
    pub fn offset(&self) -> Option<u64> {
        self.numbers[3]
    }

    /// Counts on: the source that it was read from is a part of a larger one, behind these records, line breaks and
    /// bytes.
    ///
    /// ```
    /// use demat_core::Error;
    /// use demat_place::RejectedRecord;
    /// let of = |item| RejectedRecord::of(&Error::expected("int", "text").within_field("id").within_item(item), b"x");
    /// assert_eq!(of(3).behind(5, 0, 0), of(8));
    /// ```
    #[must_use]
    pub fn behind(mut self, records: u64, lines: u64, bytes: u64) -> Self {
        for (number, more) in self.numbers.iter_mut().zip([records, lines, 0, bytes]) {
            *number = number.map(|number| number + more);
        }
        if let Some(path) = &mut self.texts[0]
            && let Some((index, rest)) = path.strip_prefix("$[").and_then(|rest| rest.split_once(']'))
            && let Ok(index) = index.parse::<u64>()
        {
            *path = format!("$[{}]{rest}", index + records);
        }
        self
    }

    /// Writes it as bytes.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn write_to(&self, to: &mut (impl Write + ?Sized)) -> io::Result<()> {
        for number in self.numbers {
            to.write_all(&[u8::from(number.is_some())])?;
            to.write_all(&number.unwrap_or_default().to_le_bytes())?;
        }
        let texts = self.texts.iter().map(|text| text.as_ref().map(String::as_bytes));
        for bytes in texts.chain([Some(&*self.data)]) {
            to.write_all(&bytes.map_or(NONE, |bytes| bytes.len() as u64).to_le_bytes())?;
            to.write_all(bytes.unwrap_or_default())?;
        }
        Ok(())
    }

    /// Reads the next one of those that [`write_to`](Self::write_to) wrote; `None` at the end.
    ///
    /// # Errors
    /// Those of the reader; [`InvalidData`](io::ErrorKind::InvalidData) and
    /// [`UnexpectedEof`](io::ErrorKind::UnexpectedEof) for other bytes.
    pub fn read_from(from: &mut (impl Read + ?Sized)) -> io::Result<Option<Self>> {
        let mut first = [0];
        if from.read(&mut first)? == 0 {
            return Ok(None);
        }
        let mut numbers = [None; 4];
        for (index, number) in numbers.iter_mut().enumerate() {
            let mut is_some = first;
            if index > 0 {
                from.read_exact(&mut is_some)?;
            }
            let value = word(from)?;
            *number = (is_some[0] == 1).then_some(value);
        }
        let mut texts = [const { None }; 5];
        for text in &mut texts {
            *text = bytes(from)?.map(String::from_utf8).transpose().map_err(|_| io::ErrorKind::InvalidData)?;
        }
        Ok(Some(Self { numbers, texts, data: bytes(from)?.unwrap_or_default() }))
    }
}

fn word(from: &mut (impl Read + ?Sized)) -> io::Result<u64> {
    let mut bytes = [0; 8];
    from.read_exact(&mut bytes)?;
    Ok(u64::from_le_bytes(bytes))
}

/// Reads bytes behind their length, which is not believed before they are there.
fn bytes(from: &mut (impl Read + ?Sized)) -> io::Result<Option<Vec<u8>>> {
    let len = word(from)?;
    if len == NONE {
        return Ok(None);
    }
    let mut bytes = Vec::new();
    from.take(len).read_to_end(&mut bytes)?;
    if bytes.len() as u64 == len { Ok(Some(bytes)) } else { Err(io::ErrorKind::UnexpectedEof.into()) }
}
