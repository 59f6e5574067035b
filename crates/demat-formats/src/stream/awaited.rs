//! Detects when a value in slowly arriving input may be complete.

#[cfg(test)]
mod tests;

/// Inspects the bytes of a value as they arrive, and reports when it may be complete. So a slow reader's record is
/// decoded as soon as it has arrived, and decoding is not retried with every byte.
///
/// Each byte is inspected once. A complete value is never reported late, and rarely is an incomplete one reported.
#[derive(Debug, Clone, Copy)]
pub struct Awaited {
    end: End,
    /// The number of open lists and maps.
    depth: u64,
    quoted: bool,
    /// Whether the previous byte was a backslash that escapes the next one.
    escaped: bool,
    /// Whether a number or a literal has begun, outside of all lists and maps.
    bare: bool,
}

/// What a value ends with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// A line end.
    Line,
    /// A line end outside of quotes, if the format has a quote.
    Row(Option<u8>),
    /// The bracket of a list or record, a quote, or the byte after a number.
    Bracket,
}

impl Awaited {
    /// Returns the state before the first byte.
    pub fn new(end: End) -> Self {
        Self { end, depth: 0, quoted: false, escaped: false, bare: false }
    }

    /// Inspects the next bytes, and returns whether the value may end in them.
    pub fn may_end(&mut self, bytes: &[u8]) -> bool {
        let (mut ends, mut rest) = (false, bytes);
        while let Some(count) = self.first_end(rest) {
            ends = true;
            rest = &rest[count..];
        }
        ends
    }

    /// Inspects the next bytes up to the first of them with which the value may end. Returns the number of these bytes;
    /// `None` if the value ends with none of them, and then all of them were inspected.
    pub fn first_end(&mut self, bytes: &[u8]) -> Option<usize> {
        match self.end {
            End::Line => memchr::memchr(b'\n', bytes).map(|at| at + 1),
            End::Row(None) => memchr::memchr2(b'\n', b'\r', bytes).map(|at| at + 1),
            End::Row(Some(quote)) => {
                for at in memchr::memchr3_iter(quote, b'\n', b'\r', bytes) {
                    self.quoted ^= bytes[at] == quote;
                    if bytes[at] != quote && !self.quoted {
                        return Some(at + 1);
                    }
                }
                None
            }
            End::Bracket => self.bracket(bytes),
        }
    }

    fn bracket(&mut self, bytes: &[u8]) -> Option<usize> {
        let mut at = 0;
        while let Some(&byte) = bytes.get(at) {
            if self.quoted {
                if self.escaped {
                    self.escaped = false;
                    at += 1;
                    continue;
                }
                at += memchr::memchr2(b'"', b'\\', &bytes[at..])? + 1;
                self.escaped = bytes[at - 1] == b'\\';
                self.quoted = self.escaped;
                if !self.quoted && self.depth == 0 {
                    return Some(at);
                }
                continue;
            }
            at += 1;
            let ends = match byte {
                b'"' => {
                    self.quoted = true;
                    false
                }
                b'{' | b'[' => {
                    self.depth += 1;
                    false
                }
                b'}' | b']' => {
                    self.depth = self.depth.saturating_sub(1);
                    self.depth == 0
                }
                b' ' | b'\t' | b'\r' | b'\n' | b',' | b':' => std::mem::take(&mut self.bare) && self.depth == 0,
                _ => {
                    self.bare = true;
                    false
                }
            };
            if ends {
                return Some(at);
            }
        }
        None
    }
}
