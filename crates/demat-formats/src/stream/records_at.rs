use super::{AtRecords, Header, HeaderChange, OnError, RecordPath, RecordPaths, Stop, Walk, Window, Windowed, walked};
use demat_core::{Decode, Error, ErrorKind, Mark, Result, Shape, Signal, Source, Value, interrupt};
use std::collections::VecDeque;
use std::io::Read;

#[cfg(test)]
mod tests;

/// Decodes the record that a source is at.
type Decoder<'r, I> = Box<dyn for<'s> Fn(&mut (dyn Source<'s> + '_)) -> Result<I> + 'r>;

/// The paths of the records of [`RecordsAt`], with the type at each and what becomes of its records.
pub struct Selection<'r, I> {
    paths: Vec<RecordPath>,
    decoders: Vec<Decoder<'r, I>>,
}

impl<'r, I> Selection<'r, I> {
    /// Returns a selection of nothing, to which paths are added.
    pub fn new() -> Self {
        Self { paths: Vec::new(), decoders: Vec::new() }
    }

    /// Adds the records of a path: each is decoded as a `T`, of which `make` makes an item of the iterator.
    #[must_use]
    pub fn at<T: for<'a> Decode<'a>>(mut self, path: RecordPath, make: impl Fn(T) -> I + 'r) -> Self {
        self.paths.push(path);
        self.decoders.push(Box::new(move |source| T::decode(source).map(&make)));
        self
    }
}

impl<I> Default for Selection<'_, I> {
    fn default() -> Self {
        Self::new()
    }
}

impl<I> core::fmt::Debug for Selection<'_, I> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Selection").field("paths", &self.paths).finish_non_exhaustive()
    }
}

/// An iterator over the records that paths select in a document, read through a window, in the order of the document.
///
/// What the paths skip need not fit the window, and each record must. A bad record ends the iteration with its error,
/// unless [`or_else`](Self::or_else) takes it.
///
/// ```
/// use demat_formats::json::Json;
/// use demat_formats::stream::{RecordsAt, Selection, Window};
///
/// #[derive(Debug, PartialEq)]
/// enum Event {
///     Id(u32),
///     Name(String),
/// }
/// let document: &[u8] = br#"{"total": 3, "ids": [1, 2], "names": ["Ada"], "took": 7}"#;
/// let selection = Selection::new().at("$.ids[*]".parse()?, Event::Id).at("$.names[*]".parse()?, Event::Name);
/// let mut records = RecordsAt::new(Window::new(document), Json::default(), selection)?.with_header();
/// assert_eq!(records.next().transpose()?, Some(Event::Id(1)));
/// assert_eq!(records.header().get("total"), Some(&demat_core::Value::Int(3.into())));
/// assert_eq!(records.by_ref().last().transpose()?, Some(Event::Name("Ada".to_string())));
/// assert_eq!(records.header().get("took"), Some(&demat_core::Value::Int(7.into())));
/// # Ok::<(), demat_core::Error>(())
/// ```
pub struct RecordsAt<'r, R, F, I, E = Stop> {
    window: Window<R>,
    format: F,
    visit: Visit<'r, I, E>,
    header: Header,
    failed: Option<Error>,
    begun: bool,
}

/// The number of records to decode at once.
const BATCH: usize = 64;
/// The maximum length of a header in bytes.
const HEADER: usize = 1 << 20;

impl<'r, R: Read, F: Windowed, I> RecordsAt<'r, R, F, I> {
    /// Returns the records of the input behind a window, which has not been read yet.
    ///
    /// # Errors
    /// If the selection has no paths, or paths that [exclude each other](RecordPaths::new).
    pub fn new(window: Window<R>, format: F, selection: Selection<'r, I>) -> Result<Self> {
        let Selection { paths, decoders } = selection;
        let walk = Walk::of(RecordPaths::new(&paths)?);
        let window = window.with_end(format.end());
        let visit = Visit { walk, decoders, ready: VecDeque::new(), number: 0, ended: false, on_error: Stop };
        Ok(Self { window, format, visit, header: Header::default(), failed: None, begun: false })
    }

    /// Leaves refused records out, as [`Records::or_else`](super::Records::or_else) does.
    pub fn or_else<E: OnError>(self, on_error: E) -> RecordsAt<'r, R, F, I, E> {
        let Self { window, format, visit, header, failed, begun } = self;
        let Visit { walk, decoders, ready, number, ended, .. } = visit;
        let visit = Visit { walk, decoders, ready, number, ended, on_error };
        RecordsAt { window, format, visit, header, failed, begun }
    }
}

