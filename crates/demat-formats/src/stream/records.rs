use super::{OnError, Stop, Window, Windowed};
use demat_core::{Decode, Error, ErrorKind, Mark, Ref, Result, Shape, Signal, Source};
use std::collections::VecDeque;
use std::io::Read;
use std::marker::PhantomData;

/// An iterator over typed records: the items of the outermost list, read through a window.
///
/// Returns records as soon as their bytes have arrived. The window and the records in it bound the memory. A bad record
/// ends the iteration with its error, unless [`or_else`](Self::or_else) takes it.
///
/// ```
/// use demat_formats::{json::Json, stream::{Records, Window}};
/// let reader: &[u8] = b"[[1, 2], [3], []]";
/// let mut sums = Vec::new();
/// for record in Records::<_, _, Vec<i64>>::new(Window::new(reader), Json::default()) {
///     sums.push(record?.iter().sum::<i64>());
/// }
/// assert_eq!(sums, [3, 3, 0]);
/// # Ok::<(), demat_core::Error>(())
/// ```
#[derive(Debug)]
pub struct Records<R, F, T, E = Stop> {
    window: Window<R>,
    format: F,
    phase: Phase,
    mark: Mark,
    number: u64,
    /// Decoded records, not yet returned.
    ready: VecDeque<T>,
    failed: Option<Error>,
    /// What becomes of refused records.
    on_error: E,
    item: PhantomData<T>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    Before,
    Inside,
    /// After the list; only whitespace may follow.
    Trailing,
    After,
}

/// The number of records to decode at once.
const BATCH: usize = 64;

impl<R, F, T> Records<R, F, T>
where
    R: Read,
    F: Windowed,
    T: for<'a> Decode<'a>,
{
    /// Returns the records of the input behind a window, which has not been read yet.
    pub fn new(window: Window<R>, format: F) -> Self {
        let (phase, ready) = (Phase::Before, VecDeque::new());
        let window = window.with_end(format.end());
        let (mark, on_error, item) = (Mark::default(), Stop, PhantomData);
        Self { window, format, phase, mark, number: 0, ready, failed: None, on_error, item }
    }

    /// Leaves refused records out, as `on_error` says. A syntax error that hides where the next record begins always
    /// ends the iteration.
    ///
    /// ```
    /// use demat_core::{Error, Result};
    /// use demat_formats::ndjson::Ndjson;
    /// use demat_formats::stream::{OnError, Records, Window};
    ///
    /// struct Count(usize);
    /// impl OnError for &mut Count {
    ///     fn goes_on(&mut self, _: &Error) -> bool {
    ///         true
    ///     }
    ///     fn reject(&mut self, error: Error, bytes: &[u8]) -> Result<()> {
    ///         assert_eq!((error.path(), bytes), ("$[1]".to_string(), &b"\"two\""[..]));
    ///         self.0 += 1;
    ///         Ok(())
    ///     }
    /// }
    /// let (lines, mut refused): (&[u8], _) = (b"1\n\"two\"\n3\n", Count(0));
    /// let records = Records::<_, _, i64>::new(Window::new(lines), Ndjson::default()).or_else(&mut refused);
    /// assert_eq!(records.collect::<Result<Vec<_>>>()?, [1, 3]);
    /// assert_eq!(refused.0, 1);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn or_else<E: OnError>(self, on_error: E) -> Records<R, F, T, E> {
        let Self { window, format, phase, mark, number, ready, failed, item, .. } = self;
        Records { window, format, phase, mark, number, ready, failed, on_error, item }
    }
}

impl<R, F, T, E> Records<R, F, T, E>
where
    R: Read,
    F: Windowed,
    T: for<'a> Decode<'a>,
    E: OnError,
{
    /// Decodes the records in the window; refills it if there are none.
    fn decode(&mut self) -> Result<()> {
        while self.ready.is_empty() && self.phase != Phase::After {
            match self.decode_window() {
                Err(error) if error.signal() == Some(Signal::Incomplete) => {}
                Err(error) if self.phase == Phase::Inside => return Err(error.in_record(self.number + 1)),
                Ok(()) if self.phase == Phase::Trailing && self.ready.is_empty() => continue,
                outcome => return outcome,
            }
            let passed = if self.phase == Phase::Before { 0 } else { self.mark.offset };
            self.window.consume(passed);
            self.mark.offset -= passed;
            if self.ready.is_empty() {
                if passed == 0 && self.phase == Phase::Inside {
                    self.window.fill_item(&mut self.format, self.mark, false)?;
                } else {
                    self.window.fill(passed == 0)?;
                }
            }
        }
        Ok(())
    }

    fn decode_window(&mut self) -> Result<()> {
        if self.phase == Phase::Before && self.window.part().bytes.len() < 3 && !self.window.has_ended() {
            // A byte order mark may arrive in parts.
            return Err(Error::signalled(Signal::Incomplete));
        }
        if self.phase == Phase::Before {
            self.format.begin(&Shape::List(Ref::Static(T::SHAPE)))?;
        }
        let mut source = self.format.source(self.window.part());
        if self.phase == Phase::Before {
            source.list()?;
            self.phase = Phase::Inside;
            self.mark = source.mark();
        } else {
            source.reset(self.mark);
        }
        if self.phase == Phase::Trailing {
            source.end()?;
            self.phase = Phase::After;
            return Ok(());
        }
        while self.ready.len() < BATCH {
            if !source.item()? {
                if let (0, Shape::Record(record)) = (self.number, T::SHAPE) {
                    source.no_records(&record.get())?;
                }
                self.phase = Phase::Trailing;
                self.mark = source.mark();
                return Ok(());
            }
            match T::decode(&mut source) {
                Ok(record) => self.ready.push_back(record),
                Err(error) if error.signal().is_some() => return Err(error),
                Err(error) => {
                    let error = error.within_item(self.number as usize);
                    if error.kind() == ErrorKind::Io || !self.on_error.goes_on(&error) {
                        return Err(error);
                    }
                    source.reset(self.mark);
                    let passed = source.item().and_then(|_| source.span());
                    match passed {
                        Ok(bytes) => self.on_error.reject(error.in_record(self.number + 1), &bytes)?,
                        Err(signal) if signal.signal() == Some(Signal::Incomplete) => return Err(signal),
                        Err(_) => return Err(error),
                    }
                }
            }
            self.number += 1;
            self.mark = source.mark();
        }
        Ok(())
    }
}

impl<R, F, T, E> Iterator for Records<R, F, T, E>
where
    R: Read,
    F: Windowed,
    T: for<'a> Decode<'a>,
    E: OnError,
{
    type Item = Result<T>;

    fn next(&mut self) -> Option<Result<T>> {
        if self.ready.is_empty() && self.failed.is_none() {
            self.failed = self.decode().err();
        }
        if let Some(record) = self.ready.pop_front() {
            return Some(Ok(record));
        }
        self.phase = Phase::After;
        self.failed.take().map(Err)
    }
}
