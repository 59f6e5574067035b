use crate::json::{JsonSink, WriteOptions};
use crate::{Drain, Output, Splice, SpliceMark};
use core::ops::Range;
use demat_core::{Record, Result, Sink, forward};

/// NDJSON, as a [`Sink`]: told a list, it writes a line for each item; told anything else, one line.
#[derive(Debug)]
pub struct NdjsonSink<D> {
    json: JsonSink<D>,
    /// Inside the list, and whether a line is begun.
    state: (bool, bool),
    committed: (bool, bool),
    /// Where the bytes of each open splice are. They were searched for line ends, so parts of them need no search.
    open: Vec<Range<usize>>,
}

impl<D: Drain> NdjsonSink<D> {
    /// A sink that writes to an output. An indent is left out: a line is a line.
    pub fn new(output: Output<D>, options: WriteOptions) -> Self {
        let options = WriteOptions { indent: None, ..options };
        Self {
            json: JsonSink::new(output, options),
            state: (false, false),
            committed: (false, false),
            open: Vec::new(),
        }
    }

    /// The output, with what was told.
    pub fn into_output(self) -> Output<D> {
        self.json.into_output()
    }

    #[inline(always)]
    fn at_top(&self) -> bool {
        self.json.depth() == 0
    }

    /// Whether bytes of JSON can stand in a line as they are: a line has no line end, and a list at the top is lines.
    fn fits_in_line(&self, bytes: &[u8]) -> bool {
        let part = addresses_of(bytes);
        let is_searched = self.open.last().is_some_and(|open| open.start <= part.start && part.end <= open.end);
        (is_searched || !bytes.contains(&b'\n')) && !(self.at_top() && self.state == (false, false))
    }

    /// The sink of the line that stands here, or begins.
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

/// Where bytes are, as numbers: the sink only compares them.
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
        // A line that is told whole ends at once: what is written never lacks its line end.
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
