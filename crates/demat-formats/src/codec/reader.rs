use crate::csv::Csv;
use crate::json::Json;
use crate::ndjson::Ndjson;
use crate::proto::Proto;
use crate::stream::{Bordered, End, Part, Windowed};
use core::fmt;
use demat_core::{Mark, Record, Result, Shape, Source};

/// A reader of any format.
///
/// Common formats have engines of their own, compiled for their sources. All others share one engine, which reads
/// through [`AnyReader`].
#[derive(Debug)]
#[non_exhaustive]
pub enum Reader {
    /// JSON.
    Json(Json),
    /// NDJSON.
    Ndjson(Ndjson),
    /// A table of cells.
    Csv(Box<Csv>),
    /// Protocol Buffers.
    Proto(Proto),
    /// Any other format.
    Other(Box<dyn AnyReader>),
}

/// A generic operation on a reader of any type.
pub trait Visitor {
    /// The result.
    type Output;

    /// Performs the operation.
    fn visit<F: Bordered + 'static>(self, reader: F) -> Self::Output;
}

impl Reader {
    /// Returns a reader of a format that has no engine of its own.
    pub fn other(reader: impl Bordered + fmt::Debug + 'static) -> Self {
        Self::Other(Box::new(reader))
    }

    /// As [`Windowed::begin`].
    ///
    /// # Errors
    /// As that.
    pub fn begin(&mut self, shape: &Shape) -> Result<()> {
        match self {
            Self::Json(reader) => reader.begin(shape),
            Self::Ndjson(reader) => reader.begin(shape),
            Self::Csv(reader) => reader.begin(shape),
            Self::Proto(reader) => reader.begin(shape),
            Self::Other(reader) => reader.begin(shape),
        }
    }

    /// Returns the reader as a trait object.
    pub fn boxed(self) -> Box<dyn AnyReader> {
        match self {
            Self::Json(reader) => Box::new(reader),
            Self::Ndjson(reader) => Box::new(reader),
            Self::Csv(reader) => reader,
            Self::Proto(reader) => Box::new(reader),
            Self::Other(reader) => reader,
        }
    }

    /// Calls the visitor with the reader's concrete type.
    pub fn visit<V: Visitor>(self, visitor: V) -> V::Output {
        match self {
            Self::Json(reader) => visitor.visit(reader),
            Self::Ndjson(reader) => visitor.visit(reader),
            Self::Csv(reader) => visitor.visit(*reader),
            Self::Proto(reader) => visitor.visit(reader),
            Self::Other(reader) => visitor.visit(reader),
        }
    }
}

/// The object-safe form of [`Bordered`], which every such format implements.
pub trait AnyReader: fmt::Debug + Send + Sync {
    /// As [`Windowed::source`].
    fn boxed_source<'w>(&'w mut self, part: Part<'w>) -> Box<dyn Source<'w> + 'w>;
    /// As [`Windowed::begin`].
    ///
    /// # Errors
    /// As that.
    fn begin_shape(&mut self, shape: &Shape) -> Result<()>;
    /// As [`Windowed::is_headed`].
    fn has_header(&self) -> bool;
    /// As [`Windowed::header`].
    ///
    /// # Errors
    /// As that.
    fn read_header(&self) -> Result<Option<Record>>;
    /// As [`Windowed::declares`].
    fn has_schema(&self) -> bool;
    /// As [`Windowed::declared`].
    fn read_schema(&self) -> Option<Shape>;
    /// As [`Windowed::end`].
    fn end_of_record(&self) -> Option<End>;
    /// As [`Windowed::holds_item`].
    fn has_item(&mut self, part: Part<'_>, mark: Mark) -> Option<bool>;
    /// As [`Bordered::anew`].
    fn boxed_anew(&self) -> Box<dyn AnyReader>;
    /// As [`Bordered::border`].
    fn next_border(&self, bytes: &[u8], from: usize, record: &Record) -> Option<usize>;
}

impl<F: Bordered + fmt::Debug + 'static> AnyReader for F {
    fn boxed_source<'w>(&'w mut self, part: Part<'w>) -> Box<dyn Source<'w> + 'w> {
        Box::new(self.source(part))
    }
    fn begin_shape(&mut self, shape: &Shape) -> Result<()> {
        self.begin(shape)
    }
    fn has_header(&self) -> bool {
        self.is_headed()
    }
    fn read_header(&self) -> Result<Option<Record>> {
        self.header()
    }
    fn has_schema(&self) -> bool {
        self.declares()
    }
    fn read_schema(&self) -> Option<Shape> {
        self.declared()
    }
    fn end_of_record(&self) -> Option<End> {
        self.end()
    }
    fn has_item(&mut self, part: Part<'_>, mark: Mark) -> Option<bool> {
        self.holds_item(part, mark)
    }
    fn boxed_anew(&self) -> Box<dyn AnyReader> {
        Box::new(self.anew())
    }
    fn next_border(&self, bytes: &[u8], from: usize, record: &Record) -> Option<usize> {
        self.border(bytes, from, record)
    }
}

impl Windowed for Box<dyn AnyReader> {
    type Source<'w> = Box<dyn Source<'w> + 'w>;

    fn source<'w>(&'w mut self, part: Part<'w>) -> Self::Source<'w> {
        (**self).boxed_source(part)
    }
    fn begin(&mut self, shape: &Shape) -> Result<()> {
        (**self).begin_shape(shape)
    }
    fn is_headed(&self) -> bool {
        (**self).has_header()
    }
    fn header(&self) -> Result<Option<Record>> {
        (**self).read_header()
    }
    fn declares(&self) -> bool {
        (**self).has_schema()
    }
    fn declared(&self) -> Option<Shape> {
        (**self).read_schema()
    }
    fn end(&self) -> Option<End> {
        (**self).end_of_record()
    }
    fn holds_item(&mut self, part: Part<'_>, mark: Mark) -> Option<bool> {
        (**self).has_item(part, mark)
    }
}

impl Bordered for Box<dyn AnyReader> {
    fn anew(&self) -> Self {
        (**self).boxed_anew()
    }
    fn border(&self, bytes: &[u8], from: usize, record: &Record) -> Option<usize> {
        (**self).next_border(bytes, from, record)
    }
}
