//! Skips values without decoding, as strictly as decoding.

use super::JsonSource;
use demat_core::{Result, Source};

/// One bit for each container that is being skipped: whether it is an object. The outermost is first.
#[derive(Debug, Default)]
struct Objects {
    words: Vec<u64>,
    current: u64,
    len: u32,
}

impl Objects {
    #[inline]
    fn push(&mut self, object: bool) {
        if self.len.is_multiple_of(64) && self.len > 0 {
            self.words.push(self.current);
        }
        self.current = self.current << 1 | u64::from(object);
        self.len += 1;
    }

    #[inline]
    fn pop(&mut self) {
        self.len -= 1;
        self.current >>= 1;
        if self.len.is_multiple_of(64) && self.len > 0 {
            self.current = self.words.pop().unwrap_or_default();
        }
    }

    #[inline]
    fn in_object(&self) -> bool {
        self.current & 1 == 1
    }
}

impl JsonSource<'_> {
    #[inline]
    pub(super) fn skip_value(&mut self) -> Result<()> {
        match self.begin() {
            Some(b'"') => self.skip_string(),
            Some(b'-' | b'0'..=b'9') => {
                self.at = self.scan_number()?.end;
                Ok(())
            }
            Some(b'{' | b'[') => self.skip_container(),
            _ => self.skip_literal(),
        }
    }

    fn skip_literal(&mut self) -> Result<()> {
        match self.bytes.get(self.at) {
            Some(b't') => self.literal("true"),
            Some(b'f') => self.literal("false"),
            Some(b'n') => self.literal("null"),
            _ => Err(self.no_value()),
        }
    }

    #[inline(never)]
    fn skip_container(&mut self) -> Result<()> {
        let mut objects = Objects::default();
        loop {
            // At the start of a value.
            match self.next() {
                Some(open @ (b'{' | b'[')) => {
                    if self.depth + objects.len >= self.options.depth {
                        return Err(self.too_deep());
                    }
                    self.at += 1;
                    objects.push(open == b'{');
                    // Opening and closing brackets differ by 2.
                    if self.next() != Some(open + 2) {
                        if open == b'{' {
                            self.skip_key(true)?;
                        } else if self.at >= self.bytes.len() {
                            return Err(self.unexpected(self.at, "a value or `]`"));
                        }
                        continue;
                    }
                    self.at += 1;
                    objects.pop();
                }
                Some(b'"') => self.skip_string()?,
                Some(b'-' | b'0'..=b'9') => self.at = self.scan_number()?.end,
                _ => self.skip_literal()?,
            }
            // Behind a value.
            loop {
                if objects.len == 0 {
                    return Ok(());
                }
                match (self.next(), objects.in_object()) {
                    (Some(b','), true) => {
                        self.at += 1;
                        self.next();
                        self.skip_key(false)?;
                        break;
                    }
                    (Some(b','), false) => {
                        self.at += 1;
                        break;
                    }
                    (Some(b'}'), true) | (Some(b']'), false) => {
                        self.at += 1;
                        objects.pop();
                    }
                    (_, true) => return Err(self.unexpected(self.at, "`,` or `}`")),
                    (_, false) => return Err(self.unexpected(self.at, "`,` or `]`")),
                }
            }
        }
    }

    /// Skips a key and its colon.
    #[inline]
    fn skip_key(&mut self, first: bool) -> Result<()> {
        if self.bytes.get(self.at) != Some(&b'"') {
            let expected = if first && self.at >= self.bytes.len() { "a key or `}`" } else { "a key in quotes" };
            return Err(self.unexpected(self.at, expected));
        }
        self.skip_string()?;
        self.value()
    }
}
