//! Flattens nested records into tables.

mod columns;
#[cfg(test)]
mod tests;

pub(crate) use columns::Columns;

use columns::Column;
use demat_core::{Error, ErrorKind, Record, Result, Shape, Sink, Tag, Union, forward};
use demat_formats::json::{JsonSink, WriteOptions};
use demat_formats::{Keep, Output};

/// A sink that flattens nested records: their fields become columns `outer.inner`. Lists, maps, tagged unions and
/// recursive records become JSON text in one cell.
///
/// A null record leaves its cells missing.
pub(crate) struct Flatten<'s> {
    inner: &'s mut dyn Sink,
    columns: &'s Columns,
    /// The JSON text of the current cell.
    text: Option<JsonSink<Keep>>,
    options: WriteOptions,
    nesting: Nesting,
    committed: Nesting,
}

#[derive(Debug, Clone, Default)]
struct Nesting {
    /// The open records, by their number in the columns.
    open: Vec<usize>,
    /// The column of the next value.
    next: Option<Column>,
    /// The nesting depth in the JSON text.
    depth: usize,
}

impl<'s> Flatten<'s> {
    pub(crate) fn new(inner: &'s mut dyn Sink, columns: &'s Columns, depth: u32) -> Self {
        let options = WriteOptions { depth, ..WriteOptions::default() };
        Self { inner, columns, text: None, options, nesting: Nesting::default(), committed: Nesting::default() }
    }

    /// Writes a scalar to the JSON text or to its column.
    #[inline]
    fn scalar(&mut self, tell: impl FnOnce(&mut dyn Sink) -> Result<()>) -> Result<()> {
        if let Some(text) = &mut self.text {
            return tell(text);
        }
        match self.nesting.next.take() {
            Some(Column::Cell(column)) => self.inner.field(self.columns.flat(), column)?,
            // A null record: its cells stay missing.
            Some(Column::Record(_)) => return Ok(()),
            None => {}
        }
        tell(self.inner)
    }

    /// Begins a container in JSON text. Returns `false` if the container is not in a cell.
    fn open_text(&mut self) -> bool {
        if self.text.is_none() {
            if !matches!(self.nesting.next, Some(Column::Cell(_))) {
                return false;
            }
            self.text = Some(JsonSink::new(Output::new(Vec::new(), Keep), self.options));
        }
        self.nesting.depth += 1;
        true
    }

    /// Ends a container in JSON text, and the cell after the outermost one.
    fn close_text(&mut self) -> Result<()> {
        self.nesting.depth -= 1;
        if self.nesting.depth > 0 {
            return Ok(());
        }
        let (Some(text), Some(Column::Cell(column))) = (self.text.take(), self.nesting.next.take()) else {
            return Ok(());
        };
        let bytes = text.into_output().into_parts().0;
        let text = String::from_utf8(bytes).map_err(|_| Error::new(ErrorKind::Encode, "JSON text that is no UTF-8"))?;
        self.inner.field(self.columns.flat(), column)?;
        self.inner.text(&text)
    }

    /// Returns the sink of the current container.
    fn target(&mut self) -> &mut dyn Sink {
        match &mut self.text {
            Some(text) => text,
            None => self.inner,
        }
    }
}

impl Sink for Flatten<'_> {
    forward! { self by scalar; scalars }
    forward! { self => self.target(); item entry value }

    fn begin(&mut self, shape: &Shape) -> Result<()> {
        let flat = self.columns.shape();
        match shape.inner() {
            Shape::List(_) => self.inner.begin(&flat.clone().list()),
            _ => self.inner.begin(flat),
        }
    }

    fn begin_list_of(&mut self, item: &Shape, len: Option<usize>) -> Result<()> {
        if self.open_text() {
            return self.target().begin_list_of(item, len);
        }
        self.inner.begin_list_of(self.columns.shape(), len)
    }

    fn begin_list(&mut self, len: Option<usize>) -> Result<()> {
        self.open_text();
        self.target().begin_list(len)
    }

    fn end_list(&mut self) -> Result<()> {
        self.target().end_list()?;
        if self.text.is_some() { self.close_text() } else { Ok(()) }
    }

    fn begin_map(&mut self, len: Option<usize>) -> Result<()> {
        self.open_text();
        self.target().begin_map(len)
    }

    fn end_map(&mut self) -> Result<()> {
        self.target().end_map()?;
        if self.text.is_some() { self.close_text() } else { Ok(()) }
    }

    fn begin_record(&mut self, record: &Record) -> Result<()> {
        if self.open_text() {
            return self.target().begin_record(record);
        }
        if let Some(Column::Record(number)) = self.nesting.next.take() {
            self.nesting.open.push(number);
            return Ok(());
        }
        self.nesting.open.push(Columns::ROOT);
        self.inner.begin_record(self.columns.flat())
    }

    fn field(&mut self, record: &Record, index: usize) -> Result<()> {
        if let Some(text) = &mut self.text {
            return text.field(record, index);
        }
        let open = self.nesting.open.last().copied().unwrap_or(Columns::ROOT);
        self.nesting.next = Some(self.columns.of_field(open, index));
        Ok(())
    }

    /// Only in JSON text: a table has no columns for unknown fields.
    fn rest(&mut self, record: &Record, key: &str) -> Result<()> {
        self.target().rest(record, key)
    }

    fn end_record(&mut self, record: &Record) -> Result<()> {
        if let Some(text) = &mut self.text {
            text.end_record(record)?;
            return self.close_text();
        }
        self.nesting.open.pop();
        if self.nesting.open.is_empty() { self.inner.end_record(self.columns.flat()) } else { Ok(()) }
    }

    fn begin_variant(&mut self, union: &Union, index: usize) -> Result<()> {
        let name_only = *union.tag() == Tag::Key && *union.variants()[index].shape() == Shape::Null;
        if self.text.is_none() && (name_only || *union.tag() == Tag::None) {
            // A scalar cell: the name, or the value alone.
            return self.scalar_of_variant(union, index, name_only);
        }
        self.open_text();
        self.target().begin_variant(union, index)
    }

    fn end_variant(&mut self, union: &Union, index: usize) -> Result<()> {
        if self.text.is_none() {
            return Ok(());
        }
        self.target().end_variant(union, index)?;
        self.close_text()
    }

    fn commit(&mut self) -> Result<()> {
        if let Some(text) = &mut self.text {
            text.commit()?;
        }
        self.committed.clone_from(&self.nesting);
        self.inner.commit()
    }

    fn rollback(&mut self) -> Result<()> {
        self.nesting.clone_from(&self.committed);
        if self.nesting.depth == 0 {
            self.text = None;
        } else if let Some(text) = &mut self.text {
            text.rollback()?;
        }
        self.inner.rollback()
    }

    fn finish(&mut self) -> Result<()> {
        self.inner.finish()
    }
}

impl Flatten<'_> {
    fn scalar_of_variant(&mut self, union: &Union, index: usize, name_only: bool) -> Result<()> {
        if name_only { self.text(union.variants()[index].name()) } else { Ok(()) }
    }
}
