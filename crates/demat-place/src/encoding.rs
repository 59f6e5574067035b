//! Text in encodings other than UTF-8.

use crate::Format;
use crate::lift::lower;
use core::fmt;
use core::str::FromStr;
use demat_core::{Error, ErrorKind, Position, Result};
use demat_formats::Drain;
use demat_formats::codec::Model;
use encoding_rs::{Decoder, DecoderResult, Encoder, EncoderResult};
use std::io::{self, Read, Write};

#[cfg(test)]
mod tests;

/// A character encoding of text, by a name of the WHATWG Encoding Standard (`latin1`, `windows-1252`, `utf-16le`,
/// `shift_jis`), or by Python's name for it (`latin-1`, `utf_8`, `utf-8-sig`, `cp932`). Case, hyphens and underscores
/// don't matter.
///
/// ```
/// use demat_place::Encoding;
/// assert_eq!("latin1".parse::<Encoding>()?.to_string(), "windows-1252");
/// assert_eq!("Latin-1".parse::<Encoding>()?.to_string(), "windows-1252");
/// assert!("klingon".parse::<Encoding>().is_err());
/// # Ok::<(), demat_core::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Encoding {
    own: &'static encoding_rs::Encoding,
    /// Whether the name stands for UTF-8 with a byte order mark, which is read but not written.
    has_mark: bool,
}

impl Encoding {
    /// Checks that files of a format are text whose encoding can be chosen: JSON, NDJSON, CSV and TSV. Other formats
    /// have an encoding of their own.
    ///
    /// # Errors
    /// [`Constraint`](ErrorKind::Constraint) if they are not.
    pub fn check(format: Format) -> Result<()> {
        match format.about().model {
            Model::Cells | Model::Json | Model::JsonLines => Ok(()),
            _ => Err(Error::new(ErrorKind::Constraint, format!("the encoding of {format} can't be chosen"))),
        }
    }

    /// Checks that text can be written in it.
    ///
    /// # Errors
    /// [`Constraint`](ErrorKind::Constraint) for UTF-16 and UTF-8 with a byte order mark, which are read only.
    pub fn check_output(self) -> Result<()> {
        if self.own.output_encoding() == self.own && !self.has_mark {
            return Ok(());
        }
        Err(Error::new(ErrorKind::Constraint, format!("{self} can be read, and not written")))
    }
}

impl FromStr for Encoding {
    type Err = Error;

    /// # Errors
    /// [`Constraint`](ErrorKind::Constraint) if no encoding has this name.
    fn from_str(name: &str) -> Result<Self> {
        let has_mark = squashed(name) == "utf8sig";
        let found = encoding_rs::Encoding::for_label_no_replacement(name.as_bytes()).or_else(|| alias(name));
        found.map(|own| Self { own, has_mark }).ok_or_else(|| {
            let message = format!(
                "no encoding is called `{name}`; names are those of the web or of Python, such as `latin1` or `utf-8-sig`"
            );
            Error::new(ErrorKind::Constraint, message)
        })
    }
}

/// Names of Python's codecs without hyphens and underscores, where the web has another.
const ALIASES: [(&str, &str); 19] = [
    ("utf8sig", "utf-8"),
    ("u8", "utf-8"),
    ("cp65001", "utf-8"),
    ("u16", "utf-16"),
    ("utf16", "utf-16"),
    ("utf16le", "utf-16le"),
    ("utf16be", "utf-16be"),
    ("latin7", "iso-8859-13"),
    ("latin8", "iso-8859-14"),
    ("latin9", "iso-8859-15"),
    ("latin10", "iso-8859-16"),
    ("cp874", "windows-874"),
    ("cp932", "shift_jis"),
    ("shiftjis", "shift_jis"),
    ("eucjp", "euc-jp"),
    ("euckr", "euc-kr"),
    ("cp936", "gbk"),
    ("cp949", "euc-kr"),
    ("cp950", "big5"),
];

/// Returns a name in small letters, without hyphens, underscores and spaces.
fn squashed(name: &str) -> String {
    name.chars().filter(|letter| !matches!(letter, '-' | '_' | ' ')).map(|letter| letter.to_ascii_lowercase()).collect()
}

/// Returns the encoding that is called so in another spelling.
fn alias(name: &str) -> Option<&'static encoding_rs::Encoding> {
    let squashed = squashed(name);
    let known = ALIASES.iter().find(|(own, _)| *own == squashed).map(|(_, web)| web.to_string());
    let spelled = [known.unwrap_or_else(|| squashed.clone()), name.replace('_', "-"), name.replace('-', "_")];
    // `ISO8859_1`, `mac-roman`
    let more = [format!("x-{}", name.replace('_', "-")), squashed.replace("iso8859", "iso-8859-")];
    let find = |name: &String| encoding_rs::Encoding::for_label_no_replacement(name.as_bytes());
    spelled.iter().chain(&more).find_map(find)
}

