//! Groups of rows that a copy skips: their statistics show that its condition chooses none of their rows.

use super::codec::BatchSource;
use crate::Where;
use crate::condition::{Known, Possible};
use crate::on_error::Judge;
use arrow_schema::SchemaRef;
use demat_arrow::GroupBounds;
use demat_core::{Error, Result, Shape};
use demat_formats::stream::OnError;
use std::collections::HashMap;

/// The rows that are skipped: the number of rows read before some, and of those skipped before them in all.
#[derive(Debug, Default)]
pub(super) struct Skipped(Vec<(u64, u64)>);

impl Skipped {
    /// Finds the groups that a condition may choose rows of, if rows are read as a list of records of this shape. Has
    /// the batches read only these.
    pub(super) fn of(batches: &mut dyn BatchSource, schema: &SchemaRef, condition: &Where, list: &Shape) -> Self {
        let Some(columns) = columns(batches, schema, condition, list) else { return Self::default() };
        let Some(groups) = columns.values().map(Vec::len).min() else { return Self::default() };
        let (mut kept, mut spans) = (Vec::new(), Vec::new());
        let (mut read, mut skipped) = (0, 0);
        for group in 0..groups {
            let bounds = |field: &str| columns.get(field).map(|groups| &groups[group]);
            let rows = columns.values().next().map_or(0, |groups| groups[group].bounds.rows);
            // A value that can't be read is an error, which is not to be passed over.
            let is_sure = columns.values().all(|groups| groups[group].is_sure());
            let may_choose = !is_sure
                || condition.is_possible(&mut |term| {
                    let field = &term.condition().field;
                    bounds(field).map_or(Possible::ANY, |own| term.condition().possible(own.known()))
                });
            if may_choose {
                if skipped > 0 {
                    spans.push((read, skipped));
                }
                kept.push(group);
                read += rows;
            } else {
                skipped += rows;
            }
        }
        if kept.len() < groups {
            batches.keep(&kept);
        }
        Self(spans)
    }

    /// Counts the skipped rows in the position and in the path of an error.
    pub(super) fn counted(&self, error: Error) -> Error {
        let Some(record) = error.position().record else { return error };
        match self.0.iter().rev().find(|(read, _)| record > *read) {
            Some((_, skipped)) => error.behind_items(usize::try_from(*skipped).unwrap_or(usize::MAX)),
            None => error,
        }
    }
}

/// The bounds of a column, and whether null is a value of its field.
struct Column {
    bounds: GroupBounds,
    nullable: bool,
}

impl Column {
    fn known(&self) -> Known<'_> {
        let GroupBounds { rows, nulls, ends } = &self.bounds;
        Known {
            has_null: *nulls != Some(0),
            has_value: *nulls != Some(*rows),
            ends: ends.as_ref().map(|(least, most)| (least, most)),
        }
    }

    /// Whether all values can be read: those between two that can be read can, too.
    fn is_sure(&self) -> bool {
        let Known { has_null, has_value, ends } = self.known();
        (self.nullable || !has_null) && (!has_value || ends.is_some())
    }
}

/// Returns what is known of all fields that the condition compares, by group; `None` if nothing is known of one of them.
fn columns(
    batches: &dyn BatchSource,
    schema: &SchemaRef,
    condition: &Where,
    list: &Shape,
) -> Option<HashMap<String, Vec<Column>>> {
    let Shape::List(item) = list.inner() else { return None };
    let Shape::Record(record) = item.inner() else { return None };
    let record = record.get();
    if record.items().is_some() {
        return None;
    }
    let mut columns = HashMap::new();
    for term in condition.terms() {
        let fields = term.fields(&record).ok()?;
        let [field] = &*fields else { return None };
        let index = record.index_of(field.key())?;
        let mut names = schema.fields().iter().filter(|column| record.index_of(column.name()) == Some(index));
        // Two columns of one field are for the source to refuse.
        let (Some(column), None) = (names.next(), names.next()) else { return None };
        let bounds = batches.bounds(column.name(), field.shape())?;
        let nullable = field.shape().allows_null();
        let own = bounds.into_iter().map(|bounds| Column { bounds, nullable }).collect();
        columns.insert(term.condition().field.clone(), own);
    }
    Some(columns)
}

