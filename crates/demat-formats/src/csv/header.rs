use super::columns::Columns;
use super::row::Rules;
use super::{Csv, cell, fault, start_of_text};
use crate::stream::{MARK, Part};
use demat_core::{Error, ErrorKind, Result, Signal};

impl Csv {
    /// Begins a table at the start of a place: skips the byte order mark, and reads the header if the dialect has one.
    ///
    /// # Errors
    /// If the header is refused or incomplete.
    pub(super) fn begin(&mut self, part: Part<'_>) -> Result<()> {
        if let (Some(cells), false) = (self.dialect.behind, self.dialect.header) {
            // No byte order mark, either.
            self.index.begin(0);
            self.columns = Columns::behind(cells);
            return Ok(());
        }
        if !part.last && part.bytes.len() < MARK.len() && MARK.starts_with(part.bytes) {
            return Err(Error::signalled(Signal::Incomplete));
        }
        self.index.begin(if part.base.offset == 0 { start_of_text(part.bytes) } else { 0 });
        self.columns = Columns::unnamed();
        if self.dialect.header {
            self.columns = self.header(part)?;
        }
        Ok(())
    }

    fn header(&mut self, part: Part<'_>) -> Result<Columns> {
        let rules = Rules::of(self.dialect, part.last);
        let place = |at| part.base.position(part.bytes, at);
        let row = self.index.row(part.bytes, rules).map_err(|stop| stop.error(&part.base, part.bytes))?;
        let Some(row) = row else { return Ok(Columns::named(Vec::new(), place(0))) };
        if let Some(at) = row.fault {
            return Err(fault::after_quote().at(place(at)));
        }
        let mut names = Vec::new();
        for column in 0..row.cells {
            let (start, end) = self.index.cell(&row, column);
            let raw = &part.bytes[start..end];
            let name = match core::str::from_utf8(raw) {
                Ok(name) => name,
                Err(error) => {
                    let at = place(start + error.valid_up_to());
                    return Err(Error::mismatch(ErrorKind::Syntax, "UTF-8", "other bytes").at(at));
                }
            };
            names.push(match cell::quoted(raw, rules) {
                // The quotes are ASCII, so the name without them is still UTF-8.
                Some(content) => String::from_utf8_lossy(&cell::unescaped(content, rules.quote)).into(),
                None => Box::from(name),
            });
        }
        let columns = Columns::named(names, place(row.start));
        if let Some((one, other)) = columns.repeated() {
            let message =
                format!("the columns {} and {} have the same name `{}`", one + 1, other + 1, columns.name(one));
            let (start, _) = self.index.cell(&row, other);
            return Err(Error::new(ErrorKind::Constraint, message).at(place(start)));
        }
        Ok(columns)
    }
}
