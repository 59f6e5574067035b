//! Detects compression by the first bytes.

use crate::Compression;
use std::io::{self, Read};

/// A reader with its first bytes put back in front.
pub(crate) struct Sniffed<R> {
    head: [u8; 4],
    /// The part of the head that is still to be read.
    start: usize,
    end: usize,
    rest: R,
}

impl<R: Read> Sniffed<R> {
    /// Returns it before anything was read.
    pub(crate) fn before(rest: R) -> Self {
        Self { head: [0; 4], start: 0, end: 0, rest }
    }

    /// Reads as few bytes as determine the compression: usually one for text, so that a slow pipe does not have to
    /// wait. After an error it can be called again.
    pub(crate) fn sniff(&mut self) -> io::Result<Option<Compression>> {
        loop {
            let seen = &self.head[..self.end];
            if let Some(whole) = ALL.into_iter().find(|one| seen.starts_with(one.magic())) {
                return Ok(Some(whole));
            }
            if !ALL.iter().any(|one| one.magic().starts_with(seen)) {
                return Ok(None);
            }
            match self.rest.read(&mut self.head[self.end..=self.end]) {
                Ok(0) => return Ok(None),
                Ok(read) => self.end += read,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    }

    /// The reader, mutable.
    pub(crate) fn inner_mut(&mut self) -> &mut R {
        &mut self.rest
    }

    /// The reader.
    pub(crate) fn inner(&self) -> &R {
        &self.rest
    }
}

const ALL: [Compression; 2] = [Compression::Gzip, Compression::Zstd];

impl<R: Read> Read for Sniffed<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.start == self.end {
            return self.rest.read(buffer);
        }
        let len = buffer.len().min(self.end - self.start);
        buffer[..len].copy_from_slice(&self.head[self.start..self.start + len]);
        self.start += len;
        // The caller wants more than these few bytes. An error here is dropped, since it will occur again at the next
        // read.
        let more = if len < buffer.len() { self.rest.read(&mut buffer[len..]).unwrap_or(0) } else { 0 };
        Ok(len + more)
    }
}

#[cfg(test)]
mod tests {
    use super::Sniffed;
    use crate::Compression;
    use std::io::Read;

    #[test]
    fn the_first_bytes_tell_and_are_not_lost() {
        let cases: [(&[u8], Option<Compression>); 8] = [
            (b"", None),
            (b"{", None),
            (b"\x1F", None),
            (b"\x1Fx", None),
            (b"\x1F\x8Bx", Some(Compression::Gzip)),
            (b"(\xB5/\xFDrest", Some(Compression::Zstd)),
            (b"(\xB5/x", None),
            (b"(a),(b)\n", None),
        ];
        for (bytes, expected) in cases {
            let mut sniffed = Sniffed::before(bytes);
            assert_eq!(sniffed.sniff().unwrap(), expected, "{bytes:?}");
            let mut whole = Vec::new();
            sniffed.read_to_end(&mut whole).unwrap();
            assert_eq!(whole, bytes);
        }
    }

    #[test]
    fn text_is_known_by_its_first_byte() {
        let mut sniffed = Sniffed::before(&b"[1]"[..]);
        sniffed.sniff().unwrap();
        assert_eq!(sniffed.rest, b"1]");
    }
}
