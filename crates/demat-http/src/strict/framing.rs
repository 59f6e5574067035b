//! Strict HTTP/1 message framing.

/// Tracks the boundaries of heads and bodies in received bytes.
///
/// It accepts unambiguous framing only: no length, one decimal `Content-Length`, or chunked and nothing else. It
/// corrupts all other heads, so that the HTTP parser refuses them. So both always agree where a body ends.
#[derive(Debug, Default)]
pub(super) struct Framing {
    phase: Phase,
    /// The start of an incomplete line, up to [`KEPT`] bytes.
    line: Vec<u8>,
    /// Whether the line is longer than `line`.
    cut: bool,
    /// The last byte of the incomplete line.
    last: u8,
    head: Head,
}

#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum Phase {
    #[default]
    Head,
    Body(u64),
    Chunks(Chunks),
    /// The parser refuses the rest, or the head was corrupted: no further head follows.
    Over,
}

/// The position in a chunked body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Chunks {
    /// In the digits of a size: their number, and the value so far.
    Size(u32, u64),
    /// After the digits, up to the end of the line.
    Extension(u64),
    SizeEnd(u64),
    Data(u64),
    DataEnd,
    /// In a trailer line: whether it has begun.
    Trailer(bool),
    TrailerEnd(bool),
}

/// The framing headers of a head.
#[derive(Debug, Default, Clone, Copy)]
struct Head {
    /// Whether the first line has been seen.
    begun: bool,
    length: Option<u64>,
    chunked: bool,
    bad: bool,
}

/// The number of bytes kept of an incomplete line; a valid length is shorter.
const KEPT: usize = 256;
/// A byte that is invalid in every head.
const SPOILT: u8 = 0;

impl Framing {
    /// Inspects received bytes, and corrupts ambiguous heads.
    pub(super) fn inspect(&mut self, bytes: &mut [u8]) {
        let mut at = 0;
        while let Some(rest) = bytes.get_mut(at..).filter(|rest| !rest.is_empty()) {
            at += match self.phase {
                Phase::Head => self.line(rest),
                Phase::Body(left) => {
                    let taken = rest.len().min(usize::try_from(left).unwrap_or(usize::MAX));
                    let left = left - taken as u64;
                    self.phase = if left == 0 { Phase::Head } else { Phase::Body(left) };
                    taken
                }
                Phase::Chunks(Chunks::Data(left)) => {
                    let taken = rest.len().min(usize::try_from(left).unwrap_or(usize::MAX));
                    let left = left - taken as u64;
                    self.phase = Phase::Chunks(if left == 0 { Chunks::DataEnd } else { Chunks::Data(left) });
                    taken
                }
                Phase::Chunks(chunks) => {
                    self.phase = chunk(chunks, &mut rest[0]);
                    1
                }
                Phase::Over => return,
            };
        }
    }

    /// Inspects a line of a head, or a part of it. Returns its length.
    fn line(&mut self, rest: &mut [u8]) -> usize {
        let Some(end) = memchr::memchr(b'\n', rest) else {
            let room = KEPT - self.line.len();
            self.line.extend_from_slice(&rest[..rest.len().min(room)]);
            self.cut |= rest.len() > room;
            self.last = rest[rest.len() - 1];
            return rest.len();
        };
        let before = if end == 0 { self.last } else { rest[end - 1] };
        let whole = self.line.is_empty();
        let ends = if before != b'\r' {
            self.head.bad = true;
            true
        } else if whole {
            self.head.says(&rest[..end - 1], false)
        } else {
            let room = KEPT - self.line.len();
            self.cut |= end > room;
            self.line.extend_from_slice(&rest[..end.min(room)]);
            let line = self.line.strip_suffix(b"\r").unwrap_or(&self.line);
            self.head.says(line, self.cut)
        };
        if !whole {
            // Idle connections should hold no memory.
            self.line = Vec::new();
        }
        (self.cut, self.last) = (false, 0);
        if ends {
            let head = core::mem::take(&mut self.head);
            if head.bad {
                rest[end] = SPOILT;
            }
            self.phase = head.body();
        }
        end + 1
    }
}

