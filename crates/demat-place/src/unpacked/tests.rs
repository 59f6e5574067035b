use super::Unpacked;
use crate::{Compression, lift};
use demat_core::{Error, ErrorKind};
use std::io::{self, Read, Write};

/// A reader that alternates between one byte and `WouldBlock`.
struct Halting<'a> {
    bytes: &'a [u8],
    ready: bool,
}

impl Read for Halting<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.ready = !self.ready;
        if !self.ready {
            return Err(io::ErrorKind::WouldBlock.into());
        }
        let Some((first, rest)) = self.bytes.split_first() else { return Ok(0) };
        buffer[0] = *first;
        self.bytes = rest;
        Ok(1)
    }
}

fn gzip(text: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(text).unwrap();
    encoder.finish().unwrap()
}

fn packed() -> [(Vec<u8>, Option<Compression>); 3] {
    let text = b"[1, 2, 3]".repeat(50);
    let zstd = zstd::encode_all(&text[..], 1).unwrap();
    [(gzip(&text), Some(Compression::Gzip)), (zstd, Some(Compression::Zstd)), (text, None)]
}

#[test]
fn a_reader_that_halts_is_asked_again() {
    for (bytes, compression) in packed() {
        let mut reader = Unpacked::new(Halting { bytes: &bytes, ready: false });
        let (mut whole, mut buffer, mut halts) = (Vec::new(), [0; 7], 0);
        loop {
            match reader.read(&mut buffer) {
                Ok(0) => break,
                Ok(read) => whole.extend_from_slice(&buffer[..read]),
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => halts += 1,
                Err(error) => panic!("{error}"),
            }
        }
        assert_eq!(whole, b"[1, 2, 3]".repeat(50));
        assert_eq!(reader.sniff().unwrap(), compression);
        assert!(halts > 10);
    }
}

#[test]
fn what_is_known_is_not_sniffed() {
    for (bytes, compression) in packed() {
        let mut reader = match compression {
            Some(compression) => Unpacked::packed(&bytes[..], compression).unwrap(),
            None => Unpacked::plain(&bytes[..]),
        };
        let mut whole = Vec::new();
        reader.read_to_end(&mut whole).unwrap();
        assert_eq!(whole, b"[1, 2, 3]".repeat(50));
        let mut plain = Vec::new();
        Unpacked::plain(&bytes[..]).read_to_end(&mut plain).unwrap();
        assert_eq!(plain, bytes);
    }
}

#[test]
fn damaged_data_is_no_fault_of_the_system() {
    for (bytes, compression) in packed() {
        let Some(compression) = compression else { continue };
        let cause = Unpacked::new(&bytes[..bytes.len() - 3]).read_to_end(&mut Vec::new()).unwrap_err();
        let error = lift(Error::from(cause));
        assert_eq!(error.kind(), ErrorKind::Syntax);
        assert!(error.reason().starts_with(&format!("the {compression} data is damaged or cut off")), "{error}");
    }
}
