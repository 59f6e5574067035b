//! What the tests of all binary formats share: documents, calls of a sink, drains, and checks of streaming.
//!
//! A format implements [`Tested`] for its options of writing. The functions here then write, read and check it.

mod calls;
mod drains;
mod values;
mod windows;

pub(crate) use calls::{announced_wrongly, nested, rolled_back, rolled_back_list, widened};
pub(crate) use drains::{Patched, Watched, drained_early, refuses_a_wrong_count};
pub(crate) use values::{decodes_borrowed, deep, records, suite_file, value_of_json};
pub(crate) use windows::{
    decodes_once, iterated, marks_lead_back, prefixes_are_incomplete, reads_any_pieces, reads_any_window,
};

use crate::stream::{Part, Stop, Window, Windowed, copy as copy_stream};
use crate::{Drain, Keep, Output};
use demat_core::{Result, Shape, Sink, Source, Value, ValueSource, copy};
use std::io::Read;

/// A binary format with options of writing.
pub(crate) trait Tested {
    type Reader: Windowed;
    type Sink<D: Drain>: Sink;

    /// Returns a reader of what these options write.
    fn reader(&self) -> Self::Reader;
    fn sink<D: Drain>(&self, output: Output<D>) -> Self::Sink<D>;
    fn output<D: Drain>(sink: Self::Sink<D>) -> Output<D>;
}

/// Returns what calls of a sink write.
pub(crate) fn told<T: Tested>(tested: &T, tell: impl FnOnce(&mut T::Sink<Keep>) -> Result<()>) -> Result<Vec<u8>> {
    let mut sink = tested.sink(Output::new(Vec::new(), Keep));
    tell(&mut sink)?;
    sink.finish()?;
    Ok(T::output(sink).into_parts().0)
}

/// Returns the value as a document.
pub(crate) fn written<T: Tested>(tested: &T, value: &Value, shape: &Shape) -> Result<Vec<u8>> {
    let mut sink = tested.sink(Output::new(Vec::new(), Keep));
    copy(&mut ValueSource::new(value), shape, &mut sink)?;
    Ok(T::output(sink).into_parts().0)
}

/// Checks that text and bytes of `len` bytes have these headers.
pub(crate) fn has_headers<T: Tested>(tested: &T, len: usize, text: &[u8], bytes: &[u8]) {
    let content = "a".repeat(len);
    for (value, header) in
        [(Value::Text(content.clone().into()), text), (Value::Bytes(content.into_bytes().into()), bytes)]
    {
        let written = written(tested, &value, &Shape::Any).unwrap();
        assert!(written.starts_with(header) && written.len() == header.len() + len, "{len}: {header:x?}");
        assert_eq!(read(tested.reader(), &written, &Shape::Any).unwrap(), value);
    }
}

/// Reads a document in one slice.
pub(crate) fn read<F: Windowed>(mut reader: F, bytes: &[u8], shape: &Shape) -> Result<Value> {
    reader.begin(shape)?;
    let mut source = reader.source(Part::whole(bytes));
    let value = Value::decode_as(&mut source, shape)?;
    source.end()?;
    Ok(value)
}

/// Skips a document in one slice.
pub(crate) fn skipped<F: Windowed>(mut reader: F, bytes: &[u8], shape: &Shape) -> Result<()> {
    reader.begin(shape)?;
    let mut source = reader.source(Part::whole(bytes));
    source.skip()?;
    source.end()
}

/// Reads a document through a window with an initial size of `size` bytes.
pub(crate) fn streamed<F: Windowed>(mut reader: F, bytes: impl Read, size: usize, shape: &Shape) -> Result<Value> {
    let mut window = Window::with_size(bytes, size);
    Value::build(|sink| copy_stream(&mut window, &mut reader, shape, sink, &mut Stop).map(drop))
}

/// Reads a document through a window with an initial size of `size` bytes, and writes it again.
pub(crate) fn copied<T: Tested, F: Windowed>(
    mut reader: F,
    bytes: &[u8],
    size: usize,
    shape: &Shape,
    to: &T,
) -> Result<Vec<u8>> {
    let mut window = Window::with_size(bytes, size);
    let mut sink = to.sink(Output::new(Vec::new(), Keep));
    copy_stream(&mut window, &mut reader, shape, &mut sink, &mut Stop)?;
    Ok(T::output(sink).into_parts().0)
}