impl Head {
    /// Parses a line without its end; `cut` if only its start is known. Returns whether it ends the head.
    fn says(&mut self, line: &[u8], cut: bool) -> bool {
        if !core::mem::replace(&mut self.begun, true) {
            // Empty lines before a request are skipped.
            self.begun = !line.is_empty();
            return false;
        }
        let value = |name: &[u8]| {
            let (own, value) = line.split_at_checked(name.len())?;
            Some(value.strip_prefix(b":")?.trim_ascii()).filter(|_| own.eq_ignore_ascii_case(name))
        };
        match line.first() {
            None => {
                self.bad |= self.chunked && self.length.is_some();
                return true;
            }
            Some(b'c' | b'C') => {
                if let Some(value) = value(b"content-length") {
                    let length = decimal(value).filter(|_| !cut && self.length.is_none());
                    self.bad |= length.is_none();
                    self.length = length;
                }
            }
            Some(b't' | b'T') => {
                if let Some(value) = value(b"transfer-encoding") {
                    self.bad |= cut || self.chunked || !value.eq_ignore_ascii_case(b"chunked");
                    self.chunked = true;
                }
            }
            _ => {}
        }
        false
    }

    /// Returns the phase after the head.
    fn body(self) -> Phase {
        match self {
            Self { bad: true, .. } => Phase::Over,
            Self { chunked: true, .. } => Phase::Chunks(Chunks::Size(0, 0)),
            Self { length: None | Some(0), .. } => Phase::Head,
            Self { length: Some(length), .. } => Phase::Body(length),
        }
    }
}

/// Parses a number that consists of digits only.
fn decimal(digits: &[u8]) -> Option<u64> {
    let digit = |byte: u8| byte.is_ascii_digit().then(|| u64::from(byte - b'0'));
    let next = |number: u64, byte: &u8| number.checked_mul(10)?.checked_add(digit(*byte)?);
    digits.iter().try_fold(0, next).filter(|_| !digits.is_empty())
}

/// Advances by one byte of a chunked body. The parser refuses invalid sizes and line ends itself, but it would accept a
/// bare line feed in a trailer, so that is corrupted.
fn chunk(at: Chunks, byte: &mut u8) -> Phase {
    Phase::Chunks(match (at, *byte) {
        (Chunks::Size(digits, size), b'0'..=b'9' | b'a'..=b'f' | b'A'..=b'F') => {
            let digit = char::from(*byte).to_digit(16).unwrap_or(0);
            match size.checked_mul(16) {
                Some(size) => Chunks::Size(digits + 1, size + u64::from(digit)),
                None => return Phase::Over,
            }
        }
        (Chunks::Size(1.., size) | Chunks::Extension(size), b'\r') => Chunks::SizeEnd(size),
        (Chunks::Size(1.., size), b';' | b' ' | b'\t') => Chunks::Extension(size),
        (Chunks::Extension(size), other) if other != b'\n' => Chunks::Extension(size),
        (Chunks::SizeEnd(0) | Chunks::TrailerEnd(true), b'\n') => Chunks::Trailer(false),
        (Chunks::SizeEnd(size), b'\n') => Chunks::Data(size),
        (Chunks::DataEnd, b'\r') => Chunks::DataEnd,
        (Chunks::DataEnd, b'\n') => Chunks::Size(0, 0),
        (Chunks::Trailer(begun), b'\r') => Chunks::TrailerEnd(begun),
        (Chunks::Trailer(_), b'\n') => {
            *byte = SPOILT;
            return Phase::Over;
        }
        (Chunks::Trailer(_), _) => Chunks::Trailer(true),
        (Chunks::TrailerEnd(false), b'\n') => return Phase::Head,
        _ => return Phase::Over,
    })
}