impl fmt::Display for Encoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.own.name().to_ascii_lowercase())?;
        f.write_str(if self.has_mark { "-sig" } else { "" })
    }
}

/// The size of the buffers.
const PART: usize = 32 * 1024;

/// Decodes text to UTF-8, part by part, without its byte order mark.
pub(crate) struct Decoding {
    encoding: Encoding,
    decoder: Decoder,
    raw: Vec<u8>,
    /// The bytes of `raw` that are not decoded yet.
    rest: core::ops::Range<usize>,
    text: Vec<u8>,
    /// The bytes of `text` that were not returned yet.
    ready: core::ops::Range<usize>,
    /// The number of bytes decoded.
    decoded: u64,
    ended: bool,
    done: bool,
}

impl Decoding {
    pub(crate) fn new(encoding: Encoding) -> Self {
        Self {
            encoding,
            decoder: encoding.own.new_decoder_with_bom_removal(),
            raw: vec![0; PART],
            rest: 0..0,
            // Room for the longest character, so that there is progress.
            text: vec![0; PART],
            ready: 0..0,
            decoded: 0,
            ended: false,
            done: false,
        }
    }

    /// Reads decoded text.
    pub(crate) fn read(&mut self, from: &mut impl Read, buffer: &mut [u8]) -> io::Result<usize> {
        while self.ready.is_empty() && !self.done && !buffer.is_empty() {
            if self.rest.is_empty() && !self.ended {
                let read = from.read(&mut self.raw)?;
                self.rest = 0..read;
                self.ended = read == 0;
            }
            self.decode()?;
        }
        let len = self.ready.len().min(buffer.len());
        buffer[..len].copy_from_slice(&self.text[self.ready.start..self.ready.start + len]);
        self.ready.start += len;
        Ok(len)
    }

    fn decode(&mut self) -> io::Result<()> {
        let raw = &self.raw[self.rest.clone()];
        let (result, read, written) = self.decoder.decode_to_utf8_without_replacement(raw, &mut self.text, self.ended);
        self.rest.start += read;
        self.decoded += read as u64;
        self.ready = 0..written;
        match result {
            DecoderResult::InputEmpty => self.done = self.ended,
            DecoderResult::OutputFull => {}
            DecoderResult::Malformed(bad, after) => {
                let offset = self.decoded.saturating_sub(u64::from(bad) + u64::from(after));
                let error = Error::mismatch(ErrorKind::Syntax, format!("text in {}", self.encoding), "other bytes");
                return Err(lower(error.at(Position { offset: Some(offset), ..Position::default() })));
            }
        }
        Ok(())
    }
}

/// Encodes what a sink writes.
pub(crate) struct Encoded<D> {
    encoding: Encoding,
    encoder: Encoder,
    /// Bytes of a character that is not complete yet.
    rest: Vec<u8>,
    drain: D,
}

impl<D: Drain> Encoded<D> {
    pub(crate) fn new(encoding: Encoding, drain: D) -> Self {
        Self { encoding, encoder: encoding.own.new_encoder(), rest: Vec::new(), drain }
    }

    /// Encodes text, and passes it on.
    fn encode(&mut self, bytes: &[u8], last: bool) -> Result<()> {
        self.rest.extend_from_slice(bytes);
        let whole = match core::str::from_utf8(&self.rest) {
            Ok(text) => text.len(),
            Err(error) if error.error_len().is_none() && !last => error.valid_up_to(),
            Err(_) => return Err(Error::new(ErrorKind::Encode, "only text can be written in an encoding")),
        };
        // What is valid was checked above.
        let text = core::str::from_utf8(&self.rest[..whole]).unwrap_or_default();
        let mut from = 0;
        loop {
            let mut part = vec![0; PART];
            let (result, read, written) =
                self.encoder.encode_from_utf8_without_replacement(&text[from..], &mut part, last);
            from += read;
            part.truncate(written);
            self.drain.drain(&mut part)?;
            match result {
                EncoderResult::InputEmpty => break,
                EncoderResult::OutputFull => {}
                EncoderResult::Unmappable(character) => {
                    let message = format!("`{character}` can't be written in {}", self.encoding);
                    return Err(Error::new(ErrorKind::Encode, message));
                }
            }
        }
        self.rest.drain(..whole);
        Ok(())
    }
}

impl<D: Drain> Drain for Encoded<D> {
    fn drain(&mut self, buffer: &mut Vec<u8>) -> Result<()> {
        self.encode(buffer, false)?;
        buffer.clear();
        Ok(())
    }

    fn is_prompt(&self) -> bool {
        self.drain.is_prompt()
    }

    fn flush(&mut self) -> Result<()> {
        self.encode(&[], true)?;
        self.encoder = self.encoding.own.new_encoder();
        self.drain.flush()
    }
}

impl<D: Drain> Write for Encoded<D> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.encode(bytes, false).map_err(lower)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Drain::flush(self).map_err(lower)
    }
}
