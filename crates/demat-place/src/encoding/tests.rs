use super::{Decoding, Encoded, Encoding};
use crate::lift;
use demat_core::{Error, ErrorKind, Result};
use demat_formats::{Drain, To};
use std::io::Read;

/// A reader that returns a few bytes at a time.
struct Slow<'b>(&'b [u8], usize);

impl Read for Slow<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let len = self.1.min(buffer.len()).min(self.0.len());
        buffer[..len].copy_from_slice(&self.0[..len]);
        self.0 = &self.0[len..];
        Ok(len)
    }
}

fn decoded(name: &str, bytes: &[u8], step: usize) -> Result<String> {
    let mut decoding = Decoding::new(name.parse()?);
    let (mut text, mut buffer, mut from) = (Vec::new(), [0; 7], Slow(bytes, step));
    loop {
        let read = decoding.read(&mut from, &mut buffer).map_err(|error| lift(Error::from(error)))?;
        if read == 0 {
            return Ok(String::from_utf8(text).unwrap());
        }
        text.extend_from_slice(&buffer[..read]);
    }
}

fn encoded(name: &str, parts: &[&[u8]]) -> Result<Vec<u8>> {
    let mut out = Vec::new();
    let mut drain = Encoded::new(name.parse()?, To(&mut out));
    for part in parts {
        drain.drain(&mut part.to_vec())?;
    }
    Drain::flush(&mut drain)?;
    drop(drain);
    Ok(out)
}

#[test]
fn text_is_decoded_in_pieces() {
    let utf16: Vec<u8> = "\u{FEFF}aé€𝄞".encode_utf16().flat_map(u16::to_le_bytes).collect();
    for step in [1, 2, 3, 100] {
        assert_eq!(decoded("latin1", b"caf\xE9 \x80", step).unwrap(), "café €");
        assert_eq!(decoded("utf-16le", &utf16, step).unwrap(), "aé€𝄞", "without the byte order mark");
        assert_eq!(decoded("shift_jis", b"\x83n\x83\x8D", step).unwrap(), "ハロ");
        assert_eq!(decoded("utf-8", b"\xEF\xBB\xBFab", step).unwrap(), "ab");
        assert_eq!(decoded("utf-8", b"", step).unwrap(), "");
    }
}

#[test]
fn names_are_those_of_the_web_and_of_python() {
    for (names, is) in [
        (
            &["latin1", "latin-1", "Latin_1", "LATIN1", "iso8859-1", "ISO8859_1", "iso_8859_1", "l1", "cp1252"][..],
            "windows-1252",
        ),
        (&["utf8", "utf-8", "UTF_8", "u8", "cp65001"], "utf-8"),
        (&["utf-8-sig", "utf_8_sig", "utf8-sig", "UTF8SIG"], "utf-8-sig"),
        (&["utf-16", "utf16", "utf_16", "utf_16_le", "utf-16-le", "utf16le"], "utf-16le"),
        (&["utf_16_be", "utf-16be"], "utf-16be"),
        (&["cp1251", "windows_1251", "windows-1251"], "windows-1251"),
        (&["shift-jis", "shift_jis", "SJIS", "cp932", "shiftjis"], "shift_jis"),
        (&["latin2", "latin-2", "iso8859_2", "iso-8859_2", "ISO 8859-2"], "iso-8859-2"),
        (&["latin-9", "iso8859_15", "iso-8859-15"], "iso-8859-15"),
        (&["mac_roman", "mac-roman", "macintosh"], "macintosh"),
        (&["koi8_r", "KOI8-R"], "koi8-r"),
        (&["euc_jp", "EUC-JP"], "euc-jp"),
        (&["gb2312", "gbk", "cp936"], "gbk"),
        (&["big5", "cp950"], "big5"),
        (&["euc_kr", "cp949"], "euc-kr"),
    ] {
        for name in names {
            let found = name.parse::<Encoding>().map(|own| own.to_string());
            assert_eq!(found.as_deref().ok(), Some(is), "{name}");
        }
    }
    for name in ["", "-", "klingon", "latin", "utf", "cp437", "utf-7", "utf-32", "replacement"] {
        assert!(name.parse::<Encoding>().is_err(), "{name}");
    }
    let marked: Encoding = "utf-8-sig".parse().unwrap();
    assert!(marked.check_output().unwrap_err().to_string().contains("utf-8-sig can be read, and not written"));
    for step in [1, 100] {
        assert_eq!(decoded("utf-8-sig", b"\xEF\xBB\xBFab", step).unwrap(), "ab");
        assert_eq!(decoded("utf-8-sig", b"ab", step).unwrap(), "ab");
    }
}

#[test]
fn invalid_bytes_are_an_error_with_their_offset() {
    for step in [1, 100] {
        for (name, bytes, offset) in
            [("shift_jis", &b"ab\x83\x20"[..], 2), ("utf-16le", b"a\0\x00\xD8b\0", 2), ("utf-8", b"abc\xFF", 3)]
        {
            let error = decoded(name, bytes, step).unwrap_err();
            assert_eq!((error.kind(), error.position().offset), (ErrorKind::Syntax, Some(offset)), "{name}: {error}");
            assert!(error.to_string().contains(&format!("expected text in {name}")), "{error}");
        }
        // The last character is cut off.
        assert!(decoded("utf-16le", b"a\0b", step).is_err());
    }
}

#[test]
fn text_is_encoded_in_pieces() {
    assert_eq!(encoded("latin1", &["caf\u{E9} €".as_bytes()]).unwrap(), b"caf\xE9 \x80");
    assert_eq!(encoded("shift_jis", &[b"\xE3\x83", b"\x8F\xE3\x83\xAD"]).unwrap(), b"\x83n\x83\x8D");
    assert_eq!(encoded("iso-2022-jp", &["ハ".as_bytes()]).unwrap(), b"\x1B$B%O\x1B(B");
    let long = "é".repeat(100_000);
    assert_eq!(encoded("latin1", &[long.as_bytes()]).unwrap(), vec![0xE9; 100_000]);
    let error = encoded("latin1", &["ハ".as_bytes()]).unwrap_err();
    assert_eq!(
        (error.kind(), error.reason()),
        (ErrorKind::Encode, "`ハ` can't be written in windows-1252".to_string())
    );
    assert!(encoded("latin1", &[b"\xE3\x83"]).is_err(), "half a character");
}

#[test]
fn names_are_those_of_the_web() {
    assert!("utf-16le".parse::<Encoding>().unwrap().check_output().is_err());
    assert!("koi8-r".parse::<Encoding>().unwrap().check_output().is_ok());
    assert!("x".parse::<Encoding>().unwrap_err().reason().contains("no encoding is called `x`"));
}