/// Decides about refused records with the numbers that they have in the place.
pub(super) struct Numbered<'n, 'j> {
    pub(super) judge: &'n mut Judge<'j>,
    pub(super) skipped: &'n Skipped,
}

impl OnError for Numbered<'_, '_> {
    fn goes_on(&mut self, error: &Error) -> bool {
        self.judge.goes_on(error)
    }

    fn holds(&self) -> bool {
        self.judge.holds()
    }

    fn reject(&mut self, error: Error, bytes: &[u8]) -> Result<()> {
        self.judge.reject(self.skipped.counted(error), bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::Skipped;
    use crate::columnar::Columnar;
    use crate::{Format, Place};
    use demat_arrow::{ColumnsSink, ParquetDrain};
    use demat_core::{Error, ErrorKind, Shape, copy};
    use demat_formats::json::JsonSource;

    /// Returns which rows are read of a hundred, in groups of ten, whose `id` counts.
    fn read(condition: &str, shape: &str) -> usize {
        let file = tempfile::NamedTempFile::new().unwrap();
        let rows: Vec<_> = (0..100).map(|id| format!("{{\"id\":{id},\"t\":\"row {id:02}\"}}")).collect();
        let mut sink = ColumnsSink::new(ParquetDrain::new(file.reopen().unwrap()).with_group_rows(10));
        let text = format!("[{}]", rows.join(","));
        copy(&mut JsonSource::new(text.as_bytes()), &"[{id: int, t: text}]".parse().unwrap(), &mut sink).unwrap();
        let place = Place::File(file.path().to_owned());
        let mut columns = Columnar::open(&place, Format::PARQUET, None, None).unwrap();
        let list = shape.parse::<Shape>().unwrap().list();
        columns.skip(&condition.parse().unwrap(), &list);
        columns.batches.map(|batch| batch.unwrap().num_rows()).sum()
    }

    #[test]
    fn groups_that_a_condition_excludes_are_not_read() {
        let own = |condition| read(condition, "id: int, t: text");
        for (condition, rows) in [
            ("id = 47", 10),
            ("id between 48 and 50", 20),
            ("not (id < 48 or id >= 50)", 10),
            ("id > 1000", 0),
            ("id = 47 or id = 1000", 10),
            ("id = 3 or t = 'row 98'", 20),
            ("id = 3 and t = 'row 98'", 0),
            ("id is null", 0),
            ("id = 47 or t like '%7'", 100),
            ("id >= 0", 100),
        ] {
            assert_eq!(own(condition), rows, "{condition}");
        }
    }

    #[test]
    fn values_that_may_be_refused_are_read() {
        assert_eq!(read("id = 47", "id: int8"), 10);
        assert_eq!(read("id = 47", "id: uint8, t: text"), 10);
        assert_eq!(read("t = 'row 47'", "t: any"), 100);
        assert_eq!(read("id > 1000", "id: float"), 100);
    }

    #[test]
    fn skipped_rows_are_counted() {
        // 100 rows skipped, 50 read, 30 skipped, 20 read.
        let skipped = Skipped(vec![(0, 100), (50, 130)]);
        for (record, expected) in [(1, 101), (50, 150), (51, 181), (70, 200)] {
            let error = Error::new(ErrorKind::Constraint, "no").within_item(record - 1).in_record(record as u64);
            let error = skipped.counted(error);
            assert_eq!(error.position().record, Some(expected));
            assert_eq!(error.path(), format!("$[{}]", expected - 1));
        }
        let error = Skipped(vec![(50, 10)]).counted(Error::new(ErrorKind::Constraint, "no").in_record(50));
        assert_eq!(error.position().record, Some(50));
    }
}
