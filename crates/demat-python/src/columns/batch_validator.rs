//! Validates rows of columns against a class.

use super::absent::{with_nulls, without_absent};
use arrow_array::RecordBatch;
use demat_arrow::{ArrowSource, ColumnsSink, Options};
use demat_core::{
    Checked, Checks, Items, Nothing, Result, Shape, Sink, Source, Validator, Value, ValueSource, copy_any,
};
use demat_place::Host;
use std::sync::Arc;

/// Validator of column batches; it runs before the caller gets them.
#[derive(Clone)]
pub(super) struct BatchValidator {
    /// Shape of a row.
    shape: Shape,
    /// The same, where fields that may be absent may be null, as in columns.
    with_nulls: Shape,
    checks: Option<Arc<Checks>>,
    validator: Option<Arc<dyn Validator>>,
    options: Options,
    /// The number of rows in earlier batches.
    rows: usize,
}

impl BatchValidator {
    /// Returns the validator for rows of a shape; `None` if there is nothing to check. With `chosen` fields, it skips
    /// the class's own rules, as the rows are incomplete.
    ///
    /// # Errors
    /// If a `check` note is invalid.
    pub(super) fn new(shape: &Shape, host: Host, chosen: bool) -> Result<Option<Self>> {
        let shape = match shape {
            Shape::List(item) => (**item).clone(),
            other => other.clone(),
        };
        // Rows of columns have names.
        let shape = match shape {
            Shape::Record(record) if record.get().items().is_some() => {
                Shape::record(record.get().clone().with_items(None::<Items>))
            }
            other => other,
        };
        let root = Host { root: Vec::new(), ..host };
        let checks = root.checks(&shape)?;
        let validator = root.validator.filter(|_| !chosen);
        if checks.is_none() && validator.is_none() {
            return Ok(None);
        }
        let with_nulls = with_nulls(&shape)?;
        Ok(Some(Self { shape, with_nulls, checks, validator, options: Options::default(), rows: 0 }))
    }

    /// Sets the options with which columns are built again after validation.
    pub(super) fn with_options(self, options: Options) -> Self {
        Self { options, ..self }
    }

    /// Validates a batch. If the class has rules of its own, returns the rows as those rules rebuild them; else the
    /// batch itself.
    ///
    /// # Errors
    /// The first invalid row.
    pub(super) fn hold(&mut self, batch: RecordBatch) -> Result<Vec<RecordBatch>> {
        let (rows, count) = (self.rows, batch.num_rows());
        self.rows += count;
        let sink = || ColumnsSink::new(Vec::<RecordBatch>::new()).with_options(self.options.clone());
        let mut made = self.validator.as_ref().map(|_| sink());
        if let Some(made) = &mut made {
            made.begin(&self.shape.clone().list())?;
            made.begin_list(Some(count))?;
        }
        let mut source = ArrowSource::new([Ok(batch.clone())]);
        source.list()?;
        for row in 0..count {
            source.item()?;
            let held = self.row(&mut source, made.as_mut());
            held.map_err(|error| error.within_item(rows + row).in_record((rows + row) as u64 + 1))?;
        }
        let Some(mut made) = made else { return Ok(vec![batch]) };
        made.end_list()?;
        made.finish()?;
        Ok(made.into_drain())
    }

    fn row<'a, S: Source<'a>>(&self, source: &mut S, made: Option<&mut ColumnsSink<Vec<RecordBatch>>>) -> Result<()> {
        let (Some(validator), Some(made)) = (&self.validator, made) else {
            return match &self.checks {
                Some(checks) => self.tell(source, &mut Checked::new(Nothing, Arc::clone(checks))),
                None => Ok(()),
            };
        };
        let mut row = Value::decode_as(source, &self.with_nulls)?;
        without_absent(&mut row, &self.shape);
        let row = validator.validated(row)?;
        if let Some(checks) = &self.checks {
            self.tell(&mut ValueSource::new(&row), &mut Checked::new(Nothing, Arc::clone(checks)))?;
        }
        made.item()?;
        self.tell(&mut ValueSource::new(&row), made)
    }

    /// Copies one row to a sink, and commits it.
    fn tell(&self, source: &mut dyn Source<'_>, sink: &mut dyn Sink) -> Result<()> {
        copy_any(source, &self.shape, sink)
    }
}

impl core::fmt::Debug for BatchValidator {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("BatchValidator").field("shape", &self.shape).field("rows", &self.rows).finish_non_exhaustive()
    }
}
