use crate::json::{JsonSink, WriteOptions};
use crate::{Drain, Output, Splice, SpliceMark};
use core::ops::Range;
use demat_core::{Record, Result, Sink, forward};

/// A [`Sink`] that writes NDJSON: a line for each item of a list, or one line for any other value.
#[derive(Debug)]
pub struct NdjsonSink<D> {
    json: JsonSink<D>,
    /// Whether it is inside the list, and whether a line has begun.
    state: (bool, bool),
    committed: (bool, bool),
    /// The address ranges of the open splices' bytes. They were searched for line ends, so parts of them need no
    /// search.
    open: Vec<Range<usize>>,
}

impl<D: Drain> NdjsonSink<D> {
    /// Returns a sink to an output. Ignores the indent, since each value must be on one line.
    pub fn new(output: Output<D>, options: WriteOptions) -> Self {
        let options = WriteOptions { indent: None, ..options };
        Self {
            json: JsonSink::new(output, options),
            state: (false, false),
            committed: (false, false),
            open: Vec::new(),
        }
    }

    /// Returns the output.
    pub fn into_output(self) -> Output<D> {
        self.json.into_output()
    }

    #[inline(always)]
    fn at_top(&self) -> bool {
        self.json.depth() == 0
    }

    /// Whether a line can hold bytes of JSON unchanged: they must have no line end, and they must not be the list at
    /// the top, whose items are lines.
    fn fits_in_line(&self, bytes: &[u8]) -> bool {
        let part = addresses_of(bytes);
        let is_searched = self.open.last().is_some_and(|open| open.start <= part.start && part.end <= open.end);
        (is_searched || !bytes.contains(&b'\n')) && !(self.at_top() && self.state == (false, false))
    }

    /// Returns the sink of the current line. Begins one if necessary.
    #[inline(always)]
    fn in_line(&mut self) -> &mut JsonSink<D> {
        self.state.1 = true;
        &mut self.json
    }

    #[inline]
    fn end_line(&mut self) {
        if self.state.1 {
            self.json.output().buffer.push(b'\n');
            self.state.1 = false;
        }
    }
}

/// Returns the address range of bytes. The sink only compares these numbers.
fn addresses_of(bytes: &[u8]) -> Range<usize> {
    let Range { start, end } = bytes.as_ptr_range();
    start.addr()..end.addr()
}

impl<D: Drain> Sink for NdjsonSink<D> {
    fn as_is(&mut self, format: &str, bytes: &[u8]) -> Result<bool> {
        if !self.fits_in_line(bytes) {
            return Ok(false);
        }
        let taken = self.json.as_is(format, bytes)?;
        self.state.1 |= taken;
        Ok(taken)
    }

    forward! { self => self.in_line();
        null bool int i64 u64 float float32 text bytes decimal date time date_time instant duration uuid
        begin_map entry value end_map keys begin_record field end_record
    }

    #[inline]
    fn begin_list(&mut self, len: Option<usize>) -> Result<()> {
        if self.at_top() && self.state == (false, false) {
            self.state = (true, false);
            return Ok(());
        }
        self.state.1 = true;
        self.json.begin_list(len)
    }

    #[inline]
    fn item(&mut self) -> Result<()> {
        if self.at_top() {
            self.end_line();
            return Ok(());
        }
        self.json.item()
    }

    #[inline]
    fn end_list(&mut self) -> Result<()> {
        if self.at_top() {
            self.end_line();
            return Ok(());
        }
        self.json.end_list()
    }

    #[inline]
    fn commit(&mut self) -> Result<()> {
        // A value that is written whole ends its line at once, so committed output never lacks the line end.
        if self.at_top() {
            self.end_line();
        }
        self.committed = self.state;
        self.json.commit()
    }

    fn rollback(&mut self) -> Result<()> {
        self.state = self.committed;
        self.json.rollback()
    }

    fn finish(&mut self) -> Result<()> {
        self.end_line();
        self.json.finish()
    }
}

impl<D: Drain> Splice for NdjsonSink<D> {
    fn open_splice(&mut self, format: &str, bytes: &[u8]) -> Result<bool> {
        if !self.fits_in_line(bytes) {
            return Ok(false);
        }
        let opened = self.json.open_splice(format, bytes)?;
        self.state.1 |= opened;
        if opened {
            self.open.push(addresses_of(bytes));
        }
        Ok(opened)
    }

    fn piece(&mut self, bytes: &[u8]) {
        self.json.piece(bytes);
    }

    fn new_field(&mut self, record: &Record, index: usize, first: bool) -> Result<()> {
        self.json.new_field(record, index, first)
    }

    fn close_splice(&mut self) {
        self.open.pop();
        self.json.close_splice();
    }

    fn pause(&mut self) -> SpliceMark {
        self.json.pause()
    }

    fn is_repeated(&self, from: SpliceMark, to: SpliceMark) -> bool {
        self.json.is_repeated(from, to)
    }

    fn take_back(&mut self, mark: SpliceMark) {
        self.json.take_back(mark);
    }

    fn take_out(&mut self, from: SpliceMark, to: SpliceMark) {
        self.json.take_out(from, to);
    }

    fn resume(&mut self) {
        self.json.resume();
    }
}
