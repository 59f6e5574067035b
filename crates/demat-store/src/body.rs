//! Values that are written to a store.

use core::fmt;
use demat_core::{Encode, Result, Shape, Sink, Value, ValueSource, copy_any};
use demat_place::{Format, ReadOptions};
use std::io::Read;

/// A value to put, patch or post: it writes itself to a sink of the store.
pub trait Body {
    /// Writes the whole value to a sink, as a value of this shape. For a record's shape it may also write a list of
    /// records.
    ///
    /// Call it once only.
    ///
    /// # Errors
    /// If the value does not fit the shape; what the sink reports.
    fn tell(&mut self, shape: &Shape, sink: &mut dyn Sink) -> Result<()>;

    /// Returns the value as encoded bytes, if it is that already, and has the default options of its format. A store
    /// that takes the bytes must not call [`tell`](Self::tell).
    fn written(&mut self) -> Option<(Format, &mut (dyn Read + Send))> {
        None
    }
}

/// A value to be decoded from a reader.
pub struct Encoded<R> {
    format: Format,
    options: ReadOptions,
    reader: R,
    records: Option<u64>,
}

impl<R: Read + Send> Encoded<R> {
    /// Returns a value in this format, read from a reader.
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

    /// Sets the options for reading.
    #[must_use]
    pub fn with_options(mut self, options: ReadOptions) -> Self {
        self.options = options;
        self
    }

    /// Returns the number of records, or list items, after [`tell`](Body::tell); `None` before.
    pub fn records(&self) -> Option<u64> {
        self.records
    }
}

impl<R: Read + Send> Body for Encoded<R> {
    fn tell(&mut self, shape: &Shape, sink: &mut dyn Sink) -> Result<()> {
        // `Any` adds no constraints.
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

/// A dynamic value.
#[derive(Debug, Clone, Copy)]
pub struct ValueBody<'v>(pub &'v Value);

impl Body for ValueBody<'_> {
    fn tell(&mut self, shape: &Shape, sink: &mut dyn Sink) -> Result<()> {
        let shape = match (shape, self.0) {
            (Shape::Record(_), Value::List(_)) => shape.clone().list(),
            _ => shape.clone(),
        };
        sink.begin(&shape)?;
        copy_any(&mut ValueSource::new(self.0), &shape, sink)?;
        sink.finish()
    }
}

/// A value of a Rust type. It is encoded by its type, whatever the shape.
#[derive(Debug, Clone, Copy)]
pub struct Host<T>(pub T);

impl<T: Encode> Body for Host<T> {
    fn tell(&mut self, shape: &Shape, sink: &mut dyn Sink) -> Result<()> {
        sink.begin(shape)?;
        self.0.encode(sink)?;
        sink.finish()
    }
}
