//! Checks of reading through windows.

use super::{Tested, read, streamed};
use crate::stream::{Part, Records, Window, Windowed};
use demat_core::{Decode, Error, ErrorKind, Mark, Result, Shape, Signal, Source, Value};
use std::cell::Cell;
use std::io::Read;

/// A reader that returns `first` bytes, and then pieces of `then` bytes.
struct Pieces<'b> {
    rest: &'b [u8],
    first: usize,
    then: usize,
}

impl Read for Pieces<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let wanted = if self.first > 0 { self.first } else { self.then };
        let size = wanted.min(buffer.len()).min(self.rest.len());
        let (piece, rest) = self.rest.split_at(size);
        buffer[..size].copy_from_slice(piece);
        (self.rest, self.first) = (rest, self.first.saturating_sub(size));
        Ok(size)
    }
}

/// Checks that the document has this value through windows of any size.
pub(crate) fn reads_any_window<T: Tested>(tested: &T, bytes: &[u8], shapes: &[&Shape], value: &Value) {
    for shape in shapes {
        for size in (1..100).chain([1000, 10_000]) {
            assert_eq!(streamed(tested.reader(), bytes, size, shape).unwrap(), *value, "a window of {size}");
        }
    }
}

/// Checks that the document has this value in any two pieces, and byte by byte.
pub(crate) fn reads_any_pieces<T: Tested>(tested: &T, bytes: &[u8], shape: &Shape, value: &Value) {
    for (first, then) in (1..bytes.len()).map(|first| (first, bytes.len())).chain([(1, 1), (2, 3), (1, 100)]) {
        for size in [4, 1000] {
            let pieces = Pieces { rest: bytes, first, then };
            let found = streamed(tested.reader(), pieces, size, shape);
            assert_eq!(found.unwrap(), *value, "{first} bytes, then {then} at a time");
        }
    }
}

/// Checks that a source over any prefix of the document asks for more, and that the document may not end there.
pub(crate) fn prefixes_are_incomplete<T: Tested>(tested: &T, bytes: &[u8], shape: &Shape) {
    for end in 0..bytes.len() {
        let prefix = &bytes[..end];
        let mut reader = tested.reader();
        reader.begin(shape).unwrap();
        let mut source = reader.source(Part { last: false, ..Part::whole(prefix) });
        let signal = source.skip().as_ref().err().and_then(Error::signal);
        assert_eq!(signal, Some(Signal::Incomplete), "{end}");
        drop(source);
        let whole = read(tested.reader(), prefix, shape).unwrap_err();
        assert_eq!((whole.kind(), whole.signal()), (ErrorKind::Syntax, None), "{end}: {whole}");
        assert!(whole.position().offset.is_some(), "{end}: {whole}");
        let pieces = Pieces { rest: prefix, first: 0, then: 7 };
        let error = streamed(tested.reader(), pieces, 16, shape).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Syntax, "{end}: {error}");
    }
}

/// Checks that marks lead back to items and keys. The document is a list of records that begin with a field `id`.
pub(crate) fn marks_lead_back<T: Tested>(tested: &T, bytes: &[u8], shape: &Shape) {
    let mut reader = tested.reader();
    reader.begin(shape).unwrap();
    let mut source = reader.source(Part::whole(bytes));
    source.list().unwrap();
    while source.item().unwrap() {
        let mark = source.mark();
        let one = source.span().unwrap();
        source.reset(mark);
        source.map().unwrap();
        assert!(source.entry().unwrap());
        let inner = source.mark();
        assert_eq!(&*source.text().unwrap(), "id");
        source.reset(inner);
        assert_eq!(&*source.text().unwrap(), "id");
        source.reset(mark);
        assert_eq!(source.span().unwrap(), one);
    }
    source.end().unwrap();
}

/// Returns the records of a document, read through a window with an initial size of `size` bytes.
pub(crate) fn iterated<F: Windowed, T: for<'a> Decode<'a>>(reader: F, bytes: &[u8], size: usize) -> Result<Vec<T>> {
    Records::new(Window::with_size(bytes, size), reader).collect()
}

/// A format that adds up the lengths of the windows over which it makes sources.
struct Counting<'c, F> {
    format: F,
    bytes: &'c Cell<usize>,
}

impl<F: Windowed> Windowed for Counting<'_, F> {
    type Source<'w>
        = F::Source<'w>
    where
        Self: 'w;

    fn source<'w>(&'w mut self, part: Part<'w>) -> F::Source<'w> {
        self.bytes.set(self.bytes.get() + part.bytes.len());
        self.format.source(part)
    }
    fn begin(&mut self, shape: &Shape) -> Result<()> {
        self.format.begin(shape)
    }
    fn holds_item(&mut self, part: Part<'_>, mark: Mark) -> Option<bool> {
        self.format.holds_item(part, mark)
    }
}

/// Checks that an item is not decoded again with each piece of it that arrives: a list whose only item has thousands of
/// children, by pieces of one byte.
pub(crate) fn decodes_once<T: Tested>(tested: &T, bytes: &[u8], shape: &Shape) {
    for then in [1, 10, 100] {
        let count = Cell::new(0);
        let reader = Counting { format: tested.reader(), bytes: &count };
        // The first byte of the list arrives with the header of the document.
        let pieces = Pieces { rest: bytes, first: 16, then };
        streamed(reader, pieces, 1 << 20, shape).unwrap();
        assert!(count.get() < 3 * bytes.len() + 200, "{} for {} bytes by {then}", count.get(), bytes.len());
    }
}
