//! A statement over sources that are no database.

use super::CopyJob;
use crate::database::{DatabaseTarget, stem};
use crate::out::Out;
use crate::{DatabasePlace, Format, Part, Place};
use demat_core::Result;

/// The table for a source without a name.
const NAMELESS: &str = "input";

impl CopyJob<'_> {
    /// Reads the sources into a database in memory, if there is a query, which then is the source.
    pub(super) fn open_query(&mut self) -> Result<()> {
        let Some(sql) = self.query.take() else { return Ok(()) };
        let (place, format, options) = self.from.clone();
        let table = place.path().and_then(stem).unwrap_or_else(|| NAMELESS.to_string());
        let mut target = DatabaseTarget::in_memory(&table)?;
        if self.shaped {
            target.trust();
        }
        let database = target.connection().clone();
        let to = DatabasePlace { path: place.to_string().into(), part: Part::Table(table) };
        let mut load = CopyJob::new(place, format, Place::Database(to.clone()), Format::SQLITE).read_options(options);
        load.more = core::mem::take(&mut self.more);
        load.path_field = self.path_field.take();
        load.reader = self.reader.take();
        load.on_progress = self.on_progress.take();
        load.infer = !self.shaped;
        (load.shape, load.shaped) = (self.shape.take(), self.shaped);
        load.sample = self.sample;
        load.at = self.at.take();
        load.lax = core::mem::take(&mut self.lax);
        load.encodings.0 = self.encodings.0.take();
        load.canonical.clone_from(&self.canonical);
        load.open_collection()?;
        let (_, mut out) = load.run_into(Out::Rows(Box::new(target)))?;
        out.complete(Format::SQLITE)?;
        out.finish()?;
        self.shaped = false;
        self.memory = Some(database);
        let query = DatabasePlace { part: Part::Query(sql), ..to };
        self.from = (Place::Database(query), Format::SQLITE, Format::SQLITE.read_options());
        Ok(())
    }
}
