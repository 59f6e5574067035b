//! Adds their own URL to records.

use demat_core::scalar::{Date, DateTime, Decimal, Duration, Int, Offset, Time, Uuid, base64};
use demat_core::{Enum, Field, Record, RecordRef, Result, Shape, Sink, Union};
use demat_store::shown;

/// A sink adapter that adds a URL field to the records of a list, or to a single record.
///
/// The URL consists of the list's URL and the value of the record's key, so it is the last field.
pub(crate) struct Linked<'s> {
    sink: &'s mut dyn Sink,
    link: Link,
    depth: u32,
    /// The depth of a record's fields.
    within: Option<u32>,
    /// Whether the next value is the key.
    at_key: bool,
    key: Option<String>,
    record: Option<(u64, RecordRef)>,
}

/// The name of the URL field, the name of the key field, and the URL of the list.
#[derive(Debug, Clone)]
pub(crate) struct Link {
    pub(crate) field: String,
    pub(crate) key: String,
    pub(crate) list: String,
}

impl Link {
    /// Returns the shape of the records with the additional field.
    pub(crate) fn shape(&self, shape: &Shape) -> Shape {
        match shape {
            Shape::List(item) => self.shape(item).list(),
            Shape::Option(inner) => self.shape(inner).optional(),
            Shape::Record(record) => match self.record(&record.get()) {
                Some(record) => Shape::Record(record),
                None => shape.clone(),
            },
            other => other.clone(),
        }
    }

    fn record(&self, record: &Record) -> Option<RecordRef> {
        let number = record.fields().iter().map(Field::number).max().unwrap_or(0) + 1;
        let mut fields = record.fields().to_vec();
        fields.push(Field::new(self.field.clone(), number, Shape::Text));
        let linked = Record::new(record.name().to_string(), fields).ok()?;
        Some(RecordRef::new(linked.with_unknown(record.unknown())))
    }

    fn url(&self, key: String) -> String {
        format!("{}{}", self.list, shown(&[key]))
    }
}

impl<'s> Linked<'s> {
    pub(crate) fn new(sink: &'s mut dyn Sink, link: Link) -> Self {
        Self { sink, link, depth: 0, within: None, at_key: false, key: None, record: None }
    }

    fn linked(&mut self, record: &Record) -> Option<RecordRef> {
        match &self.record {
            Some((identity, linked)) if *identity == record.identity() => Some(linked.clone()),
            _ => {
                let linked = self.link.record(record)?;
                self.record = Some((record.identity(), linked.clone()));
                Some(linked)
            }
        }
    }

    fn is_here(&self) -> bool {
        self.within == Some(self.depth)
    }

    /// Begins a record, or a map that may be one.
    fn open(&mut self) {
        self.depth += 1;
        if self.within.is_none() {
            self.within = Some(self.depth);
        }
    }

    /// Ends a container. Returns the URL if it was a record.
    fn close(&mut self) -> Option<String> {
        let was = self.is_here();
        self.depth -= 1;
        if !was {
            return None;
        }
        self.within = None;
        self.key.take().map(|key| self.link.url(key))
    }

    #[inline]
    fn saw(&mut self, value: impl FnOnce() -> String) {
        if core::mem::take(&mut self.at_key) {
            self.key = Some(value());
        }
    }
}

/// Returns the base64 form of a bytes key, as row names use it.
fn base64_of(bytes: &[u8]) -> String {
    let mut text = String::new();
    base64::encode(bytes, &mut text);
    text
}

/// Writes methods that forward a scalar and keep it if it is the key.
macro_rules! scalars {
    ($($told:ident($value:ident: $type:ty) => $seen:expr;)*) => {$(
        #[inline]
        fn $told(&mut self, $value: $type) -> Result<()> {
            self.saw(|| $seen);
            self.sink.$told($value)
        }
    )*};
}

