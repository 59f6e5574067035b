use crate::json::{JsonSink, WriteOptions};
use crate::{Drain, Output, Splice, Told};
use demat_core::scalar::{Date, Decimal, Duration, Instant, Int, Time, Uuid};
use demat_core::{QuotedKey, Record, Result, Sink, Token};

/// NDJSON, as a [`Sink`]: told a list, it writes a line for each item; told anything else, one line.
#[derive(Debug)]
pub struct NdjsonSink<D> {
    json: JsonSink<D>,
    /// Inside the list, and whether a line is begun.
    state: (bool, bool),
    committed: (bool, bool),
}

impl<D: Drain> NdjsonSink<D> {
    /// A sink that writes to an output. An indent is left out: a line is a line.
    pub fn new(output: Output<D>, options: WriteOptions) -> Self {
        let options = WriteOptions { indent: None, ..options };
        Self { json: JsonSink::new(output, options), state: (false, false), committed: (false, false) }
    }

    /// The output, with what was told.
    pub fn into_output(self) -> Output<D> {
        self.json.into_output()
    }

    #[inline(always)]
    fn at_top(&self) -> bool {
        self.json.depth() == 0
    }

    #[inline]
    fn end_line(&mut self) {
        if self.state.1 {
            self.json.output().buffer.push(b'\n');
            self.state.1 = false;
        }
    }
}

/// Scalars and the inner parts of containers are the JSON sink's.
macro_rules! told_as_json {
    ($($told:ident($($value:ident: $type:ty),*);)*) => {$(
        #[inline]
        fn $told(&mut self, $($value: $type),*) -> Result<()> {
            self.state.1 = true;
            self.json.$told($($value),*)
        }
    )*};
}

impl<D: Drain> Sink for NdjsonSink<D> {
    fn as_is(&mut self, format: &str, bytes: &[u8]) -> Result<bool> {
        // A line is a line; and a list at the top is lines.
        if bytes.contains(&b'\n') || (self.at_top() && self.state == (false, false)) {
            return Ok(false);
        }
        let taken = self.json.as_is(format, bytes)?;
        self.state.1 |= taken;
        Ok(taken)
    }

    told_as_json! {
        null();
        bool(value: bool);
        int(value: &Int<'_>);
        i64(value: i64);
        u64(value: u64);
        float(value: f64);
        float32(value: f32);
        text(value: &str);
        bytes(value: &[u8]);
        decimal(value: &Decimal<'_>);
        date(value: Date);
        time(value: Time);
        instant(value: Instant);
        duration(value: Duration);
        uuid(value: Uuid);
        begin_map(len: Option<usize>);
        entry();
        value();
        end_map();
        key(key: &str);
        key_with(key: &str, token: &Token);
        key_quoted(key: &str, quoted: &QuotedKey);
        begin_record(record: &Record);
        field(record: &Record, index: usize);
        end_record(record: &Record);
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
        // Refuses bytes with a line break, and a splice where a top-level list would become lines.
        if bytes.contains(&b'\n') || (self.at_top() && self.state == (false, false)) {
            return Ok(false);
        }
        let opened = self.json.open_splice(format, bytes)?;
        self.state.1 |= opened;
        Ok(opened)
    }

    fn piece(&mut self, bytes: &[u8]) {
        self.json.piece(bytes);
    }

    fn new_field(&mut self, record: &Record, index: usize, first: bool) -> Result<()> {
        self.json.new_field(record, index, first)
    }

    fn close_splice(&mut self) {
        self.json.close_splice();
    }

    fn pause(&mut self) -> Told {
        self.json.pause()
    }

    fn is_repeated(&self, from: Told, to: Told) -> bool {
        self.json.is_repeated(from, to)
    }

    fn take_back(&mut self, mark: Told) {
        self.json.take_back(mark);
    }

    fn take_out(&mut self, from: Told, to: Told) {
        self.json.take_out(from, to);
    }

    fn resume(&mut self) {
        self.json.resume();
    }
}
