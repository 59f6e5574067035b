//! Records parts.

use super::{DEEPEST, Part, Slice, Tape, UNKNOWN};
use crate::scalar::{Date, DateTime, Decimal, Duration, Int, Offset, Time, Uuid};
use crate::{Result, Sink};

/// The sink that writes a tape.
#[derive(Debug, Default)]
pub(super) struct Recorder {
    pub(super) tape: Tape,
    /// The lists and maps that have begun.
    open: Vec<Open>,
    committed: Committed,
    /// The lists and maps that were open at the last commit and have ended since, outermost last.
    ended: Vec<Open>,
}

#[derive(Debug, Clone, Copy)]
struct Open {
    /// The index of the part that begins it.
    begin: usize,
    /// The number of items or entries so far.
    len: usize,
}

/// The lengths at the last commit. `open` falls when a list or map ends that was open then.
#[derive(Debug, Default)]
struct Committed {
    open: usize,
    parts: usize,
    texts: usize,
    bytes: usize,
    bigs: usize,
}

impl Recorder {
    #[allow(clippy::unnecessary_wraps)] // it implements methods of the sink
    #[inline]
    fn put(&mut self, part: Part) -> Result<()> {
        self.tape.parts.push(part);
        Ok(())
    }

    #[inline]
    fn keep(&mut self, text: &str) -> Slice {
        let start = self.tape.texts.len();
        self.tape.texts.push_str(text);
        Slice { start, len: text.len() }
    }

    fn begin_part(&mut self, part: Part) -> Result<()> {
        if self.open.len() == DEEPEST {
            return Err(Tape::too_deep());
        }
        self.open.push(Open { begin: self.tape.parts.len(), len: 0 });
        self.put(part)
    }

    #[allow(clippy::unnecessary_wraps)] // it implements methods of the sink
    #[inline]
    fn count(&mut self) -> Result<()> {
        if let Some(open) = self.open.last_mut() {
            open.len = open.len.saturating_add(1);
        }
        Ok(())
    }

    fn end_part(&mut self) -> Result<()> {
        let Some(open) = self.open.pop() else { return Ok(()) };
        if self.open.len() < self.committed.open {
            self.committed.open = self.open.len();
            self.ended.push(open);
        }
        let here = self.tape.parts.len();
        if let Some(Part::List { len, end } | Part::Map { len, end }) = self.tape.parts.get_mut(open.begin) {
            (*len, *end) = (open.len, here);
        }
        self.put(Part::End)
    }
}

impl Sink for Recorder {
    fn null(&mut self) -> Result<()> {
        self.put(Part::Null)
    }
    fn bool(&mut self, value: bool) -> Result<()> {
        self.put(Part::Bool(value))
    }
    fn int(&mut self, value: &Int<'_>) -> Result<()> {
        let part = value.to_i64().map_or(Part::Big(self.tape.bigs.len()), Part::Int);
        if matches!(part, Part::Big(_)) {
            self.tape.bigs.push(value.clone().into_owned());
        }
        self.put(part)
    }
    fn i64(&mut self, value: i64) -> Result<()> {
        self.put(Part::Int(value))
    }
    fn float(&mut self, value: f64) -> Result<()> {
        self.put(Part::Float(value))
    }
    fn text(&mut self, value: &str) -> Result<()> {
        let slice = self.keep(value);
        self.put(Part::Text(slice))
    }
    fn bytes(&mut self, value: &[u8]) -> Result<()> {
        let start = self.tape.bytes.len();
        self.tape.bytes.extend_from_slice(value);
        self.put(Part::Bytes(Slice { start, len: value.len() }))
    }
    fn decimal(&mut self, value: &Decimal<'_>) -> Result<()> {
        let slice = self.keep(value.as_str());
        self.put(Part::Decimal(slice))
    }
    fn date(&mut self, value: Date) -> Result<()> {
        self.put(Part::Date(value))
    }
    fn time(&mut self, value: Time) -> Result<()> {
        self.put(Part::Time(value))
    }
    fn date_time(&mut self, at: DateTime) -> Result<()> {
        self.put(Part::DateTime(at))
    }
    fn instant(&mut self, at: DateTime, offset: Offset) -> Result<()> {
        self.put(Part::Instant(at, offset))
    }
    fn duration(&mut self, value: Duration) -> Result<()> {
        self.put(Part::Duration(value))
    }
    fn uuid(&mut self, value: Uuid) -> Result<()> {
        self.put(Part::Uuid(value))
    }
    fn begin_list(&mut self, _: Option<usize>) -> Result<()> {
        self.begin_part(Part::List { len: 0, end: 0 })
    }
    fn item(&mut self) -> Result<()> {
        self.count()
    }
    fn end_list(&mut self) -> Result<()> {
        self.end_part()
    }
    fn begin_map(&mut self, _: Option<usize>) -> Result<()> {
        self.begin_part(Part::Map { len: 0, end: 0 })
    }
    fn entry(&mut self) -> Result<()> {
        self.count()
    }
    fn value(&mut self) -> Result<()> {
        Ok(())
    }
    fn end_map(&mut self) -> Result<()> {
        self.end_part()
    }
    fn commit(&mut self) -> Result<()> {
        let Tape { parts, texts, bytes, bigs } = &self.tape;
        self.committed = Committed {
            open: self.open.len(),
            parts: parts.len(),
            texts: texts.len(),
            bytes: bytes.len(),
            bigs: bigs.len(),
        };
        self.ended.clear();
        Ok(())
    }
    fn rollback(&mut self) -> Result<()> {
        self.open.truncate(self.committed.open);
        while let Some(open) = self.ended.pop() {
            self.open.push(open);
        }
        for open in &mut self.open {
            open.len = UNKNOWN; // how many of them are taken back is not known
        }
        self.committed.open = self.open.len();
        self.tape.parts.truncate(self.committed.parts);
        self.tape.texts.truncate(self.committed.texts);
        self.tape.bytes.truncate(self.committed.bytes);
        self.tape.bigs.truncate(self.committed.bigs);
        Ok(())
    }
    fn finish(&mut self) -> Result<()> {
        Ok(())
    }
}
