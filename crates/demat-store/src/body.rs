//! Values on their way into a store.

use core::fmt;
use demat_core::{Encode, Result, Shape, Sink, Value, ValueSource};
use demat_place::{Format, ReadOptions};
use std::io::Read;

/// A value that is put to a store: it tells itself to the sink that the store has for it.
pub trait Body {
    /// Tells a sink the value, as one of this shape, from its beginning to its end. Where the shape is a record's, a list of
    /// these may be told as well.
    ///
    /// It is called once.
    ///
    /// # Errors
    /// Where it is not of the shape; what the sink says.
    fn tell(&mut self, shape: &Shape, sink: &mut dyn Sink) -> Result<()>;

    /// The value as bytes in a format, where it is that already, for those who pass it on to somebody who reads the format as
    /// it is usual. Who takes them does not have it told.
    fn written(&mut self) -> Option<(Format, &mut (dyn Read + Send))> {
        None
    }
}

/// A value in a format.
pub struct Encoded<R> {
    format: Format,
    options: ReadOptions,
    reader: R,
    records: Option<u64>,
}

impl<R: Read + Send> Encoded<R> {
    /// A value that is read from a reader.
    ///
    /// ```
    /// use demat_core::Value;
    /// use demat_place::Format;
    /// use demat_store::{Encoded, Memory, Query, Store, When, collected};
    /// let store = Memory::new();
    /// let mut task = Encoded::new(Format::JSON, &br#"{"id":1}"#[..]);
    /// store.put(&["task".to_string()], &mut task, &When::Always)?;
    /// let task = collected(&store, &["task".to_string()], &Query::default())?;
    /// assert_eq!(task.get("id"), Some(&Value::Int(1.into())));
    /// # Ok::<(), demat_core::Error>(())
    /// ```
    pub fn new(format: Format, reader: R) -> Self {
        Self { format, options: format.read_options(), reader, records: None }
    }

    /// How it is read.
    #[must_use]
    pub fn with_options(mut self, options: ReadOptions) -> Self {
        self.options = options;
        self
    }

    /// So many records, or items of a list, were told; nothing before any were.
    pub fn records(&self) -> Option<u64> {
        self.records
    }
}

impl<R: Read + Send> Body for Encoded<R> {
    fn tell(&mut self, shape: &Shape, sink: &mut dyn Sink) -> Result<()> {
        // What has no shape is read as it is.
        let shape = (*shape != Shape::Any).then_some(shape);
        self.records = Some(demat_place::tell(self.format, &self.options, &mut self.reader, shape, sink)?);
        Ok(())
    }

    fn written(&mut self) -> Option<(Format, &mut (dyn Read + Send))> {
        (self.options == self.format.read_options()).then_some((self.format, &mut self.reader))
    }
}

impl<R> fmt::Debug for Encoded<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Encoded").field("format", &self.format).finish_non_exhaustive()
    }
}

/// A value of the untyped host.
#[derive(Debug, Clone, Copy)]
pub struct Whole<'v>(pub &'v Value);

impl Body for Whole<'_> {
    fn tell(&mut self, shape: &Shape, sink: &mut dyn Sink) -> Result<()> {
        let shape = match (shape, self.0) {
            (Shape::Record(_), Value::List(_)) => shape.clone().list(),
            _ => shape.clone(),
        };
        demat_core::copy(&mut ValueSource::new(self.0), &shape, sink)
    }
}

/// A value of a Rust type, which is told as the type says, whatever the shape.
#[derive(Debug, Clone, Copy)]
pub struct Host<T>(pub T);

impl<T: Encode> Body for Host<T> {
    fn tell(&mut self, shape: &Shape, sink: &mut dyn Sink) -> Result<()> {
        sink.begin(shape)?;
        self.0.encode(sink)?;
        sink.finish()
    }
}
