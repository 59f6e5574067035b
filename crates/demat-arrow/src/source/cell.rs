//! Values that are JSON text in a column, and values converted to JSON.

use super::{ArrowSource, Stands, no_value};
use arrow_array::RecordBatch;
use demat_core::{Error, Mark, Position, Result, Source};
use demat_formats::json::{JsonSink, JsonSource, WriteOptions};
use demat_formats::{Keep, Output};

impl<I: Iterator<Item = Result<RecordBatch>>> ArrowSource<I> {
    /// Reads the JSON text of the current value with `look`. The position does not change.
    #[cold]
    pub(super) fn look_at_json<T>(
        &mut self,
        look: impl FnOnce(&mut JsonSource<'_>, &mut String) -> Result<T>,
    ) -> Result<T> {
        let (id, row, _) = self.here()?;
        let json = self.columns[id].text(row).ok_or_else(no_value)?;
        let mut source = JsonSource::new(json.as_bytes());
        if let Some(mark) = self.json {
            source.reset(mark);
        }
        look(&mut source, &mut self.scratch).map_err(|error| in_cell(&error, self.row))
    }

    /// Reads the JSON text of the current value with `ask`, and keeps the position in it.
    #[cold]
    pub(super) fn ask_json<T>(&mut self, ask: impl FnOnce(&mut JsonSource<'_>, &mut String) -> Result<T>) -> Result<T> {
        let (answer, mark) = self.look_at_json(|source, scratch| {
            let answer = ask(source, scratch)?;
            let mark = source.mark();
            if mark.state[0] == 0 {
                source.end()?;
            }
            Ok((answer, mark))
        })?;
        self.go_on(mark);
        Ok(answer)
    }

    /// Moves to a mark in the JSON text. At depth 0, the value is complete.
    pub(super) fn go_on(&mut self, mark: Mark) {
        if mark.state[0] > 0 {
            self.json = Some(mark);
        } else {
            self.json = None;
            self.stands = Stands::Between;
        }
    }

    /// Takes a null in the JSON text.
    #[cold]
    pub(super) fn json_null(&mut self) -> Result<bool> {
        let after = self.look_at_json(|source, _| Ok(source.null()?.then(|| source.mark())))?;
        if let Some(mark) = after {
            self.go_on(mark);
        }
        Ok(after.is_some())
    }

    /// Converts the value to JSON.
    pub(super) fn json_of_value(&mut self) -> Result<Vec<u8>> {
        let mut sink = JsonSink::new(Output::new(Vec::new(), Keep), WriteOptions::default());
        demat_core::copy_any(self, &demat_core::Shape::Any, &mut sink)?;
        Ok(sink.into_output().into_parts().0)
    }
}

/// Returns the error for invalid JSON in a cell. Drops the position in the text, since a position refers to the place.
#[cold]
fn in_cell(error: &Error, row: usize) -> Error {
    let own = match (error.expectation(), error.found()) {
        (Some(expected), Some(found)) => Error::mismatch(error.kind(), expected.to_string(), found.to_string()),
        _ => Error::new(error.kind(), error.reason()),
    };
    own.at(Position { record: Some(row as u64), ..Position::default() })
}
