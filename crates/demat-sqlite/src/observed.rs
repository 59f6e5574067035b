//! Detects the kinds of datetimes in columns, for formats that allow only one kind per column.

use crate::database::Database;
use crate::name::quoted;
use crate::param::Param;
use crate::rows::Rows;
use demat_core::{Field, Record, Result, Shape};

/// The kinds of datetimes in a column.
#[derive(Debug, Clone, Copy)]
struct Sorts {
    /// Text without an offset.
    naive: bool,
    /// Text with an offset.
    aware: bool,
    /// Numbers: Unix times or Julian days, in UTC.
    number: bool,
}

impl Sorts {
    /// Returns the shape that covers all of them.
    fn shape(self) -> Shape {
        match self {
            Self { naive: false, .. } => Shape::Instant,
            Self { naive: true, aware: false, number: false } => Shape::DateTime,
            Self { number: false, .. } => Shape::Text,
            Self { number: true, .. } => Shape::Any,
        }
    }
}

impl Database {
    /// Refines the record of a statement's rows by the kinds of datetimes in its columns.
    ///
    /// A column declared as `DATETIME` or `TIMESTAMP` is an instant, since it may hold times with an offset and
    /// without. A column of Arrow, or a `Timestamp` of Protocol Buffers, holds only one kind. So this reads all rows
    /// once, if there is such a column: a column of times without an offset becomes a `datetime`; one with both kinds
    /// becomes `text`, or `any` if some are numbers.
    ///
    /// # Errors
    /// Errors of SQLite.
    ///
    /// ```
    /// use demat_sqlite::Database;
    ///
    /// let database = Database::memory()?;
    /// database.execute("CREATE TABLE t (at DATETIME)")?;
    /// database.execute("INSERT INTO t VALUES ('2024-05-06 07:08:09')")?;
    /// let record = database.statement("SELECT at FROM t")?.record()?;
    /// let observed = database.observed("SELECT at FROM t", &[], &record)?;
    /// assert_eq!(demat_core::Shape::record(observed).to_string(), "at:datetime?");
    /// # Ok::<(), demat_core::Error>(())
    /// ```
    pub fn observed(&self, sql: &str, values: &[Param], record: &Record) -> Result<Record> {
        let instants: Vec<usize> = (0..record.fields().len())
            .filter(|index| *record.fields()[*index].shape().inner() == Shape::Instant)
            .collect();
        if instants.is_empty() {
            return Ok(record.clone());
        }
        let each =
            |part: &dyn Fn(usize) -> String| instants.iter().map(|index| part(*index)).collect::<Vec<_>>().join(", ");
        let sorts = each(&|index| format!("max(s{index} = 0), max(s{index} = 1), max(s{index} = 2)"));
        let parts = each(&|index| format!("demat_zoned({}) AS s{index}", quoted(record.fields()[index].key())));
        // Comments or semicolons at the end of the statement must not affect the outer one.
        let sql = format!("SELECT {sorts} FROM (SELECT {parts} FROM (\n{}\n))", sql.trim_end().trim_end_matches(';'));
        let mut found = self.statement(&sql)?;
        found.bind_all(values)?;
        found.step()?;
        let mut fields = record.fields().to_vec();
        for (at, index) in instants.into_iter().enumerate() {
            let holds = |sort: usize| found.int(at * 3 + sort) != 0;
            let sorts = Sorts { naive: holds(0), aware: holds(1), number: holds(2) };
            fields[index] = reshaped(&fields[index], sorts.shape());
        }
        Ok(Record::new(record.name().to_string(), fields)?.with_unknown(record.unknown()))
    }
}

fn reshaped(field: &Field, shape: Shape) -> Field {
    let shape = if field.shape().allows_null() { shape.optional() } else { shape };
    // Setting `required` again updates the wire encoding to the new shape, for formats with field numbers.
    field.clone().with_inner(shape).with_required(field.required())
}
