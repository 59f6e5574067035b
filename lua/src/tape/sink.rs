use super::{Part, Tape};
use demat_core::scalar::Int;
use demat_core::{Error, ErrorKind, Result, Sink};

/// A sink that writes to a tape.
#[derive(Debug)]
pub(crate) struct TapeSink<'t> {
    tape: &'t mut Tape,
    /// The text that is decoded. Texts that are part of it are not copied.
    input: &'t [u8],
    /// Whether integers must be exact, since a shape asks for them.
    exact: bool,
    /// The parts where the open lists and maps begin, and the numbers of their children.
    open: Vec<(usize, usize)>,
    /// The open ones at the last commit, and the sizes of the tape.
    committed: (Vec<(usize, usize)>, usize, usize),
}

impl<'t> TapeSink<'t> {
    /// Returns a sink that replaces what is on the tape.
    pub(crate) fn new(tape: &'t mut Tape, input: &'t [u8], exact: bool) -> Self {
        tape.clear();
        Self { tape, input, exact, open: Vec::new(), committed: (Vec::new(), 0, 0) }
    }

    #[inline(always)]
    #[allow(clippy::unnecessary_wraps)] // it implements methods of the sink
    fn put(&mut self, part: Part) -> Result<()> {
        self.tape.parts.push(part);
        Ok(())
    }

    #[inline(always)]
    fn begin(&mut self, part: Part) -> Result<()> {
        self.open.push((self.tape.parts.len(), 0));
        self.put(part)
    }

    #[inline(always)]
    fn count(&mut self) {
        if let Some((_, count)) = self.open.last_mut() {
            *count += 1;
        }
    }

    #[inline(always)]
    fn close(&mut self) -> Result<()> {
        let Some((at, count)) = self.open.pop() else { return Ok(()) };
        let now = self.tape.parts.len();
        if let Some(Part::List { len, end } | Part::Map { len, end }) = self.tape.parts.get_mut(at) {
            *len = count;
            *end = now;
        }
        self.put(Part::End)
    }

    #[inline(always)]
    fn put_text(&mut self, text: &[u8]) {
        // By addresses: a part of the input is found again by its offset.
        let at = (text.as_ptr() as usize).wrapping_sub(self.input.as_ptr() as usize);
        if at < self.input.len() && text.len() <= self.input.len() - at {
            self.tape.parts.push(Part::Input { at, len: text.len() });
        } else {
            self.tape.text(text);
        }
    }

    /// Adds the path of the current value to an error: of the innermost list or map only, if it is between two
    /// children.
    #[cold]
    pub(crate) fn traced(&self, error: Error, between: bool) -> Error {
        let mut between = between;
        self.open.iter().rev().fold(error, |error, (at, count)| {
            if core::mem::take(&mut between) || *count == 0 {
                return error;
            }
            match self.tape.parts.get(*at) {
                Some(Part::List { .. }) => error.within_item(count - 1),
                _ => error.within_field(self.key(*at, count - 1)),
            }
        })
    }

    /// Returns the text of a key of the map that begins at the index.
    fn key(&self, map: usize, index: usize) -> String {
        let key = (0..index).fold(map + 1, |at, _| self.tape.behind(at + 1));
        match self.tape.parts.get(key) {
            Some(Part::Text { at, len }) => String::from_utf8_lossy(&self.tape.bytes[*at..at + len]).into_owned(),
            Some(Part::Input { at, len }) => String::from_utf8_lossy(&self.input[*at..at + len]).into_owned(),
            Some(Part::Int(key)) => key.to_string(),
            Some(Part::Bool(key)) => key.to_string(),
            _ => String::new(),
        }
    }

    #[cold]
    fn no_int(value: &Int<'_>) -> Error {
        Error::mismatch(ErrorKind::Constraint, "an integer that Lua holds exactly", value.to_string())
    }
}

impl Sink for TapeSink<'_> {
    fn null(&mut self) -> Result<()> {
        self.put(Part::Null)
    }

    fn bool(&mut self, value: bool) -> Result<()> {
        self.put(Part::Bool(value))
    }

    #[inline]
    fn i64(&mut self, value: i64) -> Result<()> {
        if self.exact && !crate::number::holds(value) {
            return Err(Self::no_int(&Int::I64(value)));
        }
        self.put(Part::Int(value))
    }

    fn int(&mut self, value: &Int<'_>) -> Result<()> {
        match value {
            Int::I64(value) => self.i64(*value),
            Int::U64(value) if crate::number::HOLDS_UNSIGNED && self.exact => self.put(Part::Large(*value)),
            // As Lua reads such a numeral itself.
            _ if !self.exact => self.put(Part::Float(value.to_f64())),
            _ => Err(Self::no_int(value)),
        }
    }

    #[inline]
    fn float(&mut self, value: f64) -> Result<()> {
        self.put(Part::Float(value))
    }

    #[inline]
    fn text(&mut self, value: &str) -> Result<()> {
        self.put_text(value.as_bytes());
        Ok(())
    }

    fn bytes(&mut self, value: &[u8]) -> Result<()> {
        self.put_text(value);
        Ok(())
    }

    fn begin_list(&mut self, _: Option<usize>) -> Result<()> {
        self.begin(Part::List { len: 0, end: 0 })
    }

    #[inline]
    fn item(&mut self) -> Result<()> {
        self.count();
        Ok(())
    }

    fn end_list(&mut self) -> Result<()> {
        self.close()
    }

    fn begin_map(&mut self, _: Option<usize>) -> Result<()> {
        self.begin(Part::Map { len: 0, end: 0 })
    }

    #[inline]
    fn entry(&mut self) -> Result<()> {
        self.count();
        Ok(())
    }

    #[inline]
    fn value(&mut self) -> Result<()> {
        Ok(())
    }

    fn end_map(&mut self) -> Result<()> {
        self.close()
    }

    fn commit(&mut self) -> Result<()> {
        self.committed.0.clone_from(&self.open);
        self.committed.1 = self.tape.parts.len();
        self.committed.2 = self.tape.bytes.len();
        Ok(())
    }

    fn rollback(&mut self) -> Result<()> {
        self.open.clone_from(&self.committed.0);
        self.tape.parts.truncate(self.committed.1);
        self.tape.bytes.truncate(self.committed.2);
        Ok(())
    }

    fn finish(&mut self) -> Result<()> {
        Ok(())
    }
}
