//! Converts rows to JSON, to report refused ones.

use super::RowSource;
use crate::rows::{Class, Rows};
use demat_core::{Error, Result, Sink};
use demat_formats::json::{JsonSink, WriteOptions};
use demat_formats::{Keep, Output};

impl<R: Rows> RowSource<R> {
    /// Appends the row as a JSON object.
    pub(super) fn row_json(&self, json: &mut Vec<u8>) -> Result<()> {
        json.push(b'{');
        for column in 0..self.width() {
            if column > 0 {
                json.push(b',');
            }
            tell(json, |sink| sink.text(&self.rows.columns()[column]))?;
            json.push(b':');
            self.cell_json(column, json)?;
        }
        json.push(b'}');
        Ok(())
    }

    /// Appends a value as JSON. Values without a JSON form become text.
    pub(super) fn cell_json(&self, column: usize, json: &mut Vec<u8>) -> Result<()> {
        match self.rows.class(column) {
            Class::Null => tell(json, JsonSink::null),
            Class::Int => tell(json, |sink| sink.i64(self.rows.int(column))),
            Class::Real if !self.rows.real(column).is_finite() => {
                tell(json, |sink| sink.text(&self.rows.real(column).to_string()))
            }
            Class::Real => tell(json, |sink| sink.float(self.rows.real(column))),
            Class::Text => tell(json, |sink| sink.text(&String::from_utf8_lossy(self.rows.bytes(column)))),
            Class::Blob => tell(json, |sink| sink.bytes(self.rows.bytes(column))),
        }
    }
}

fn tell(json: &mut Vec<u8>, tell: impl FnOnce(&mut JsonSink<Keep>) -> Result<(), Error>) -> Result<()> {
    let mut sink = JsonSink::new(Output::new(Vec::new(), Keep), WriteOptions::default());
    tell(&mut sink)?;
    sink.finish()?;
    json.append(&mut sink.into_output().into_parts().0);
    Ok(())
}
