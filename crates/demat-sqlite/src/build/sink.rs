//! A sink for the rows of a table.

use super::loader::Loader;
use super::rows::Rows;
use demat_core::scalar::Int;
use demat_core::{Error, ErrorKind, Record, Result, Sink};

/// The position of the next value.
#[derive(Debug, Default)]
pub(super) struct RowCursor {
    position: RowPosition,
    /// The column of the next value.
    column: usize,
    /// The identity of the last record, and the columns of its fields.
    record: Option<u64>,
    fields: Vec<usize>,
}

#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum RowPosition {
    /// Outside of a row.
    #[default]
    Between,
    /// In a row, before a field.
    Row,
    /// Before a key.
    Key,
    /// Before a value.
    Value,
}

impl Rows<'_> {
    /// Writes a value to the current column.
    #[inline(always)]
    fn scalar(
        &mut self,
        tell: impl FnOnce(&mut super::row::Row, &super::column::Column) -> Result<()>,
        what: &'static str,
    ) -> Result<()> {
        if self.cursor.position != RowPosition::Value {
            return Err(self.misplaced(what));
        }
        self.cursor.position = RowPosition::Row;
        let column = self.cursor.column;
        let (loader, _) = self.parts()?;
        let Loader { row, columns, .. } = loader;
        match columns.get(column) {
            Some(column) => tell(row, column),
            None => Err(self.misplaced(what)),
        }
    }

    #[cold]
    fn misplaced(&self, what: &'static str) -> Error {
        let expected = match self.cursor.position {
            RowPosition::Between => "a record, as the rows of a table are",
            RowPosition::Row | RowPosition::Key => "a field of the row",
            RowPosition::Value => "a scalar, as the columns of a table hold",
        };
        self.at_row(Error::mismatch(ErrorKind::Encode, expected, what))
    }

    #[cold]
    fn look_up(&mut self, record: &Record) -> Result<()> {
        let (loader, _) = self.parts()?;
        let column = |field: &demat_core::Field| find(loader, field.key());
        let fields = record.fields().iter().map(column).collect::<Result<Vec<_>>>()?;
        self.cursor.fields = fields;
        self.cursor.record = Some(record.identity());
        Ok(())
    }

    #[inline]
    fn begin_row(&mut self, what: &'static str) -> Result<()> {
        if self.cursor.position != RowPosition::Between {
            return Err(self.misplaced(what));
        }
        let (loader, builder) = self.parts()?;
        if loader.is_unsaid() {
            loader.commit(builder.pages())?;
        }
        loader.begin_row();
        self.cursor.position = RowPosition::Row;
        Ok(())
    }

    #[inline]
    fn end_row(&mut self) -> Result<()> {
        let (loader, builder) = self.parts()?;
        let ended = loader.end_row(builder.pages());
        self.cursor.position = RowPosition::Between;
        ended.map_err(|error| self.at_row(error))
    }

    /// Selects a column by name.
    #[cold]
    fn take_key(&mut self, key: &str) -> Result<()> {
        let (loader, _) = self.parts()?;
        self.cursor.column = find(loader, key)?;
        Ok(())
    }
}

fn find(loader: &Loader, key: &str) -> Result<usize> {
    loader.table.column(key).ok_or_else(|| {
        let names: Vec<_> = loader.columns.iter().map(|column| column.name.as_str()).collect();
        let message = format!("the table `{}` has no column `{key}`; it has {}", loader.table.name, names.join(", "));
        Error::new(ErrorKind::Encode, message)
    })
}

impl Sink for Rows<'_> {
    #[inline]
    fn null(&mut self) -> Result<()> {
        self.scalar(
            |row, column| {
                row.null(column);
                Ok(())
            },
            "null",
        )
    }
    #[inline]
    fn bool(&mut self, value: bool) -> Result<()> {
        self.scalar(|row, column| row.int(column, i64::from(value)), "bool")
    }
    fn int(&mut self, value: &Int<'_>) -> Result<()> {
        let Some(value) = value.to_i64() else {
            let error = Error::mismatch(ErrorKind::Encode, "an integer of 64 bits with sign", value.to_string());
            return Err(self.at_row(error));
        };
        self.i64(value)
    }
    #[inline]
    fn i64(&mut self, value: i64) -> Result<()> {
        self.scalar(|row, column| row.int(column, value), "int")
    }
    #[inline]
    fn float(&mut self, value: f64) -> Result<()> {
        self.scalar(|row, column| row.real(column, value), "float")
    }
    #[inline]
    fn text(&mut self, value: &str) -> Result<()> {
        if self.cursor.position == RowPosition::Key {
            return self.take_key(value);
        }
        self.scalar(|row, column| row.text(column, value), "text")
    }
    #[inline]
    fn bytes(&mut self, value: &[u8]) -> Result<()> {
        self.scalar(|row, column| row.blob(column, value), "bytes")
    }
    fn begin_list(&mut self, _: Option<usize>) -> Result<()> {
        if self.cursor.position == RowPosition::Between { Ok(()) } else { Err(self.misplaced("list")) }
    }
    #[inline]
    fn item(&mut self) -> Result<()> {
        Ok(())
    }
    fn end_list(&mut self) -> Result<()> {
        Ok(())
    }
    fn begin_map(&mut self, _: Option<usize>) -> Result<()> {
        self.begin_row("record")
    }
    fn entry(&mut self) -> Result<()> {
        self.cursor.position = RowPosition::Key;
        Ok(())
    }
    fn value(&mut self) -> Result<()> {
        self.cursor.position = RowPosition::Value;
        Ok(())
    }
    fn end_map(&mut self) -> Result<()> {
        self.end_row()
    }
    #[inline]
    fn begin_record(&mut self, record: &Record) -> Result<()> {
        self.begin_row("record")?;
        if self.cursor.record != Some(record.identity()) {
            self.look_up(record)?;
        }
        Ok(())
    }
    #[inline]
    fn field(&mut self, _: &Record, index: usize) -> Result<()> {
        self.cursor.column = self.cursor.fields.get(index).copied().unwrap_or(usize::MAX);
        self.cursor.position = RowPosition::Value;
        Ok(())
    }
    #[inline]
    fn end_record(&mut self, _: &Record) -> Result<()> {
        self.end_row()
    }
    #[inline]
    fn commit(&mut self) -> Result<()> {
        let (loader, builder) = self.parts()?;
        loader.commit(builder.pages())
    }
    fn rollback(&mut self) -> Result<()> {
        self.cursor.position = RowPosition::Between;
        let (loader, builder) = self.parts()?;
        loader.rollback(builder.pages())
    }
    fn finish(&mut self) -> Result<()> {
        self.end()
    }
}