impl<R: Read, F: Windowed, I, E: OnError> RecordsAt<'_, R, F, I, E> {
    /// Keeps the fields around the records for [`header`](Self::header), up to 1 MiB of them.
    #[must_use]
    pub fn with_header(mut self) -> Self {
        self.visit.walk = self.visit.walk.with_header(Shape::Any, HEADER);
        self
    }

    /// Returns the [fields around the records](Header) that were passed before the last record, or all of them after
    /// the end, as a map. It is empty without [`with_header`](Self::with_header).
    pub fn header(&self) -> Value {
        self.header.value()
    }

    /// Decodes more records, if there are any.
    fn decode(&mut self) -> Result<()> {
        if !std::mem::replace(&mut self.begun, true) {
            self.format.begin(&Shape::Any.list())?;
        }
        walked(&mut self.window, &mut self.format, &mut self.visit)
    }
}

impl<R: Read, F: Windowed, I, E: OnError> Iterator for RecordsAt<'_, R, F, I, E> {
    type Item = Result<I>;

    fn next(&mut self) -> Option<Result<I>> {
        loop {
            match self.visit.ready.pop_front() {
                Some(Came::Record(record)) => return Some(Ok(record)),
                Some(Came::Header(change)) => self.header.apply(change),
                None if self.visit.ended => return self.failed.take().map(Err),
                None => {
                    if let Err(error) = self.decode() {
                        self.failed = Some(error);
                        self.visit.ended = true;
                    }
                }
            }
        }
    }
}

impl<R, F, I, E> core::fmt::Debug for RecordsAt<'_, R, F, I, E> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("RecordsAt").field("walk", &self.visit.walk).finish_non_exhaustive()
    }
}

/// What the walk came across.
enum Came<I> {
    Record(I),
    Header(HeaderChange),
}

struct Visit<'r, I, E> {
    walk: Walk,
    decoders: Vec<Decoder<'r, I>>,
    /// What was decoded, and not yet returned.
    ready: VecDeque<Came<I>>,
    /// The number of records so far, decoded or refused.
    number: u64,
    ended: bool,
    on_error: E,
}

impl<I, E: OnError> AtRecords for Visit<'_, I, E> {
    fn walk(&mut self) -> &mut Walk {
        &mut self.walk
    }

    /// Reads some records. Returns true if these are to be returned before more input is read.
    fn read<'a, S: Source<'a>>(&mut self, source: &mut S) -> Result<bool> {
        loop {
            interrupt::check()?;
            let came = self.walk.next(source);
            self.ready.extend(self.walk.header_changes().into_iter().map(Came::Header));
            let read = match came {
                Ok(true) => self.record(source),
                Ok(false) => {
                    self.ended = true;
                    return Ok(true);
                }
                Err(error) => Err(self.walk.within(error, false)),
            };
            match read {
                Ok(()) if self.ready.len() < BATCH => {}
                Ok(()) => return Ok(true),
                Err(error) if error.signal() == Some(Signal::Incomplete) && !self.ready.is_empty() => return Ok(true),
                Err(error) => return Err(error),
            }
        }
    }
}

impl<I, E: OnError> Visit<'_, I, E> {
    /// Decodes the record that the source is at, and moves past it.
    fn record<'a, S: Source<'a>>(&mut self, source: &mut S) -> Result<()> {
        let mark = source.mark();
        match (self.decoders[self.walk.selected()])(source) {
            Ok(record) => self.ready.push_back(Came::Record(record)),
            Err(error) if error.signal().is_some() => return Err(error),
            Err(error) => self.leave_out(error, source, mark)?,
        }
        self.walk.taken(source);
        self.number += 1;
        Ok(())
    }

    /// Leaves out a bad record, if that is allowed and possible.
    #[cold]
    fn leave_out<'a, S: Source<'a>>(&mut self, error: Error, source: &mut S, mark: Mark) -> Result<()> {
        let error = self.walk.within(error, true).in_record(self.number + 1);
        if error.kind() == ErrorKind::Io || !self.on_error.goes_on(&error) {
            return Err(error);
        }
        source.reset(mark);
        match source.span() {
            Ok(span) => self.on_error.reject(error, &span),
            Err(signal) if signal.signal() == Some(Signal::Incomplete) => Err(signal),
            Err(_) => Err(error),
        }
    }
}
