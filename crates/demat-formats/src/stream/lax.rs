//! A format whose sources convert text to the kinds that are requested.

use super::{Bordered, End, Part, Windowed};
use crate::codec::Reader;
use demat_core::{Lax, Mark, Record, Result, Shape};

/// A format over another one, whose sources are [`Lax`].
#[derive(Debug)]
pub struct LaxFormat<F>(F);

impl LaxFormat<()> {
    /// Returns a reader that converts what another reader's sources hold.
    ///
    /// ```
    /// use demat_core::{Shape, Value};
    /// use demat_formats::Format;
    /// use demat_formats::stream::{self, LaxFormat, Stop, Window};
    /// let strict = Format::JSON.codec().unwrap().reader(&Format::JSON.read_options())?;
    /// let mut reader = LaxFormat::reader(strict).boxed();
    /// let mut window = Window::new(&br#"["1", 2.0]"#[..]);
    /// let shape: Shape = "[int]".parse()?;
    /// let ints = Value::build(|sink| stream::copy(&mut window, &mut reader, &shape, sink, &mut Stop).map(drop))?;
    /// assert_eq!(ints, Value::List(vec![Value::Int(1.into()), Value::Int(2.into())]));
    /// # Ok::<(), demat_core::Error>(())
    /// ```
    pub fn reader(reader: Reader) -> Reader {
        Reader::other(LaxFormat(reader.boxed()))
    }
}

impl<F: Windowed> Windowed for LaxFormat<F> {
    type Source<'w>
        = Lax<F::Source<'w>>
    where
        Self: 'w;

    fn source<'w>(&'w mut self, part: Part<'w>) -> Self::Source<'w> {
        Lax::new(self.0.source(part))
    }

    fn begin(&mut self, shape: &Shape) -> Result<()> {
        self.0.begin(shape)
    }

    fn is_headed(&self) -> bool {
        self.0.is_headed()
    }

    fn header(&self) -> Result<Option<Record>> {
        self.0.header()
    }

    fn declares(&self) -> bool {
        self.0.declares()
    }

    fn declared(&self) -> Option<Shape> {
        self.0.declared()
    }

    fn end(&self) -> Option<End> {
        self.0.end()
    }

    fn holds_item(&mut self, part: Part<'_>, mark: Mark) -> Option<bool> {
        self.0.holds_item(part, mark)
    }
}

impl<F: Bordered> Bordered for LaxFormat<F> {
    fn anew(&self) -> Self {
        Self(self.0.anew())
    }

    fn border(&self, bytes: &[u8], from: usize, record: &Record) -> Option<usize> {
        self.0.border(bytes, from, record)
    }
}