impl Sink for Linked<'_> {
    scalars! {
        bool(value: bool) => value.to_string();
        int(value: &Int<'_>) => value.to_string();
        i64(value: i64) => value.to_string();
        u64(value: u64) => value.to_string();
        float(value: f64) => format!("{value:?}");
        float32(value: f32) => format!("{value:?}");
        text(value: &str) => value.to_string();
        bytes(value: &[u8]) => base64_of(value);
        decimal(value: &Decimal<'_>) => value.as_str().to_string();
        date(value: Date) => value.to_string();
        time(value: Time) => value.to_string();
        date_time(at: DateTime) => at.to_string();
        duration(value: Duration) => value.to_string();
        uuid(value: Uuid) => value.to_string();
    }

    fn instant(&mut self, at: DateTime, offset: Offset) -> Result<()> {
        self.saw(|| at.with_offset(offset).to_string());
        self.sink.instant(at, offset)
    }

    fn null(&mut self) -> Result<()> {
        self.at_key = false;
        self.sink.null()
    }

    fn variant(&mut self, names: &Enum, index: usize) -> Result<()> {
        self.saw(|| names.name_at(index).to_string());
        self.sink.variant(names, index)
    }

    fn begin(&mut self, shape: &Shape) -> Result<()> {
        self.sink.begin(&self.link.shape(shape))
    }

    fn begin_list(&mut self, len: Option<usize>) -> Result<()> {
        self.at_key = false;
        if self.within.is_some() {
            self.depth += 1;
        }
        self.sink.begin_list(len)
    }

    fn begin_list_of(&mut self, item: &Shape, len: Option<usize>) -> Result<()> {
        self.at_key = false;
        if self.within.is_some() {
            self.depth += 1;
            return self.sink.begin_list_of(item, len);
        }
        self.sink.begin_list_of(&self.link.shape(item), len)
    }

    fn item(&mut self) -> Result<()> {
        self.sink.item()
    }

    fn end_list(&mut self) -> Result<()> {
        if self.within.is_some() {
            self.depth -= 1;
        }
        self.sink.end_list()
    }

    fn begin_map(&mut self, len: Option<usize>) -> Result<()> {
        let first = self.within.is_none();
        self.open();
        // The number of entries is unknown: only records with a key get a URL.
        self.sink.begin_map(if first { None } else { len })
    }

    fn entry(&mut self) -> Result<()> {
        self.at_key = false;
        self.sink.entry()
    }

    fn key(&mut self, key: &str) -> Result<()> {
        self.at_key = self.is_here() && key == self.link.key;
        self.sink.key(key)
    }

    fn value(&mut self) -> Result<()> {
        self.sink.value()
    }

    fn end_map(&mut self) -> Result<()> {
        if let Some(url) = self.close() {
            self.sink.key(&self.link.field)?;
            self.sink.text(&url)?;
        }
        self.sink.end_map()
    }

    fn begin_record(&mut self, record: &Record) -> Result<()> {
        self.open();
        match self.linked(record) {
            Some(linked) if self.is_here() => self.sink.begin_record(&linked.get()),
            _ => self.sink.begin_record(record),
        }
    }

    fn field(&mut self, record: &Record, index: usize) -> Result<()> {
        let here = self.is_here();
        self.at_key = here && record.fields()[index].key() == self.link.key;
        match self.linked(record) {
            Some(linked) if here => self.sink.field(&linked.get(), index),
            _ => self.sink.field(record, index),
        }
    }

    fn rest(&mut self, record: &Record, key: &str) -> Result<()> {
        self.sink.rest(record, key)
    }

    fn end_record(&mut self, record: &Record) -> Result<()> {
        let here = self.is_here();
        let (url, linked) = (self.close(), self.linked(record));
        match (url, linked) {
            (Some(url), Some(linked)) => {
                let linked = linked.get();
                self.sink.field(&linked, linked.fields().len() - 1)?;
                self.sink.text(&url)?;
                self.sink.end_record(&linked)
            }
            (None, Some(linked)) if here => self.sink.end_record(&linked.get()),
            _ => self.sink.end_record(record),
        }
    }

    fn begin_variant(&mut self, union: &Union, index: usize) -> Result<()> {
        self.at_key = false;
        self.sink.begin_variant(union, index)
    }

    fn end_variant(&mut self, union: &Union, index: usize) -> Result<()> {
        self.sink.end_variant(union, index)
    }

    fn commit(&mut self) -> Result<()> {
        self.sink.commit()
    }

    fn rollback(&mut self) -> Result<()> {
        (self.depth, self.within, self.at_key) = (0, None, false);
        self.key = None;
        self.sink.rollback()
    }

    fn finish(&mut self) -> Result<()> {
        self.sink.finish()
    }
}
