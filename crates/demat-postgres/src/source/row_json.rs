//! The JSON of a row that was refused: it has every value, also those that can't be read.

use super::cell::{beyond, read};
use super::{Read, RowSource, Stands};
use crate::rows::Rows;
use demat_core::{ErrorKind, Result, Shape, Sink as _, Source as _, copy_any};
use demat_formats::json::{JsonSink, NonFinite, WriteOptions};
use demat_formats::{Keep, Output};

impl<R: Rows> RowSource<R> {
    /// Returns the row as JSON, and moves behind it. A value that can't be read is the text that errors have for it.
    pub(super) fn row_json(&mut self) -> Result<Vec<u8>> {
        let mut json = vec![b'{'];
        for column in 0..self.width() {
            if column > 0 {
                json.push(b',');
            }
            json.extend(text_json(&self.rows.columns()[column].name)?);
            json.push(b':');
            self.column = column;
            self.stands = Stands::AtKey;
            let value = self.value().and_then(|()| self.value_json());
            if let Some(nested) = self.nested.take() {
                self.spare = nested.into_text();
            }
            self.array = None;
            match value {
                Ok(value) => json.extend(value),
                Err(error) if error.kind() == ErrorKind::Io => return Err(error),
                Err(_) => json.extend(text_json(&self.unread(column))?),
            }
        }
        json.push(b'}');
        self.column = self.width();
        self.stands = Stands::Between;
        Ok(json)
    }

    /// Returns the value as JSON, and moves past it.
    pub(super) fn value_json(&mut self) -> Result<Vec<u8>> {
        let options = WriteOptions { nonfinite: NonFinite::Text, ..WriteOptions::default() };
        let mut sink = JsonSink::new(Output::new(Vec::new(), Keep), options);
        copy_any(self, &Shape::Any, &mut sink)?;
        sink.finish()?;
        Ok(sink.into_output().into_parts().0)
    }

    /// Returns a text for a value that can't be read.
    fn unread(&self, column: usize) -> String {
        let own = &self.rows.columns()[column].own;
        let bytes = self.rows.cell(column).unwrap_or_default();
        match read(own, bytes) {
            Some(Read::Number(number)) => number.name().to_string(),
            _ => beyond(own, bytes).trim_matches('`').to_string(),
        }
    }
}

fn text_json(text: &str) -> Result<Vec<u8>> {
    let mut sink = JsonSink::new(Output::new(Vec::new(), Keep), WriteOptions::default());
    sink.text(text)?;
    sink.finish()?;
    Ok(sink.into_output().into_parts().0)
}
