//! Writing SNBT.

use super::parse::parse;
use super::print;
use crate::nbt::{NbtSink, NbtSource, ReadOptions, Variant, WriteOptions};
use crate::stream::Part;
use crate::{Drain, Keep, Output};
use demat_core::{Result, Sink, forward};

/// A [`Sink`] of SNBT. It holds the document in memory until it ends.
///
/// ```
/// use demat_core::Sink;
/// use demat_formats::{Keep, Output, nbt::WriteOptions, snbt::SnbtSink};
/// let mut sink = SnbtSink::new(Output::new(Vec::new(), Keep), &WriteOptions::default(), None);
/// sink.begin_map(None)?;
/// sink.key("a")?;
/// sink.bool(true)?;
/// sink.end_map()?;
/// sink.finish()?;
/// assert_eq!(sink.into_output().into_parts().0, b"{a:1b}");
/// # Ok::<(), demat_core::Error>(())
/// ```
#[derive(Debug)]
pub struct SnbtSink<D> {
    inner: NbtSink<Keep>,
    depth: u32,
    indent: Option<u32>,
    output: Output<D>,
}

impl<D: Drain> SnbtSink<D> {
    /// Returns a sink that writes to an output. It uses only the depth and the form of UUIDs from the options. `indent`
    /// is the number of spaces for each level; `None` writes a single line.
    pub fn new(output: Output<D>, options: &WriteOptions, indent: Option<u32>) -> Self {
        let depth = options.depth;
        let options = WriteOptions { depth, uuid_ints: options.uuid_ints, ..WriteOptions::default() };
        Self { inner: NbtSink::new(Output::new(Vec::new(), Keep), options), depth, indent, output }
    }

    /// Returns the output.
    pub fn into_output(self) -> Output<D> {
        self.output
    }
}

impl<D: Drain> Sink for SnbtSink<D> {
    forward! { self => self.inner; scalars containers keys begin stated begin_list_of commit rollback }

    fn as_is(&mut self, format: &str, bytes: &[u8]) -> Result<bool> {
        if format != super::ABOUT.name {
            return self.inner.as_is(format, bytes);
        }
        match parse(bytes, self.depth) {
            Ok((document, _)) => self.inner.as_is("nbt", &document),
            Err(_) => Ok(false),
        }
    }

    fn finish(&mut self) -> Result<()> {
        self.inner.finish()?;
        let options = ReadOptions { variant: Some(Variant::Java), depth: self.depth, ..ReadOptions::default() };
        let empty = NbtSink::new(Output::new(Vec::new(), Keep), WriteOptions::default());
        let document = core::mem::replace(&mut self.inner, empty).into_output().into_parts().0;
        let mut text = String::new();
        print(&mut NbtSource::over(Part::whole(&document), &options), self.indent, &mut text)?;
        self.output.buffer.extend_from_slice(text.as_bytes());
        self.output.finish()
    }
}
