//! When a value that is coming in may be complete.

#[cfg(test)]
mod tests;

/// Watches the bytes of a value come in and says when it may be complete, so that one which came slowly is given as soon
/// as it is there, and one that is not yet there is not tried again with every byte.
///
/// Each byte is looked at once. It never says too late that a value is complete, and seldom too early.
#[derive(Debug, Clone, Copy)]
pub struct Awaited {
    end: End,
    /// How many lists and maps are open.
    depth: u64,
    quoted: bool,
    /// Whether the byte before was a backslash that escapes the next.
    escaped: bool,
    /// Whether a number or a literal stands here, outside of all lists and maps.
    bare: bool,
}

/// What values end with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// A line end.
    Line,
    /// A line end outside of quotes, where a format has these.
    Row(Option<u8>),
    /// The bracket of a list or record, a quote, or what follows a number.
    Bracket,
}

impl Awaited {
    /// Before the first byte.
    pub fn new(end: End) -> Self {
        Self { end, depth: 0, quoted: false, escaped: false, bare: false }
    }

    /// Looks at the next bytes, and says whether the value may end in them.
    pub fn may_end(&mut self, bytes: &[u8]) -> bool {
        match self.end {
            End::Line => memchr::memchr(b'\n', bytes).is_some(),
            End::Row(None) => memchr::memchr2(b'\n', b'\r', bytes).is_some(),
            End::Row(Some(quote)) => {
                let mut ends = false;
                for at in memchr::memchr3_iter(quote, b'\n', b'\r', bytes) {
                    self.quoted ^= bytes[at] == quote;
                    ends |= bytes[at] != quote && !self.quoted;
                }
                ends
            }
            End::Bracket => self.bracket(bytes),
        }
    }

    fn bracket(&mut self, bytes: &[u8]) -> bool {
        let (mut ends, mut at) = (false, 0);
        while let Some(&byte) = bytes.get(at) {
            if self.quoted {
                if self.escaped {
                    self.escaped = false;
                    at += 1;
                    continue;
                }
                let Some(next) = memchr::memchr2(b'"', b'\\', &bytes[at..]) else { return ends };
                at += next + 1;
                if bytes[at - 1] == b'\\' {
                    self.escaped = true;
                } else {
                    self.quoted = false;
                    ends |= self.depth == 0;
                }
                continue;
            }
            at += 1;
            match byte {
                b'"' => self.quoted = true,
                b'{' | b'[' => self.depth += 1,
                b'}' | b']' => {
                    ends |= self.depth <= 1;
                    self.depth = self.depth.saturating_sub(1);
                }
                b' ' | b'\t' | b'\r' | b'\n' | b',' | b':' => {
                    ends |= self.bare && self.depth == 0;
                    self.bare = false;
                }
                _ => self.bare = true,
            }
        }
        ends
    }
}
